"""Exposure and outcome as a two-by-two table."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError, Undefined
from icefire.core.intervals import log_ratio
from icefire.core.values import ERROR, Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.hierarchy import value_text
from icefire.microdata.roles import Utility


@dataclass(frozen=True)
class TwoByTwo:
    """Persons by exposure (a, b: exposed; c, d: not) and outcome (a, c: with; b, d: without)."""

    a: float
    b: float
    c: float
    d: float

    def relative_risk(self) -> tuple[float, float]:
        """The ratio of risks, and the standard error of its logarithm."""
        self._need(self.a, self.c, self.a + self.b, self.c + self.d)
        ratio = (self.a / (self.a + self.b)) / (self.c / (self.c + self.d))
        return ratio, math.sqrt(1 / self.a - 1 / (self.a + self.b) + 1 / self.c - 1 / (self.c + self.d))

    def odds_ratio(self) -> tuple[float, float]:
        """The ratio of odds, and the standard error of its logarithm."""
        self._need(self.a, self.b, self.c, self.d)
        return self.a * self.d / (self.b * self.c), math.sqrt(
            sum(1 / cell for cell in (self.a, self.b, self.c, self.d))
        )

    def _need(self, *cells: float) -> None:
        if min(cells) <= 0:
            raise Undefined(f"a cell of the exposure-outcome table is empty ({self})")


@dataclass(frozen=True)
class RatioKept(Utility):
    """Base of the two ratios: how far a ratio moves, relative to what it was."""

    scale: ClassVar[Scale] = ERROR
    exposure: str
    exposed: tuple[str | int | float, ...]
    outcome: str
    cases: tuple[str | int | float, ...]

    @abstractmethod
    def ratio(self, table: TwoByTwo) -> tuple[float, float]: ...

    def measure(self, original: Microdata, release: Release) -> Score:
        before = self.ratio(self._table(original, original))
        after = self.ratio(self._table(original, release.published))
        detail = {}
        for when, (ratio, error) in (("before", before), ("after", after)):
            interval = log_ratio(ratio, error)
            detail[when] = {
                "ratio": ratio,
                "low": interval.low,
                "high": interval.high,
                "confidence": interval.confidence,
            }
        return self.score(abs(after[0] - before[0]) / before[0], detail=detail)

    def _table(self, original: Microdata, table: Microdata) -> TwoByTwo:
        for column in (self.exposure, self.outcome):
            columns_or_all([column], original.schema.names, type(self).__name__)
            if column not in table.schema.names:
                raise Undefined(f"the column {column!r} was not published")
        counted = table.counts((self.exposure, self.outcome))
        exposed = self._share(original, counted[self.exposure], self.exposed)
        case = self._share(original, counted[self.outcome], self.cases)
        # Rows with a missing value in either column are left out.
        known = ~(np.isnan(exposed) | np.isnan(case))
        exposed, case, rows = exposed[known], case[known], counted[relational.COUNT].to_numpy()[known]
        return TwoByTwo(
            float((exposed * case) @ rows),
            float((exposed * (1 - case)) @ rows),
            float(((1 - exposed) * case) @ rows),
            float(((1 - exposed) * (1 - case)) @ rows),
        )

    def _share(
        self, original: Microdata, published: pl.Series, wanted: tuple[str | int | float, ...]
    ) -> NDArray[np.float64]:
        """How much of each cell lies in the wanted values: 0 or 1 unless it is generalized; NaN where it is missing."""
        column = published.name
        domain = original.domain(column)
        texts = [value_text(value) for value in wanted]
        for text in texts:
            if text not in domain.texts:
                raise DataError(f"{type(self).__name__}: {text!r} does not occur in column {column!r}")
        inside = np.array([text in texts for text in domain.texts], dtype=np.float64)
        cells = domain.read(published)
        shares = (cells.membership @ inside)[cells.codes]
        return np.where(published.is_null().to_numpy(), np.nan, shares)

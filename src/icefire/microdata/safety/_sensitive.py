"""Sensitive values by class, for l-diversity and t-closeness of a published table."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import Undefined
from icefire.core.values import Direction, Score
from icefire.frames import relational
from icefire.microdata.constraints import Counts
from icefire.microdata.data import Guess, Microdata, Release, columns_or_all
from icefire.microdata.roles import Safety

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ByClass(Safety):
    """Base of the metrics that look at the sensitive values of every class and report the worst class."""

    direction: ClassVar[Direction]

    sensitive: str | None = None

    @abstractmethod
    def by_class(self, counts: Counts, whole: Floats, ordered: bool) -> Floats: ...

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        published = release.published
        wanted = () if self.sensitive is None else (self.sensitive,)
        names = columns_or_all(wanted, published.sa, type(self).__name__)
        if not names:
            raise Undefined("no sensitive column was published")
        worst: dict[str, Any] = {}
        for name in names:
            counts, whole = sensitive_counts(published, name)
            values = self.by_class(counts, whole, published.is_numeric(name)).tolist()
            if not np.isfinite(value := self.direction.worst(values)):
                raise Undefined(f"some class has too few values of {name!r} for this to be defined")
            worst[name] = value
        return Score(self.direction.worst(list(worst.values())), self.direction, detail={"by column": worst})


def sensitive_counts(table: Microdata, name: str) -> tuple[Counts, Floats]:
    """How often each sensitive value occurs in each class of equal QI; and the whole table's distribution."""
    pairs = relational.value_counts(table.native, table.qi, name)
    keys = [key for key in table.qi if key != name]
    classes = (
        pairs.select(pl.struct(keys).rank("dense") - 1).to_series() if keys else pl.zeros(pairs.height, eager=True)
    )
    values = pairs[name].rank("dense")
    codes = (values.fill_null((values.max() or 0) + 1) - 1).to_numpy().astype(np.int64)  # type: ignore[operator]
    weights = pairs[relational.COUNT].to_numpy().astype(np.int64)
    numbers = classes.to_numpy().astype(np.int64)
    whole = np.bincount(codes, weights)
    return Counts.of_pairs(numbers, codes, weights, int(numbers.max()) + 1), whole / whole.sum()

"""Suppression of rare or extreme rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import DataError, ParameterError
from icefire.core.parameters import AtLeast, Share
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.partition import group_equal
from icefire.microdata.roles import Anonymizer


@dataclass(frozen=True)
class DropRows(Anonymizer):
    """Leave out the rows of small QI classes, or those with the most extreme amounts, or both.

    Parameters:
        smaller_than: drop rows whose QI combination is shared by fewer rows than this.
        outliers: share of rows to drop, those farthest from the median in any of the columns first.
        columns: amounts that `outliers` looks at; all numeric SA if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "f", "m"], "pay": [1, 2, 3]}), Schema(qi=["sex"], sa=["pay"]))
        >>> release = DropRows(smaller_than=2).anonymize(people, np.random.default_rng(0))
        >>> sorted(release.rows.tolist())
        [0, 1]
    """

    deterministic: ClassVar[bool] = True
    smaller_than: Annotated[int, AtLeast(2)] | None = None
    outliers: Share = 0.0
    columns: tuple[str, ...] = ()

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        # A larger class size would leave no row of a small table with many QI.
        return [cls(smaller_than=2), cls(outliers=0.05)]

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        if self.smaller_than is None and self.outliers == 0:
            raise ParameterError("DropRows must be told what to drop: give 'smaller_than' or 'outliers'.")
        keep = np.ones(original.height, dtype=bool)
        if self.outliers:
            names = columns_or_all(self.columns, original.numeric_sa, "DropRows")
            dropped = int(self.outliers * original.height)
            keep[np.argsort(-_extremeness(original, names), kind="stable")[:dropped]] = False
        if self.smaller_than is not None:
            if not original.qi:
                raise DataError("DropRows(smaller_than) needs a QI column; the schema names none")
            # Classes are counted among the rows that stay.
            rows = np.flatnonzero(keep)
            _, sizes, same = group_equal([original.codes(name)[rows] for name in original.qi])
            keep[rows] = sizes[same] >= self.smaller_than
        rows = np.flatnonzero(keep)
        if not rows.size:
            raise DataError("DropRows would drop every row: lower 'smaller_than' or 'outliers'")
        return Release.shuffled(original, original.frame[rows], rows, rng)


def _extremeness(original: Microdata, names: tuple[str, ...]) -> NDArray[np.float64]:
    """The largest distance from a column's median in units of its median absolute deviation."""
    if not names:
        raise DataError("DropRows(outliers) needs a numeric SA column; the table has none")
    scores = np.zeros(original.height)
    for name in names:
        values = original.frame[name].cast(float).to_numpy()
        if np.isnan(values).all():
            continue
        away = np.abs(values - np.nanmedian(values))
        spread = np.nanmedian(away) or np.nanmean(away) or 1.0
        scores = np.fmax(scores, away / spread)
    return scores

"""Microaggregation (MDAV)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError, ParameterError
from icefire.core.parameters import AtLeast
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Microaggregate(Anonymizer):
    """MDAV: form groups of k similar rows and replace amounts by their group's mean.

    Repeatedly, the row farthest from the centre, and the row farthest from that, each gather their nearest rows.
    With a `gain` above 0 the groups may grow up to 2k - 1 rows: a row joins while it is nearer to the group than
    `gain` times its distance to the nearest other row (V-MDAV).

    Parameters:
        k: least group size.
        columns: the numeric columns; all numeric SA if left out.
        gain: readiness to let groups grow; 0 keeps their size fixed.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f"] * 4, "pay": [1, 3, 10, 12]}), Schema(qi=["sex"], sa=["pay"]))
        >>> sorted(Microaggregate(k=2).anonymize(people, np.random.default_rng(0)).published.frame["pay"])
        [2.0, 2.0, 11.0, 11.0]

    Reference:
        Domingo-Ferrer, Torra: Ordinal, continuous and heterogeneous k-anonymity through microaggregation. 2005;
        Solanas, Martínez-Ballesté: V-MDAV. 2006.
    """

    deterministic: ClassVar[bool] = True
    k: Annotated[int, AtLeast(2)] = 3
    columns: tuple[str, ...] = ()
    gain: Annotated[float, AtLeast(0)] = 0.0

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        return [cls(k=k) for k in (3, 5, 10)]

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        names = (
            columns_or_all(self.columns, original.numeric, "Microaggregate") if self.columns else original.numeric_sa
        )
        if not names:
            raise DataError("Microaggregate needs a numeric column; the table has none")
        if original.height < self.k:
            raise ParameterError(
                f"The 'k' parameter of Microaggregate must be at most the number of rows, {original.height}. "
                f"Got {self.k} instead."
            )
        amounts = original.frame.select(pl.col(names).cast(pl.Float64))
        if amounts.null_count().sum_horizontal()[0]:
            raise DataError("Microaggregate needs complete amounts: drop or fill the missing ones first")
        matrix = amounts.to_numpy()
        deviation = matrix.std(axis=0)
        groups = mdav((matrix - matrix.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0), self.k, self.gain)
        sizes = np.bincount(groups)
        averages = {
            name: pl.Series((np.bincount(groups, matrix[:, i]) / sizes)[groups]) for i, name in enumerate(names)
        }
        return Release.shuffled(original, original.frame.with_columns(**averages), np.arange(original.height), rng)


def mdav(points: Matrix, k: int, gain: float = 0.0) -> NDArray[np.int64]:
    """The group of each point."""
    groups = np.empty(len(points), dtype=np.int64)
    left = np.arange(len(points))
    number = 0
    while left.size >= 3 * k:
        farthest = left[_far(points[left], points[left].mean(axis=0))]
        opposite = left[_far(points[left], points[farthest])]
        for seed in (farthest, opposite):
            if seed in left and left.size >= 2 * k:
                members, left = _gather(points, left, seed, k, gain)
                groups[members] = number
                number += 1
    if left.size >= 2 * k:
        members, left = _gather(points, left, left[_far(points[left], points[left].mean(axis=0))], k, 0.0)
        groups[members] = number
        number += 1
    if left.size:
        groups[left] = number
    return groups


def _squares(points: Matrix, centre: Matrix) -> Matrix:
    difference = points - centre
    return np.asarray(np.einsum("ij,ij->i", difference, difference))


def _far(points: Matrix, centre: Matrix) -> int:
    return int(_squares(points, centre).argmax())


def _gather(
    points: Matrix, left: NDArray[np.int64], seed: int, k: int, gain: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The seed's k nearest rows (more, if gain lets the group grow), and the rows that remain."""
    near = np.argpartition(_squares(points[left], points[seed]), k - 1)[:k]
    inside = np.zeros(left.size, dtype=bool)
    inside[near] = True
    while gain and inside.sum() < 2 * k - 1 and (~inside).sum() > k:
        outside = np.flatnonzero(~inside)
        to_group = np.min([_squares(points[left[outside]], points[left[i]]) for i in np.flatnonzero(inside)], axis=0)
        best = int(to_group.argmin())
        others = np.delete(outside, best)
        to_others = _squares(points[left[others]], points[left[outside[best]]]).min()
        if to_group[best] >= gain**2 * to_others:
            break
        inside[outside[best]] = True
    return left[inside], left[~inside]

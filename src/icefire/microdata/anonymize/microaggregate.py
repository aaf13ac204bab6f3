"""Microaggregation (MDAV)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError, ParameterError
from icefire.core.grid import AVERAGE, decimals_of, rounded
from icefire.core.parameters import AtLeast
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.points import Points
from icefire.microdata.roles import Anonymizer

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Microaggregate(Anonymizer):
    """MDAV: form groups of k similar rows and replace amounts by their group's mean.

    Repeatedly, the row farthest from the centre, and the row farthest from that, each gather their nearest rows.
    With a `gain` above 0 the groups may grow up to 2k - 1 rows: a row joins while it is nearer to the group than
    `gain` times its distance to the nearest other row (V-MDAV).

    Means are published with two decimals more than their column has, and no more than a
    hundred-millionth of its standard deviation needs: all bits of a mean tell the sum that it is of.

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

    def minutes(self, people: int) -> float:
        return 0.06 * math.pow(people / 32_000, 1.7)

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
        points = (matrix - matrix.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
        groups = mdav(points * np.sqrt(original.schema.importance(names)), self.k, self.gain)
        sizes = np.bincount(groups)
        averages = {}
        for i, name in enumerate(names):
            decimals = decimals_of(matrix[:, i], deviation[i], AVERAGE, original.schema.column(name).decimals)
            averages[name] = pl.Series(rounded(np.bincount(groups, matrix[:, i]) / sizes, decimals)[groups])
        return Release.shuffled(original, original.frame.with_columns(**averages), np.arange(original.height), rng)


def mdav(points: Matrix, k: int, gain: float = 0.0) -> NDArray[np.int64]:
    """The group of each point."""
    groups = np.empty(len(points), dtype=np.int64)
    pool = Points(points)
    number = 0
    while pool.size >= 3 * k:
        farthest = pool.farthest(pool.centre)
        opposite = pool.farthest(points[farthest])
        for seed in (farthest, opposite):
            if pool.left[seed] and pool.size >= 2 * k:
                groups[_gather(points, pool, seed, k, gain)] = number
                number += 1
    if pool.size >= 2 * k:
        groups[_gather(points, pool, pool.farthest(pool.centre), k, 0.0)] = number
        number += 1
    groups[pool.rows] = number
    return groups


def _gather(points: Matrix, pool: Points, seed: int, k: int, gain: float) -> list[int]:
    """Take the seed's k nearest rows out of the pool; more, if gain lets the group grow."""
    near, _ = pool.nearest(points[seed], k)
    pool.take(near)
    members = [int(row) for row in near]
    reached: dict[int, tuple[float, int]] = {}
    while gain and len(members) < 2 * k - 1 and pool.size > k:
        for member in members:
            if member not in reached or not pool.left[reached[member][1]]:
                rows, squares = pool.nearest(points[member], 1)
                reached[member] = float(squares[0]), int(rows[0])
        to_group, best = min(reached.values())
        # The nearest other row comes after the row itself, or after one that is equal.
        to_others = pool.nearest(points[best], 2)[1][1]
        if to_group >= gain**2 * to_others:
            break
        pool.take(np.array([best]))
        members.append(best)
    return members

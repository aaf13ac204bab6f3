"""Several facts: how fast identification grows with each further record an attacker knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Annotated, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from icefire.core import parameters
from icefire.core.errors import DataError, ParameterError
from icefire.core.intervals import mean_of_sample, wilson
from icefire.core.parameters import AtLeast
from icefire.core.seeds import generator
from icefire.core.values import Interval
from icefire.frames import relational
from icefire.frames.engines import Native, lazy

ENUMERATE = 200_000
"""Up to so many subsets of records are enumerated; beyond that they are drawn."""
PAIRS = 20_000_000
"""(subset, candidate) pairs held in memory at a time."""

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class CurvePoint:
    """What an attacker achieves who knows some of a person's records."""

    known: Mapping[str, int]
    """How many records of each type; the type is "any" where types are not told apart."""
    probability: float
    """Mean of 1/candidates."""
    bits: float
    """Remaining uncertainty: mean of log2(candidates)."""
    unicity: float
    """Share of cases in which one candidate is left."""
    users: int
    """Users who have that many records."""
    exact: bool
    probability_interval: Interval | None = None
    unicity_interval: Interval | None = None

    def as_dict(self) -> dict[str, Any]:
        result: dict[str, Any] = {
            "known": dict(self.known),
            "probability": self.probability,
            "bits": self.bits,
            "unicity": self.unicity,
            "users": self.users,
            "exact": self.exact,
        }
        for name, interval in (("probability", self.probability_interval), ("unicity", self.unicity_interval)):
            if interval is not None:
                result[f"{name}_interval"] = [interval.low, interval.high]
        return result


@dataclass(frozen=True)
class _Settings:
    """The numbers of `identification_curve`, checked like any method's parameters."""

    samples: Annotated[int, AtLeast(100)]

    def __post_init__(self) -> None:
        parameters.check(self)


def identification_curve(
    data: Native,
    user: str,
    facts: Sequence[str],
    known: Sequence[int | Mapping[str, int]] = (0, 1, 2, 3, 4),
    type_column: str | None = None,
    coarsen: Mapping[str, float | int | str] | None = None,
    samples: int = 20_000,
    seed: int = 0,
) -> list[CurvePoint]:
    """Identification by g known records, for each g (or each mixture of types of records) in `known`.

    A fact is what the columns `facts` say of a record. A candidate is a user whose history contains all the known
    facts. Values are averaged over users and over the subsets of their records: all of them where they are few, a
    seeded sample with a 95% interval otherwise. Users with fewer records are left out.

    `coarsen` blurs facts first: a number is a band width for numbers or a number of leading characters for texts, a
    text such as "1h" or "1mo" truncates times.

    >>> visits = pl.DataFrame({"who": ["a", "a", "b", "b"], "where": ["x", "y", "x", "z"]})
    >>> [point.probability for point in identification_curve(visits, "who", ["where"], known=[0, 1, 2])]
    [0.5, 0.75, 1.0]
    """
    _Settings(samples)
    needed = [user, *facts, *([type_column] if type_column else [])]
    relational.require_columns(data, [*needed, *(coarsen or {})])
    frame = relational.collect(lazy(data).select(*dict.fromkeys(needed)))
    if frame.height == 0:
        raise DataError("the table has 0 rows, so nobody can be identified")
    for name, rule in (coarsen or {}).items():
        frame = frame.with_columns(_coarser(frame[name], rule).alias(name))
    history = _History(frame, user, list(facts), type_column)
    points = []
    for number, wanted in enumerate(known):
        mixture = {"any": wanted} if isinstance(wanted, int) else dict(wanted)
        points.append(history.point(mixture, samples, generator(seed, "curve", number)))
    return points


def _coarser(column: pl.Series, rule: float | int | str) -> pl.Series:
    if column.dtype.is_temporal() and isinstance(rule, str):
        return column.dt.truncate(rule)
    if column.dtype.is_numeric() and isinstance(rule, int | float) and rule > 0:
        return (column / rule).floor() * rule
    if column.dtype == pl.String and isinstance(rule, int) and rule >= 0:
        return column.str.slice(0, rule)
    raise ParameterError(
        f"cannot coarsen column {column.name!r} ({column.dtype}) by {rule!r}: give a band width for numbers, a number of "
        'leading characters for texts, or a text such as "1h" for times'
    )


class _History:
    """Who has which facts."""

    def __init__(self, frame: pl.DataFrame, user: str, facts: list[str], type_column: str | None) -> None:
        key = list(dict.fromkeys([*facts, *([type_column] if type_column else [])]))
        self.user = (frame[user].rank("dense").fill_null(0)).to_numpy().astype(np.int64)
        self.user = np.unique(self.user, return_inverse=True)[1]
        self.fact = (frame.select(pl.struct(key).rank("dense")).to_series() - 1).to_numpy().astype(np.int64)
        self.types = None if type_column is None else frame[type_column].cast(pl.String).fill_null("missing").to_numpy()
        self.users = int(self.user.max()) + 1
        pairs = np.unique(self.fact * self.users + self.user)
        shape = (int(self.fact.max()) + 1, self.users)
        ones = np.ones(pairs.size, dtype=np.int32)
        self.holders = sparse.csr_array((ones, (pairs // self.users, pairs % self.users)), shape=shape)

    def point(self, known: dict[str, int], samples: int, rng: np.random.Generator) -> CurvePoint:
        if any(count < 0 for count in known.values()):
            raise ParameterError.of("identification_curve", "known", "numbers of at least 0", known)
        asked = {name: count for name, count in known.items() if count > 0}
        if not asked:
            return CurvePoint(
                known, 1 / self.users, float(np.log2(self.users)), float(self.users == 1), self.users, True
            )
        groups = [(self._records(name), count) for name, count in asked.items()]
        enough = np.ones(self.users, dtype=bool)
        for (_, sizes, _), count in groups:
            enough &= sizes >= count
        able = np.flatnonzero(enough)
        if able.size == 0:
            raise DataError(f"no user has {known} records, so that curve point has no value")
        work = sum(_subsets([(int(sizes[u]), count) for (_, sizes, _), count in groups]) for u in able)
        exact = work <= ENUMERATE
        if exact:
            chosen, weight = self._all(groups, able)
        else:
            chosen, weight = self._drawn(groups, able, samples, rng)
        return self._summary(known, self._candidates(chosen), weight, able.size, exact)

    def _records(self, name: str) -> tuple[Ints, Ints, Ints]:
        """Facts of the records of a type sorted by user, how many each user has, and where they begin."""
        mine = np.arange(self.user.size) if name == "any" else self._of_type(name)
        order = mine[np.argsort(self.user[mine], kind="stable")]
        sizes = np.bincount(self.user[mine], minlength=self.users)
        return self.fact[order], sizes, np.cumsum(sizes) - sizes

    def _of_type(self, name: str) -> Ints:
        if self.types is None:
            raise ParameterError.of(
                "identification_curve", "type_column", f"given to tell records of type {name!r}", None
            )
        return np.flatnonzero(self.types == name)

    def _all(self, groups: list[tuple[tuple[Ints, Ints, Ints], int]], able: Ints) -> tuple[Ints, NDArray[np.float64]]:
        rows, weights = [], []
        for u in able:
            parts = [
                [facts[start[u] :][list(places)] for places in combinations(range(sizes[u]), count)]
                for (facts, sizes, start), count in groups
            ]
            mixed = [np.concatenate(pick) for pick in _product(parts)]
            rows += mixed
            weights += [1.0 / (len(mixed) * able.size)] * len(mixed)
        return np.stack(rows), np.array(weights)

    def _drawn(
        self, groups: list[tuple[tuple[Ints, Ints, Ints], int]], able: Ints, samples: int, rng: np.random.Generator
    ) -> tuple[Ints, NDArray[np.float64]]:
        who = able[rng.integers(0, able.size, samples)]
        parts = [
            facts[start[who][:, None] + _distinct_places(sizes[who], count, rng)]
            for (facts, sizes, start), count in groups
        ]
        return np.hstack(parts), np.full(samples, 1.0 / samples)

    def _candidates(self, chosen: Ints) -> Ints:
        """How many users have all the facts of each row."""
        popularity = np.diff(self.holders.indptr)
        cost = np.cumsum(popularity[chosen].sum(axis=1))
        result = np.empty(len(chosen), dtype=np.int64)
        begin = 0
        while begin < len(chosen):
            spent = cost[begin - 1] if begin else 0
            end = max(begin + 1, int(np.searchsorted(cost, spent + PAIRS)))
            block = np.sort(chosen[begin:end], axis=1)
            fresh = np.ones(block.shape, dtype=bool)
            fresh[:, 1:] = block[:, 1:] != block[:, :-1]
            rows = np.nonzero(fresh)[0]
            ones = np.ones(rows.size, dtype=np.int32)
            asked = sparse.csr_array((ones, (rows, block[fresh])), shape=(end - begin, self.holders.shape[0]))
            held = (asked @ self.holders).tocsr()
            owner = np.repeat(np.arange(end - begin), np.diff(held.indptr))
            complete = held.data == fresh.sum(axis=1)[owner]
            result[begin:end] = np.bincount(owner[complete], minlength=end - begin)
            begin = end
        return result

    def _summary(
        self, known: dict[str, int], candidates: Ints, weight: NDArray[np.float64], able: int, exact: bool
    ) -> CurvePoint:
        chance, unique = 1.0 / candidates, candidates == 1
        return CurvePoint(
            known,
            min(1.0, float(chance @ weight)),
            float(np.log2(candidates) @ weight),
            min(1.0, float(unique @ weight)),
            able,
            exact,
            None if exact else mean_of_sample(chance),
            None if exact else wilson(int(unique.sum()), unique.size),
        )


def _subsets(sizes: list[tuple[int, int]]) -> int:
    total = 1
    for size, count in sizes:
        total *= comb(size, count)
    return total


def _product(parts: list[list[Ints]]) -> list[list[Ints]]:
    mixed: list[list[Ints]] = [[]]
    for part in parts:
        mixed = [[*left, right] for left in mixed for right in part]
    return mixed


def _distinct_places(sizes: Ints, count: int, rng: np.random.Generator) -> Ints:
    """For each size, `count` different places below it (Floyd's algorithm, all rows at once)."""
    places = np.full((sizes.size, count), -1, dtype=np.int64)
    for step in range(count):
        top = sizes - count + step
        drawn = (rng.random(sizes.size) * (top + 1)).astype(np.int64)
        taken = (places == drawn[:, None]).any(axis=1)
        places[:, step] = np.where(taken, top, drawn)
    return places

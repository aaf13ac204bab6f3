"""Identification curve: identification probability and unicity by the number of records an attacker knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod
from typing import Annotated, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from icefire.core import parameters
from icefire.core.documents import JsonObject
from icefire.core.errors import DataError, ParameterError
from icefire.core.intervals import mean_of_sample, wilson
from icefire.core.parameters import AtLeast
from icefire.core.seeds import generator
from icefire.core.values import Interval
from icefire.frames import relational
from icefire.frames.engines import Native, lazy

ENUMERATE = 200_000
"""Largest number of record subsets that are enumerated; beyond it they are sampled."""
PAIRS = 20_000_000
"""Largest number of (subset, candidate) pairs held in memory at a time."""

Ints = NDArray[np.int64]
Records: TypeAlias = tuple[Ints, Ints, Ints]


@dataclass(frozen=True)
class CurvePoint:
    """Identification by an attacker who knows a given number of a user's records."""

    known: Mapping[str, int]
    """Number of known records by type; "any" if types are not distinguished."""
    probability: float
    """Mean of 1/candidates."""
    bits: float
    """Remaining uncertainty: mean of log2(candidates)."""
    unicity: float
    """Share of cases with a single candidate."""
    users: int
    """Number of users with at least that many records."""
    exact: bool
    """Whether all subsets of records were enumerated rather than sampled."""
    probability_interval: Interval | None = None
    unicity_interval: Interval | None = None

    def as_dict(self) -> JsonObject:
        result: JsonObject = {
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
    """The numeric parameters of `identification_curve`, validated as those of a method."""

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
    """Identification by g known records, for each g in `known`; an entry may also give a number for each type of record.

    A fact is the combination of a record's values in the columns `facts`. A candidate is a user whose history contains
    all known facts. Results are averages over users and over subsets of their records: over all subsets if there are
    few, otherwise over a seeded sample, with a 95% interval. Users with fewer records are left out.

    `coarsen` generalizes columns first: a number is a band width for numeric columns and a number of leading characters
    for string columns; a string such as "1h" or "1mo" truncates times.

    >>> visits = pl.DataFrame({"who": ["a", "a", "b", "b"], "where": ["x", "y", "x", "z"]})
    >>> [point.probability for point in identification_curve(visits, "who", ["where"], known=[0, 1, 2])]
    [0.5, 0.75, 1.0]
    """
    _Settings(samples)
    needed = [user, *facts, *([type_column] if type_column else [])]
    relational.require_columns(data, [*needed, *(coarsen or {})])
    frame = relational.collect(lazy(data).select(*dict.fromkeys(needed)))
    if frame.height == 0:
        raise DataError("the table has 0 rows, so there are no users to identify")
    for name, rule in (coarsen or {}).items():
        frame = frame.with_columns(_coarsened(frame[name], rule).alias(name))
    history = _History(frame, user, list(facts), type_column)
    points = []
    for number, entry in enumerate(known):
        counts = {"any": entry} if isinstance(entry, int) else dict(entry)
        points.append(history.point(counts, samples, generator(seed, "curve", number)))
    return points


def _coarsened(column: pl.Series, rule: float | int | str) -> pl.Series:
    if column.dtype.is_temporal() and isinstance(rule, str):
        return column.dt.truncate(rule)
    if column.dtype.is_numeric() and isinstance(rule, int | float) and rule > 0:
        return (column / rule).floor() * rule
    if column.dtype == pl.String and isinstance(rule, int) and rule >= 0:
        return column.str.slice(0, rule)
    raise ParameterError(
        f"cannot coarsen column {column.name!r} ({column.dtype}) by {rule!r}: give a band width for numbers, a number of "
        'leading characters for strings, or a string such as "1h" for times'
    )


class _History:
    """The facts of each user, as codes."""

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
        eligible = np.flatnonzero(enough)
        if eligible.size == 0:
            raise DataError(f"no user has {known} records, so that curve point has no value")
        subsets = sum(_subsets([(int(sizes[user]), count) for (_, sizes, _), count in groups]) for user in eligible)
        exact = subsets <= ENUMERATE
        if exact:
            chosen, weight = self._enumerate(groups, eligible)
        else:
            chosen, weight = self._sample(groups, eligible, samples, rng)
        return self._summary(known, self._candidates(chosen), weight, eligible.size, exact)

    def _records(self, name: str) -> Records:
        """The records of a type: facts sorted by user, number of records per user, and offset of each user's first."""
        chosen = np.arange(self.user.size) if name == "any" else self._of_type(name)
        order = chosen[np.argsort(self.user[chosen], kind="stable")]
        sizes = np.bincount(self.user[chosen], minlength=self.users)
        return self.fact[order], sizes, np.cumsum(sizes) - sizes

    def _of_type(self, name: str) -> Ints:
        if self.types is None:
            raise ParameterError.of(
                "identification_curve", "type_column", f"given to select records of type {name!r}", None
            )
        return np.flatnonzero(self.types == name)

    def _enumerate(self, groups: list[tuple[Records, int]], eligible: Ints) -> tuple[Ints, NDArray[np.float64]]:
        """[subset, fact] for all subsets of records of all users, and the weight of each subset."""
        rows, weights = [], []
        for user in eligible:
            parts = [
                [facts[start[user] :][list(places)] for places in combinations(range(sizes[user]), count)]
                for (facts, sizes, start), count in groups
            ]
            subsets = [np.concatenate(choice) for choice in product(*parts)]
            rows += subsets
            weights += [1.0 / (len(subsets) * eligible.size)] * len(subsets)
        return np.stack(rows), np.array(weights)

    def _sample(
        self, groups: list[tuple[Records, int]], eligible: Ints, samples: int, rng: np.random.Generator
    ) -> tuple[Ints, NDArray[np.float64]]:
        """[subset, fact] for random subsets of records of random users, and the weight of each subset."""
        user = eligible[rng.integers(0, eligible.size, samples)]
        parts = [
            facts[start[user][:, None] + _distinct_places(sizes[user], count, rng)]
            for (facts, sizes, start), count in groups
        ]
        return np.hstack(parts), np.full(samples, 1.0 / samples)

    def _candidates(self, chosen: Ints) -> Ints:
        """Number of users who have all facts of each row."""
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
        self, known: dict[str, int], candidates: Ints, weight: NDArray[np.float64], users: int, exact: bool
    ) -> CurvePoint:
        chance, unique = 1.0 / candidates, candidates == 1
        return CurvePoint(
            known,
            min(1.0, float(chance @ weight)),
            float(np.log2(candidates) @ weight),
            min(1.0, float(unique @ weight)),
            users,
            exact,
            None if exact else mean_of_sample(chance),
            None if exact else wilson(int(unique.sum()), unique.size),
        )


def _subsets(sizes: list[tuple[int, int]]) -> int:
    """Number of ways to choose `count` of `size` records in every group."""
    return prod(comb(size, count) for size, count in sizes)


def _distinct_places(sizes: Ints, count: int, rng: np.random.Generator) -> Ints:
    """For each size, a random sample of `count` distinct integers below it (Floyd's algorithm, vectorized)."""
    places = np.full((sizes.size, count), -1, dtype=np.int64)
    for step in range(count):
        top = sizes - count + step
        drawn = (rng.random(sizes.size) * (top + 1)).astype(np.int64)
        taken = (places == drawn[:, None]).any(axis=1)
        places[:, step] = np.where(taken, top, drawn)
    return places

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

from icefire.core import parameters
from icefire.core.documents import JsonObject
from icefire.core.errors import DataError, ParameterError
from icefire.core.intervals import mean_of_sample, wilson
from icefire.core.parameters import AtLeast
from icefire.core.seeds import generator
from icefire.core.values import Interval
from icefire.frames import relational
from icefire.frames.engines import Native, lazy
from icefire.frames.ragged import concatenated_ranges, distinct, offsets

ENUMERATE = 200_000
"""Largest number of record subsets that are enumerated; beyond it they are sampled."""
PAIRS = 4_000_000
"""Largest number of (subset, candidate) pairs held in memory at a time."""
WORK = 1_000_000_000
"""Largest number of candidates that are looked at for one point of the curve; where facts are shared by more, fewer subsets
are drawn."""

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
        self.user, self.users = _ranks(frame.select(user))
        self.fact, self.facts = _ranks(frame.select(key))
        self.types = None if type_column is None else frame[type_column].cast(pl.String).fill_null("missing").to_numpy()
        self._by_type: dict[str, Records] = {}
        pairs = distinct(self.fact * self.users + self.user)
        self.holders = pairs % self.users
        """The users of the first fact, of the second, and so on."""
        self.popularity = np.bincount(pairs // self.users, minlength=self.facts)
        """The number of users of each fact."""
        self.first = offsets(self.popularity)

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
        kinds, users = np.unique([sizes[eligible] for (_, sizes, _), _ in groups], axis=1, return_counts=True)
        subsets = sum(
            int(number) * prod(comb(int(size), count) for size, count in zip(kind, asked.values(), strict=True))
            for kind, number in zip(kinds.T, users, strict=True)
        )
        exact = subsets <= ENUMERATE
        if exact:
            chosen, weight = self._enumerate(groups, eligible)
        else:
            chosen = self._sample(groups, eligible, samples, rng)
            weight = np.full(len(chosen), 1.0 / len(chosen))
        return self._summary(known, self._candidates(chosen), weight, eligible.size, exact)

    def _records(self, name: str) -> Records:
        """The records of a type: facts sorted by user, number of records per user, and offset of each user's first."""
        if name not in self._by_type:
            chosen = slice(None) if name == "any" else self._of_type(name)
            # Sorted by user and fact, so that the order in which an engine sends the records does not matter.
            keys = np.sort(self.user[chosen] * self.facts + self.fact[chosen])
            sizes = np.bincount(self.user[chosen], minlength=self.users)
            self._by_type[name] = keys % self.facts, sizes, offsets(sizes)
        return self._by_type[name]

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
    ) -> Ints:
        """[subset, fact] for random subsets of records of random users."""
        user = eligible[rng.integers(0, eligible.size, samples)]
        parts = [
            facts[start[user][:, None] + _distinct_places(sizes[user], count, rng)]
            for (facts, sizes, start), count in groups
        ]
        chosen = np.hstack(parts)
        mean = float(self.popularity[chosen].min(axis=1).mean()) if chosen.shape[1] > 1 else 1.0
        return chosen[: max(100, int(WORK / mean))]

    def _candidates(self, chosen: Ints) -> Ints:
        """Number of users who have all facts of each row: of the users of its rarest fact, those who have the others."""
        rarest_first = np.argsort(self.popularity[chosen], axis=1, kind="stable")
        chosen = np.take_along_axis(chosen, rarest_first, axis=1)
        result = self.popularity[chosen[:, 0]]
        several = np.flatnonzero((chosen != chosen[:, :1]).any(axis=1))
        cost = np.cumsum(result[several])
        begin = 0
        while begin < several.size:
            spent = cost[begin - 1] if begin else 0
            end = max(begin + 1, int(np.searchsorted(cost, spent + PAIRS)))
            rows = several[begin:end]
            result[rows] = self._shared(chosen[rows])
            begin = end
        return result

    def _shared(self, chosen: Ints) -> Ints:
        """Number of users who have all facts of each row, whose first fact is the rarest."""
        counts = self.popularity[chosen[:, 0]]
        user = self.holders[concatenated_ranges(self.first[chosen[:, 0]], counts)]
        has_fact = np.zeros(self.users, dtype=bool)
        for column in range(1, chosen.shape[1]):
            begins = offsets(counts)
            keep = np.empty(user.size, dtype=bool)
            order = np.argsort(chosen[:, column], kind="stable")
            facts, starts = np.unique(chosen[order, column], return_index=True)
            for fact, rows in zip(facts, np.split(order, starts[1:]), strict=True):
                holders = self.holders[self.first[fact] : self.first[fact] + self.popularity[fact]]
                has_fact[holders] = True
                places = concatenated_ranges(begins[rows], counts[rows])
                keep[places] = has_fact[user[places]]
                has_fact[holders] = False
            owner = np.repeat(np.arange(counts.size), counts)
            user, counts = user[keep], np.bincount(owner[keep], minlength=counts.size)
        return counts

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


def _ranks(frame: pl.DataFrame) -> tuple[Ints, int]:
    """The position of each row among the distinct rows in ascending order, missing values first, and the number of those."""
    first, *others = frame.get_columns()
    codes = _positions(first)
    for column in others:
        more = _positions(column)
        codes = _positions(pl.Series(codes * (int(more.max()) + 1) + more))
    return codes, int(codes.max()) + 1


def _positions(column: pl.Series) -> Ints:
    # Few values are sorted and then looked up, instead of all rows.
    values = column.alias("value").unique().sort().to_frame().with_row_index("code")
    found = (
        column.alias("value").to_frame().join(values, on="value", how="left", nulls_equal=True, maintain_order="left")
    )
    return found["code"].to_numpy().astype(np.int64)


def _distinct_places(sizes: Ints, count: int, rng: np.random.Generator) -> Ints:
    """For each size, a random sample of `count` distinct integers below it (Floyd's algorithm, vectorized)."""
    places = np.full((sizes.size, count), -1, dtype=np.int64)
    for step in range(count):
        top = sizes - count + step
        drawn = (rng.random(sizes.size) * (top + 1)).astype(np.int64)
        taken = (places == drawn[:, None]).any(axis=1)
        places[:, step] = np.where(taken, top, drawn)
    return places

"""Identification curve: identification probability and unicity by the number of records an attacker knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb, prod
from typing import Annotated

import narwhals as nw
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
from icefire.frames.ragged import offsets
from icefire.knowledge._records import FACT, PLACE, RANK, Ints, Records

ENUMERATE = 200_000
"""Largest number of record subsets that are enumerated; beyond it they are sampled."""
WORK = 1_000_000_000
"""Largest number of candidates that are looked at for one point of the curve; where facts are shared by more, fewer subsets
are drawn."""

TYPE = "type of record"


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


def with_types(data: Native, column: str) -> Native:
    """The records with the column TYPE: the text of a column up to the first slash, which says what sort of record it is.

    >>> with_types(pl.LazyFrame({"item": ["ride/C07", "shop/A01"]}), "item").collect()[TYPE].to_list()
    ['ride', 'shop']
    """
    text = nw.col(column).cast(nw.String)
    typed: Native = lazy(data).with_columns(text.str.replace_all("(?s)/.*", "").alias(TYPE)).to_native()
    return typed


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
    records = Records(data, user, facts, type_column, coarsen or {})
    if records.users == 0:
        raise DataError("the table has 0 rows, so there are no users to identify")
    questions = []
    for number, entry in enumerate(known):
        counts = {"any": entry} if isinstance(entry, int) else dict(entry)
        questions.append(_question(records, counts, samples, generator(seed, "curve", number)))
    return _answers(records, questions)


@dataclass(frozen=True)
class _Question:
    """Subsets of records of which the candidates are asked for."""

    known: dict[str, int]
    users: int
    """Number of users with that many records."""
    facts: pl.DataFrame
    subsets: Ints
    """[subset, record]: rows of the facts."""
    weights: NDArray[np.float64] | None
    """Of each subset, if they are all that there are; None if they were drawn."""


def _question(records: Records, known: dict[str, int], samples: int, rng: np.random.Generator) -> _Question:
    if any(count < 0 for count in known.values()):
        raise ParameterError.of("identification_curve", "known", "numbers of at least 0", known)
    asked = {name: count for name, count in known.items() if count > 0}
    if not asked:
        return _Question(known, records.users, records.no_facts(), np.zeros((1, 0), dtype=np.int64), np.ones(1))
    kinds, users = records.sizes(tuple(asked))
    able = (kinds >= np.array(list(asked.values()))).all(axis=1)
    eligible = int(users[able].sum())
    if eligible == 0:
        raise DataError(f"no user has {known} records, so that curve point has no value")
    number = sum(
        int(users) * prod(comb(int(size), count) for size, count in zip(kind, asked.values(), strict=True))
        for kind, users in zip(kinds[able], users[able], strict=True)
    )
    if number <= ENUMERATE:
        return _Question(known, eligible, *_enumerated(records, asked))
    return _Question(known, eligible, *_sampled(records, asked, rng.integers(0, eligible, samples), rng), None)


def _enumerated(records: Records, asked: dict[str, int]) -> tuple[pl.DataFrame, Ints, NDArray[np.float64]]:
    """The facts of all users with enough records, all subsets of their records, and the weight of each."""
    people = records.people(asked, None)
    tables = [records.facts(people, name, None) for name in asked]
    before = offsets(np.array([table.height for table in tables]))
    starts = [np.searchsorted(table[RANK].to_numpy(), np.arange(people.height + 1)) for table in tables]
    rows: list[tuple[int, ...]] = []
    weights: list[float] = []
    for user in range(people.height):
        parts = [
            combinations(range(first + begin[user], first + begin[user + 1]), count)
            for first, begin, count in zip(before, starts, asked.values(), strict=True)
        ]
        subsets = [sum(choice, ()) for choice in product(*parts)]
        rows += subsets
        weights += [1.0 / (len(subsets) * people.height)] * len(subsets)
    return pl.concat(tables), np.array(rows), np.array(weights)


def _sampled(
    records: Records, asked: dict[str, int], ranks: Ints, rng: np.random.Generator
) -> tuple[pl.DataFrame, Ints]:
    """Facts of the given users, and a random subset of the records of each."""
    people = records.people(asked, ranks)
    person = np.searchsorted(people[RANK].to_numpy(), ranks)
    tables: list[pl.DataFrame] = []
    rows = []
    for place, (name, count) in enumerate(asked.items()):
        sizes = people[f"size_{place}"].to_numpy()[person]
        drawn = pl.DataFrame({RANK: np.repeat(ranks, count), PLACE: _distinct_places(sizes, count, rng).ravel()})
        found = records.facts(people, name, drawn.unique())
        numbered = found.with_row_index("row", offset=sum(table.height for table in tables))
        rows.append(drawn.join(numbered, on=[RANK, PLACE], how="left", maintain_order="left")["row"].to_numpy())
        tables.append(found)
    return pl.concat(tables), np.hstack([row.reshape(ranks.size, -1) for row in rows]).astype(np.int64)


def _answers(records: Records, questions: list[_Question]) -> list[CurvePoint]:
    """Who has the facts is found for all questions at once."""
    listed = pl.concat([question.facts.select(records.keys) for question in questions])
    facts = listed.unique(maintain_order=True)
    facts = facts.with_columns(pl.int_range(facts.height).alias(FACT))
    code = listed.join(facts, on=records.keys, how="left", nulls_equal=True, maintain_order="left")[FACT].to_numpy()
    before = offsets(np.array([question.facts.height for question in questions]))
    holders = records.holders(facts)
    chosen = [code[first + question.subsets] for first, question in zip(before, questions, strict=True)]
    for place, question in enumerate(questions):
        if question.weights is None and question.subsets.shape[1] > 1:
            mean = float(holders.popularity[chosen[place]].min(axis=1).mean())
            chosen[place] = chosen[place][: max(100, int(WORK / mean))]
    found = holders.candidates(chosen)
    return [_point(question, candidates) for question, candidates in zip(questions, found, strict=True)]


def _point(question: _Question, candidates: Ints) -> CurvePoint:
    exact = question.weights is not None
    weight = np.full(candidates.size, 1.0 / candidates.size) if question.weights is None else question.weights
    chance, unique = 1.0 / candidates, candidates == 1
    return CurvePoint(
        question.known,
        min(1.0, float(chance @ weight)),
        float(np.log2(candidates) @ weight),
        min(1.0, float(unique @ weight)),
        question.users,
        exact,
        None if exact else mean_of_sample(chance),
        None if exact else wilson(int(unique.sum()), unique.size),
    )


def _distinct_places(sizes: Ints, count: int, rng: np.random.Generator) -> Ints:
    """For each size, a random sample of `count` distinct integers below it (Floyd's algorithm, vectorized)."""
    places = np.full((sizes.size, count), -1, dtype=np.int64)
    for step in range(count):
        top = sizes - count + step
        drawn = (rng.random(sizes.size) * (top + 1)).astype(np.int64)
        taken = (places == drawn[:, None]).any(axis=1)
        places[:, step] = np.where(taken, top, drawn)
    return places

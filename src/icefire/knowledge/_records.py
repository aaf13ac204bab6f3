"""Records of users for the identification curve, counted and drawn by the engine that holds them.

What comes to this process does not grow with the table: how many users have how many records, the records that were drawn,
and how many users share them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import ParameterError
from icefire.frames import relational
from icefire.frames.engines import Lazy, Native, lazy
from icefire.frames.lookup import look_up
from icefire.frames.ragged import concatenated_ranges, offsets
from icefire.frames.relational import COUNT

Ints = NDArray[np.int64]
Rule = float | int | str
USER, TYPE, RANK, PLACE, FACT, ONE = "__user", "__type", "__rank", "__place", "__fact", "__one"
PAIRS = 4_000_000
"""Largest number of (subset, candidate) pairs, and of (user, fact) pairs of an engine, held in memory at a time."""


class Records:
    """The facts of users: combinations of values in some columns, one for each record."""

    def __init__(
        self, data: Native, user: str, facts: Sequence[str], type_column: str | None, coarsen: Mapping[str, Rule]
    ) -> None:
        frame = lazy(data)
        for name, rule in coarsen.items():
            frame = _coarsened(frame, name, rule)
        known = list(dict.fromkeys([*facts, *([type_column] if type_column else [])]))
        self.keys = [f"__key_{place}" for place in range(len(known))]
        columns = [nw.col(name).alias(key) for name, key in zip(known, self.keys, strict=True)]
        if type_column is not None:
            columns.append(nw.col(type_column).cast(nw.String).fill_null("missing").alias(TYPE))
        self._frame = frame.select(nw.col(user).alias(USER), *columns, nw.lit(1).alias(ONE))
        self._typed = type_column is not None
        self._sizes: dict[tuple[str, ...], tuple[Ints, Ints]] = {}
        self.users = relational.row_count(relational.count_by(self._frame, [USER]))

    def _of_type(self, name: str) -> nw.Expr:
        if name == "any":
            return nw.col(ONE) == 1
        if not self._typed:
            raise ParameterError.of(
                "identification_curve", "type_column", f"given to select records of type {name!r}", None
            )
        return nw.col(TYPE) == name

    def _people(self, types: Sequence[str]) -> Lazy:
        """The number of records of each user by type: columns size_0 and so on."""
        counts = [
            nw.when(self._of_type(name)).then(nw.lit(1)).otherwise(nw.lit(0)).alias(f"size_{place}")
            for place, name in enumerate(types)
        ]
        sizes = [nw.col(f"size_{place}").sum().cast(nw.Int64) for place in range(len(types))]
        return self._frame.select(USER, *counts).group_by(USER).agg(*sizes)

    def sizes(self, types: tuple[str, ...]) -> tuple[Ints, Ints]:
        """The numbers of records by type that users have ([kind, type]), and how many users have each."""
        if types not in self._sizes:
            names = [f"size_{place}" for place in range(len(types))]
            found = relational.collect(relational.count_by(self._people(types).to_native(), names)).sort(names)
            self._sizes[types] = found.select(names).to_numpy().astype(np.int64), found[COUNT].to_numpy()
        return self._sizes[types]

    def people(self, known: Mapping[str, int], ranks: Ints | None) -> pl.DataFrame:
        """Some of the users with enough records, by their place in the order of names; all if no ranks are given."""
        able = self._people(list(known))
        for place, count in enumerate(known.values()):
            able = able.filter(nw.col(f"size_{place}") >= count)
        able = able.with_row_index(RANK, order_by=USER).with_columns(nw.col(RANK).cast(nw.Int64))
        if ranks is not None:
            able = look_up(able.to_native(), pl.DataFrame({RANK: np.unique(ranks)}), [RANK])
        return relational.collect(able).sort(RANK)

    def facts(self, people: pl.DataFrame, name: str, wanted: pl.DataFrame | None) -> pl.DataFrame:
        """Records of a type by user and place in the order of the user's facts: columns RANK, PLACE, keys.

        `wanted` lists ranks and places; all records of these users if there is none.
        """
        chosen = self._frame.filter(self._of_type(name)).select(USER, ONE, *self.keys)
        listed = look_up(chosen.to_native(), people.select(USER, RANK), [USER])
        place = (nw.col(ONE).cum_sum().over(RANK, order_by=self.keys) - 1).cast(nw.Int64)
        placed = listed.with_columns(place.alias(PLACE)).select(RANK, PLACE, *self.keys)
        if wanted is not None:
            placed = look_up(placed.to_native(), wanted, [RANK, PLACE])
        return relational.collect(placed).sort(RANK, PLACE)

    def no_facts(self) -> pl.DataFrame:
        """Columns as in `facts`, without rows."""
        head = relational.collect(self._frame.select(*self.keys).head(0))
        return head.select(
            pl.lit(0, dtype=pl.Int64).alias(RANK), pl.lit(0, dtype=pl.Int64).alias(PLACE), pl.all()
        ).clear()

    def holders(self, facts: pl.DataFrame) -> Holders:
        """Who has which of the given facts: columns keys, FACT."""
        listed = look_up(self._frame.select(USER, *self.keys).to_native(), facts, self.keys)
        pairs = relational.count_by(listed.to_native(), [FACT, USER]).select(FACT, USER)
        if pairs.implementation.is_polars():
            # Read once.
            pairs = lazy(relational.collect(pairs).lazy())
        return Holders(pairs, facts.height, self.users)


class Holders:
    """Pairs of a fact and a user who has it, on the engine that holds the records."""

    def __init__(self, pairs: Lazy, facts: int, users: int) -> None:
        self._pairs, self._users = pairs, users
        counted = relational.collect(relational.count_by(pairs.to_native(), [FACT]))
        self.popularity: Ints = np.zeros(facts, dtype=np.int64)
        """The number of users of each fact."""
        self.popularity[counted[FACT].to_numpy()] = counted[COUNT].to_numpy()

    def candidates(self, asked: Sequence[Ints]) -> list[Ints]:
        """Number of users who have all facts of each row, for several arrays of rows."""
        found = [
            self.popularity[rows[:, 0]] if rows.shape[1] else np.full(len(rows), self._users, dtype=np.int64)
            for rows in asked
        ]
        several = [np.flatnonzero((rows != rows[:, :1]).any(axis=1)) for rows in asked]
        left = [rows[some] for rows, some in zip(asked, several, strict=True)]
        size, facts = sum(map(len, left)), self.popularity.size
        if size:
            # Users are told apart within a part, so that the numbers of the parts add up.
            counted = relational.sum_over_parts(
                self._pairs, USER, lambda part: _in_part(part, left, facts), size, PAIRS
            )
            ends = np.cumsum([len(rows) for rows in left])
            for result, some, numbers in zip(found, several, np.split(counted, ends[:-1]), strict=True):
                result[some] = numbers
        return found


def _in_part(pairs: pl.DataFrame, asked: Sequence[Ints], facts: int) -> Ints:
    part = _Part(pairs, facts)
    return np.concatenate([part.candidates(rows) for rows in asked if len(rows)])


class _Part:
    """The facts of some users."""

    def __init__(self, pairs: pl.DataFrame, facts: int) -> None:
        names = pairs[USER].unique()
        code = pl.DataFrame({USER: names, "code": np.arange(names.len())})
        user = pairs.join(code, on=USER, how="left", nulls_equal=True, maintain_order="left")["code"].to_numpy()
        fact = pairs[FACT].to_numpy()
        self.users = names.len()
        # One sort of numbers is several times as fast as a sort of places.
        self.holders = np.sort(fact * self.users + user) % self.users
        """The users of the first fact, of the second, and so on."""
        self.popularity = np.bincount(fact, minlength=facts)
        self.first = offsets(self.popularity)

    def candidates(self, chosen: Ints) -> Ints:
        """Of the users of the rarest fact of each row, how many have the others."""
        result = np.zeros(len(chosen), dtype=np.int64)
        here = np.flatnonzero((self.popularity[chosen] > 0).all(axis=1))
        rarest_first = np.argsort(self.popularity[chosen[here]], axis=1, kind="stable")
        chosen = np.take_along_axis(chosen[here], rarest_first, axis=1)
        cost = np.cumsum(self.popularity[chosen[:, 0]])
        begin = 0
        while begin < here.size:
            spent = cost[begin - 1] if begin else 0
            end = max(begin + 1, int(np.searchsorted(cost, spent + PAIRS)))
            result[here[begin:end]] = self._shared(chosen[begin:end])
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


def _coarsened(frame: Lazy, name: str, rule: Rule) -> Lazy:
    dtype, column = frame.collect_schema()[name], nw.col(name)
    if dtype.is_temporal() and isinstance(rule, str):
        if frame.implementation.is_polars():
            # Weeks and many units are known to polars alone.
            return lazy(frame.to_native().with_columns(pl.col(name).dt.truncate(rule)))
        try:
            return frame.with_columns(column.dt.truncate(rule))
        except (ValueError, NotImplementedError) as error:
            raise ParameterError(
                f"cannot coarsen column {name!r} by {rule!r} on this engine: give 1s, 1m, 1h, 1d, 1mo, 1q or 1y"
            ) from error
    if dtype.is_numeric() and isinstance(rule, int | float) and rule > 0:
        return frame.with_columns((column / rule).floor() * rule)
    if dtype == nw.String and isinstance(rule, int) and rule >= 0:
        return frame.with_columns(column.str.slice(0, rule))
    raise ParameterError(
        f"cannot coarsen column {name!r} ({dtype}) by {rule!r}: give a band width for numbers, a number of "
        'leading characters for strings, or a string such as "1h" for times'
    )

"""A table with one row per person, what is released of it, and guesses at the secret."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakKeyDictionary, ref

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from icefire.core.errors import DataError, InputError, UnknownName
from icefire.core.seeds import chosen_people
from icefire.frames import engines, relational, remote
from icefire.frames.files import require_finite
from icefire.frames.ragged import concatenated_ranges
from icefire.microdata.cells import Cells, Codes, Domain, Floats
from icefire.microdata.hierarchy import date_hierarchy
from icefire.microdata.partition import group_equal
from icefire.microdata.schema import Schema as Schema

if TYPE_CHECKING:
    from icefire.microdata.telling import Telling

Made = TypeVar("Made")
Rows = NDArray[np.int64]
DISTINCT = 2_000_000
"""Most distinct rows that are fetched from an engine: with eight columns, they take about 2 GB."""
CHANCES = 1 << 24
"""Most chances that a guess holds, to bound memory. With more, the row that was drawn counts."""


class Microdata:
    """A table and its schema. Frames of any engine are taken; metrics that can run there do.

    >>> people = Microdata(pl.DataFrame({"sex": ["f", "m"], "pay": [10, 20]}), Schema(qi=["sex"], sa=["pay"]))
    >>> people.height, people.numeric_sa
    (2, ('pay',))
    """

    pseudonyms: pl.DataFrame | None = None
    """Keyed pseudonyms that were published beside the table: the same key gives the same people the same ones."""

    def __init__(self, data: engines.Native, schema: Schema, where: str = "the table", stays: bool = False) -> None:
        """`stays` says that the table is not to be read into memory: steps that need it there are refused."""
        header = engines.columns(data)
        relational.require_columns(data, ())
        if schema.identifying:
            data = _without(data, schema.identifying)
            header = engines.columns(data)
        if not schema.sa:
            unnamed = tuple(name for name in header if name not in schema.names)
            schema = replace(schema, sa=unnamed, unnamed=unnamed)
        for name in schema.names:
            if name not in header:
                raise UnknownName.of(f"column in {where}", name, header)
        loose = [name for name in header if name not in schema.names]
        if loose:
            raise DataError(f"the column {loose[0]!r} of {where} has no role: name it in qi, sa, other or identifying")
        self.native, self.schema, self.where, self.stays = data, schema, where, stays
        self._domains: dict[str, Domain] = {}
        self._codes: dict[str, Codes] = {}
        self._cells: dict[str, Cells] = {}
        if isinstance(data, pl.DataFrame):
            if data.height == 0:
                raise DataError(f"{where} has 0 rows: there is nobody to protect or to find")
            for name in header:
                require_finite(data, name, where)
                _require_plain(data[name], where)

    @property
    def lazy(self) -> nw.LazyFrame[Any]:
        """The table on its own engine."""
        return engines.lazy(self.native)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The table in memory, columns in the schema's order."""
        frame = engines.polars(self._ordered)
        for name in frame.columns:
            require_finite(frame, name, "the table")
        return frame

    @property
    def _ordered(self) -> engines.Native:
        """The table on its own engine, with its rows in the order of the file."""
        if self.stays:
            raise InputError(
                "this needs the whole table, which stays on its engine. There, the steps drop_columns, generalize, "
                "global_recode and mondrian can be made; leave the engine out to compute in memory"
            )
        return remote.in_file_order(self.native)

    @property
    def height(self) -> int:
        if isinstance(self.native, pl.DataFrame):
            return self.native.height
        return relational.row_count(self.native)

    @property
    def qi(self) -> tuple[str, ...]:
        return tuple(self.schema.qi)

    @property
    def sa(self) -> tuple[str, ...]:
        return tuple(self.schema.sa)

    @cached_property
    def numeric_sa(self) -> tuple[str, ...]:
        """The sensitive columns that are amounts."""
        return tuple(name for name in self.sa if self.is_numeric(name))

    @cached_property
    def numeric(self) -> tuple[str, ...]:
        aside = (self.schema.weight, self.schema.household)
        return tuple(name for name in self.schema.names if self.is_numeric(name) and name not in aside)

    @cached_property
    def _types(self) -> dict[str, nw.dtypes.DType]:
        return dict(self.lazy.collect_schema())

    def is_numeric(self, name: str) -> bool:
        return self.schema.column(name).type in (None, "numeric") and self._types[name].is_numeric()

    def domain(self, name: str) -> Domain:
        """The values of a column and how they lie to each other."""
        if name not in self._domains:
            counted = relational.collect(relational.count_by(self.native, [name]))
            self._domains[name] = _domain(name, self, counted)
        return self._domains[name]

    def column(self, name: str) -> pl.Series:
        """One column in memory, without reading the others."""
        if isinstance(self.native, pl.DataFrame):
            return self.native[name]
        return engines.polars(engines.lazy(self._ordered).select(name))[name]

    def counts(self, names: Sequence[str]) -> pl.DataFrame:
        """How many rows (COUNT) hold each combination of values, counted by the engine and sorted."""
        names = list(dict.fromkeys(names))
        counted = relational.collect(relational.count_by(self.native, names), engines.in_memory(self.native))
        # Engines send groups in any order, and sums of floats depend on it.
        return counted.sort(names)

    def distinct(self, names: Sequence[str]) -> tuple[Microdata, Codes]:
        """The distinct rows of some columns in memory, with the domains of this table, and how many rows are equal to each."""
        counted = relational.collect(relational.count_by(self.native, names).head(DISTINCT + 1))
        if counted.height > DISTINCT:
            raise InputError(
                f"the columns {', '.join(names)} have more than {DISTINCT:,} distinct rows, too many to fetch from the "
                "engine: name fewer columns, or make them coarser first, as with generalize(width=5, columns=[age])"
            )
        rows = Microdata(counted.select(names), self.schema.restricted(names), self.where)
        for name in names:
            values = counted.group_by(name).agg(pl.col(relational.COUNT).sum())
            rows._domains[name] = _domain(name, rows, values)
        return rows, counted[relational.COUNT].to_numpy().astype(np.int64)

    def distinct_or_all(self, names: Sequence[str]) -> tuple[Microdata, Codes | None]:
        """The distinct rows of a table on an engine, and how many rows are equal to each; a table in memory as it is."""
        return self.distinct(names) if engines.on_engine(self.native) else (self, None)

    def codes(self, name: str) -> Codes:
        """Each row's value as its position in the column's domain."""
        if name not in self._codes:
            self._codes[name] = self.domain(name).encode(self.column(name))
        return self._codes[name]

    def adopt(self, other: Microdata, name: str) -> None:
        """Take over what was worked out about a column that is the same in another table."""
        self._domains[name], self._codes[name] = other.domain(name), other.codes(name)

    def cells(self, name: str, domain: Domain) -> Cells:
        """A column of this table, which is published, as seen from the original one."""
        cells = self._cells.get(name)
        if cells is None or cells.domain is not domain:
            cells = self._cells[name] = domain.read(self.column(name))
        return cells

    def once(self, other: Microdata, key: object, make: Callable[[], Made]) -> Made:
        """What is made of this table and another one, made once for those who ask for it in a row: settings of an attack do."""
        last = _LAST.get(self)
        if last is None or last[0]() is not other or last[1] != key:
            # What other attackers have made is not asked for any more, and may be large.
            _LAST.clear()
            last = _LAST[self] = ref(other), key, make()
        return cast(Made, last[2])

    def reading(self, labels: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Microdata:
        """The same table, knowing what further labels of a release stand for."""
        return Microdata(self.native, self.schema.with_published(labels), self.where) if labels else self

    @property
    def labels(self) -> dict[str, Mapping[str, tuple[str, ...]]]:
        """What labels of a release stand for, by column, where neither a hierarchy nor their form explains them."""
        return {name: column.published for name, column in self.schema.columns.items() if column.published}

    def take(self, rows: ArrayLike) -> Microdata:
        return Microdata(self.frame[np.asarray(rows)], self.schema)

    def only(self, names: Sequence[str]) -> Microdata:
        """The same rows with some of the columns."""
        kept = [name for name in self.schema.names if name in names]
        table = Microdata(self.frame.select(kept), self.schema.restricted(kept))
        # What was worked out is shared both ways.
        table._domains, table._codes, table._cells = self._domains, self._codes, self._cells
        return table

    def with_quasi_identifiers(self, names: Sequence[str]) -> Microdata:
        """The same rows with these columns alone, all of them as quasi-identifiers."""
        table = self.only(names)
        schema = replace(table.schema, qi=tuple(names), sa=(), other=(), weight=None, household=None)
        same = Microdata(table.frame, schema, self.where)
        same._domains, same._codes, same._cells = self._domains, self._codes, self._cells
        return same

    @property
    def people(self) -> int:
        return self.height

    @cached_property
    def knowledge(self) -> Microdata:
        """What the maximum-knowledge attacker holds: the table itself, in memory."""
        return Microdata(self.frame, self.schema, self.where) if engines.on_engine(self.native) else self

    def sample(self, people: int, rng: np.random.Generator) -> Microdata:
        return self.take(chosen_people(self.height, people, rng))

    def summary(self) -> dict[str, int]:
        return {"people": self.height, "quasi-identifiers": len(self.qi), "sensitive columns": len(self.sa)}

    def begin(self, rng: np.random.Generator) -> tuple[Release, np.random.Generator]:
        clean = Microdata(self.native, self.schema.without_published(), self.where)
        if engines.on_engine(self.native):
            return EngineRelease.begun(clean, rng), rng
        return Release.shuffled(clean, self.frame, np.arange(self.height), rng), rng

    def __repr__(self) -> str:
        return f"Microdata({len(self.qi)} QI, {len(self.sa)} SA)"


def _without(data: engines.Native, names: Sequence[str]) -> engines.Native:
    """The table without some of its columns."""
    present = [name for name in names if name in engines.columns(data)]
    if isinstance(data, pl.DataFrame):
        return data.drop(present)
    left: engines.Native = engines.lazy(data).drop(*present).to_native()
    return left


def _require_plain(column: pl.Series, where: str) -> None:
    """Refuse what is neither a number, a text, a truth value nor a time."""
    dtype = column.dtype
    if dtype.is_nested() or dtype in (pl.Binary, pl.Object, pl.Duration):
        raise DataError(f"the column {column.name!r} of {where} holds {dtype}: give numbers, texts or dates")
    if dtype.is_integer() and column.cast(pl.Int64, strict=False).null_count() > column.null_count():
        raise DataError(f"the column {column.name!r} of {where} holds integers beyond 64 bits: store them as texts")


def _domain(name: str, table: Microdata, counted: pl.DataFrame) -> Domain:
    """The domain of a column, from its values and how many rows (COUNT) hold each."""
    column = table.schema.column(name)
    values, numeric = counted[name], table.is_numeric(name)
    ordinal = numeric or bool(column.order) or values.dtype.is_temporal()
    if not numeric:
        values = values.cast(pl.String)
    order = values.arg_sort(nulls_last=True).to_numpy()
    ranks = {value: float(rank) for rank, value in enumerate(column.order)}
    if ranks:
        for value in values.drop_nulls().sort():
            if value not in ranks:
                raise UnknownName.of(f"value in the order of column {name!r}", value, ranks)
        order = np.argsort([ranks.get(value, np.inf) for value in values])
    listed = values[order].to_list()
    present = [value for value in listed if value is not None]
    positions = present if numeric else [ranks.get(value, float(i)) for i, value in enumerate(present)]
    counts = counted[relational.COUNT][order].to_numpy().astype(np.int64)
    hierarchy = column.hierarchy
    if hierarchy is None and name in table.schema.qi and not numeric and not ranks:
        # A class of people is not to be published as the set of their days of birth.
        hierarchy = date_hierarchy(counted[name].drop_nulls())
    return Domain(
        name,
        ordinal,
        tuple(listed),
        np.asarray(positions, dtype=np.float64),
        counts,
        hierarchy,
        column.published,
    )


@dataclass(frozen=True)
class Release:
    """A published table, and the secret that links it back: row j was made from row `rows[j]` of the original."""

    original: Microdata = field(repr=False)
    published: Microdata
    rows: Rows = field(repr=False)
    pseudonyms: pl.DataFrame | None = field(default=None, repr=False)
    """Identifying columns of the original rows as keyed pseudonyms, to be published beside the table."""

    def __post_init__(self) -> None:
        rows = np.asarray(self.rows, dtype=np.int64)
        object.__setattr__(self, "rows", rows)
        check_rows(rows, self.published.height, self.original.height, "the row map")
        for name in self.published.schema.names:
            if name not in self.original.schema.names:
                raise UnknownName.of("original column for the published", name, self.original.schema.names)

    @classmethod
    def shuffled(
        cls,
        original: Microdata,
        frame: pl.DataFrame,
        rows: ArrayLike,
        rng: np.random.Generator,
        generalized: Sequence[str] = (),
        labels: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None,
    ) -> Release:
        """A release whose row order says nothing: every anonymizer ends with this.

        `generalized` names the columns that hold coarser cells now; `labels` says what labels stand for that neither the
        column's hierarchy nor their own form explains.
        """
        order = rng.permutation(frame.height)
        frame = frame.select([name for name in frame.columns if name != original.schema.household])
        # The categories of an enumeration would name values that no row holds any more.
        plain = frame[order].with_columns(pl.col(pl.Enum, pl.Categorical).cast(pl.String))
        schema = original.schema.restricted(frame.columns).generalized(generalized)
        return cls(original.reading(labels or {}), Microdata(plain, schema), np.asarray(rows, dtype=np.int64)[order])

    @property
    def working(self) -> Microdata:
        return self.published

    @cached_property
    def telling(self) -> Telling:
        """By what attackers who know the QI tell published rows apart."""
        from icefire.microdata.telling import Telling

        return Telling.of(self)

    @property
    def shown(self) -> pl.DataFrame:
        """The published table with the pseudonyms beside it. Attackers without the key learn nothing from them."""
        table = self.published.frame
        return table if self.pseudonyms is None else pl.concat([self.pseudonyms[self.rows], table], how="horizontal")

    def with_pseudonyms(self, pseudonyms: pl.DataFrame) -> Release:
        self.published.pseudonyms = pseudonyms[self.rows]
        return replace(self, pseudonyms=pseudonyms)

    def then(self, step: Release) -> Release:
        """This release after one more step; the row maps are chained."""
        return Release(self.original.reading(step.original.labels), step.published, self.rows[step.rows])

    def finished(self, rng: np.random.Generator) -> Release:
        return self

    def reshuffled(self, rng: np.random.Generator) -> Release:
        """The same release in a random order that does not depend on this one."""
        frame = self.published.frame
        # Equal rows of one person differ in nothing but their place, so the order starts from what they hold.
        texts = frame.select(pl.concat_str(pl.all().cast(pl.String).fill_null(""), separator="\x1f")).to_series()
        order = np.lexsort((texts.rank("dense").to_numpy(), self.rows))[rng.permutation(frame.height)]
        return Release(self.original, Microdata(frame[order], self.published.schema), self.rows[order])

    @cached_property
    def can_meet(self) -> bool:
        """Whether published and original rows can be joined on the engine that holds both."""
        return remote.can_meet(self.original.native, self.published.native)

    @property
    def can_look(self) -> bool:
        """Whether rows can be looked at beside those that they were made from, without reading whole tables."""
        return self.can_meet or isinstance(self.published.native, pl.DataFrame)

    def beside(self, values: Mapping[str, str]) -> engines.Native:
        """The published table, where it is, and beside it columns of the original rows: `values` names them by new names."""
        if not values:
            return self.published.native
        everyone = np.arange(self.rows.size)
        if self.can_meet:
            joined = remote.beside(self.original.native, self.published.native, self.rows, values, everyone)
            return cast(engines.Native, joined.drop(remote.ROW).to_native())
        return self._beside(values, everyone)

    def drawn(self, some: Rows, values: Mapping[str, str]) -> pl.DataFrame:
        """Some published rows in memory, in ascending order, and beside them columns of the original rows."""
        if self.can_meet:
            joined = remote.beside(self.original.native, self.published.native, self.rows, values, some)
            return relational.collect(joined).sort(remote.ROW).drop(remote.ROW)
        return self._beside(values, np.sort(some))

    def _beside(self, values: Mapping[str, str], rows: Rows) -> pl.DataFrame:
        before = self.original.frame.select(pl.col(name).alias(new) for new, name in values.items())
        return pl.concat([self.published.frame[rows], before[self.rows[rows]]], how="horizontal")

    def told_apart(self, values: Mapping[str, str] | None = None) -> engines.Native:
        """The published table, with those QI as they were that other columns give away, and further columns if named."""
        return self.beside({**self.telling.given_away, **(values or {})})

    def cells(self, name: str) -> Cells:
        """A published column, seen from the original one."""
        return self.published.cells(name, self.original.domain(name))

    def distinct_cells(self, name: str) -> tuple[Cells, NDArray[np.int64]]:
        """The distinct cells of a published column, seen from the original one, and how many rows hold each."""
        counted = self.published.counts((name,))
        return self.original.domain(name).read(counted[name]), counted[relational.COUNT].to_numpy().astype(np.int64)


class EngineRelease(Release):
    """A release of a table that stays on DuckDB or Spark: what becomes of its rows.

    The engine numbers, shuffles and writes the rows, so there is no row map before the release is written.
    """

    recodings: tuple[remote.Recoding, ...]
    key: str
    """The secret that determines the order of the published rows."""

    def __init__(
        self, original: Microdata, published: Microdata, recodings: Sequence[remote.Recoding] = (), key: str = ""
    ) -> None:
        values = {"original": original, "published": published, "recodings": tuple(recodings), "key": key}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def rows(self) -> Rows:
        raise InputError(
            "a release on an engine has no row map in memory: write it and read it again, or leave the engine out"
        )

    @cached_property
    def can_meet(self) -> bool:
        return False

    @classmethod
    def begun(cls, original: Microdata, rng: np.random.Generator) -> EngineRelease:
        """A release in which nothing but the order has changed."""
        remote.require_amounts(original.native, original.where)
        for column in relational.collect(original.lazy.head(0)):
            _require_plain(column, original.where)
        names = original.schema.published
        shown = engines.lazy(original.native).select(*[n for n in engines.columns(original.native) if n in names])
        published = Microdata(shown.to_native(), original.schema.restricted(names), original.where, stays=True)
        return cls(original, published, (), rng.bytes(16).hex())

    @classmethod
    def recoded(
        cls,
        original: Microdata,
        recodings: Sequence[remote.Recoding],
        generalized: Sequence[str] = (),
        labels: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None,
        dropped: Sequence[str] = (),
    ) -> EngineRelease:
        """What a step makes of a table; `generalized` and `labels` as for `Release.shuffled`."""
        schema = original.schema.restricted([name for name in original.schema.names if name not in dropped])
        native = engines.lazy(original.native).drop(*dropped).to_native()
        for recoding in recodings:
            native = recoding.apply(native)
        published = Microdata(native, schema.generalized(generalized), original.where, stays=True)
        return cls(original.reading(labels or {}), published, recodings)

    def with_pseudonyms(self, pseudonyms: pl.DataFrame) -> Release:
        raise InputError("pseudonyms are not made on an engine: leave the engine out")

    def then(self, step: Release) -> EngineRelease:
        assert isinstance(step, EngineRelease)
        original = self.original.reading(step.original.labels)
        return EngineRelease(original, step.published, (*self.recodings, *step.recodings), self.key)


@dataclass(frozen=True)
class Guess:
    """An attacker's answer: for each published row the number (from 0) of an original row.

    Where several rows fit equally well, `rows` holds one that was drawn, and `chances` how likely each was to be drawn, so that
    what is found can be counted without the luck of the draw. Guess files hold `rows` only. Where there were too many
    published rows, some were sampled, and each searched among all people.

    >>> tied = Guess.among(np.array([0, 2]), np.array([0, 1, 2]), np.array([0, 2]), np.array([2, 1]), people=3)
    >>> tied.found(np.array([1, 2])), Guess(tied.rows).found(np.array([1, 2]))
    (1.5, 1.0)
    """

    rows: Rows = field(repr=False)
    chances: Chances | None = field(default=None, repr=False, compare=False)
    """None if nothing was drawn, or among too many."""
    asked: Rows | None = field(default=None, repr=False)
    """The published rows that were sampled; None if there is an answer for all. The other answers mean nothing."""
    known: Settled | None = field(default=None, repr=False, compare=False)
    """Once it is judged, what is left of it in place of all answers."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", np.asarray(self.rows, dtype=np.int64))

    @classmethod
    def among(cls, rows: Rows, pool: Rows, begins: Rows, counts: Rows, people: int) -> Guess:
        """Row j was drawn from pool[begins[j]:begins[j] + counts[j]], each equally likely."""
        first, _, lists = group_equal([begins, counts])
        sizes = counts[first]
        if sizes.sum() > CHANCES:
            return cls(rows)
        tied = pool[concatenated_ranges(begins[first], sizes)]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        shares = sparse.csr_array((np.repeat(1.0 / sizes, sizes), tied, starts), (first.size, people))
        return cls(rows, Chances.made(shares, lists))

    @classmethod
    def exchanged(cls, rows: Rows, alike: Rows, people_alike: Rows) -> Guess:
        """Published rows of one group might as well have had each other's answers, and so might original rows.

        alike[j] is the group of published row j, people_alike[i] that of original row i.
        """
        sizes, people = np.bincount(alike), np.bincount(people_alike)
        met = people_alike[rows]
        shares = sparse.csr_array((1.0 / (sizes[alike] * people[met]), (alike, met)), (sizes.size, people.size))
        return cls(rows, Chances.made(shares, alike, people_alike))

    @property
    def answers(self) -> int:
        """For how many published rows there is an answer."""
        if self.asked is not None:
            return self.asked.size
        return self.rows.size if self.known is None else self.known.places.size

    def found(self, truth: Rows) -> float:
        """The expected number of published rows whose original row is named, of those with an answer."""
        right = self.right(truth)
        return math.fsum(right if self.asked is None else right[self.asked])

    def right(self, truth: Rows) -> NDArray[np.float64]:
        """For each published row, the chance that its original row is named."""
        if self.known is not None:
            return np.asarray(self.known.values[self.known.places])
        return (self.rows == truth).astype(np.float64) if self.chances is None else self.chances.of(truth)

    def settled(self, truth: Rows) -> Guess:
        """What is left of the guess if nothing but this truth will be asked for: it takes less memory."""
        values, places = np.unique(self.right(truth), return_inverse=True)
        known = Settled(values, places.astype(np.min_scalar_type(values.size)))
        return Guess(np.zeros(0, dtype=np.int64), asked=self.asked, known=known)

    def renumbered(self, people: Rows, size: int) -> Guess:
        """The same guess, where original row i is row people[i] of a larger table."""
        chances = None if self.chances is None else self.chances.renumbered(people, size)
        return Guess(people[self.rows], chances, self.asked)

    def check(self, published: Microdata, knowledge: Microdata) -> None:
        """Raise DataError unless the answer has the shape of the question."""
        check_rows(self.rows, published.height, knowledge.height, "the guess")
        if self.asked is not None and (self.asked.size == 0 or not _are_rows(self.asked, published.height)):
            raise DataError("the published rows that the guess was asked for are not rows of the table")
        if self.chances is not None:
            asked = np.arange(published.height) if self.asked is None else self.asked
            self.chances.check(published.height, knowledge.height, asked)


@dataclass(frozen=True)
class Settled:
    """The chance that the original row of each published one was named. Many have the same, so they are numbered."""

    values: Floats
    places: NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class Chances:
    """How likely each original row is to be named for each published row. Rows that are alike in that share a line."""

    shares: sparse.csr_array = field(repr=False)
    """[class of published rows, class of original rows]: the chance of each original row of the class."""
    rows: NDArray[np.int32] = field(repr=False)
    """The class of each published row."""
    people: NDArray[np.int32] = field(repr=False)
    """The class of each original row."""

    @classmethod
    def made(cls, shares: sparse.csr_array, rows: Rows, people: Rows | None = None) -> Chances:
        """Without `people`, each original row is a class of its own.

        The guesses of all attacks are kept until they are judged, so they take no more memory than they need.
        """
        classes = _everyone(shares.shape[1]) if people is None else people.astype(np.int32)
        return cls(shares, rows.astype(np.int32), classes)

    def of(self, truth: Rows) -> Floats:
        """How likely it was to name these original rows, one for each published row."""
        return np.asarray(self.shares[self.rows, self.people[truth]], dtype=np.float64).ravel()

    def toarray(self) -> Floats:
        """[published row, original row]; for small tables."""
        return np.asarray(self.shares.toarray()[self.rows][:, self.people])

    def renumbered(self, people: Rows, size: int) -> Chances:
        """The same, where original row i is row people[i] of a larger table."""
        height, width = self.shares.shape
        classes = np.full(size, width, dtype=np.int32)
        classes[people] = self.people
        parts = self.shares.data, self.shares.indices, self.shares.indptr
        return Chances(sparse.csr_array(parts, (height, width + 1)), self.rows, classes)

    def check(self, height: int, width: int, asked: Rows) -> None:
        if (self.rows.size, self.people.size) != (height, width):
            raise DataError(
                f"the chances of the guess are for {self.rows.size} published and {self.people.size} original rows: "
                f"there are {height} and {width}"
            )
        totals = self.shares @ np.bincount(self.people, minlength=self.shares.shape[1])
        if (np.abs(totals[self.rows[asked]] - 1.0) > 1e-9).any() or (self.shares.data < 0).any():
            raise DataError("the chances of the guess must be positive and add up to 1 in every published row")


@lru_cache(maxsize=1)
def _everyone(width: int) -> NDArray[np.int32]:
    people = np.arange(width, dtype=np.int32)
    people.flags.writeable = False
    return people


def _are_rows(rows: Rows, height: int) -> bool:
    return bool((rows >= 0).all() and (rows < height).all() and np.unique(rows).size == rows.size)


def check_rows(rows: Rows, published: int, original: int, what: str) -> None:
    """Raise DataError unless there is one row number within the original for each published row."""
    if rows.size != published:
        word = "short" if rows.size < published else "long"
        raise DataError(f"{what} is too {word}: {rows.size} numbers for {published} published rows")
    outside = np.flatnonzero((rows < 0) | (rows >= original))
    if outside.size:
        raise DataError(
            f"{what} points outside the original table at row {outside[0] + 1}: {rows[outside[0]] + 1} is not in 1..{original}"
        )


def columns_or_all(names: Sequence[str], choices: Sequence[str], owner: str) -> tuple[str, ...]:
    """The named columns, checked; all choices where none is named."""
    for name in names:
        if name not in choices:
            raise UnknownName.of(f"column for {owner}", name, choices)
    return tuple(names) or tuple(choices)


_LAST: WeakKeyDictionary[Microdata, tuple[ref[Microdata], object, object]] = WeakKeyDictionary()
"""What was made last of a table and another one; not on the table, which may be sent to other processes."""

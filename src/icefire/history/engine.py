"""Histories that stay on DuckDB or Spark: records are counted there; people, items and counts come here."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError, InputError, Undefined
from icefire.frames import relational, remote
from icefire.frames.engines import Lazy, Native, columns, lazy
from icefire.frames.lookup import look_up, quoting
from icefire.frames.relational import COUNT
from icefire.frames.remote import ROW
from icefire.history.data import NONE, PERIOD, USER, History, Ints, Release
from icefire.history.naming import fresh_names
from icefire.history.periods import Periods
from icefire.history.records import TYPES
from icefire.history.schema import Schema

ITEM, NAME = "__item", "__name"
KINDS: dict[Any, Any] = {pl.String: nw.String, pl.Date: nw.Date, pl.Float64: nw.Float64, pl.Int64: nw.Int64}


class EngineHistory(History):
    """Records on an engine, of which attacks by items, keys, prices and numbers of records see counts.

    Every record is one person's, and its date and amounts are values, not intervals. Whatever needs the records themselves is
    Undefined.
    """

    on_engine: ClassVar[bool] = True

    def __init__(
        self,
        data: Native,
        schema: Schema,
        *,
        periods: Periods | None = None,
        users: pl.Series | None = None,
        master: pl.DataFrame | None = None,
        complete: bool = True,
        where: str = "the records",
    ) -> None:
        self.native, self.schema, self.where = data, schema, where
        self.master, self.complete, self.written = master, complete, None
        self.source = {column: name for name, column in schema.renaming(columns(data), where).items()}
        self.records = lazy(data).select(*[cell.alias(name) for name, cell in self.cells().items()])
        days = self._values("date")
        self.periods = periods or Periods.covering(schema.periods, days["date"])
        self._days = days.select("date", pl.Series(PERIOD, self.periods.codes(days["date"])))
        names = self._values("user")
        self._height = int(names[COUNT].sum())
        if users is None:
            users = names["user"] if master is None else master["user"]
        self.users = users.rename("user")
        self._check(names["user"])

    def __getattr__(self, name: str) -> pl.DataFrame:
        if name == "frame":
            raise Undefined("this needs the records in memory: leave the engine out")
        raise AttributeError(name)

    def cells(self) -> dict[str, nw.Expr]:
        """The columns of a history in their types, from the columns of the source."""
        return {column: nw.col(name).cast(KINDS[TYPES[column]]) for column, name in self.source.items()}

    def _values(self, name: str) -> pl.DataFrame:
        """The values of a column and how often each occurs, ascending."""
        try:
            found = relational.collect(relational.count_by(self.records.to_native(), [name])).sort(name)
        except Exception as error:
            reason = str(error).strip().splitlines()[0]
            raise DataError(f"{self.where}: the engine cannot read the column {name!r}: {reason}") from error
        if found.height == 0:
            raise DataError(f"{self.where} has 0 records: there is nobody to protect or to find")
        if found[name].null_count():
            raise DataError(f"{self.where}: the {name} is missing. Every record has one.")
        return found

    def _check(self, names: pl.Series) -> None:  # type: ignore[override]
        if (self._days[PERIOD] == NONE).any():
            raise DataError(f"{self.where}: some dates are outside the periods of the original")
        if names.str.contains(r"^\{.*\|.*\}$").any():
            raise InputError(f"{self.where} has records under several pseudonyms: read it in memory, without an engine")
        unknown = names.filter(~names.is_in(self.users.implode()))
        if len(unknown):
            raise DataError(f"{self.where}: the customer {unknown[0]!r} is not among the known ones (master table)")

    @property
    def height(self) -> int:
        return self._height

    def has(self, *columns: str) -> bool:
        return all(column in self.source for column in columns)

    def _coded(self, records: Lazy) -> Lazy:
        """The records with the codes of their users and periods."""
        people = pl.DataFrame({"user": self.users, USER: np.arange(len(self.users))})
        return look_up(look_up(records.to_native(), people, ["user"]).to_native(), self._days, ["date"])

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        return self.sums(None)[0] > 0

    def sums(self, name: str | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        amount = nw.lit(1.0) if name is None else nw.col(name).cast(nw.Float64)
        coded = self._coded(self.records).with_columns(amount.alias("__amount"))
        known = coded.filter(~nw.col("__amount").is_null()).group_by(USER, PERIOD)
        found = relational.collect_sums(known.agg(nw.len().alias(COUNT), nw.col("__amount").sum().alias("__sum")))
        count, total = (np.zeros((len(self.users), len(self.periods))) for _ in range(2))
        for table, column in ((count, COUNT), (total, "__sum")):
            table[found[USER].to_numpy(), found[PERIOD].to_numpy()] = found[column].cast(pl.Float64).to_numpy()
        return count, total

    def items(self) -> pl.Series:
        """The distinct items, ascending."""
        return self._values("item")["item"]

    def item_counts(self, items: pl.Series, periods: Ints | None) -> tuple[Ints, Ints, NDArray[np.float64]]:
        """How often each user has each item in the given periods, or in all: codes of users and of items, and counts."""
        coded = self._coded(self.records.select("user", "date", "item"))
        if periods is not None and len(periods) < len(self.periods):
            coded = coded.filter(nw.col(PERIOD).is_in(periods.tolist()))
        listed = pl.DataFrame({"item": items, ITEM: np.arange(len(items))})
        found = relational.collect(relational.count_by(look_up(coded.to_native(), listed, ["item"]), [USER, ITEM]))
        return found[USER].to_numpy(), found[ITEM].to_numpy(), found[COUNT].cast(pl.Float64).to_numpy()

    def only_known(self, knowledge: EngineHistory) -> EngineHistory:
        """The records whose combination of item and price is known."""
        names = [name for name in ("item", "price") if self.has(name) and knowledge.has(name)]
        # A missing price is a value, which joins would leave out.
        keys = [nw.col(name) if name == "item" else nw.col(name).fill_null(-1.0) for name in names]
        places = [f"__key_{place}" for place in range(len(names))]
        genuine = knowledge.records.select(*[key.alias(place) for key, place in zip(keys, places, strict=True)])
        genuine = relational.count_by(genuine.to_native(), places).select(*places)
        marked = self.records.with_columns(*[key.alias(place) for key, place in zip(keys, places, strict=True)])
        kept = copy(self)
        kept.records = marked.join(genuine, on=places, how="semi").select(*self.source)
        kept._height = relational.row_count(kept.records.to_native())
        return kept

    def keyed(self, columns: Sequence[str], characters: int | None, written: bool) -> Lazy:
        numbered = lazy(remote.numbered(lazy(self.native).to_native()))
        cells = numbered.select(*[cell.alias(name) for name, cell in self.cells().items()], ROW)
        coded = self._coded(cells).select(*dict.fromkeys([*columns, USER, PERIOD, ROW]))
        if "item" in columns and characters is not None:
            coded = coded.with_columns(nw.col("item").str.slice(0, characters))
        return coded

    def pseudonymized(self, rng: np.random.Generator, window: int | None) -> Release:
        users, periods = np.nonzero(self.present)
        epochs = np.zeros_like(periods) if window is None else periods // window
        key, inverse = np.unique(users * (len(self.periods) + 1) + epochs, return_inverse=True)
        table = np.full(self.present.shape, NONE, dtype=np.int64)
        table[users, periods] = inverse
        return EngineRelease(self, table, _drawn(len(key), self.users, rng), rng.bytes(16).hex())


def _drawn(number: int, taken: pl.Series, rng: np.random.Generator) -> pl.Series:
    return pl.Series("user", fresh_names(number, taken, rng), dtype=pl.String)


class EngineRelease(Release):
    """A release of records that stay on an engine: their customers' pseudonyms. The engine writes them in a shuffled order."""

    names: pl.Series
    """The pseudonyms; `pseudonyms` holds places in it."""
    key: str
    """The secret that determines the order of records and the numbers of invoices."""

    def __init__(self, original: EngineHistory, pseudonyms: Ints, names: pl.Series, key: str) -> None:
        values = {"original": original, "pseudonyms": pseudonyms, "names": names, "key": key, "loose": False}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def working(self) -> History:
        """The same records under their pseudonyms, as far as another step of pseudonyms has to know them."""
        shown = copy(self.original)
        shown.users = self.names
        present = np.zeros((len(self.names), len(shown.periods)), dtype=np.bool_)
        users, periods = np.nonzero(self.pseudonyms != NONE)
        present[self.pseudonyms[users, periods], periods] = True
        shown.__dict__["present"] = present
        return shown

    def then(self, step: Release) -> EngineRelease:
        assert isinstance(step, EngineRelease)
        assert isinstance(self.original, EngineHistory)
        again = step.pseudonyms[self.pseudonyms, np.arange(self.pseudonyms.shape[1])]
        return EngineRelease(self.original, np.where(self.pseudonyms == NONE, NONE, again), step.names, self.key)

    def finished(self, rng: np.random.Generator) -> EngineRelease:
        assert isinstance(self.original, EngineHistory)
        names = _drawn(len(self.names), self.original.users, rng)
        return EngineRelease(self.original, self.pseudonyms, names, self.key)

    @property
    def step(self) -> Pseudonymized:
        """What the engine does with the records."""
        assert isinstance(self.original, EngineHistory)
        return Pseudonymized(self.original, self.pseudonyms, self.names, self.key)


@dataclass(frozen=True)
class Pseudonymized:
    """Records under pseudonyms, with invoice numbers that say nothing about the original ones."""

    original: EngineHistory
    pseudonyms: Ints
    names: pl.Series
    key: str

    def apply(self, data: Native) -> Native:
        users, periods = np.nonzero(self.pseudonyms != NONE)
        shown = self.names.gather(self.pseudonyms[users, periods]).alias(NAME)
        named = pl.DataFrame({"__owner": self.original.users.gather(users), PERIOD: periods}).with_columns(shown)
        header, cells = columns(data), self.original.cells()
        typed = lazy(data).with_columns(cells["user"].alias("__owner"), cells["date"].alias("__date"))
        placed = look_up(typed.to_native(), self.original._days.rename({"date": "__date"}), ["__date"])
        native = look_up(placed.to_native(), named, ["__owner", PERIOD]).to_native()
        quote, source = quoting(native), self.original.source
        new = {source["user"]: f"{NAME} as {quote(source['user'])}"}
        if "invoice" in source:
            # Under another pseudonym, the same number must not come back.
            told = f"concat({NAME}, ' ', {quote(source['invoice'])})"
            fresh = remote.keyed_hash(native, self.key, told)
            missing = f"case when {quote(source['invoice'])} is null then null else {fresh} end"
            new[source["invoice"]] = f"{missing} as {quote(source['invoice'])}"
        chosen = [new.get(name, quote(name)) for name in header]
        changed: Native = (
            native.selectExpr(*chosen)
            if lazy(native).implementation.is_pyspark()
            else native.project(", ".join(chosen))
        )
        return changed

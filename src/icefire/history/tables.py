"""Records as they lie in files: names from the schema, dates and amounts as texts, cells that may be intervals.

A generalized cell is written as an interval `[2011-01-03..2011-01-09]`; an item as a set `{a|b}` or a beginning `22*`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from icefire.core.errors import FileError
from icefire.frames.places import Place
from icefire.history.data import NONE, Guess, History, Ints
from icefire.history.records import SPANS, TYPES
from icefire.history.schema import COLUMNS, Schema

INTERVAL = r"^\[(.+)\.\.(.+)\]$"
DELETED = "DEL"


def parse_records(table: pl.DataFrame, schema: Schema, place: Place) -> pl.DataFrame:
    """A table of a file as records with our names and types."""
    renamed = table.rename(schema.renaming(table.columns, place.name))
    columns: list[pl.Series] = []
    for name in (column for column in COLUMNS if column in renamed.columns):
        cells = renamed[name]
        if name not in SPANS:
            columns.append(cells.cast(pl.String))
            continue
        if cells.dtype != pl.String:
            columns.append(_typed(cells, name, place))
            continue
        texts = cells.str.strip_chars()
        low, high = (texts.str.extract(INTERVAL, group) for group in (1, 2))
        spans = low.is_not_null()
        columns.append(_typed(low.fill_null(texts), name, place))
        if spans.any():
            columns.append(_typed(high.fill_null(texts), name, place).alias(f"{name}_to"))
    return pl.DataFrame(columns)


def _typed(cells: pl.Series, name: str, place: Place) -> pl.Series:
    if cells.dtype != pl.String:
        if name == "date" and not cells.dtype.is_temporal():
            raise FileError(f"{place.at(0)}: {cells[0]!r} is not a date such as 2011-02-17")
        return cells.cast(TYPES[name])
    cells = cells.replace("", None)
    if name == "date":
        plain = cells.str.replace_all("/", "-")
        values = plain.str.to_date("%Y-%m-%d", strict=False)
    else:
        values = cells.cast(pl.Float64, strict=False)
        if name == "quantity":
            whole = values.is_null() | (values == values.round())
            values = values.set(~whole.fill_null(True), None).cast(pl.Int64, strict=False)
    bad = (values.is_null() & cells.is_not_null()).arg_true()
    if len(bad):
        noun = {
            "date": "date such as 2011-02-17 (a time of day goes into a column of its own)",
            "price": "price",
            "quantity": "whole number",
        }[name]
        raise FileError(f"{place.at(bad[0])}: {cells[bad[0]]!r} is not a {noun}")
    return values


def render_records(history: History, schema: Schema) -> pl.DataFrame:
    """Records as a table for a file."""
    frame = history.frame
    columns = []
    for name in (column for column in COLUMNS if column in frame.columns):
        cells = frame[name]
        if f"{name}_to" in frame.columns:
            ends = frame[f"{name}_to"]
            low, high = cells.cast(pl.String), ends.cast(pl.String)
            joined = pl.select(pl.format("[{}..{}]", low, high)).to_series()
            cells = pl.select(pl.when((cells == ends) | ends.is_null()).then(low).otherwise(joined)).to_series()
        columns.append(cells.alias(schema.name(name)))
    return pl.DataFrame(columns)


def render_table(codes: Ints, names: pl.Series) -> list[pl.Series]:
    """A pseudonym table, one column a period, DEL where there is none."""
    texts = pl.concat([pl.Series([DELETED]), names.cast(pl.String).rename("")])
    return [texts.gather(codes[:, period] + 1) for period in range(codes.shape[1])]


def parse_table(
    table: pl.DataFrame, history: History, published: History, what: str, place: Place, exclusive: bool = False
) -> Ints:
    """A pseudonym table or a guess: the first column holds customers, the others their pseudonyms.

    In a pseudonym table (`exclusive`) a pseudonym stands for one customer in each period.
    """
    if table.width != len(history.periods) + 1:
        raise FileError(
            f"{place.name}: {what} has {table.width - 1} periods, the data {len(history.periods)} "
            f"({history.periods.labels[0]} to {history.periods.labels[-1]})"
        )
    ids = table.to_series(0).cast(pl.String)
    users = ids.cast(pl.Enum(history.users), strict=False).to_physical().cast(pl.Int64)
    _complain(users.is_null(), ids, place, f"{what} names the unknown customer {{!r}}")
    _complain(ids.is_duplicated() & ~ids.is_first_distinct(), ids, place, f"{what} names the customer {{!r}} twice")
    if table.height < len(history.users):
        missing = history.users.filter(~history.users.is_in(ids.implode()))
        raise FileError(f"{place.name}: {what} lacks {len(missing)} customers, the first is {missing[0]!r}")
    codes = np.full((len(history.users), len(history.periods)), NONE, dtype=np.int64)
    names = pl.Enum(published.users)
    for period in range(len(history.periods)):
        cells = table.to_series(period + 1).cast(pl.String).str.strip_chars()
        found = cells.cast(names, strict=False).to_physical().cast(pl.Int64)
        empty = (cells == DELETED) | cells.is_null() | (cells == "")
        _complain(found.is_null() & ~empty, cells, place, f"{what} names the pseudonym {{!r}}, which was not published")
        again = found.is_not_null() & ~found.is_first_distinct()
        label = history.periods.labels[period]
        if exclusive:
            _complain(again, cells, place, f"the pseudonym {{!r}} stands for two customers in {label}")
        codes[users.to_numpy(), period] = found.fill_null(NONE).to_numpy()
    return codes


def _complain(bad: pl.Series, cells: pl.Series, place: Place, complaint: str) -> None:
    rows = bad.fill_null(True).arg_true()
    if len(rows):
        raise FileError(f"{place.at(rows[0])}: {complaint.format(cells[rows[0]])}")


def parse_owners(table: pl.DataFrame, history: History, published: History, place: Place) -> Ints:
    """The second sheet of a guess: pseudonym, user."""
    if table.columns != ["pseudonym", "user"]:
        raise FileError(f"{place.name}: expected the columns pseudonym and user, found {', '.join(table.columns)}")
    names, ids = (table.to_series(i).cast(pl.String) for i in range(2))
    codes = names.cast(pl.Enum(published.users), strict=False).to_physical().cast(pl.Int64)
    _complain(codes.is_null(), names, place, "the guess names the pseudonym {!r}, which was not published")
    users = ids.cast(pl.Enum(history.users), strict=False).to_physical().cast(pl.Int64)
    _complain(users.is_null() & ids.is_not_null(), ids, place, "the guess names the unknown customer {!r}")
    owners = np.full(len(published.users), NONE, dtype=np.int64)
    owners[codes.to_numpy()] = users.fill_null(NONE).to_numpy()
    return owners


def guess_tables(guess: Guess, history: History, published: History) -> dict[str, pl.DataFrame]:
    """Both sheets of a guess as tables."""
    columns: list[Any] = [history.users.alias("user")]
    columns += [
        cells.alias(label)
        for label, cells in zip(history.periods.labels, render_table(guess.table, published.users), strict=True)
    ]
    ids = pl.concat([pl.Series([None], dtype=pl.String), history.users.rename("")])
    owners = pl.DataFrame({"pseudonym": published.users, "user": ids.gather(guess.owners + 1)})
    return {"guess": pl.DataFrame(columns), "owners": owners}

"""Conversion of records, pseudonym tables and guesses between files and memory.

In files, columns have the names of the schema. A generalized date or amount is written as an interval
`[2011-01-03..2011-01-09]`; a generalized item as a set `{a|b}` or a prefix `22*`.
"""

from __future__ import annotations

import warnings

import numpy as np
import polars as pl

from icefire.core.errors import FileError, InputWarning
from icefire.frames.places import Place, reject_rows
from icefire.history.data import NONE, UNPUBLISHED, Guess, History, Ints
from icefire.history.records import SPANS, TYPES
from icefire.history.schema import COLUMNS, Schema

INTERVAL = r"^\[(.+)\.\.(.+)\]$"
DELETED = "DEL"
"""Cell of a pseudonym table where the customer has no pseudonym."""
STRANGER = "?"
"""Cell of a guess that named a pseudonym which was not published."""


def parse_records(table: pl.DataFrame, schema: Schema, place: Place) -> pl.DataFrame:
    """Records from the table of a file."""
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
        columns.append(_typed(low.fill_null(texts), name, place))
        if low.is_not_null().any():
            columns.append(_typed(high.fill_null(texts), name, place).alias(f"{name}_to"))
    return pl.DataFrame(columns)


def _typed(cells: pl.Series, name: str, place: Place) -> pl.Series:
    """A column of dates, prices or quantities in its type; FileError at the first cell that does not fit."""
    if cells.dtype != pl.String:
        if name == "date" and not cells.dtype.is_temporal():
            raise FileError(f"{place.at(0)}: {cells[0]!r} is not a date such as 2011-02-17")
        return cells.cast(TYPES[name])
    cells = cells.replace("", None)
    if name == "date":
        values = cells.str.replace_all("/", "-").str.to_date("%Y-%m-%d", strict=False)
    else:
        values = cells.cast(pl.Float64, strict=False)
        if name == "quantity":
            whole = values.is_null() | (values == values.round())
            values = values.set(~whole.fill_null(True), None).cast(pl.Int64, strict=False)
    expected = {
        "date": "date such as 2011-02-17 (put the time of day into a column of its own)",
        "price": "price",
        "quantity": "whole number",
    }[name]
    reject_rows(values.is_null() & cells.is_not_null(), place, f"{{value!r}} is not a {expected}", cells)
    return values


def render_records(history: History, schema: Schema) -> pl.DataFrame:
    """The table of records to write to a file."""
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
    """The columns of a pseudonym table, one for each period; DEL if there is no pseudonym."""
    texts = pl.concat([pl.Series([STRANGER, DELETED]), names.cast(pl.String).rename("")])
    return [texts.gather(codes[:, period] - UNPUBLISHED) for period in range(codes.shape[1])]


def parse_table(
    table: pl.DataFrame,
    history: History,
    published: History,
    what: str,
    place: Place,
    exclusive: bool = False,
    tolerant: bool = False,
) -> Ints:
    """[user, period]: the pseudonyms of a pseudonym table or a guess, whose first column holds the customers.

    `what` names the table in error messages. If `exclusive`, two customers may not have the same pseudonym in a period. If
    `tolerant`, pseudonyms that were not published are UNPUBLISHED, with a warning.
    """
    if table.width != len(history.periods) + 1:
        raise FileError(
            f"{place.name}: {what} has {table.width - 1} periods, the data {len(history.periods)} "
            f"({history.periods.labels[0]} to {history.periods.labels[-1]})"
        )
    ids = table.to_series(0).cast(pl.String)
    users = ids.cast(pl.Enum(history.users), strict=False).to_physical().cast(pl.Int64)
    reject_rows(users.is_null(), place, f"{what} names the unknown customer {{value!r}}", ids)
    reject_rows(~ids.is_first_distinct(), place, f"{what} names the customer {{value!r}} twice", ids)
    if table.height < len(history.users):
        missing = history.users.filter(~history.users.is_in(ids.implode()))
        raise FileError(f"{place.name}: {what} lacks {len(missing)} customers, the first is {missing[0]!r}")
    codes = np.full((len(history.users), len(history.periods)), NONE, dtype=np.int64)
    names = pl.Enum(published.users)
    unpublished: list[pl.Series] = []
    for period in range(len(history.periods)):
        cells = table.to_series(period + 1).cast(pl.String).str.strip_chars()
        found = cells.cast(names, strict=False).to_physical().cast(pl.Int64)
        empty = (cells == DELETED) | cells.is_null() | (cells == "")
        problem = f"{what} names the pseudonym {{value!r}}, which was not published"
        strangers = found.is_null() & ~empty
        if not tolerant:
            reject_rows(strangers, place, problem, cells)
        unpublished.append(strangers)
        if exclusive:
            repeated = found.is_not_null() & ~found.is_first_distinct()
            label = history.periods.labels[period]
            reject_rows(repeated, place, f"the pseudonym {{value!r}} stands for two customers in {label}", cells)
        found = found.fill_null(NONE).set(strangers.fill_null(False), UNPUBLISHED)
        codes[users.to_numpy(), period] = found.to_numpy()
    if (codes == UNPUBLISHED).any():
        rows = pl.select(pl.any_horizontal(unpublished)).to_series().arg_true()
        count = int((codes == UNPUBLISHED).sum())
        warnings.warn(
            f"{place.at(rows[0])}: {what} names pseudonyms that were not published ({count:,} cells): they count as wrong",
            InputWarning,
            stacklevel=2,
        )
    return codes


def parse_owners(table: pl.DataFrame, history: History, published: History, place: Place) -> Ints:
    """The user behind each pseudonym, from the second table of a guess (columns pseudonym, user)."""
    if table.columns != ["pseudonym", "user"]:
        raise FileError(f"{place.name}: expected the columns pseudonym and user, found {', '.join(table.columns)}")
    names, ids = (table.to_series(i).cast(pl.String) for i in range(2))
    codes = names.cast(pl.Enum(published.users), strict=False).to_physical().cast(pl.Int64)
    reject_rows(codes.is_null(), place, "the guess names the pseudonym {value!r}, which was not published", names)
    reject_rows(~names.is_first_distinct(), place, "the guess names the pseudonym {value!r} twice", names)
    users = ids.cast(pl.Enum(history.users), strict=False).to_physical().cast(pl.Int64)
    reject_rows(users.is_null() & ids.is_not_null(), place, "the guess names the unknown customer {value!r}", ids)
    owners = np.full(len(published.users), NONE, dtype=np.int64)
    owners[codes.to_numpy()] = users.fill_null(NONE).to_numpy()
    return owners


def guess_tables(guess: Guess, history: History, published: History) -> dict[str, pl.DataFrame]:
    """Both tables of a guess: pseudonyms by user and period, and users by pseudonym."""
    periods = zip(history.periods.labels, render_table(guess.table, published.users), strict=True)
    columns = [history.users.alias("user"), *(cells.alias(label) for label, cells in periods)]
    ids = pl.concat([pl.Series([None], dtype=pl.String), history.users.rename("")])
    owners = pl.DataFrame({"pseudonym": published.users, "user": ids.gather(guess.owners + 1)})
    return {"guess": pl.DataFrame(columns), "owners": owners}

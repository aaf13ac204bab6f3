"""Tables of a contest's database beside the log, such as accounts, as JSON: for back-ups, from one kind of database to another.

Packages that keep tables of their own make them by migrations. What is written here are columns and rows, with the version
table of those migrations, so that they go on from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import sqlalchemy as sa

from icefire.core.documents import Json
from icefire.core.errors import DataError

OWN = {"alembic_version", "events", "head", "leases", "turns", "workers"}
"""Tables of the contest itself: the log is packed as such, and leases end with their workers."""
Rows: TypeAlias = Mapping[str, Mapping[str, list[list[Json]]]]
"""By table: `columns` with name, type, length and whether they are part of the key or required; and `rows`."""


def dump_tables(connection: sa.Connection) -> Rows:
    """All tables that are not the contest's own."""
    found = sa.MetaData()
    found.reflect(connection)
    return {name: _dumped(connection, table) for name, table in sorted(found.tables.items()) if name not in OWN}


def load_tables(connection: sa.Connection, tables: Rows) -> None:
    """Make tables and fill them. DataError if one of them is there already."""
    there = sa.inspect(connection)
    for name, content in tables.items():
        table = sa.Table(name, sa.MetaData(), *map(_column, content["columns"]))
        if there.has_table(name):
            raise DataError(f"this database has a table {name!r} already: restore into an empty one")
        table.create(connection)
        if content["rows"]:
            columns = table.columns.keys()
            connection.execute(sa.insert(table), [dict(zip(columns, row, strict=True)) for row in content["rows"]])


def _dumped(connection: sa.Connection, table: sa.Table) -> dict[str, list[list[Json]]]:
    if table.foreign_keys or table.indexes or any(isinstance(part, sa.UniqueConstraint) for part in table.constraints):
        raise DataError(f"the table {table.name!r} cannot be backed up: it has more than columns and a key")
    rows = connection.execute(sa.select(table).order_by(*table.primary_key.columns))
    return {"columns": [_described(column) for column in table.columns], "rows": [list(row) for row in rows]}


def _described(column: sa.Column[object]) -> list[Json]:
    match column.type:
        case sa.String():
            kind, length = "text", column.type.length
        case sa.Integer():
            kind, length = "integer", None
        case sa.Float():
            kind, length = "float", None
        case _:
            raise DataError(
                f"the table {column.table.name!r} cannot be backed up: {column.name} is of a type unknown here"
            )
    return [column.name, kind, length, column.primary_key, not column.nullable]


def _column(described: list[Json]) -> sa.Column[Any]:
    name, kind, length, key, required = described
    text = sa.String(length if isinstance(length, int) else None)
    types: dict[Json, Any] = {"text": text, "integer": sa.BigInteger(), "float": sa.Double()}
    return sa.Column(str(name), types[kind], primary_key=bool(key), nullable=not required, autoincrement=False)

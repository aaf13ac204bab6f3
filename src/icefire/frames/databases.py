"""Reading of tables and queries of databases: SQLite, DuckDB, PostgreSQL."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import polars as pl

from icefire.core.errors import FileError, InputError, UnknownName, need

ENDINGS = (".duckdb", ".db", ".sqlite", ".sqlite3")
SCHEMES = ("sqlite", "duckdb", "postgresql", "postgres")
QUERY = re.compile(r"\s*(select|with)\s", re.IGNORECASE)


def is_database(source: str) -> bool:
    return source.partition("://")[0] in SCHEMES if "://" in source else source.lower().endswith(ENDINGS)


def read_database(source: str, table: str | None = None) -> tuple[pl.DataFrame, str]:
    """A table of a database and its name. After `#` an address may name the table, or a query: `sqlite:///shop.db#sales`.

    The name may be left out where there is one table only.
    """
    address, _, fragment = source.partition("#") if "://" in source else (source, "", "")
    wanted = table or unquote(fragment)
    shown = without_password(address)
    try:
        with closing(_connected(address)) as connection:
            name = wanted or _only_table(shown, connection)
            query = name if QUERY.match(name) else f"select * from {_quoted(shown, name, connection)}"
            return pl.read_database(query, connection, infer_schema_length=None), name
    except (FileError, InputError, UnknownName):
        raise
    except Exception as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise FileError(f"cannot read {shown}: {reason}") from error


def without_password(address: str) -> str:
    """An address as it may be shown and written down.

    >>> without_password("postgresql://ann:secret@host/shop#sales")
    'postgresql://ann:***@host/shop#sales'
    """
    return re.sub(r"(://[^/@:]*):[^@/]*@", r"\1:***@", address)


def _connected(address: str) -> Any:
    if address.startswith(("postgresql://", "postgres://")):
        connection = need("psycopg", "postgres").connect(address)
        connection.read_only = True
        return connection
    path = Path(unquote(urlsplit(address).path)[1:] if "://" in address else address)
    if not path.is_file():
        raise FileError(f"no file {path}")
    with path.open("rb") as file:
        if file.read(15) != b"SQLite format 3":
            return need("duckdb", "duckdb").connect(str(path), read_only=True)
    import sqlite3

    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _tables(connection: Any) -> list[str]:
    query = "select table_name from information_schema.tables where table_schema = current_schema()"
    if type(connection).__module__ == "sqlite3":
        query = "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'"
    return sorted(str(row[0]) for row in connection.execute(query).fetchall())


def _only_table(shown: str, connection: Any) -> str:
    tables = _tables(connection)
    if len(tables) != 1:
        raise InputError(f"{shown} holds {len(tables)} tables: choose one with --table: {', '.join(tables)}")
    return tables[0]


def _quoted(shown: str, name: str, connection: Any) -> str:
    tables = _tables(connection)
    if name not in tables:
        raise UnknownName.of(f"table in {shown}", name, tables)
    return '"' + name.replace('"', '""') + '"'

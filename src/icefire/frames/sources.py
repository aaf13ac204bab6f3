"""Opening of tables on the engine that was asked for: files, folders and globs of Parquet and CSV, tables of databases.

Nothing is read locally first. CSV files are scanned as texts, and their types are found by the engine, by rules that do
not depend on it, so that the same file gives the same values everywhere.
"""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, Protocol

import narwhals as nw
import polars as pl

from icefire.core.errors import FileError, InputError, UnknownName, need
from icefire.core.memory_bound import allowed
from icefire.frames import relational
from icefire.frames.databases import ENDINGS
from icefire.frames.engines import Lazy, Native, lazy
from icefire.frames.files import check_csv, csv_header, extension_of, scan_table

Engine = Literal["polars", "duckdb", "spark"]
SAMPLE = 1000
"""Rows that narrow the types of a CSV file down, before all rows are checked."""
WIDER = {"integer": "number", "number": "text", "truth": "text"}
PATTERNS = {
    "integer": r"\A(-[0-9]{1,18}|0|[1-9][0-9]{0,17})\z",
    "number": r"\A([-+]?([0-9]*\.[0-9]+([eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+|[0-9]+\.|inf)|NaN"
    r"|-[0-9]{1,18}|0|[1-9][0-9]{0,17})\z",
    "truth": r"\A([tT][rR][uU][eE]|[fF][aA][lL][sS][eE])\z",
}
"""What the cells of a column look like, in the syntax that Python and the engines share. Codes such as 007 are texts."""


class _Scanner(Protocol):
    """Lazy scans of an engine."""

    fills_short_lines: bool
    """Whether a line with too few cells is read as if the others were missing, instead of being refused."""

    def parquet(self, paths: list[str], partitioned: bool) -> Native: ...

    def csv(self, paths: list[str], names: list[str]) -> Native:
        """Every column as texts; a cell without quotes and content is missing."""


def open_table(
    source: str | Path, engine: Engine | None = None, table: str | None = None, texts: Collection[str] = ()
) -> Native:
    """Open a table lazily on an engine: DuckDB for databases and polars for files if none is named.

    The source is a Parquet or CSV file, a folder of such files, a glob, or a database with the name of a table. Addresses
    with a scheme, such as s3://, are handed to the engine. Columns of CSV files that are named in `texts` stay texts, so that
    codes such as 007 keep their zeros.
    """
    name = str(source)
    if name.lower().endswith(ENDINGS):
        if engine not in (None, "duckdb"):
            raise InputError(f"{name} is a database, which --engine duckdb reads; {engine} does not")
        return _open_database(Path(name), table)
    if table is not None:
        raise InputError(f"--table names a table of a database ({', '.join(ENDINGS)}), and {name} is none")
    files = _files(name)
    scanner = _SCANNERS[engine or "polars"]()
    if extension_of(Path(files[0])) == ".parquet":
        with _reading(name):
            data = scanner.parquet(files, partitioned=any("=" in part for part in Path(files[0]).parts[:-1]))
            relational.require_columns(data, ())
            return data
    return _open_csv(name, files, scanner, texts)


def _files(source: str) -> list[str]:
    """The files behind a name: of one extension, sorted."""
    if "://" in source:
        return [source]
    if Path(source).is_file():
        extension_of(Path(source))
        return [source]
    pattern = str(Path(source) / "**" / "*") if Path(source).is_dir() else source
    found = sorted(path for path in glob.glob(pattern, recursive=True) if Path(path).is_file())
    # Spark and others leave marks such as _SUCCESS beside the data.
    found = [path for path in found if not Path(path).name.startswith(("_", "."))]
    if not found:
        if not glob.has_magic(source) and not Path(source).is_dir():
            extension_of(Path(source))
        raise FileError(f"no file {source}" if not Path(source).is_dir() else f"the folder {source} holds no files")
    kinds = {extension_of(Path(path)) == ".parquet" for path in found}
    if len(kinds) > 1:
        raise FileError(f"{source} holds Parquet and CSV files: name one of them, as {source}/*.parquet")
    return found


@contextmanager
def _reading(source: str) -> Iterator[None]:
    """Errors of an engine become FileError; our own pass."""
    try:
        yield
    except (FileError, InputError):
        raise
    except Exception as error:
        raise FileError(
            f"cannot read {source}: {(str(error).strip() or type(error).__name__).splitlines()[0]}"
        ) from error


def _open_csv(source: str, files: list[str], scanner: _Scanner, texts: Collection[str]) -> Native:
    local = "://" not in source
    names = csv_header(Path(files[0])) if local else list(lazy(scanner.csv(files, [])).collect_schema().names())
    for path in files[1:]:
        if csv_header(Path(path)) != names:
            raise FileError(f"{path} has other columns than {files[0]}")
    try:
        with _reading(source):
            cells = lazy(scanner.csv(files, names))
            relational.require_columns(cells, ())
            kinds, counts = _types(source, cells, names)
    except FileError:
        # The engine says that something is wrong, and icefire at which line.
        for path in files if local else ():
            check_csv(Path(path), names)
        raise
    gap = scanner.fills_short_lines and len(names) > 1 and counts["gap"] > 0
    if local and (gap or (counts["header"] > 0 and set(kinds.values()) == {"text"})):
        for path in files:
            check_csv(Path(path), names)
    if counts["blank"]:
        cells = cells.filter(~nw.all_horizontal(*[nw.col(name).is_null() for name in names], ignore_nulls=True))
    kinds |= {name: "text" for name in names if name in texts}
    typed: Native = cells.select(*[_typed(name, kinds[name]) for name in names]).to_native()
    return typed


def _types(source: str, texts: Lazy, names: Sequence[str]) -> tuple[dict[str, str], dict[str, int]]:
    """The narrowest type that holds all cells of each column, and what was counted."""
    sample = relational.collect(texts.head(SAMPLE))
    kinds = {name: _narrowest(sample[name]) for name in names}
    counts = _checked(texts, kinds)
    if counts["rows"] == counts["blank"]:
        raise FileError(f"{source} has a header but 0 rows")
    while wrong := [name for name in names if counts.get(f"wrong {name}")]:
        kinds |= {name: WIDER[kinds[name]] for name in wrong}
        again = _checked(texts, {name: kinds[name] for name in wrong})
        counts |= {f"wrong {name}": again.get(f"wrong {name}", 0) for name in wrong}
    return kinds, counts


def _narrowest(cells: pl.Series) -> str:
    values = cells.drop_nulls().unique().to_list()
    fits = (
        kind
        for kind, pattern in PATTERNS.items()
        if values and all(re.search(pattern.replace(r"\z", r"\Z"), value) for value in values)
    )
    return next(fits, "text" if values else "integer")


def _checked(texts: Lazy, kinds: Mapping[str, str]) -> dict[str, int]:
    """One pass: cells that do not fit their column's type, rows, blank rows, gaps in the last column, repeated headers."""
    names = list(kinds)
    conditions = {
        "blank": nw.all_horizontal(*[nw.col(name).is_null() for name in names], ignore_nulls=True),
        "gap": nw.col(names[-1]).is_null(),
        "header": nw.all_horizontal(*[nw.col(name) == name for name in names], ignore_nulls=False),
    }
    for name, kind in kinds.items():
        if kind != "text":
            conditions[f"wrong {name}"] = ~nw.col(name).str.contains(PATTERNS[kind])
    sums = [
        nw.when(test).then(nw.lit(1)).otherwise(nw.lit(0)).sum().alias(f"n{i}")
        for i, test in enumerate(conditions.values())
    ]
    row = relational.collect(texts.select(nw.len().alias("rows"), *sums)).row(0)
    return {"rows": row[0]} | {name: count or 0 for name, count in zip(conditions, row[1:], strict=True)}


def _typed(name: str, kind: str) -> nw.Expr:
    cell = nw.col(name)
    if kind == "truth":
        return (cell.str.to_lowercase() == "true").alias(name)
    return cell.cast(nw.Int64 if kind == "integer" else nw.Float64) if kind != "text" else cell


class _Polars:
    fills_short_lines = True

    def parquet(self, paths: list[str], partitioned: bool) -> Native:
        if len(paths) == 1 and not partitioned and "://" not in paths[0]:
            return scan_table(Path(paths[0]))
        return pl.scan_parquet(paths, hive_partitioning=partitioned)

    def csv(self, paths: list[str], names: list[str]) -> Native:
        return pl.scan_csv(paths, infer_schema=False)


class _DuckDb:
    fills_short_lines = False

    def __init__(self) -> None:
        self._duckdb = need("duckdb", "duckdb")
        if (bound := allowed()) is not None:
            # What does not fit is written to disk.
            self._duckdb.execute(f"SET memory_limit = '{bound // 2} B'")

    def parquet(self, paths: list[str], partitioned: bool) -> Native:
        relation: Native = self._duckdb.read_parquet(paths, hive_partitioning=partitioned)
        return relation

    def csv(self, paths: list[str], names: list[str]) -> Native:
        # Given names and types, DuckDB guesses nothing.
        known = {"auto_detect": False, "columns": dict.fromkeys(names, "VARCHAR")} if names else {"all_varchar": True}
        form = {"header": True, "delimiter": ",", "quotechar": '"', "escapechar": '"'}
        relation: Native = self._duckdb.read_csv(paths, allow_quoted_nulls=False, **form, **known)
        return relation


class _Spark:
    fills_short_lines = False

    def __init__(self) -> None:
        # The master and all settings come from where Spark looks for them: spark-submit, spark-defaults.conf and so on.
        session: Any = need("pyspark.sql", "spark").SparkSession.builder.appName("icefire").getOrCreate()
        context = session.sparkContext
        if context.master.startswith("local") and "PYSPARK_PYTHON" not in os.environ:
            # Otherwise it is the first Python of the path, which may be another one, without icefire.
            context.pythonExec = sys.executable
        self._read: Any = session.read

    def parquet(self, paths: list[str], partitioned: bool) -> Native:
        parts = Path(paths[0]).parts
        first = next((i for i, part in enumerate(parts) if partitioned and "=" in part), None)
        base = {} if first is None else {"basePath": str(Path(*parts[:first]))}
        scanned: Native = self._read.options(**base).parquet(*paths)
        return scanned

    def csv(self, paths: list[str], names: list[str]) -> Native:
        schema = ", ".join(f"`{name.replace('`', '``')}` string" for name in names) or None
        # Without pruning, lines with too many or too few cells are errors whatever columns are asked for.
        reader = self._read.options(columnPruning="false", nullValue="\x01", emptyValue="", escape='"')
        scanned: Native = reader.csv(paths, schema=schema, header=True, mode="FAILFAST", multiLine=True)
        return scanned


_SCANNERS: Mapping[str, type[_Polars] | type[_DuckDb] | type[_Spark]] = {
    "polars": _Polars,
    "duckdb": _DuckDb,
    "spark": _Spark,
}


def _open_database(path: Path, table: str | None) -> Native:
    duckdb = need("duckdb", "duckdb")
    if not path.is_file():
        raise FileError(f"no file {path}")
    try:
        connection = _connected(duckdb, path)
        tables = [
            str(row[0])
            for row in connection.execute(
                "select table_name from duckdb_tables() union all select view_name from duckdb_views() where not internal"
            ).fetchall()
        ]
    except duckdb.Error as error:
        raise FileError(f"DuckDB cannot read {path}: {str(error).splitlines()[0]}") from error
    if table is None and len(tables) == 1:
        table = tables[0]
    if table is None:
        raise InputError(f"{path} holds {len(tables)} tables: choose one with --table: {', '.join(sorted(tables))}")
    if table not in tables:
        raise UnknownName.of(f"table in {path}", table, tables)
    quoted = table.replace('"', '""')
    relation: Native = connection.sql(f'select * from "{quoted}"')
    return relation


def _connected(duckdb: Any, path: Path) -> Any:
    """A connection that reads a database of DuckDB, or one of SQLite where DuckDB has its extension for it."""
    with path.open("rb") as file:
        if file.read(15) != b"SQLite format 3":
            return duckdb.connect(str(path), read_only=True)
    connection = duckdb.connect()
    try:
        connection.execute("SET autoinstall_known_extensions = false; LOAD sqlite")
    except duckdb.Error as error:
        hint = "python -c \"import duckdb; duckdb.sql('INSTALL sqlite')\""
        raise FileError(f"{path} is a database of SQLite, for which DuckDB needs an extension: {hint}") from error
    quoted = str(path).replace("'", "''")
    connection.execute(f"ATTACH '{quoted}' AS source (TYPE sqlite, READ_ONLY); USE source")
    return connection

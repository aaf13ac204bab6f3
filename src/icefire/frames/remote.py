"""Tables that stay on DuckDB or Spark while they are recoded and written: nothing of their size comes to this process."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import narwhals as nw
import polars as pl

from icefire.core.errors import DataError, InputError
from icefire.frames.engines import Native, columns, lazy, on_engine

ROW = "__row"
"""Column with the number of a row in its source, from 0."""


@dataclass(frozen=True)
class Recoding:
    """New cells for the rows of a table by their values in some columns. Rows with values that are not listed are dropped."""

    keys: pl.DataFrame
    """Distinct combinations of values; a missing value is a value."""
    cells: pl.DataFrame
    """For each combination the new cells of some columns of the table."""

    def apply(self, data: Native) -> Native:
        """The recoded table, which stays lazy. It may have further columns."""
        native = lazy(data).to_native()
        keys = self.keys.rename({name: f"key_{place}" for place, name in enumerate(self.keys.columns)})
        cells = self.cells.rename({name: f"cell_{place}" for place, name in enumerate(self.cells.columns)})
        quote = _quoting(native)
        same = [f"data.{quote(name)} is not distinct from cells.key_{i}" for i, name in enumerate(self.keys.columns)]
        new = {name: f"cells.cell_{place} as {quote(name)}" for place, name in enumerate(self.cells.columns)}
        chosen = [new.get(name, f"data.{quote(name)}") for name in columns(native)]
        return _joined(native, pl.concat([keys, cells], how="horizontal"), " and ".join(same), chosen)


def _joined(data: Any, cells: pl.DataFrame, condition: str, chosen: list[str]) -> Native:
    if not _is_spark(data):
        small = _sent(data, cells)
        by_duckdb: Native = data.set_alias("data").join(small.set_alias("cells"), condition).project(", ".join(chosen))
        return by_duckdb
    from pyspark.sql import functions

    with warnings.catch_warnings():
        # Spark warns of new versions of pandas, which have no part in this.
        warnings.simplefilter("ignore", FutureWarning)
        small = data.sparkSession.createDataFrame(cells.to_arrow())
    by_spark: Native = data.alias("data").join(small.alias("cells"), functions.expr(condition)).selectExpr(*chosen)
    return by_spark


def _sent(relation: Any, frame: pl.DataFrame) -> Any:
    """A small table as a relation on the same connection."""
    small = frame.to_arrow()  # noqa: F841 (DuckDB finds it by its name)
    return relation.query(_view(), "select * from small")


def require_amounts(data: Native, where: str) -> None:
    """Raise DataError if there are no rows, or if a column of numbers holds NaN or infinity."""
    frame = lazy(data)
    numbers = [name for name, dtype in frame.collect_schema().items() if dtype.is_float()]
    wrong = [
        nw.when(~nw.col(name).is_finite()).then(nw.lit(1)).otherwise(nw.lit(0)).sum().alias(f"wrong_{place}")
        for place, name in enumerate(numbers)
    ]
    counted = frame.select(nw.len().alias("rows"), *wrong).collect(backend="polars").to_native().row(0)
    if counted[0] == 0:
        raise DataError(f"{where} has 0 rows: there is nobody to protect or to find")
    for name, count in zip(numbers, counted[1:], strict=True):
        if count:
            raise DataError(
                f"{where}, column {name!r}: {count:,} cells are NaN or infinite, which is not an amount. "
                "Leave a cell empty if its value is missing."
            )


def in_file_order(data: Native) -> Native:
    """The rows in the order of their files: Spark reads the largest file first. Other engines keep the order."""
    if not (on_engine(data) and _is_spark(data)):
        return data
    placed = _placed(lazy(data).to_native())
    ordered: Native = data if placed is None else placed.orderBy("__file", "__index").drop("__file", "__index")
    return ordered


def write_shuffled(
    data: Native, recodings: Sequence[Recoding], names: Sequence[str], key: str, published: Path, rows: Path
) -> None:
    """Write a recoded table in an order that a secret key determines, and apart from it the number of each row, from 1.

    DuckDB writes a Parquet file, Spark a folder of them. The order is that of a keyed hash (SHA-256) of the row numbers.
    """
    source = lazy(data).to_native()
    recoded: Native = _numbered(source)
    for recoding in recodings:
        recoded = recoding.apply(recoded)
    if not _is_spark(source):
        _write_by_duckdb(recoded, names, key, published, rows)
        return
    # Both tables are in as many parts, whatever becomes of the joins.
    parts = max(source.rdd.getNumPartitions(), source.sparkSession.sparkContext.defaultParallelism)
    _write_by_spark(recoded, names, key, parts, published.absolute(), rows)


def _write_by_duckdb(data: Any, names: Sequence[str], key: str, published: Path, rows: Path) -> None:
    view, order = _view(), f"left(sha256('{key}' || {ROW}), 16), {ROW}"
    chosen = ", ".join(map(_quoting(data), names))
    data.query(view, f"select {chosen} from {view} order by {order}").write_parquet(str(published))
    data.query(view, f"select {ROW} + 1 from {view} order by {order}").write_csv(
        str(rows), header=False, use_tmp_file=False
    )


def _write_by_spark(data: Any, names: Sequence[str], key: str, parts: int, published: Path, rows: Path) -> None:
    from pyspark.sql import functions

    place = functions.expr(f"substring(sha2(concat('{key}', {ROW}), 256), 1, 16)")
    shuffled = data.withColumn("__place", place).repartition(parts, "__place").sortWithinPartitions("__place", ROW)
    shuffled.selectExpr(*map(_quoting(data), names)).write.parquet(str(published), mode="overwrite")
    with TemporaryDirectory(prefix=".writing-", dir=rows.parent) as folder:
        shuffled.selectExpr(f"cast({ROW} + 1 as string)").write.text(f"{folder}/rows")
        with rows.open("wb") as whole:
            for path in sorted(Path(folder, "rows").glob("part-*")):
                with path.open("rb") as part:
                    shutil.copyfileobj(part, whole)


def _numbered(data: Any) -> Any:
    """The table with the place of each row in its source (ROW): files by name, and their rows as they lie there."""
    if not _is_spark(data):
        return data.project(f"*, row_number() over () - 1 as {ROW}")
    placed = _placed(data)
    if placed is not None:
        return _numbered_by_file(placed)
    if len(data.inputFiles()) == 1 and data.rdd.getNumPartitions() == 1:
        return data.selectExpr("*", f"monotonically_increasing_id() as {ROW}")
    raise InputError("Spark numbers the rows of Parquet files and of a single CSV file: store the table as Parquet")


def _placed(data: Any) -> Any | None:
    """The table with each row's file and its place in it; None if it is not one of Parquet files."""
    from pyspark.errors import AnalysisException

    files = data.inputFiles()
    if not files or not all(name.endswith(".parquet") for name in files):
        return None
    file = "url_decode(replace(_metadata.file_path, '+', '%2B')) as __file"
    try:
        return data.selectExpr("*", file, "_metadata.row_index as __index")
    except AnalysisException:
        return None


def _numbered_by_file(placed: Any) -> Any:
    from pyspark.sql import functions

    counted = placed.groupBy("__file").agg(functions.count("*"), functions.max("__index")).collect()
    if any(last + 1 != rows for _, rows, last in counted):
        raise InputError(
            "rows of the Parquet files were left out, so that Spark cannot number them: store the table first"
        )
    starts, total = [], 0
    for file, rows, _ in sorted(counted):
        starts.append((file, total))
        total += rows
    first = placed.sparkSession.createDataFrame(starts, "__file string, __start long")
    whole = placed.join(functions.broadcast(first), "__file").withColumn(ROW, functions.expr("__start + __index"))
    return whole.drop("__file", "__start", "__index")


def _is_spark(native: Any) -> bool:
    return lazy(native).implementation.is_pyspark()


def _quoting(native: Any) -> Callable[[str], str]:
    mark = "`" if _is_spark(native) else '"'
    return lambda name: f"{mark}{name.replace(mark, 2 * mark)}{mark}"


def _view() -> str:
    """A name that no other table has."""
    return f"icefire_{uuid4().hex}"

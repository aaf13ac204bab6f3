"""Tables that stay on DuckDB or Spark while they are recoded and written: nothing of their size comes to this process."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError, InputError
from icefire.frames.engines import Lazy, Native, columns, in_memory, lazy, on_engine
from icefire.frames.lookup import fresh_view, is_spark, look_up, quoting

ROW = "__row"
"""Column with the number of a row in its source, from 0."""
_ORIGIN = "__origin"


class Step(Protocol):
    """What becomes of the rows of a table."""

    def apply(self, data: Native) -> Native:
        """The changed table, which stays lazy. It keeps columns that the step does not know."""


@dataclass(frozen=True)
class Recoding:
    """New cells for the rows of a table by their values in some columns. Rows with values that are not listed are dropped."""

    keys: pl.DataFrame
    """Distinct combinations of values; a missing value is a value."""
    cells: pl.DataFrame
    """For each combination the new cells of some columns of the table."""

    def apply(self, data: Native) -> Native:
        """The recoded table, which stays lazy. It may have further columns."""
        new = {name: f"__cell_{place}" for place, name in enumerate(self.cells.columns)}
        listed = pl.concat([self.keys, self.cells.rename(new)], how="horizontal")
        found = look_up(data, listed, self.keys.columns)
        recoded: Native = found.select(*[nw.col(new.get(name, name)).alias(name) for name in columns(data)]).to_native()
        return recoded


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
    if not (on_engine(data) and is_spark(data)):
        return data
    placed = _placed(lazy(data).to_native())
    ordered: Native = data if placed is None else placed.orderBy("__file", "__index").drop("__file", "__index")
    return ordered


def write_shuffled(
    data: Native, recodings: Sequence[Step], names: Sequence[str], key: str, published: Path, rows: Path
) -> None:
    """Write a recoded table in an order that a secret key determines, and apart from it the number of each row, from 1.

    DuckDB writes a Parquet file, Spark a folder of them. The order is that of a keyed hash (SHA-256) of the row numbers.
    """
    source = lazy(data).to_native()
    recoded: Native = numbered(source)
    for recoding in recodings:
        recoded = recoding.apply(recoded)
    if not is_spark(source):
        _write_by_duckdb(recoded, names, key, published, rows)
        return
    # Both tables are in as many parts, whatever becomes of the joins.
    parts = max(source.rdd.getNumPartitions(), source.sparkSession.sparkContext.defaultParallelism)
    _write_by_spark(recoded, names, key, parts, published.absolute(), rows)


def keyed_hash(native: Any, key: str, expression: str) -> str:
    """SQL for 64 bits of SHA-256 of a key and a value, as hexadecimal digits."""
    if is_spark(native):
        return f"substring(sha2(concat('{key}', {expression}), 256), 1, 16)"
    return f"left(sha256('{key}' || {expression}), 16)"


def _write_by_duckdb(data: Any, names: Sequence[str], key: str, published: Path, rows: Path) -> None:
    view, order = fresh_view(), f"{keyed_hash(data, key, ROW)}, {ROW}"
    chosen = ", ".join(map(quoting(data), names))
    data.query(view, f"select {chosen} from {view} order by {order}").write_parquet(str(published))
    data.query(view, f"select {ROW} + 1 from {view} order by {order}").write_csv(
        str(rows), header=False, use_tmp_file=False
    )


def _write_by_spark(data: Any, names: Sequence[str], key: str, parts: int, published: Path, rows: Path) -> None:
    from pyspark.sql import functions

    place = functions.expr(keyed_hash(data, key, ROW))
    shuffled = data.withColumn("__place", place).repartition(parts, "__place").sortWithinPartitions("__place", ROW)
    shuffled.selectExpr(*map(quoting(data), names)).write.parquet(str(published), mode="overwrite")
    with TemporaryDirectory(prefix=".writing-", dir=rows.parent) as folder:
        shuffled.selectExpr(f"cast({ROW} + 1 as string)").write.text(f"{folder}/rows")
        with rows.open("wb") as whole:
            for path in sorted(Path(folder, "rows").glob("part-*")):
                with path.open("rb") as part:
                    shutil.copyfileobj(part, whole)


def beside(
    original: Native, published: Native, rows: NDArray[np.int64], values: Mapping[str, str], some: NDArray[np.int64]
) -> Lazy:
    """Some published rows with their numbers (ROW), and beside them values of the original rows that they were made from.

    Published row j was made from row `rows[j]` of the original. `values` names the columns of the original by their new names.
    """
    listed = pl.DataFrame({ROW: some, _ORIGIN: rows[some]})
    placed = look_up(numbered(lazy(published).to_native()), listed, [ROW])
    wanted = [nw.col(name).alias(new) for new, name in values.items()]
    known = lazy(numbered(lazy(original).to_native())).select(nw.col(ROW).alias(_ORIGIN), *wanted)
    return placed.join(known, on=_ORIGIN).drop(_ORIGIN)


def can_meet(original: Native, published: Native) -> bool:
    """Whether the rows of two tables can be joined by their numbers where they are."""
    tables = [lazy(table) for table in (original, published)]
    if in_memory(original) or in_memory(published) or tables[0].implementation != tables[1].implementation:
        return False
    return all(_can_number(table.to_native()) for table in tables)


def _can_number(native: Any) -> bool:
    return not is_spark(native) or _placed(native) is not None


def numbered(data: Any) -> Any:
    """The table with the place of each row in its source (ROW): files by name, and their rows as they lie there."""
    if isinstance(data, pl.LazyFrame):
        return data.with_row_index(ROW).with_columns(pl.col(ROW).cast(pl.Int64))
    if not is_spark(data):
        return data.project(f"*, row_number() over () - 1 as {ROW}")
    placed = _placed(data)
    if placed is None:
        raise InputError("Spark numbers the rows of files, not of other tables: store the table first")
    return _numbered_by_file(placed)


def _placed(data: Any) -> Any | None:
    """The table with each row's file and its place among the rows of it; None if it is not one of files."""
    from pyspark.errors import AnalysisException

    files = data.inputFiles()
    if not files:
        return None
    # A CSV file with line breaks in cells is read in one piece, so that its rows have ascending numbers.
    place = "_metadata.row_index" if _are_parquet(files) else "monotonically_increasing_id()"
    file = "url_decode(replace(_metadata.file_path, '+', '%2B')) as __file"
    try:
        return data.selectExpr("*", file, f"{place} as __index")
    except AnalysisException:
        return None


def _are_parquet(files: Sequence[str]) -> bool:
    return all(name.endswith(".parquet") for name in files)


def _numbered_by_file(placed: Any) -> Any:
    from pyspark.sql import functions

    found = (functions.min("__index"), functions.max("__index"), functions.count("*"))
    counted = sorted(placed.groupBy("__file").agg(*found).collect())
    whole = _are_parquet(placed.inputFiles())
    if any(last - first + 1 != rows or (whole and first) for _, first, last, rows in counted):
        raise InputError("rows of the files were left out, so that Spark cannot number them: store the table first")
    starts, total = [], 0
    for file, first, _, rows in counted:
        starts.append((file, total - first))
        total += rows
    begins = placed.sparkSession.createDataFrame(starts, "__file string, __start long")
    joined = placed.join(functions.broadcast(begins), "__file").withColumn(ROW, functions.expr("__start + __index"))
    return joined.drop("__file", "__start", "__index")

"""Counts, averages and joins, written once and run where the data is.

A missing value is a value: grouping keeps it as a group of its own, and nothing here uses SQL's count(distinct)
or an equi-join on nullable keys, which would drop it. Results are small and come back as polars frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError, UnknownName
from icefire.frames.engines import Native, lazy

COUNT = "__records"
USERS = "__users"


def require_columns(data: Native, names: Iterable[str], what: str = "column") -> None:
    """Raise UnknownName for the first name that is not a column."""
    known = lazy(data).collect_schema().names()
    for name in known:
        if name.startswith("__"):
            raise DataError(
                f"the column {name!r} begins with two underscores, which icefire keeps for itself: rename it"
            )
    for name in names:
        if name not in known:
            raise UnknownName.of(what, name, known)


def row_count(data: Native) -> int:
    return int(collect(lazy(data).select(nw.len().alias(COUNT)))[COUNT][0])


def count_by(data: Native, keys: Sequence[str]) -> nw.LazyFrame[Any]:
    """One row per combination of the keys, with the number of records in COUNT. Stays lazy."""
    if not keys:
        return lazy(data).select(nw.len().alias(COUNT))
    return lazy(data).select(*keys).group_by(*keys).agg(nw.len().alias(COUNT))


def class_sizes(data: Native, keys: Sequence[str]) -> NDArray[np.int64]:
    """Sizes of the classes of rows that agree on all keys, ascending."""
    sizes = collect(count_by(data, keys).select(COUNT))[COUNT].to_numpy().astype(np.int64)
    return np.sort(sizes[sizes > 0])


def class_size_summary(data: Native, keys: Sequence[str]) -> tuple[int, int, int]:
    """(smallest class, number of classes, classes of one row), aggregated by the engine."""
    sizes = count_by(data, keys)
    ones = _ones(nw.col(COUNT) == 1)
    row = collect(sizes.select(nw.col(COUNT).min().alias("least"), nw.len().alias("classes"), ones.sum().alias("ones")))
    if row["least"][0] in (None, 0):
        raise DataError("the table has 0 rows, so it has no classes")
    return int(row["least"][0]), int(row["classes"][0]), int(row["ones"][0])


def _ones(condition: nw.Expr) -> nw.Expr:
    """1 where a condition holds and 0 elsewhere: Spark does not add up truth values."""
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def value_counts(data: Native, keys: Sequence[str], value: str) -> pl.DataFrame:
    """How often each value occurs in each class: keys, value, COUNT."""
    return collect(count_by(data, list(dict.fromkeys([*keys, value]))))


def facts_by_value(data: Native, known: Sequence[str], user: str | None) -> nw.LazyFrame[Any]:
    """Per combination of the known columns: its records (COUNT) and the users who have it (USERS). Stays lazy."""
    if user is None:
        return count_by(data, known).with_columns(nw.col(COUNT).alias(USERS))
    if user in known:
        return count_by(data, known).with_columns(nw.lit(1).alias(USERS))
    pairs = count_by(data, [*known, user])
    return pairs.group_by(*known).agg(nw.col(COUNT).sum().alias(COUNT), nw.len().alias(USERS))


def users_per_fact(data: Native, known: Sequence[str], user: str) -> nw.LazyFrame[Any]:
    """Per user and fact: the user's records of it (COUNT) and how many users share it (USERS). Stays lazy."""
    # A window rather than a join, since joins lose missing values.
    return count_by(data, [*known, user]).with_columns(nw.len().over(*known).alias(USERS))


def group_means(data: Native, keys: Sequence[str], value: str) -> pl.DataFrame:
    """Mean of a column and number of rows per combination of the keys: keys, "mean", COUNT."""
    grouped = lazy(data).select(*keys, value).group_by(*keys)
    return collect_sums(grouped.agg(nw.col(value).mean().alias("mean"), nw.len().alias(COUNT)))


def means(data: Native, names: Sequence[str]) -> dict[str, float | None]:
    """Mean of each column over its present values."""
    row = collect_sums(lazy(data).select(*[nw.col(name).mean().alias(name) for name in names]))
    return {name: row[name][0] for name in names}


def correlations(data: Native, names: Sequence[str]) -> NDArray[np.float64]:
    """Pearson's correlations; 0 between a constant column and any other, 1 with itself.

    Columns are centred first (two passes), so that large amounts lose no digits. A pair is measured over the rows
    where both values are present.
    """
    frame = lazy(data)
    stats = collect_sums(
        frame.select(
            *[nw.col(name).mean().alias(f"mean_{i}") for i, name in enumerate(names)],
            *[_ones(nw.col(name).is_null()).sum().alias(f"null_{i}") for i, name in enumerate(names)],
        )
    )
    complete = all((stats[f"null_{i}"][0] or 0) == 0 for i in range(len(names)))
    centred = [
        (nw.col(name).cast(nw.Float64) - (stats[f"mean_{i}"][0] or 0.0)).alias(f"c{i}") for i, name in enumerate(names)
    ]
    pairs = [(i, j) for i in range(len(names)) for j in range(i, len(names))]
    moments = frame.select(*centred)
    result = np.eye(len(names))
    sums: dict[str, float | None] = {}
    for start in range(0, len(pairs), 400):
        expressions = [e for i, j in pairs[start : start + 400] for e in _moments(i, j, complete)]
        sums |= collect_sums(moments.select(*expressions)).row(0, named=True)
    for i, j in pairs:
        if i != j:
            rounding = [1e-12 * abs(stats[f"mean_{k}"][0] or 0.0) for k in (i, j)]
            result[i, j] = result[j, i] = _pearson(i, j, sums, complete, rounding)
    return result


def _moments(i: int, j: int, complete: bool) -> list[nw.Expr]:
    x, y = nw.col(f"c{i}"), nw.col(f"c{j}")
    if complete:
        return [(x * y).mean().alias(f"xy_{i}_{j}")]
    x, y = x + y * 0, y + x * 0
    named = {"xy": x * y, "xx": x * x, "yy": y * y, "x": x, "y": y}
    return [moment.mean().alias(f"{name}_{i}_{j}") for name, moment in named.items()]


def _pearson(i: int, j: int, sums: dict[str, float | None], complete: bool, rounding: list[float]) -> float:
    if complete:
        xx, yy, xy = (sums[f"xy_{a}_{b}"] or 0.0 for a, b in ((i, i), (j, j), (i, j)))
    else:
        x, y = sums[f"x_{i}_{j}"] or 0.0, sums[f"y_{i}_{j}"] or 0.0
        xx = (sums[f"xx_{i}_{j}"] or 0.0) - x * x
        yy = (sums[f"yy_{i}_{j}"] or 0.0) - y * y
        xy = (sums[f"xy_{i}_{j}"] or 0.0) - x * y
    # Centring a constant column leaves the rounding error of its mean.
    if xx <= rounding[0] * rounding[0] or yy <= rounding[1] * rounding[1]:
        return 0.0
    return float(np.clip(xy / np.sqrt(xx * yy), -1.0, 1.0))


def translate(data: Native, column: str, table: pl.DataFrame) -> nw.LazyFrame[Any]:
    """Replace a column's ids through a two-column table (id, pseudonym) that lies on the data's engine or in memory.

    Ids that the table does not hold become missing. Stays lazy.
    """
    key, value = table.columns
    frame = lazy(data)
    order = frame.collect_schema().names()
    renamed = table.rename({key: column, value: "__pseudonym"})
    other = nw.from_native(_on_engine_of(frame, renamed))
    joined = frame.join(other, on=column, how="left")
    return joined.drop(column).rename({"__pseudonym": column}).select(*order)


def _on_engine_of(frame: nw.LazyFrame[Any], pseudonyms: pl.DataFrame) -> Any:
    implementation = frame.implementation
    if implementation.is_polars():
        return pseudonyms.lazy()
    if implementation.is_duckdb():
        # DuckDB finds `pseudonyms` in this scope, and keeps the new relation on the connection of the old one.
        return frame.to_native().query("__data", "select * from pseudonyms")
    if implementation.is_pyspark() or implementation.is_pyspark_connect():
        session = frame.to_native().sparkSession
        return session.createDataFrame(pseudonyms.rows(), pseudonyms.columns)
    raise DataError(f"cannot bring a pseudonym table to the engine {implementation}")


def collect(frame: nw.LazyFrame[Any]) -> pl.DataFrame:
    """The rows of a small result. Right for counts; sums of floats may differ in the last digit from run to run."""
    collected: pl.DataFrame = frame.collect(backend="polars").to_native()
    return collected


def collect_sums(frame: nw.LazyFrame[Any]) -> pl.DataFrame:
    """Like `collect`, for sums of floats: polars then adds in a fixed order, so that runs agree to the last digit."""
    if frame.implementation.is_polars():
        native: pl.LazyFrame = frame.to_native()
        return native.collect(engine="in-memory")
    return collect(frame)

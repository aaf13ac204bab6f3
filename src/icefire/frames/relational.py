"""Engine-independent aggregation: counts, means, correlations and joins, run by the engine that holds the data.

Missing values form a group of their own, as any other value: nothing here uses SQL's count(distinct) or an equi-join on
nullable keys, which would drop them. Results are small and are returned as polars frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError, UnknownName
from icefire.frames.engines import Lazy, Native, lazy

COUNT = "__records"
"""Column with the number of records of a group."""
USERS = "__users"
"""Column with the number of users of a group."""


def require_columns(data: Native, names: Iterable[str], what: str = "column") -> None:
    """Raise UnknownName for the first name that is not a column, DataError for a reserved column name."""
    known = lazy(data).collect_schema().names()
    for name in known:
        if name.startswith("__"):
            raise DataError(
                f"the column {name!r} begins with two underscores, which icefire reserves for its own columns: rename it"
            )
    for name in names:
        if name not in known:
            raise UnknownName.of(what, name, known)


def row_count(data: Native) -> int:
    return int(collect(lazy(data).select(nw.len().alias(COUNT)))[COUNT][0])


def count_by(data: Native, keys: Sequence[str]) -> Lazy:
    """Number of records (COUNT) per combination of the keys. Stays lazy."""
    if not keys:
        return lazy(data).select(nw.len().alias(COUNT))
    return lazy(data).select(*keys).group_by(*keys).agg(nw.len().alias(COUNT))


def class_sizes(data: Native, keys: Sequence[str]) -> NDArray[np.int64]:
    """Sizes of the equivalence classes (rows that agree on all keys), ascending."""
    sizes = collect(count_by(data, keys).select(COUNT))[COUNT].to_numpy().astype(np.int64)
    return np.sort(sizes[sizes > 0])


def class_size_summary(data: Native, keys: Sequence[str]) -> tuple[int, int, int]:
    """(size of the smallest equivalence class, number of classes, number of classes of size 1)."""
    sizes = count_by(data, keys)
    unique = _indicator(nw.col(COUNT) == 1).sum()
    row = collect(sizes.select(nw.col(COUNT).min().alias("least"), nw.len().alias("classes"), unique.alias("unique")))
    if row["least"][0] in (None, 0):
        raise DataError("the table has 0 rows, so it has no equivalence classes")
    return int(row["least"][0]), int(row["classes"][0]), int(row["unique"][0])


def _indicator(condition: nw.Expr) -> nw.Expr:
    """1 where a condition holds and 0 elsewhere: Spark cannot sum booleans."""
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def value_counts(data: Native, keys: Sequence[str], value: str) -> pl.DataFrame:
    """How often each value occurs in each equivalence class: columns keys, value, COUNT."""
    return collect(count_by(data, list(dict.fromkeys([*keys, value]))))


def facts_by_value(data: Native, known: Sequence[str], user: str | None) -> Lazy:
    """Number of records (COUNT) and of users (USERS) per combination of the known columns. Stays lazy."""
    if user is None:
        return count_by(data, known).with_columns(nw.col(COUNT).alias(USERS))
    if user in known:
        return count_by(data, known).with_columns(nw.lit(1).alias(USERS))
    pairs = count_by(data, [*known, user])
    return pairs.group_by(*known).agg(nw.col(COUNT).sum().alias(COUNT), nw.len().alias(USERS))


def users_per_fact(data: Native, known: Sequence[str], user: str) -> Lazy:
    """Per user and fact: the user's records with that fact (COUNT), and the users who share it (USERS). Stays lazy."""
    # A window function, because a join would drop missing values.
    return count_by(data, [*known, user]).with_columns(nw.len().over(*known).alias(USERS))


def group_means(data: Native, keys: Sequence[str], values: Sequence[str]) -> pl.DataFrame:
    """Means of some columns and number of rows per combination of the keys: columns keys, means in the order of the values
    ("mean_0" and so on), COUNT."""
    grouped = lazy(data).select(*dict.fromkeys([*keys, *values])).group_by(*keys)
    means = [nw.col(value).mean().alias(f"mean_{place}") for place, value in enumerate(values)]
    return collect_sums(grouped.agg(*means, nw.len().alias(COUNT)))


def means(data: Native, names: Sequence[str]) -> dict[str, float | None]:
    """Mean of each column, missing values left out."""
    row = collect_sums(lazy(data).select(*[nw.col(name).mean().alias(name) for name in names]))
    return {name: row[name][0] for name in names}


def correlations(data: Native, names: Sequence[str]) -> NDArray[np.float64]:
    """Matrix of Pearson correlations over pairwise complete rows; 0 between a constant column and any other.

    Columns are centred first (two passes), so that large numbers lose no digits.
    """
    frame = lazy(data)
    stats = collect_sums(
        frame.select(
            *[nw.col(name).mean().alias(f"mean_{i}") for i, name in enumerate(names)],
            *[_indicator(nw.col(name).is_null()).sum().alias(f"null_{i}") for i, name in enumerate(names)],
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
    # A centred constant column holds the rounding error of its mean instead of zeros.
    if xx <= rounding[0] * rounding[0] or yy <= rounding[1] * rounding[1]:
        return 0.0
    return float(np.clip(xy / np.sqrt(xx * yy), -1.0, 1.0))


def collect(frame: Lazy) -> pl.DataFrame:
    """The result in memory. For counts: sums of floats may differ in the last digit between runs."""
    collected: pl.DataFrame = frame.collect(backend="polars").to_native()
    return collected


def collect_sums(frame: Lazy) -> pl.DataFrame:
    """The result in memory, with sums of floats that are the same in every run: polars adds in a fixed order."""
    if frame.implementation.is_polars():
        native: pl.LazyFrame = frame.to_native()
        return native.collect(engine="in-memory")
    return collect(frame)

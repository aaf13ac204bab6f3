"""Engine-independent aggregation: counts, means, correlations and joins, run by the engine that holds the data.

Missing values form a group of their own, as any other value: nothing here uses SQL's count(distinct) or an equi-join on
nullable keys, which would drop them. Results are small and are returned as polars frames.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError, UnknownName
from icefire.frames.engines import Lazy, Native, in_memory, lazy

COUNT = "__records"
"""Column with the number of records of a group."""
CLASS = "__class"
"""Column with the number of an equivalence class, from 0."""
USERS = "__users"
"""Column with the number of users of a group."""
PART = 1 << 19
"""Rows that an engine sends at a time."""
MANY = 30
"""Columns beyond which correlations in memory are computed as one product of matrices."""
AT_ONCE = 40_000_000
"""Records of which polars counts the users at a time."""
_SUMS, _DOUBLE = "place long, sum long", " double"


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
    if isinstance(data, pl.DataFrame):
        return data.height
    return int(collect(lazy(data).select(nw.len().alias(COUNT)))[COUNT][0])


def count_by(data: Native, keys: Sequence[str]) -> Lazy:
    """Number of records (COUNT) per combination of the keys. Stays lazy."""
    if not keys:
        return lazy(data).select(nw.len().alias(COUNT))
    return lazy(data).select(*keys).group_by(*keys).agg(nw.len().alias(COUNT))


def class_sizes(data: Native, keys: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The sizes of the equivalence classes (rows that agree on all keys), ascending, and how many classes have each size."""
    counted = count_by(data, keys).group_by(COUNT).agg(nw.len().alias("classes"))
    found = collect(counted, in_memory(data)).filter(pl.col(COUNT) > 0).sort(COUNT)
    return found[COUNT].to_numpy().astype(np.int64), found["classes"].to_numpy().astype(np.int64)


def class_size_summary(data: Native, keys: Sequence[str]) -> tuple[int, int, int]:
    """(size of the smallest equivalence class, number of classes, number of classes of size 1)."""
    sizes = count_by(data, keys)
    unique = indicator(nw.col(COUNT) == 1).sum()
    summary = sizes.select(nw.col(COUNT).min().alias("least"), nw.len().alias("classes"), unique.alias("unique"))
    row = collect(summary, in_memory(data))
    if row["least"][0] in (None, 0):
        raise DataError("the table has 0 rows, so it has no equivalence classes")
    return int(row["least"][0]), int(row["classes"][0]), int(row["unique"][0])


def indicator(condition: nw.Expr) -> nw.Expr:
    """1 where a condition holds and 0 elsewhere: Spark cannot sum booleans."""
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def fold_classes(
    data: Native, keys: Sequence[str], value: str, measure: Callable[[pl.DataFrame], float]
) -> list[float]:
    """What `measure` finds in parts of the table, each of which holds whole equivalence classes.

    A part says how often each value occurs in each class: columns CLASS, value, COUNT. In memory there is one part.
    """
    counted = count_by(data, [*keys, value])
    if not keys or counted.implementation.is_polars():
        return [measure(values_by_class(data, keys, value))]

    def figures(part: pl.DataFrame) -> Sequence[float]:
        return [measure(_numbered(part, keys, value))]

    return [float(found) for (found,) in fold_parts(counted, keys, figures, 1)]


def fold_parts(
    frame: Lazy, keys: Sequence[str], measure: Callable[[pl.DataFrame], Sequence[float]], figures: int
) -> list[Sequence[float]]:
    """What `measure` finds in parts of a table, each of which holds all rows of a combination of keys.

    `figures` is how many numbers it returns for a part.
    In memory there is one part. DuckDB sends the parts one after the other, and the workers of Spark measure theirs where they
    are.
    """
    if frame.implementation.is_polars():
        return [measure(collect_sums(frame))]
    if not frame.implementation.is_pyspark():
        return [measure(part) for part in _parts_of_duckdb(frame, keys, PART)]

    def fold(parts: Iterator[pl.DataFrame]) -> pl.DataFrame:
        found = [[float(figure) for figure in measure(part)] for part in parts]
        return pl.DataFrame(found, schema=dict.fromkeys(names, pl.Float64), orient="row")

    names = [f"found_{place}" for place in range(figures)]
    types = ", ".join(name + _DOUBLE for name in names)
    return [tuple(row) for row in _fold_on_spark(frame.to_native(), keys, PART, fold, types).collect()]


def sum_over_parts(
    frame: Lazy, key: str, measure: Callable[[pl.DataFrame], NDArray[np.int64]], size: int, rows: int
) -> NDArray[np.int64]:
    """The sum of the arrays of the given size that `measure` finds in parts of a table, each of which holds all rows of a key.

    In memory there is one part. DuckDB sends parts of about so many rows one after the other, and the workers of Spark
    measure theirs where they are.
    """
    if frame.implementation.is_polars():
        return measure(collect(frame))
    total = np.zeros(size, dtype=np.int64)
    if not frame.implementation.is_pyspark():
        for part in _parts_of_duckdb(frame, [key], rows):
            total += measure(part)
        return total

    def fold(parts: Iterator[pl.DataFrame]) -> pl.DataFrame:
        sums = sum((measure(part) for part in parts), start=np.zeros(size, dtype=np.int64))
        return pl.DataFrame({"place": np.flatnonzero(sums), "sum": sums[sums != 0]})

    found = _fold_on_spark(frame.to_native(), [key], rows, fold, _SUMS)
    summed = pl.DataFrame(pl.from_arrow(found.groupBy("place").sum("sum").toArrow()))
    total[summed.to_series(0).to_numpy()] = summed.to_series(1).to_numpy()
    return total


def values_by_class(data: Native, keys: Sequence[str], value: str) -> pl.DataFrame:
    """How often each value occurs in each equivalence class: columns CLASS, value, COUNT. For tables in memory."""
    return _numbered(collect(count_by(data, [*keys, value]), in_memory(data)), keys, value)


def _numbered(pairs: pl.DataFrame, keys: Sequence[str], value: str) -> pl.DataFrame:
    if not keys:
        return pairs.select(pl.lit(0).alias(CLASS), value, COUNT)
    # The first row of a class stands for it; ranks of structs would have to compare all keys.
    first = pairs.with_row_index(CLASS).select(pl.col(CLASS).first().over(*keys), value, COUNT)
    return first.with_columns(pl.col(CLASS).rank("dense") - 1)


def _parts_of_duckdb(frame: Lazy, keys: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
    ordered = frame.sort(*keys, nulls_last=True) if keys else frame
    batches = ordered.to_native().to_arrow_reader(rows)
    yield from _whole_classes((pl.DataFrame(pl.from_arrow(batch)) for batch in batches), keys, rows)


def _whole_classes(batches: Iterable[pl.DataFrame], keys: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
    """Rows that are sorted by class, in parts of about so many rows that end where a class does; without keys, anywhere."""
    if not keys:
        yield from (batch for batch in batches if batch.height)
        return
    waiting: list[pl.DataFrame] = []
    enough = rows
    for batch in batches:
        waiting.append(batch)
        if sum(frame.height for frame in waiting) < enough:
            continue
        part = pl.concat(waiting)
        last = pl.all_horizontal(pl.col(key).eq_missing(pl.col(key).last()) for key in keys)
        same = part.select(last).to_series()
        if not same.all():
            yield part.filter(~same)
        waiting = [part.filter(same)]
        # A class that is larger than a part is put together a few times only.
        enough = max(rows, 2 * waiting[0].height)
    if any(frame.height for frame in waiting):
        yield pl.concat(waiting)


def _fold_on_spark(
    frame: Any, keys: Sequence[str], rows: int, fold: Callable[[Iterator[pl.DataFrame]], pl.DataFrame], schema: str
) -> Any:
    """What `fold` makes of the parts of each partition, on the workers: a table with the given schema."""

    def folded(batches: Iterable[Any]) -> Iterator[Any]:
        frames = (pl.DataFrame(pl.from_arrow(batch)) for batch in batches)
        yield from fold(_whole_classes(frames, keys, rows)).to_arrow().to_batches()

    columns = [f"`{key.replace('`', '``')}`" for key in keys]
    sorted_frame = frame.repartition(*columns).sortWithinPartitions(*columns) if keys else frame
    with warnings.catch_warnings():
        # Spark warns of new versions of pandas, which have no part in this.
        warnings.simplefilter("ignore", FutureWarning)
        return sorted_frame.mapInArrow(folded, schema)


def parts_by_value(data: Native, known: Sequence[str]) -> list[Native]:
    """A large Parquet table of polars in parts, each with all records of its values; any other table as it is.

    Polars holds the users of all values at a time. Reading two columns once more takes it less time than that saves.
    """
    frame = lazy(data)
    if in_memory(data) or not frame.implementation.is_polars():
        return [data]
    native: pl.LazyFrame = frame.to_native()
    if "Parquet SCAN" not in native.explain(optimized=False):
        return [data]
    parts = -(-row_count(data) // AT_ONCE)
    value = pl.struct(*known) if len(known) > 1 else pl.col(known[0])
    return [native.filter(value.hash() % parts == part) for part in range(parts)] if parts > 1 else [data]


def facts_by_value(data: Native, known: Sequence[str], user: str | None) -> Lazy:
    """Number of records (COUNT) and of users (USERS) per combination of the known columns. Stays lazy."""
    if user is None:
        return count_by(data, known).with_columns(nw.col(COUNT).alias(USERS))
    if user in known:
        return count_by(data, known).with_columns(nw.lit(1).alias(USERS))
    frame = lazy(data)
    if frame.implementation.is_polars():
        # Half the time and memory of counting pairs first, which the other engines need to spill to disk.
        found = frame.select(*known, user).group_by(*known)
        return found.agg(nw.len().alias(COUNT), nw.col(user).n_unique().alias(USERS))
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
            *[indicator(nw.col(name).is_null()).sum().alias(f"null_{i}") for i, name in enumerate(names)],
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
    if complete and len(names) > MANY and in_memory(data):
        # An expression for each pair takes far longer than the multiplication.
        table = collect_sums(moments).to_numpy()
        products = table.T @ table / max(1, len(table))
        sums, pairs_left = {f"xy_{i}_{j}": float(products[i, j]) for i, j in pairs}, []
    else:
        pairs_left = pairs
    for start in range(0, len(pairs_left), 400):
        expressions = [e for i, j in pairs_left[start : start + 400] for e in _moments(i, j, complete)]
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


def collect(frame: Lazy, at_once: bool = False) -> pl.DataFrame:
    """The result in memory. For counts: sums of floats may differ in the last digit between runs, unless it is done at once."""
    if at_once:
        return collect_sums(frame)
    collected: pl.DataFrame = frame.collect(backend="polars").to_native()
    return collected


def collect_sums(frame: Lazy) -> pl.DataFrame:
    """The result in memory, with sums of floats that are the same in every run: polars adds in a fixed order."""
    if frame.implementation.is_polars():
        native: pl.LazyFrame = frame.to_native()
        return native.collect(engine="in-memory")
    return collect(frame)

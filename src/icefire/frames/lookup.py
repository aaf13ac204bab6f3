"""Joins of a table of any engine with a small table that is in memory."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import polars as pl

from icefire.frames.engines import Lazy, Native, columns, lazy


def look_up(data: Native, small: pl.DataFrame, keys: Sequence[str]) -> Lazy:
    """The rows of a table whose keys are listed in a small one, with the further columns of that one. Stays lazy.

    A missing value is a value: it matches a missing value. The small table lists each combination of keys once.

    >>> visits = pl.DataFrame({"who": ["a", None, "b"], "day": [1, 2, 3]}).lazy()
    >>> codes = pl.DataFrame({"who": [None, "a"], "code": [0, 1]})
    >>> look_up(visits, codes, ["who"]).sort("day").collect().to_native().rows()
    [('a', 1, 1), (None, 2, 0)]
    """
    native = lazy(data).to_native()
    if isinstance(native, pl.LazyFrame):
        return lazy(native.join(small.lazy(), on=list(keys), nulls_equal=True))
    quote = quoting(native)
    renamed = small.rename({name: f"__key_{place}" for place, name in enumerate(keys)})
    same = " and ".join(f"data.{quote(name)} is not distinct from listed.__key_{i}" for i, name in enumerate(keys))
    chosen = [f"data.{quote(name)}" for name in columns(native)]
    chosen += [f"listed.{quote(name)}" for name in small.columns if name not in keys]
    return lazy(_joined(native, renamed, same, chosen))


def _joined(data: Any, small: pl.DataFrame, condition: str, chosen: list[str]) -> Native:
    if not is_spark(data):
        sent = small.to_arrow()  # noqa: F841 (DuckDB finds it by its name)
        listed = data.query(fresh_view(), "select * from sent").set_alias("listed")
        by_duckdb: Native = data.set_alias("data").join(listed, condition).project(", ".join(chosen))
        return by_duckdb
    from pyspark.sql import functions

    with warnings.catch_warnings():
        # Spark warns of new versions of pandas, which have no part in this.
        warnings.simplefilter("ignore", FutureWarning)
        listed = data.sparkSession.createDataFrame(small.to_arrow())
    by_spark: Native = data.alias("data").join(listed.alias("listed"), functions.expr(condition)).selectExpr(*chosen)
    return by_spark


def is_spark(native: Any) -> bool:
    return lazy(native).implementation.is_pyspark()


def quoting(native: Any) -> Callable[[str], str]:
    """How the engine of a table quotes names."""
    mark = "`" if is_spark(native) else '"'
    return lambda name: f"{mark}{name.replace(mark, 2 * mark)}{mark}"


def fresh_view() -> str:
    """A name that no other table has."""
    return f"icefire_{uuid4().hex}"

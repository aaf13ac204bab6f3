"""Conversion of polars, pandas, Arrow, DuckDB and Spark frames to narwhals and polars.

polars is the default engine. pandas and Arrow tables are converted to polars on entry, without the pandas index. polars
lazy frames, DuckDB relations and Spark DataFrames stay lazy and on their own engine.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import narwhals as nw
import polars as pl
from narwhals.typing import Frame, IntoFrame

from icefire.core.errors import DataError

Native: TypeAlias = IntoFrame | Frame
"""A polars, pandas, Arrow, DuckDB or Spark frame, or a narwhals frame of one of them."""
Lazy: TypeAlias = nw.LazyFrame[Any]
"""A lazy narwhals frame of any engine."""


def lazy(data: Native) -> Lazy:
    """The data as a lazy narwhals frame on its own engine."""
    if isinstance(data, nw.LazyFrame):
        return data
    frame = _narwhals(data)
    if isinstance(frame, nw.LazyFrame):
        return frame
    return nw.from_native(_eager_polars(frame).lazy())


def polars(data: Native) -> pl.DataFrame:
    """The data in memory, as a polars frame."""
    if isinstance(data, pl.DataFrame):
        return data
    frame = _narwhals(data)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect(backend="polars")
    return _eager_polars(frame)


def in_memory(data: Native) -> bool:
    """Whether a table is held in memory, where polars is faster if it does not work in batches."""
    return isinstance(data, pl.DataFrame) or isinstance(_narwhals(data), nw.DataFrame)


def on_engine(data: Native) -> bool:
    """Whether a table lies on DuckDB or Spark, which may hold more than fits into memory."""
    if isinstance(data, pl.DataFrame):
        return False
    implementation = _narwhals(data).implementation
    return implementation.is_duckdb() or implementation.is_pyspark()


def columns(data: Native) -> list[str]:
    """Column names, without reading any rows."""
    return list(lazy(data).collect_schema().names())


def _narwhals(data: Native) -> Frame:
    try:
        frame: Frame = nw.from_native(data)
    except nw.exceptions.NarwhalsError as error:
        raise DataError(f"cannot read the table: {error}") from error
    except TypeError as error:
        raise DataError(
            f"cannot read a {type(data).__module__}.{type(data).__name__} as a table: give a polars, pandas, Arrow, DuckDB "
            "or Spark frame"
        ) from error
    return frame


def _eager_polars(frame: nw.DataFrame[Any]) -> pl.DataFrame:
    native = frame.to_native()
    if isinstance(native, pl.DataFrame):
        return native
    try:
        converted = frame.to_polars()
    except (ValueError, TypeError, nw.exceptions.NarwhalsError) as error:
        raise DataError(
            f"cannot read the table: {str(error).splitlines()[0]}. Give each column values of one type."
        ) from error
    # pandas writes a missing number as NaN; on every other engine NaN is an error in the data.
    if frame.implementation.is_pandas_like():
        converted = converted.fill_nan(None)
    return converted

"""The columns of records: their types, and what their values may be."""

from __future__ import annotations

import polars as pl

from icefire.core.errors import DataError
from icefire.frames.places import Place, reject_rows
from icefire.history.schema import COLUMNS, REQUIRED

SPANS = ("date", "price", "quantity")
"""Columns that may hold intervals in a release."""
TYPES = {"user": pl.String, "invoice": pl.String, "date": pl.Date, "time": pl.String, "item": pl.String}
TYPES |= {"price": pl.Float64, "quantity": pl.Int64}
CLOCK = r"^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$"


def typed_records(frame: pl.DataFrame, place: Place) -> pl.DataFrame:
    """The columns of a history in their order, with their types."""
    for name in REQUIRED:
        if name not in frame.columns:
            raise DataError(f"{place.name} has no column {name!r}: a history has at least {', '.join(REQUIRED)}")
    order = [name for column in COLUMNS for name in (column, f"{column}_to") if name in frame.columns]
    loose = [name for name in frame.columns if name not in order]
    if loose:
        raise DataError(f"{place.name}: the column {loose[0]!r} has no meaning in a history. Drop it, or rename it.")
    casts = {name: TYPES[name.removesuffix("_to")] for name in order}
    try:
        return frame.select(pl.col(name).cast(dtype) for name, dtype in casts.items())
    except pl.exceptions.PolarsError as error:
        raise DataError(f"{place.name}: {str(error).splitlines()[0]}") from error


def check_values(frame: pl.DataFrame, place: Place) -> None:
    """Raise DataError for a missing user, date or item, a negative amount, or a time that is none."""

    def reject(bad: pl.Series, problem: str, values: pl.Series | None = None) -> None:
        reject_rows(bad, place, problem, values, DataError)

    for name in REQUIRED:
        reject(frame[name].is_null(), f"the {name} is missing. Every record has one.")
    for name in ("user", "item"):
        reject(frame[name] == "", f"the {name} is empty. Every record has one.")
    for name in ("price", "price_to"):
        if name in frame.columns:
            reject(~frame[name].fill_null(0).is_finite(), "{value} is not a price", frame[name])
            reject(frame[name] < 0, "the price {value} is negative. Leave returns and refunds out.", frame[name])
    if "quantity" in frame.columns:
        problem = "the quantity {value} is negative. Leave returns and cancellations out."
        reject(frame["quantity"] < 0, problem, frame["quantity"])
    if "time" in frame.columns:
        reject(~frame["time"].str.contains(CLOCK), "{value!r} is not a time such as 9:30", frame["time"])

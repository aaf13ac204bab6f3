"""Published tables of the same people that were made another time."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from icefire.core.errors import DataError
from icefire.microdata.data import Microdata


def published_elsewhere(frame: pl.DataFrame, original: Microdata, where: str) -> Microdata:
    """Another published table of the same people, as far as it has columns of the original."""
    names = [name for name in frame.columns if name in original.schema.published]
    if not names:
        raise DataError(f"{where} has no column of the original: nothing says how they belong together")
    schema = replace(original.schema.without_columns().restricted(names), identifying=())
    return with_pseudonyms(Microdata(frame.select(names), schema, where), frame, original)


def with_pseudonyms(table: Microdata, frame: pl.DataFrame, original: Microdata) -> Microdata:
    """A published table that remembers its pseudonyms, the columns of the frame that identify people in the original."""
    names = [name for name in original.schema.identifying if name in frame.columns]
    table.pseudonyms = frame.select(names) if names else None
    return table

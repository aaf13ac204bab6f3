"""A working folder for a table that was looked at."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from icefire.frames.files import staged
from icefire.microdata.inspection import Inspection
from icefire.microdata.schema import FILE, read_schema
from icefire.words import translated

LARGE = 500_000
"""Rows from which on a table is kept as Parquet, which is read faster."""


def write_folder(source: str, folder: Path, frame: pl.DataFrame | None, inspection: Inspection) -> None:
    """Write the table and the suggested schema; the schema alone if the table (None) lies in the folder already."""
    with staged() as stage:
        if frame is not None:
            extension = ".parquet" if frame.height > LARGE else ".csv"
            stage.table(frame, folder / f"original{extension}", secret=True)
        stage.text(_with_told_comments(inspection.schema_toml(source)), folder / FILE)
    read_schema(folder / FILE, [look.name for look in inspection.looks])


def _with_told_comments(toml: str) -> str:
    """A schema with its comments in the language of the person."""
    parts = [line.rpartition("# ") for line in toml.split("\n")]
    return "\n".join(code + mark + translated(text) if mark else text for code, mark, text in parts)

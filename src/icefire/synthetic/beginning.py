"""A working folder for a table of which a synthetic one is to be made."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from icefire.frames.files import staged, toml_value
from icefire.frames.identifying import ALONE
from icefire.microdata.inspection import Inspection, Look
from icefire.synthetic.schema import FILE, Column, Schema, read_schema, schema_toml
from icefire.words import translated

LARGE = 500_000
"""Rows from which on a table is kept as Parquet, which is read faster."""
LISTED = 50
"""Texts up to which the domain of a column is written down."""
LEFT_OUT = "Left out, since they identify people: {}"
DOMAINS = (
    "Differential privacy needs to know what may be in each column, whether or not somebody in the table has it.",
    "This is what the table holds: widen it to what could be there, and remove the signs in front.",
)


def identifying(inspection: Inspection) -> list[str]:
    """The columns that are no part of a synthetic table."""
    return [look.name for look in inspection.looks if identifies(look)]


def identifies(look: Look) -> bool:
    """Whether a column is no part of a synthetic table, where nothing makes a day of birth coarser."""
    days = look.hierarchy is not None and look.hierarchy.digits is not None and look.alone > ALONE
    return look.role in ("identifying", "household") or days


def write_folder(folder: Path, frame: pl.DataFrame, inspection: Inspection) -> Schema:
    """Write the table without the columns that identify people, and a suggested schema."""
    out = identifying(inspection)
    kept = frame.drop(out)
    schema = Schema([look.name for look in inspection.looks if look.role == "sa"], _codes(kept, inspection))
    if set(schema.hidden) >= set(kept.columns):
        schema = Schema((), schema.columns)
    lines = [schema_toml(schema)]
    if out:
        lines.append(f"# {translated(LEFT_OUT.format(', '.join(out)))}\n")
    lines += [f"# {translated(text)}\n" for text in DOMAINS]
    lines += [_domain(kept[name]) for name in kept.columns if name not in schema.columns]
    extension = ".parquet" if kept.height > LARGE else ".csv"
    with staged() as stage:
        stage.table(kept, folder / f"original{extension}", secret=True)
        stage.text("".join(lines), folder / FILE)
    return read_schema(folder / FILE)


def _codes(kept: pl.DataFrame, inspection: Inspection) -> dict[str, Column]:
    """Columns whose codes only look like numbers."""
    codes = [look.name for look in inspection.looks if look.text and look.name in kept.columns]
    return {name: Column("categorical") for name in codes}


def _domain(column: pl.Series) -> str:
    """What a column holds, as comments."""
    held = column.drop_nulls()
    if not len(held) or (not held.dtype.is_numeric() and held.n_unique() > LISTED):
        return ""
    if held.dtype.is_numeric():
        entries: dict[str, object] = {"low": held.min(), "high": held.max(), "decimals": _decimals(held)}
    else:
        entries = {"values": held.cast(pl.String).unique().sort().to_list()}
    entries |= {"missing": True} if column.null_count() else {}
    lines = [
        f"[columns.{toml_value(column.name)}]",
        *(f"{key} = {toml_value(value)}" for key, value in entries.items()),
    ]
    return "#\n" + "".join(f"# {line}\n" for line in lines)


def _decimals(numbers: pl.Series) -> int:
    """The digits behind the point that the numbers have, up to six."""
    return next((places for places in range(6) if (numbers.round(places) == numbers).all()), 6)

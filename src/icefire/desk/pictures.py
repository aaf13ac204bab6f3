"""What is drawn of a column: its frequent values, or how its numbers are spread."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from icefire.microdata.hierarchy import value_text

BARS = 24
"""Bars of a picture."""
LISTED = 2_000
"""Values up to which a hierarchy can be edited with the counts in sight."""


def picture(column: pl.Series) -> dict[str, Any]:
    """Bars with their labels, and, where there are not too many, all values with their counts."""
    held = column.drop_nulls()
    counted = held.value_counts(sort=True)
    values = counted.sort(column.name).rows() if counted.height <= LISTED else None
    listed = None if values is None else [[_plain(value), count] for value, count in values]
    if held.dtype.is_numeric() and counted.height > BARS:
        counts, edges = np.histogram(held.to_numpy(), bins=BARS)
        ends = [value_text(float(edge)) if held.dtype.is_integer() else f"{edge:.4g}" for edge in (edges[0], edges[-1])]
        return {"bars": counts.tolist(), "ends": ends, "values": listed}
    top = counted.head(BARS).rows()
    labels = [_text(value) for value, _ in top]
    return {"bars": [count for _, count in top], "labels": labels, "values": listed}


def _plain(value: object) -> object:
    return value if isinstance(value, int | float | str) and not isinstance(value, bool) else str(value)


def _text(value: object) -> str:
    return value_text(value) if isinstance(value, float) else str(value)[:60]

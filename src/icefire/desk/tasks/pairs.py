"""A release beside the original that it was made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.front import Release
from icefire.history.data import NONE
from icefire.history.tables import render_records
from icefire.microdata.hierarchy import value_text
from icefire.trace.data import Cells

SHOWN = 12


def pairs(release: Release) -> dict[str, Any]:
    """Some published rows with the original row of each, or, of traces, how often each region is visited before and after."""
    held = release.secret
    match release.data.kind:
        case "microdata":
            columns = list(held.published.schema.published)
            return _beside(held.original.frame.select(columns), held.published.frame.select(columns), held.rows)
        case "history":
            schema = held.original.schema
            tables = (render_records(records, schema) for records in (held.original, held.published))
            before, after = tables
            shared = [name for name in after.columns if name in before.columns]
            return _beside(before.select(shared), after.select(shared), held.rows)
        case "synthetic":
            # No row is made of another.
            return {"columns": held.published.columns, "rows": []}
    grid = held.original.grid
    visits = {"before": _visits(held.original.cells), "after": _visits(held.cells)}
    return {"columns": [], "rows": [], "grid": {"rows": grid.rows, "columns": grid.columns, **visits}}


def _beside(before: pl.DataFrame, after: pl.DataFrame, rows: NDArray[np.int64]) -> dict[str, Any]:
    chosen = np.flatnonzero(rows != NONE)[:SHOWN]
    texts = zip(_texts(before[rows[chosen]]), _texts(after[chosen]), strict=True)
    return {"columns": after.columns, "rows": [list(pair) for pair in texts]}


def _texts(frame: pl.DataFrame) -> list[list[str]]:
    plain = frame.with_columns(pl.col(pl.Date, pl.Datetime, pl.Time).cast(pl.String))
    return [[value_text(cell) for cell in row] for row in plain.rows()]


def _visits(cells: Cells) -> list[float]:
    """How often each region is visited; a visit to a set of regions is shared among them."""
    codes = np.asarray(cells.counts().sum(axis=0)).ravel()
    return [round(float(visits), 3) for visits in cells.spread.T @ codes]

"""Make a working folder of a table whose rows are records of people, places of people over time, or people of whom a synthetic
table is made."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from icefire.core.errors import InputError
from icefire.desk.sessions import write_document
from icefire.desk.tasks.data import REGISTRY, analyses_of, reading_of
from icefire.desk.worker import Work
from icefire.frames.reading import read_anything
from icefire.front import Data, members, records, traces
from icefire.synthetic.schema import Column

FILE = "arranged.json"


def arrange(work: Work, frame: pl.DataFrame | None = None) -> None:
    """Read the file again, unless it was just read, and take the columns that were named."""
    shape = work.arguments["shape"]
    if frame is None:
        frame = read_anything(work.arguments["source"], reading_of(work)).frame
    data = {"history": _history, "trace": _traces, "synthetic": _members}[shape["kind"]](frame, shape)
    for old in work.session.work.glob("*"):
        old.unlink()
    REGISTRY.format(data.kind, None).write_original(data.original, work.session.work)
    told = {"people": data.original.people, "analyses": analyses_of(data.kind), **_summary(data)}
    write_document(work.session.folder / FILE, told)


def _history(frame: pl.DataFrame, shape: dict[str, Any]) -> Data:
    return records(frame, **shape["names"], periods=shape["periods"])


def _traces(frame: pl.DataFrame, shape: dict[str, Any]) -> Data:
    names, day = shape["names"], shape["day"]
    time = names.get("time", "time")
    if time not in frame.columns:
        raise InputError(f"the frame has no column {time!r}; its columns are {', '.join(frame.columns)}")
    times = frame[time].unique().sort()
    days = len(times) // day
    if days < 2:
        raise InputError(
            f"{len(times)} times are less than two days of {day}: attackers know the days before the others"
        )
    # What attackers know are the days before those that go out.
    begin = times[(days - max(1, days // 2)) * day]
    known, shown = frame.filter(pl.col(time) < begin), frame.filter(pl.col(time) >= begin)
    return traces(known, shown, rows=shape["rows"], columns=shape["columns"], day=day, **names)


def _members(frame: pl.DataFrame, shape: dict[str, Any]) -> Data:
    parts = {name: shape["parts"].get(name, "known") for name in frame.columns}
    kept = [name for name, part in parts.items() if part != "out"]
    if not kept:
        raise InputError("nothing is left to publish: all columns are left out")
    # Each column is named in the schema: the person has said of all of them what they are.
    hidden = [name for name in kept if parts[name] == "hidden"]
    return members(frame.select(kept), hidden=hidden, columns={name: Column() for name in kept})


def _summary(data: Data) -> dict[str, Any]:
    """The months with their records, the grid with how often each region is visited, or the people who are held out."""
    if data.kind == "history":
        counts = np.bincount(data.original.period_codes, minlength=len(data.original.periods))
        months = zip(data.original.periods.labels, counts.tolist(), strict=True)
        return {"periods": [list(month) for month in months]}
    if data.kind == "synthetic":
        return {"control": data.original.control.height}
    grid, cells = data.original.grid, data.original.cells
    visits = np.bincount(cells.codes.ravel(), minlength=grid.regions)[: grid.regions]
    return {"grid": {"rows": grid.rows, "columns": grid.columns, "visits": visits.tolist()}}

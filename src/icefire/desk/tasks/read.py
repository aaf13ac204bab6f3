"""Read a file as people have it, look at its columns, and make a working folder of it: what `icefire init` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from icefire.desk.pictures import picture
from icefire.desk.sessions import write_document
from icefire.desk.tasks.arrange import arrange
from icefire.desk.tasks.data import analyses_of, reading_of
from icefire.desk.worker import Work
from icefire.frames.reading import read_anything
from icefire.microdata.beginning import write_folder
from icefire.microdata.inspection import Inspection, Look, hierarchy_entry

SHOWN, LONGEST = 20, 200
"""Rows of the preview, and letters of a cell."""
FILE, VALUES = "reading.json", "values.json"


def read(work: Work) -> None:
    table = read_anything(work.arguments["source"], reading_of(work))
    work.tell(rows=table.frame.height, columns=table.frame.width)
    inspection = Inspection.of(table.frame)
    if work.arguments.get("shape"):
        arrange(work, table.frame)
    else:
        for old in work.session.work.glob("*"):
            old.unlink()
        write_folder(Path(work.arguments["name"]).name, work.session.work, table.frame, inspection)
    pictures = {name: picture(table.frame[name]) for name in table.frame.columns}
    write_document(work.session.folder / VALUES, {name: made.pop("values") for name, made in pictures.items()})
    write_document(
        work.session.folder / FILE,
        {
            "rows": table.frame.height,
            "recognized": list(table.recognized),
            "preview": preview(table.frame),
            "analyses": analyses_of("microdata"),
            "columns": [{**_look(look, inspection), "picture": pictures[look.name]} for look in inspection.looks],
        },
    )


def preview(frame: pl.DataFrame, number: int = SHOWN) -> dict[str, Any]:
    """The first rows as texts."""
    texts = frame.head(number).select(pl.all().cast(pl.String, strict=False).str.slice(0, LONGEST))
    return {"columns": frame.columns, "rows": [list(row) for row in texts.rows()]}


def _look(look: Look, inspection: Inspection) -> dict[str, Any]:
    return {
        "name": look.name,
        "role": look.role,
        "reasons": list(look.reasons),
        "distinct": look.distinct,
        "missing": look.missing,
        "alone": look.alone,
        "together": inspection.together.get(look.name),
        "copies": list(look.copies),
        "codes": look.text,
        "hierarchy": hierarchy_entry(look.hierarchy),
    }

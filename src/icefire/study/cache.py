"""What was computed, by its content: an interrupted study goes on, and a changed one computes what changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

from icefire.core.caches import cache_folder, write_whole
from icefire.study.measure import Value


class Entry(TypedDict):
    """The figures of a cell, and the processor time that they took."""

    seconds: float
    values: list[tuple[str, float | None, dict[str, str | int | float | bool], str]]


class Cache:
    """A folder of small files, each named by the hash of what it was computed from."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder() / "studies"

    def get(self, key: str) -> tuple[list[Value], float] | None:
        try:
            entry: Entry = json.loads(self._path(key).read_text("utf-8"))
            return [Value(name, value, labels, note) for name, value, labels, note in entry["values"]], entry["seconds"]
        except (OSError, ValueError, KeyError, TypeError):
            # Absent, or not whole: computed again.
            return None

    def put(self, key: str, values: list[Value], seconds: float) -> None:
        entry: Entry = {"seconds": seconds, "values": [(v.quantity, v.value, dict(v.labels), v.note) for v in values]}
        write_whole(self._path(key), json.dumps(entry, ensure_ascii=False))

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key[2:]}.json"

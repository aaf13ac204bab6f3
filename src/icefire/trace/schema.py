"""schema.toml of traces: the grid, the number of times in a day, and the sensitive regions."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import FileError, ParameterError, UnknownName
from icefire.frames.files import read_toml
from icefire.trace.grid import Grid

FILE = "schema.toml"
GRID_KEYS = tuple(key.name for key in fields(Grid))


@dataclass(frozen=True)
class Schema:
    """The properties of traces that their tables do not hold."""

    grid: Grid = field(default_factory=Grid)
    day: int = 20
    """Number of times in a day."""
    sensitive: tuple[int, ...] = ()
    """Regions, counted from 1."""

    @property
    def mask(self) -> NDArray[np.bool_]:
        """Whether each region is sensitive."""
        mask = np.zeros(self.grid.regions, dtype=np.bool_)
        mask[np.array(self.sensitive, dtype=np.int64) - 1] = True
        return mask


def read_schema(path: Path) -> Schema:
    """Read schema.toml; the default schema if there is no such file."""
    if not path.is_file():
        return Schema()
    content = read_toml(path, ("day", "sensitive", "grid"), "trace")
    grid = _grid(content.get("grid", {}), path)
    day, sensitive = content.get("day", 20), content.get("sensitive", [])
    if type(day) is not int or day < 1:
        raise FileError(f"{path}: day must be the number of times in a day, an integer of at least 1, not {day!r}")
    if not isinstance(sensitive, list):
        raise FileError(f"{path}: sensitive must be a list of regions, such as [3, 17], not {sensitive!r}")
    wrong = [region for region in sensitive if type(region) is not int or not 1 <= region <= grid.regions]
    if wrong:
        raise FileError(f"{path}: sensitive must list regions 1..{grid.regions}, not {wrong[0]!r}")
    return Schema(grid, day, tuple(sensitive))


def _grid(entry: object, path: Path) -> Grid:
    if not isinstance(entry, dict):
        raise FileError(f"{path}: grid must be a table, [grid], with rows, columns and so on")
    for key in entry:
        if key not in GRID_KEYS:
            raise UnknownName.of(f"key under [grid] in {path}", key, GRID_KEYS)
    try:
        return Grid(**entry)
    except (ParameterError, TypeError) as error:
        raise FileError(f"{path}: {error}") from error


def schema_toml(schema: Schema) -> str:
    """The text of schema.toml."""
    lines = ['kind = "trace"', f"day = {schema.day}", f"sensitive = {list(schema.sensitive)}", "", "[grid]"]
    lines += [f"{key} = {getattr(schema.grid, key)}" for key in GRID_KEYS]
    return "\n".join(lines) + "\n"

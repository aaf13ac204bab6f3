"""schema.toml of traces: the grid, how many times a day has, and which regions are sensitive."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import FileError, ParameterError, UnknownName
from icefire.frames.files import read_toml
from icefire.trace.grid import Grid

FILE = "schema.toml"


@dataclass(frozen=True)
class Schema:
    """What a table of traces does not say by itself."""

    grid: Grid = field(default_factory=Grid)
    day: int = 20
    sensitive: tuple[int, ...] = ()
    """Regions, counted from 1."""

    @property
    def mask(self) -> NDArray[np.bool_]:
        found = np.zeros(self.grid.regions, dtype=np.bool_)
        found[np.array(self.sensitive, dtype=np.int64) - 1] = True
        return found


def read_schema(path: Path) -> Schema:
    if not path.is_file():
        return Schema()
    content = read_toml(path, ("day", "sensitive", "grid"), "trace")
    names = [one.name for one in fields(Grid)]
    if not isinstance(content.get("grid", {}), dict):
        raise FileError(f"{path}: grid is a table, [grid], with rows, columns and so on")
    for key in content.get("grid", {}):
        if key not in names:
            raise UnknownName.of(f"key under [grid] in {path}", key, names)
    try:
        grid = Grid(**content.get("grid", {}))
    except (ParameterError, TypeError) as error:
        raise FileError(f"{path}: {error}") from error
    day, sensitive = content.get("day", 20), content.get("sensitive", [])
    if type(day) is not int or day < 1:
        raise FileError(f"{path}: day is the number of times in a day, an integer of at least 1, not {day!r}")
    if not isinstance(sensitive, list):
        raise FileError(f"{path}: sensitive is a list of regions, such as [3, 17], not {sensitive!r}")
    wrong = [one for one in sensitive if type(one) is not int or not 1 <= one <= grid.regions]
    if wrong:
        raise FileError(f"{path}: sensitive lists regions 1..{grid.regions}, not {wrong[0]!r}")
    return Schema(grid, day, tuple(sensitive))


def schema_toml(schema: Schema) -> str:
    lines = ['kind = "trace"', f"day = {schema.day}", f"sensitive = {list(schema.sensitive)}", "", "[grid]"]
    return "\n".join([*lines, *(f"{one.name} = {getattr(schema.grid, one.name)}" for one in fields(Grid))]) + "\n"

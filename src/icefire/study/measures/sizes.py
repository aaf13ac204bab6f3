"""How large data are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from icefire.study.measure import Measure, Setting, Value

METRES = 1_000


@dataclass(frozen=True)
class Sizes(Measure):
    """Rows, people and columns; of traces people, times, regions, those that are sensitive, and metres of a region.

    Parameters:
        user: of tables, the column that says whose record it is; every row is a user of its own if left out.
    """

    kinds: ClassVar[tuple[str, ...]] = ("table", "microdata", "trace")

    user: str | None = None

    def measure(self, setting: Setting) -> Iterator[Value]:
        data = setting.data
        if setting.kind == "table":
            people = data.height if self.user is None else data[self.user].n_unique()
            figures = {"rows": data.height, "people": people, "columns": data.width}
        elif setting.kind == "microdata":
            figures = {"rows": data.height, "qi": len(data.qi), "sa": len(data.sa)}
        else:
            metres = {"height": data.grid.cell_height * METRES, "width": data.grid.cell_width * METRES}
            figures = {**data.summary(), "sensitive": data.sensitive.sum(), **metres}
        for quantity, value in figures.items():
            yield Value(quantity, float(value))

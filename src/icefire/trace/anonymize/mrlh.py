"""Merging regions and hiding locations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np

from icefire.core.parameters import AtLeast, Share
from icefire.trace.data import NOTHING, Cells, Floats, Reference, Release, Traces, cells_of_groups
from icefire.trace.roles import Anonymizer


@dataclass(frozen=True)
class Mrlh(Anonymizer):
    """Merge blocks of 2^x by 2^y regions into sets, and delete cells with a probability.

    Parameters:
        x, y: binary logarithm of a block's width and height; 0 merges nothing in that direction.
        delete: probability to delete a cell.

    Example:
        The 4 x 2 regions are numbered from 1 in files, from the south-west. Blocks are 2 wide and 1 high.

        >>> import numpy as np
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> from icefire.trace.tables import render_cells
        >>> walks = Traces(np.zeros((1, 1)), np.array([[0, 1, 7]]), Grid(rows=2, columns=4))
        >>> render_cells(Mrlh(x=1).anonymize(walks, np.random.default_rng(0)).cells).to_list()
        ['1 2', '1 2', '7 8']

    Reference:
        Sample programs of PWS Cup 2019.
    """

    x: Annotated[int, AtLeast(0)] = 0
    y: Annotated[int, AtLeast(0)] = 0
    delete: Share = 0.0
    aliases: ClassVar[tuple[str, ...]] = ("MRLH",)

    @classmethod
    def variants(cls, original: Traces) -> list[Self]:
        return [cls(x=1, y=1), cls(x=2, y=2), cls(delete=0.2), cls(x=1, y=1, delete=0.1)]

    def anonymize(self, original: Traces, rng: np.random.Generator) -> Release:
        codes = original.original.astype(np.int64)
        if self.delete > 0:
            codes = np.where(rng.random(codes.shape) < self.delete, NOTHING, codes)
        if self.x == self.y == 0:
            cells = Cells(codes, original.grid.regions)
        else:
            groups = original.grid.blocks(2**self.y, 2**self.x)
            cells = cells_of_groups(codes, groups, original.grid.regions)
        return Release.shuffled(original, cells, rng)

    def channel(self, knowledge: Reference) -> Floats | None:
        return None

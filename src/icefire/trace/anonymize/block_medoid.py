"""One region for all who are in the same block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np

from icefire.core.parameters import AtLeast
from icefire.trace.data import Cells, Release, Traces
from icefire.trace.roles import Anonymizer


@dataclass(frozen=True)
class BlockMedoid(Anonymizer):
    """At each time, everybody in a block of regions is published at the region of least total distance to them.

    Nearer to the truth than the set of all regions of the block, and as silent about who was where in it.
    """

    height: Annotated[int, AtLeast(1)] = 4
    width: Annotated[int, AtLeast(1)] = 4
    aliases: ClassVar[tuple[str, ...]] = ("block medoid",)

    @classmethod
    def variants(cls, original: Traces) -> list[Self]:
        return [cls(height=size, width=size) for size in (2, 3, 4, 6)]

    def anonymize(self, original: Traces, rng: np.random.Generator) -> Release:
        regions = original.grid.regions
        blocks = original.grid.blocks(self.height, self.width)
        inside = blocks[:, None] == blocks
        # A region outside the block is never the answer for it.
        gaps = np.where(inside, original.grid.distances, 0.0)
        shown = np.empty_like(original.original)
        for time in range(shown.shape[1]):
            here = original.original[:, time]
            total = np.bincount(here, minlength=regions) @ gaps
            order = np.lexsort([total, blocks])
            _, first = np.unique(blocks[order], return_index=True)
            shown[:, time] = order[first][blocks[here]]
        return Release.shuffled(original, Cells(shown, regions), rng)

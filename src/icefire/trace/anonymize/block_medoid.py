"""Medoids of blocks of regions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np

from icefire.core.parameters import AtLeast
from icefire.trace.data import Cells, Floats, Reference, Release, Traces
from icefire.trace.roles import Anonymizer


@dataclass(frozen=True)
class BlockMedoid(Anonymizer):
    """At each time, publish all users in a block of regions at the block's region of least total distance to them.

    Nearer to the truth than the set of all regions of the block, and reveals no more about who was where in it.

    Parameters:
        height, width: size of a block, in regions.

    Example:
        Regions 0, 1 and 2, 3 are the blocks. Two of the three users in the first block are in region 0.

        >>> import numpy as np
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.zeros((4, 1)), np.array([[0], [0], [1], [3]]), Grid(rows=1, columns=4))
        >>> BlockMedoid(height=1, width=2).anonymize(walks, np.random.default_rng(0)).cells.codes.tolist()
        [[0], [0], [0], [3]]
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

    def channel(self, knowledge: Reference) -> Floats | None:
        """From the reference traces: what it makes of those it is likely to make of others of the same people."""
        regions, places = knowledge.grid.regions, knowledge.regions
        shown = self.anonymize(Traces(places, places, knowledge.grid), np.random.default_rng(0)).cells.codes
        pairs = places.ravel().astype(np.int64) * regions + shown.ravel()
        counts = np.bincount(pairs, minlength=regions**2).reshape(regions, regions).astype(np.float64)
        blocks = knowledge.grid.blocks(self.height, self.width)
        inside = (blocks[:, None] == blocks).astype(np.float64)
        # Regions that nobody visited: anywhere in the block.
        found = counts + inside / inside.sum(axis=1, keepdims=True)
        return np.asarray(found / found.sum(axis=1, keepdims=True))

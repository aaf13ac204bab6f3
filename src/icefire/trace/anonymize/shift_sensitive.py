"""Shifting visits to sensitive regions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np

from icefire.core.errors import DataError
from icefire.core.parameters import AtLeast
from icefire.trace.data import Cells, Floats, Ints, Reference, Release, Traces
from icefire.trace.roles import Anonymizer


@dataclass(frozen=True)
class ShiftSensitive(Anonymizer):
    """Move visits to sensitive regions to a random one of the nearest other regions that are at least some kilometres away.

    Where the map has none so far away, the farthest are taken.

    Parameters:
        distance: least distance, in kilometres.
        choices: how many regions the new one is drawn from.

    Example:
        Region 0 is sensitive. The nearest region at least 2 km away is 2; other visits stay.

        >>> import numpy as np
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> row = Grid(rows=1, columns=4, cell_width=1.0)
        >>> walks = Traces(np.zeros((1, 1)), np.array([[0, 1, 3]]), row, sensitive=np.array([True, False, False, False]))
        >>> ShiftSensitive(distance=2.0, choices=1).anonymize(walks, np.random.default_rng(0)).cells.codes.tolist()
        [[2, 1, 3]]
    """

    distance: Annotated[float, AtLeast(0)] = 2.0
    choices: Annotated[int, AtLeast(1)] = 8
    aliases: ClassVar[tuple[str, ...]] = ("sensitive-cell shifting",)

    @classmethod
    def variants(cls, original: Traces) -> list[Self]:
        return [cls(distance=distance) for distance in (0.5, 1.0, 2.0)]

    def anonymize(self, original: Traces, rng: np.random.Generator) -> Release:
        sensitive = np.flatnonzero(original.sensitive)
        codes = original.original
        if not sensitive.size:
            raise DataError("no region is marked as sensitive: name them in schema.toml, or leave shift_sensitive out")
        if original.sensitive.all():
            raise DataError("every region is marked as sensitive: there is nowhere to move visits to")
        near = self._choices(original.knowledge)
        place = np.searchsorted(sensitive, codes) % sensitive.size
        drawn = near[place, rng.integers(0, near.shape[1], codes.shape)]
        shown = np.where(original.sensitive[codes], drawn, codes)
        return Release.shuffled(original, Cells(shown, original.grid.regions), rng)

    def channel(self, knowledge: Reference) -> Floats | None:
        near = self._choices(knowledge)
        found = np.eye(knowledge.grid.regions)
        sensitive = np.flatnonzero(knowledge.sensitive)
        found[sensitive] = 0.0
        found[sensitive[:, None], near] = 1.0 / near.shape[1]
        return found

    def _choices(self, knowledge: Reference) -> Ints:
        """[sensitive region, choice]: the regions that its visits are moved to."""
        gaps = knowledge.grid.distances[knowledge.sensitive]
        # The nearest that are far enough come first; on a small map the farthest stand in for them.
        ranks = np.where(gaps >= self.distance, gaps, 2 * gaps.max(initial=0.0) + self.distance - gaps)
        ranks[:, knowledge.sensitive] = np.inf
        return ranks.argsort(axis=1, kind="stable")[:, : min(self.choices, int((~knowledge.sensitive).sum()))]

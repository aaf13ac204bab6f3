"""Usual regions, the winning trace attack of PWS Cup 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from icefire.core.budget import current
from icefire.core.matching import match
from icefire.core.parameters import Share
from icefire.trace.attack.count_vectors import CountVectors
from icefire.trace.data import Cells, Guess, Reference
from icefire.trace.habits import certain, habits, likely_regions
from icefire.trace.roles import Attack

ONE_SLOT = 1e-6
"""A blur so small that only the time of day itself counts."""


@dataclass(frozen=True)
class ModalFill(Attack):
    """A user's usual region of that time of day where it was seen often enough, else the published cell.

    Pseudonyms are assigned one to one by `count_vectors`.

    Parameters:
        enough: share of the reference days on which a region has to be seen to be usual.

    Example:
        A day has two times. User 0 was in region 3 at every first time; the second time differed from day to day.

        >>> import numpy as np
        >>> from icefire.trace.data import Cells, Traces
        >>> from icefire.trace.grid import Grid
        >>> known = Traces(np.array([[3, 0, 3, 9]]), np.zeros((1, 2)), Grid(rows=1, columns=10), day=2).knowledge
        >>> ModalFill(enough=0.9).attack(Cells(np.array([[4, 5]]), 10), known, np.random.default_rng(0)).traces.tolist()
        [[3, 5]]

    Reference:
        The winning team of PWS Cup 2019.
    """

    enough: Share = 0.5
    aliases: ClassVar[tuple[str, ...]] = ("modal-region fill",)

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        current().require(CountVectors(assign="assignment").work(published, knowledge))
        found = match(CountVectors().compared(published, knowledge), "assignment", rng)
        traces = likely_regions(published, certain(found.columns, published.shape[0]), knowledge, 0.9)
        return Guess(found.rows, self._filled(traces, knowledge))

    def _filled(self, traces: NDArray[np.int32], knowledge: Reference) -> NDArray[np.int32]:
        filled = traces.copy()
        for slot, habit in habits(knowledge, ONE_SLOT):
            if not (knowledge.slots == slot).any():
                continue
            shares = habit.toarray()
            users = np.flatnonzero(shares.max(axis=1) >= self.enough - 1e-9)
            times = np.flatnonzero(knowledge.published_slots == slot)
            filled[np.ix_(users, times)] = shares[users].argmax(axis=1)[:, None]
        return filled

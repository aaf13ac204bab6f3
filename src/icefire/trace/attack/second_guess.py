"""An attack on releases that point at the wrong user."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import numpy as np

from icefire.core import memory
from icefire.core.budget import current
from icefire.core.matching import match
from icefire.core.scores import Scores
from icefire.trace.attack import _work
from icefire.trace.attack._likelihood import LikelihoodRatios, best_users
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.data import NOTHING, Cells, Floats, Guess, Ints, Reference
from icefire.trace.habits import certain, chances, likely_regions
from icefire.trace.roles import Attack


@dataclass(frozen=True)
class SecondGuess(Attack):
    """Expect decoys: leave out the best user and every event that this user explains, and match what remains.

    A defence that pushes a trace away from its owner may push too far.

    Parameters:
        least: name the user whom the rest fits least, instead of best.

    Example:
        Users 0, 1, 2 are known in regions 0, 5, 9. Pseudonym 0 is mostly where user 1 is, and once where user 2 is.

        >>> import numpy as np
        >>> from icefire.trace.data import Cells, Traces
        >>> from icefire.trace.grid import Grid
        >>> places = np.array([[0] * 4, [5] * 4, [9] * 4])
        >>> known = Traces(places, places, Grid(rows=1, columns=10, cell_width=1.0), day=4).knowledge
        >>> published = Cells(np.array([[5, 5, 5, 9], [9, 9, 9, 0], [0, 0, 0, 5]]), regions=10)
        >>> SecondGuess().attack(published, known, np.random.default_rng(0)).users.tolist()
        [2, 0, 1]
    """

    least: bool = False
    aliases: ClassVar[tuple[str, ...]] = ("second guess",)
    baseline: ClassVar[bool] = True

    @classmethod
    def variants(cls, published: Cells, knowledge: Reference) -> list[Self]:
        return [cls(), cls(least=True)]

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        likeness = SlotLikelihood()
        once = likeness.known_work(knowledge) + likeness.pair_work(published, knowledge)
        # Another two to find the user who is shown, and the least of all scores.
        work = 2 * once + _work.one_to_one(published, knowledge, once) + _work.places(published, knowledge)
        current().require(work)
        shown = best_users(likeness.compared(published, knowledge), rng)
        weights = _unexplained(published, knowledge, shown)
        rest = LikelihoodRatios(published, knowledge, partial(chances, knowledge), weights).held()
        found = match(_Others(rest, shown, -1.0 if self.least else 1.0), "assignment", rng)
        plan = certain(found.columns, published.shape[0])
        return Guess(found.rows, likely_regions(published, plan, knowledge, 0.9))


def _unexplained(published: Cells, knowledge: Reference, shown: Ints) -> Floats:
    """[pseudonym, time]: how much an event counts, the less the better the shown user explains it."""
    weights = np.zeros(published.shape)
    for slot, profile, crowd in chances(knowledge):
        times = np.flatnonzero(knowledge.published_slots == slot)
        codes = published.codes[:, times]
        chance = published.spread @ np.stack([crowd, *profile[np.unique(shown)]], axis=1)
        own = chance[codes, 1 + np.searchsorted(np.unique(shown), shown)[:, None]]
        ratio = np.where(codes == NOTHING, 1.0, own / chance[codes, 0])
        weights[:, times] = 1.0 / (1.0 + ratio**2)
    return weights


class _Others(Scores):
    """Scores, or their negatives, with the shown user of each pseudonym below everybody else."""

    def __init__(self, scores: Scores, shown: Ints, sign: float) -> None:
        self.scores, self.shown, self.sign = scores, shown, sign
        rows, width = np.arange(shown.size), scores.shape[1]
        step = memory.step(rows.size)
        parts = (np.arange(begin, min(begin + step, width)) for begin in range(0, width, step))
        self._least = min(float((sign * scores.part(rows, users)).min()) for users in parts) - 1.0

    @property
    def shape(self) -> tuple[int, int]:
        return self.scores.shape

    @property
    def least(self) -> float:
        return self._least

    def part(self, rows: Ints, columns: Ints) -> Floats:
        found = self.sign * self.scores.part(rows, columns)
        found[self.shown[rows][:, None] == columns] = self._least
        return found

"""Likelihood ratio by time of day."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar

from icefire.core.parameters import Above
from icefire.core.scores import Scores
from icefire.trace.attack import _work
from icefire.trace.attack._likelihood import LikelihoodRatios
from icefire.trace.attack._scored import ScoredAttack
from icefire.trace.data import Cells, Reference
from icefire.trace.habits import chances


@dataclass(frozen=True)
class SlotLikelihood(ScoredAttack):
    """Log-likelihood ratio of every event against the population, by time of day and with its neighbourhood.

    A user is at a region they visited around that time of day, near such a region, anywhere they go, or wherever people are
    at that time.

    Parameters:
        assign, trust: as for every attack by scores, see CountVectors.
        blur: how fast a visit loses weight with the distance in time, in times of day.
        reach: how fast it loses weight with the distance in space, in kilometres.

    Example:
        Both users go to regions 0 and 5, one in the morning and the other in the evening.

        >>> import numpy as np
        >>> from icefire.trace.data import Cells, Traces
        >>> from icefire.trace.grid import Grid
        >>> known = Traces(np.array([[0, 5], [5, 0]]), np.zeros((2, 2)), Grid(rows=1, columns=6), day=2).knowledge
        >>> published = Cells(np.array([[5, 0], [0, 5]]), regions=6)
        >>> SlotLikelihood().attack(published, known, np.random.default_rng(0)).users.tolist()
        [1, 0]
    """

    blur: Annotated[float, Above(0)] = 1.5
    reach: Annotated[float, Above(0)] = 0.3
    aliases: ClassVar[tuple[str, ...]] = ("likelihood ratio by time of day",)

    def comparison(self, published: Cells, knowledge: Reference) -> Scores:
        expected = partial(chances, knowledge, self.blur, self.reach)
        return LikelihoodRatios(published, knowledge, expected)

    def known_work(self, knowledge: Reference) -> float:
        return _work.profiles(knowledge)

    def pair_work(self, published: Cells, knowledge: Reference) -> float:
        return _work.likely(published, knowledge)

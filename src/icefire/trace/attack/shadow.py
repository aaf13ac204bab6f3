"""What shadow releases teach, for attackers who know the method."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.budget import current
from icefire.core.matching import likely, match, transport
from icefire.core.parameters import AtLeast
from icefire.core.scores import Scores, WeightedSum
from icefire.core.shadow import Cases, choice_weights
from icefire.trace.attack import _work
from icefire.trace.attack._channels import as_original, days_like_known, halves, learned, moves_of, rehearse
from icefire.trace.attack._likelihood import LikelihoodRatios, Sent
from icefire.trace.attack.count_vectors import CountVectors
from icefire.trace.attack.informed import places
from icefire.trace.attack.jensen_shannon import JensenShannon
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.attack.tf_idf import TfIdf
from icefire.trace.data import Cells, Floats, Guess, Ints, Reference, Release
from icefire.trace.habits import likely_regions, losses, usual_regions
from icefire.trace.predictions import Predictions
from icefire.trace.roles import InformedAttack

TAUGHT, TIMES = 500, 20
"""Pseudonyms and times of a shadow release that are practised on."""
DOUBTS = (2.0, 100.0, 5_000.0)
"""How many observations of a region it is worth that cells may move alike everywhere; the best is chosen by exercise."""
OTHERS = (SlotLikelihood(), CountVectors(), TfIdf(), JensenShannon())
"""Attacks whose scores are evidence, too."""
Places = NDArray[np.int32]


@dataclass(frozen=True)
class Shadow(InformedAttack):
    """Make releases of reference days with the known steps and seeds of one's own, and learn from those who is who.

    Days drawn from the reference traces stand for the original ones. Their releases tell what becomes of a region, and what is
    published of each user. To learn how much to make of that, and of the scores of other attacks, half of the reference days
    is published and the other half known (conditional logit). The same exercise decides how places are inferred. It needs no
    likelihood, so any method can be attacked; where `informed` applies, that is exact and this an estimate.

    Parameters:
        shadows: number of shadow releases that teach.

    Example:
        Randomized response moves most cells. Users 0 and 1 are known to stay.

        >>> import numpy as np
        >>> from icefire.trace.anonymize.krr import Krr
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> places = np.repeat([[0], [3]], 60, axis=1)
        >>> walks = Traces(places, places, Grid(rows=1, columns=4))
        >>> release = Krr(epsilon=1.0).anonymize(walks, np.random.default_rng(1))
        >>> guess = Shadow().knowing([Krr(epsilon=1.0)]).attack(release.published, walks.knowledge, np.random.default_rng(0))
        >>> guess.users.tolist() == release.owners.tolist()
        True

    Reference:
        Shokri, Stronati, Song, Shmatikov: Membership inference attacks against machine learning models. 2017, for the idea of
        shadow models.
    """

    estimates: ClassVar[bool] = True

    shadows: Annotated[int, AtLeast(1)] = 2

    @classmethod
    def variants(cls, published: Cells, knowledge: Reference) -> list[Self]:
        return [cls()]

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        current().require(_work.learned(published, knowledge))
        known, kept_back = halves(knowledge, rng)
        exercise = self._release(known, kept_back, rng)
        made = self._shadows(known, rng)
        doubt = max(DOUBTS, key=lambda doubt: _explained(exercise, learned(made, known, doubt)))
        lessons = _Lessons(known, made, doubt, rng)
        tables = lessons.evidence(exercise.published)
        rows = rng.permutation(exercise.owners.size)[:TAUGHT]
        users = np.arange(known.users)
        facts = np.stack([scores.part(rows, users) for scores in tables], axis=2)
        taught = Cases(facts, np.ones((rows.size, users.size), dtype=np.bool_), exercise.owners[rows])
        weights = choice_weights([taught], lessons.prior)
        best = lessons.best_way(exercise, _deciding(tables, weights), rng)
        lessons = _Lessons(knowledge, self._shadows(knowledge, rng), doubt, rng)
        tables = _deciding(lessons.evidence(published), weights)
        return Guess(match(tables[0], "assignment", rng).rows, lessons.ways(published, tables, rng)[best]())

    def _shadows(self, knowledge: Reference, rng: np.random.Generator) -> list[Release]:
        return [self._release(knowledge, days_like_known(knowledge, rng), rng) for _ in range(self.shadows)]

    def _release(self, knowledge: Reference, original: Ints, rng: np.random.Generator) -> Release:
        times = (knowledge.slots + 1, knowledge.published_slots + 1)
        return rehearse(self.known_steps, as_original(knowledge, original, times), rng)


def _deciding(tables: list[Scores], weights: Floats) -> list[Scores]:
    """The weighted scores, which say who somebody is; and those that say whose cells look like whose habits."""
    return [WeightedSum(tables, weights).held(), tables[2]]


class _Lessons:
    """What shadow releases of the known days teach."""

    prior = np.array([0.5, 0.0, *[0.0] * len(OTHERS)])
    """Weight of each piece of evidence to begin with."""

    def __init__(self, knowledge: Reference, made: list[Release], doubt: float, rng: np.random.Generator) -> None:
        self.knowledge = knowledge
        self.expected = Predictions(knowledge, rng)
        self.channel = learned(made, knowledge, doubt)
        shown = np.hstack([release.cells.drawn(rng) for release in made])
        slots = np.tile(knowledge.published_slots, len(made))
        self.shown = replace(knowledge, regions=shown.astype(np.int32), slots=slots)
        """What was published of each user in the shadow releases."""

    def evidence(self, published: Cells) -> list[Scores]:
        """Tables of scores, [pseudonym, user]."""
        return [
            LikelihoodRatios(published, self.knowledge, Sent(self.expected, self.channel)).held(),
            SlotLikelihood().compared(published, self.shown),
            *(attack.compared(published, self.knowledge) for attack in OTHERS),
        ]

    def ways(self, published: Cells, tables: list[Scores], rng: np.random.Generator) -> list[Callable[[], Places]]:
        """Ways to infer the places: habits alone; or whose cells they are by one of the tables of scores, and then where that
        is by what becomes of regions, or by the cells as they are."""
        plans = [likely(transport(scores, rng, logarithms=True)) for scores in tables]
        return [
            lambda: usual_regions(self.knowledge),
            *(partial(self._places, published, plan) for plan in plans),
            *(partial(likely_regions, published, plan, self.knowledge, 0.9) for plan in plans),
        ]

    def _places(self, published: Cells, plan: sparse.csr_array) -> Places:
        return places(published, plan, self.channel, self.knowledge, self.expected())

    def best_way(self, exercise: Release, tables: list[Scores], rng: np.random.Generator) -> int:
        """The way that loses least where the truth is known, at some of the times."""
        times = np.sort(rng.permutation(exercise.cells.shape[1])[:TIMES])
        cells, true = exercise.published, exercise.original.original[:, times]
        some = Cells(cells.codes[:, times], cells.regions, cells.starts, cells.members)
        briefly = copy(self)
        briefly.knowledge = replace(self.knowledge, published_slots=self.knowledge.published_slots[times])
        loss = losses(self.knowledge)
        return int(np.argmin([loss[true, way()].mean() for way in briefly.ways(some, tables, rng)]))


def _explained(release: Release, channel: Floats) -> float:
    """The log-likelihood of what became of regions."""
    return float((moves_of(release) * np.log(channel)).sum())

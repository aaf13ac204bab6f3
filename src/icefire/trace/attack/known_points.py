"""Points of the published days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.matching import Assign, match_dense
from icefire.core.parameters import AtLeast
from icefire.trace.data import NOTHING, Cells, Floats, Guess, Reference
from icefire.trace.habits import cells_seen, kernel
from icefire.trace.roles import Attack

NOISES = (0.02, 0.3, 0.8, 2.0)
"""Kilometres by which cells may have been moved; the one that explains the known points best is taken."""
ELSEWHERE = 0.05
"""Probability that a cell has nothing to do with where the user was."""


@dataclass(frozen=True)
class KnownPoints(Attack):
    """Users whose known points are nearest to the published cells of the same times: for attackers who were there.

    Each known point gives odds: how much likelier the published cell is for somebody who was there than for anybody else in the
    release at that time. The places that are not known are those of the pseudonym.

    Parameters:
        assign: "assignment" uses every user once; "argmax" decides pseudonym by pseudonym.
        noise: how far published cells are from the true ones, in kilometres; 0 finds the likeliest of a few values.

    Example:
        Two users are known at one time each.

        >>> import numpy as np
        >>> from icefire.trace.attackers import known_points
        >>> from icefire.trace.data import Cells, Traces
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.zeros((2, 3)), np.array([[0, 0, 0], [9, 9, 9]]), Grid(rows=1, columns=10, cell_width=1.0))
        >>> published = Cells(np.array([[8, 9, 8], [1, 0, 0]]), regions=10)
        >>> KnownPoints().attack(published, known_points(walks, 1), np.random.default_rng(0)).users.tolist()
        [1, 0]

    Reference:
        de Montjoye, Hidalgo, Verleysen, Blondel: Unique in the crowd: the privacy bounds of human mobility. 2013.
    """

    assign: Assign = "assignment"
    noise: Annotated[float, AtLeast(0)] = 0.0
    aliases: ClassVar[tuple[str, ...]] = ("known points",)

    @classmethod
    def variants(cls, published: Cells, knowledge: Reference) -> list[Self]:
        return [cls(), cls(assign="argmax")]

    @classmethod
    def uses(cls, knowledge: Reference) -> bool:
        return knowledge.points is not None

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        tables = [
            point_odds(published, knowledge, (1 - ELSEWHERE) * kernel(knowledge, noise) + ELSEWHERE / published.regions)
            for noise in ((self.noise,) if self.noise else NOISES)
        ]
        scores = max(tables, key=lambda table: float(table.max(axis=0).sum()))
        found = match_dense(scores, self.assign, rng)
        return Guess(found.rows, known_or_shown(published, found.columns, knowledge, rng))


def point_odds(published: Cells, knowledge: Reference, channel: Floats) -> Floats:
    """[pseudonym, user]: log odds that the known points became the published cells of the same times.

    `channel`, [true region, published region], says what becomes of a region.
    """
    if knowledge.points is None:
        raise Undefined("no points of the published days are known: it is for --attacker points:N or all")
    spread = published.spread
    scores = np.zeros((published.shape[0], knowledge.users))
    for time in np.flatnonzero((knowledge.points != NOTHING).any(axis=0)):
        users = np.flatnonzero(knowledge.points[:, time] != NOTHING)
        shown = cells_seen(published.codes[:, time], spread)
        likely = np.asarray(shown @ channel[knowledge.points[users, time]].T)
        crowd = np.asarray(shown @ np.asarray(shown.mean(axis=0)).ravel())
        seen = published.codes[:, time] != NOTHING
        # A region that is shown for one person alone is as rare as can be.
        usual = np.maximum(crowd[seen], 1e-12)[:, None]
        scores[np.ix_(seen, users)] += np.log(np.maximum(likely[seen], 1e-30)) - np.log(usual)
    return scores


def known_or_shown(
    published: Cells, pseudonyms: np.ndarray, knowledge: Reference, rng: np.random.Generator
) -> np.ndarray:
    """[user, time]: the known points, and for the other times what the user's pseudonym shows."""
    assert knowledge.points is not None
    shown = published.drawn(rng)[np.maximum(pseudonyms, 0)]
    return np.where(knowledge.points == NOTHING, shown, knowledge.points).astype(np.int32)

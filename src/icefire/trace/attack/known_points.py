"""Points of the published days."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from icefire.core import memory
from icefire.core.budget import Asked, current
from icefire.core.errors import Undefined
from icefire.core.matching import Assign, asked_match, match
from icefire.core.parameters import AtLeast
from icefire.core.scores import MadeInParts, Scores
from icefire.trace.attack import _work
from icefire.trace.data import NOTHING, Cells, Floats, Guess, Ints, Reference
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
        noises = (self.noise,) if self.noise else NOISES
        asked = asked_points(published, knowledge, self.assign, len(noises), rng)
        everybody = np.arange(published.shape[0])
        # One after the other, since each may be a table of all pairs.
        odds = (
            PointOdds(published, knowledge, (1 - ELSEWHERE) * kernel(knowledge, noise) + ELSEWHERE / published.regions)
            for noise in noises
        )
        if asked is None:
            best: Scores = max((table.held() for table in odds), key=_explained)
        else:
            best = max(odds, key=lambda table: _explained(table.take(everybody, asked.people)))
        return pointed_out(best, asked, self.assign, published, knowledge, rng)


class PointOdds(MadeInParts):
    """[pseudonym, user]: log odds that the known points became the published cells of the same times.

    `channel`, [true region, published region], says what becomes of a region.
    """

    def __init__(self, published: Cells, knowledge: Reference, channel: Floats) -> None:
        self.published, self.points, self.channel = published, _points(knowledge), channel
        times = np.flatnonzero((self.points != NOTHING).any(axis=0))
        self.seen = {int(time): cells_seen(published.codes[:, time], published.spread) for time in times}
        """By time, [pseudonym, region]: what is published."""

    @property
    def shape(self) -> tuple[int, int]:
        return self.published.shape[0], self.points.shape[0]

    def made(self, rows: Ints, columns: Ints) -> Floats:
        scores = np.zeros((rows.size, columns.size))
        for time, everybody in self.seen.items():
            points = self.points[columns, time]
            users = np.flatnonzero(points != NOTHING)
            shown = everybody[rows]
            likely = np.asarray(shown @ self.channel[points[users]].T)
            crowd = np.asarray(shown @ np.asarray(everybody.mean(axis=0)).ravel())
            there = self.published.codes[rows, time] != NOTHING
            # A region that is shown for one person alone is as rare as can be.
            usual = np.maximum(crowd[there], 1e-12)[:, None]
            scores[np.ix_(there, users)] += np.log(np.maximum(likely[there], 1e-30)) - np.log(usual)
        return scores


def _points(knowledge: Reference) -> NDArray[np.int32]:
    if knowledge.points is None:
        raise Undefined("no points of the published days are known: it is for --attacker points:N or all")
    return knowledge.points


def asked_points(
    published: Cells, knowledge: Reference, assign: Assign, tables: int, rng: np.random.Generator
) -> Asked | None:
    """Whom to look for by known points, if so many tables are worked out; None if everybody."""
    once = _work.pointed(published, _points(knowledge))
    if assign == "argmax":
        return current().ask(published.shape[0], knowledge.users, (1 + tables) * once, rng)
    current().require((tables - 1) * once + _work.one_to_one(published, knowledge, once))
    return None


def pointed_out(
    scores: Scores,
    asked: Asked | None,
    assign: Assign,
    published: Cells,
    knowledge: Reference,
    rng: np.random.Generator,
) -> Guess:
    """Who is behind which pseudonym by scores of known points, and where users were."""
    found = match(scores, assign, rng) if asked is None else asked_match(scores, asked, rng)
    traces = known_or_shown(published, found.columns, knowledge, rng)
    guess = Guess(found.rows, traces) if asked is None else Guess.of_asked(found.rows, traces[asked.people], asked)
    return replace(guess, known=_points(knowledge) != NOTHING)


def _explained(scores: Scores) -> float:
    """How well the pseudonym that fits best explains the points of each user, over all users."""
    rows, width = np.arange(scores.shape[0]), scores.shape[1]
    step = memory.step(rows.size)
    parts = (np.arange(begin, min(begin + step, width)) for begin in range(0, width, step))
    return float(np.concatenate([scores.part(rows, users).max(axis=0) for users in parts]).sum())


def known_or_shown(
    published: Cells, pseudonyms: np.ndarray, knowledge: Reference, rng: np.random.Generator
) -> np.ndarray:
    """[user, time]: the known points, and for the other times what the user's pseudonym shows."""
    assert knowledge.points is not None
    shown = published.drawn(rng)[np.maximum(pseudonyms, 0)]
    return np.where(knowledge.points == NOTHING, shown, knowledge.points).astype(np.int32)

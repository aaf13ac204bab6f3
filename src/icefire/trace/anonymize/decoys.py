"""Traces that imitate another user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from icefire.core.parameters import AtLeast, Between
from icefire.trace.data import Cells, Ints, Release, Traces
from icefire.trace.habits import REACH, Singles, chances
from icefire.trace.roles import Anonymizer

PROBE = 200
"""Number of users in the sample by which the price is searched first."""


@dataclass(frozen=True)
class Decoys(Anonymizer):
    """Move each trace towards the habits of another user and away from its owner's, as far as the utility allows.

    Each user is the decoy of one other, drawn at random. A cell is moved where that misleads most for the distance it costs,
    so the utility is spent on the most identifying events.

    Parameters:
        utility: least utility (s_U) that has to be left.
        away: weight of being unlike oneself against being like the other: with 0 the rest of a trace still shows its owner,
            with 1 it may show them by avoiding them.

    Example:
        Two neighbours, 0.34 km apart. Half the utility allows each to be shown where the other goes; all of it allows nothing.

        >>> import numpy as np
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.array([[0, 0], [1, 1]]), np.array([[0, 0], [1, 1]]), Grid(rows=1, columns=2))
        >>> [Decoys(utility=u).anonymize(walks, np.random.default_rng(0)).cells.codes.tolist() for u in (0.5, 1.0)]
        [[[1, 1], [0, 0]], [[0, 0], [1, 1]]]
    """

    utility: Annotated[float, Between(0.05, 1)] = 0.7
    away: Annotated[float, AtLeast(0)] = 0.4
    aliases: ClassVar[tuple[str, ...]] = ("decoy habits",)

    @classmethod
    def variants(cls, original: Traces) -> list[Self]:
        return [cls(utility=utility, away=away) for utility in (0.6, 0.7, 0.8, 0.9, 0.95) for away in (0.2, 0.4, 0.6)]

    def anonymize(self, original: Traces, rng: np.random.Generator) -> Release:
        count = original.cells.shape[0]
        cycle = rng.permutation(count)
        decoy = np.empty(count, dtype=np.int64)
        decoy[cycle] = np.roll(cycle, 1)
        search = _Search(original, decoy, self.away)
        probe = np.sort(rng.permutation(count)[:PROBE])
        low, high = 1e-3, 1e4
        for _ in range(14):
            middle = float(np.sqrt(low * high))
            low, high = (middle, high) if search.moved(middle, probe)[1] < self.utility else (low, middle)
        users = np.arange(count)
        price = high
        codes, kept = search.moved(price, users)
        while kept < self.utility:
            price *= 1.05
            codes, kept = search.moved(price, users)
        return Release.shuffled(original, Cells(codes, original.grid.regions), rng)


class _Search:
    """Search of the cells to publish, given a price per unit of utility."""

    def __init__(self, original: Traces, decoy: Ints, away: float) -> None:
        self.original = original
        self.gaps: Singles = np.minimum(original.grid.distances / REACH, 1.0).astype(np.float32)
        self.pulls: dict[int, Singles] = {}
        """For each time of day, [user, region]: how much it misleads to be shown there."""
        for slot, profile, _ in chances(original.knowledge):
            logs = np.log(profile).astype(np.float32)
            self.pulls[slot] = logs[decoy] - np.float32(away) * logs

    def moved(self, price: float, users: Ints) -> tuple[NDArray[np.int32], float]:
        """The users' cells, and the utility that is left."""
        truth = self.original.original[users]
        codes = np.empty(truth.shape, dtype=np.int32)
        for slot, pull in self.pulls.items():
            worth = pull[users] / np.float32(price)
            for time in np.flatnonzero(self.original.knowledge.published_slots == slot):
                codes[:, time] = (worth - self.gaps[truth[:, time]]).argmax(axis=1)
        return codes, 1.0 - float(self.gaps[truth, codes].mean(dtype=np.float64))

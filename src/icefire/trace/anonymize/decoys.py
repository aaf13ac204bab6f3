"""Traces that imitate another user."""

from __future__ import annotations

from collections.abc import Mapping
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
HEAT = 0.5
"""Temperature of the random choice, in units of the log-probabilities. At 1 the owner still shows; at 0 nothing is random."""

LOWEST, HIGHEST = 1e-3, 1e4
"""Prices at which everything and nothing is moved."""
SLACK = 0.004
"""Utility above the required one that is not worth another step of the search."""


@dataclass(frozen=True)
class Decoys(Anonymizer):
    """Move each trace towards the habits of another user and away from its owner's, as far as the utility allows.

    Each user is the decoy of one other, drawn at random. The pull of a region is its log-probability for the decoy, less `away`
    times that for the owner. A user at x is shown at r with a probability proportional to exp(2 (pull(r) - price * gap(x, r))),
    the exponential mechanism; the gap is min(distance / 2 km, 1), and the price is the least that leaves the required utility.
    Without randomness the region with the largest exponent is published, which `decoy_inversion` undoes.

    Both versions mislead attackers who do not know the method. Neither withstands those who do if traces are long: see
    docs/traces.md for figures.

    Parameters:
        utility: least utility (s_U) that has to be left.
        away: weight of being unlike oneself against being like the other: with 0 the rest of a trace still shows its owner,
            with 1 it may show them by avoiding them.
        randomized: draw the regions; false publishes the best ones, which can be inverted.

    Example:
        Two neighbours, 0.34 km apart. Half the utility allows each to be shown where the other goes; all of it allows nothing.

        >>> import numpy as np
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.array([[0, 0], [1, 1]]), np.array([[0, 0], [1, 1]]), Grid(rows=1, columns=2))
        >>> steps = [Decoys(utility=u, randomized=False) for u in (0.5, 1.0)]
        >>> [step.anonymize(walks, np.random.default_rng(0)).cells.codes.tolist() for step in steps]
        [[[1, 1], [0, 0]], [[0, 0], [1, 1]]]
        >>> Decoys(utility=1.0).anonymize(walks, np.random.default_rng(0)).cells.codes.tolist()
        [[0, 0], [1, 1]]

    Reference:
        McSherry and Talwar (2007), "Mechanism design via differential privacy", for the exponential mechanism. No
        differential privacy follows here: the price and the habits depend on the data.
    """

    utility: Annotated[float, Between(0.05, 1)] = 0.7
    away: Annotated[float, AtLeast(0)] = 0.4
    randomized: bool = True
    earlier: ClassVar[Mapping[str, object]] = {"randomized": False}
    aliases: ClassVar[tuple[str, ...]] = ("decoy habits",)

    @classmethod
    def variants(cls, original: Traces) -> list[Self]:
        return [cls(utility=utility, away=away) for utility in (0.6, 0.7, 0.8, 0.9, 0.95) for away in (0.2, 0.4, 0.6)]

    def anonymize(self, original: Traces, rng: np.random.Generator) -> Release:
        count = original.cells.shape[0]
        cycle = rng.permutation(count)
        decoy = np.empty(count, dtype=np.int64)
        decoy[cycle] = np.roll(cycle, 1)
        search = _Search(original, decoy, self, rng)
        users = np.arange(count)
        price = search.price(np.sort(rng.permutation(count)[:PROBE]))
        codes, kept = search.moved(price, users)
        step = 1.01 if self.randomized else 1.05
        while kept < self.utility:
            price *= step
            codes, kept = search.moved(price, users)
        while self.randomized and kept > self.utility + SLACK and price > LOWEST:
            price /= step
            lower, left = search.moved(price, users)
            if left < self.utility:
                break
            codes, kept = lower, left
        return Release.shuffled(original, Cells(codes, original.grid.regions), rng)

    def price(self, original: Traces, rng: np.random.Generator) -> float:
        """The price that leaves the required utility to a sample of users; an attacker can ask for that of other days."""
        count = original.cells.shape[0]
        search = _Search(original, np.roll(np.arange(count), 1), self, rng)
        return search.price(np.sort(rng.permutation(count)[:PROBE]))


class _Search:
    """Search of the cells to publish, given a price per unit of utility."""

    def __init__(self, original: Traces, decoy: Ints, method: Decoys, rng: np.random.Generator) -> None:
        self.original = original
        self.utility = method.utility
        self.gaps: Singles = np.minimum(original.grid.distances / REACH, 1.0).astype(np.float32)
        self.pulls: dict[int, Singles] = {}
        """For each time of day, [user, region]: how much it misleads to be shown there."""
        for slot, profile, _ in chances(original.knowledge):
            logs = np.log(profile).astype(np.float32)
            self.pulls[slot] = logs[decoy] - np.float32(method.away) * logs
        self.draws: Singles | None = None
        """[user, time]: the same at every price, so that the utility hardly depends on the luck of the draw."""
        if method.randomized:
            self.draws = rng.random(original.cells.shape, dtype=np.float32)

    def price(self, users: Ints) -> float:
        """The least price, to a per mille, that leaves the required utility to these users."""
        low, high = LOWEST, HIGHEST
        for _ in range(14):
            middle = float(np.sqrt(low * high))
            low, high = (middle, high) if self.moved(middle, users)[1] < self.utility else (low, middle)
        return high

    def moved(self, price: float, users: Ints) -> tuple[NDArray[np.int32], float]:
        """The users' cells, and the utility that is left."""
        truth = self.original.original[users]
        codes = np.empty(truth.shape, dtype=np.int32)
        for slot, pull in self.pulls.items():
            worth = pull[users] / np.float32(price)
            for time in np.flatnonzero(self.original.knowledge.published_slots == slot):
                values = worth - self.gaps[truth[:, time]]
                if self.draws is None:
                    codes[:, time] = values.argmax(axis=1)
                else:
                    codes[:, time] = drawn(values * np.float32(price / HEAT), self.draws[users, time])
        return codes, 1.0 - float(self.gaps[truth, codes].mean(dtype=np.float64))


def drawn(exponents: Singles, draws: Singles) -> Ints:
    """[user]: a region drawn with a probability proportional to exp(exponent), by uniform draws.

    >>> drawn(np.log(np.array([[1, 1, 2]] * 3, dtype=np.float32)), np.array([0.1, 0.3, 0.9], dtype=np.float32)).tolist()
    [0, 1, 2]
    """
    weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
    ends = weights.cumsum(axis=1, dtype=np.float64)
    return np.asarray((ends <= draws[:, None] * ends[:, -1:]).sum(axis=1))

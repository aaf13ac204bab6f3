"""s_T, safety from trace inference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.intervals import mean_of_sample
from icefire.core.parameters import Above
from icefire.core.values import GOOD_SHARE, Interval, Scale, Score
from icefire.trace.data import SENSITIVE_WEIGHT, Guess, Release
from icefire.trace.roles import Safety


@dataclass(frozen=True)
class TraceSafety(Safety):
    """s_T: mean of min(distance / radius, 1) between true and guessed cells; sensitive regions weigh more.

    Parameters:
        radius: kilometres from which on a guess is worth nothing.
        weight: weight of a cell whose true region is sensitive, others having 1.

    Example:
        Guessed is region 0 throughout. True are 1, at a distance of 1 km (1/2), and the sensitive 0 (0, weight 10).

        >>> import numpy as np
        >>> from icefire.trace.data import Guess, Release, Traces
        >>> from icefire.trace.grid import Grid
        >>> row = Grid(rows=1, columns=2, cell_width=1.0)
        >>> walks = Traces(np.zeros((1, 1)), np.array([[1, 0]]), row, sensitive=np.array([True, False]))
        >>> guess = Guess(np.array([0]), np.array([[0, 0]], dtype=np.int32))
        >>> round(TraceSafety().measure(Release(walks, walks.cells, [0]), guess).value, 4) == round(0.5 / 11, 4)
        True

    Reference:
        PWS Cup 2019.
    """

    scale: ClassVar[Scale] = GOOD_SHARE
    radius: Annotated[float, Above(0)] = 2.0
    weight: Annotated[float, Above(0)] = SENSITIVE_WEIGHT
    aliases: ClassVar[tuple[str, ...]] = ("s_T",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        assert guess is not None, "s_T judges a guess"
        guess.check(release.published, release.original)
        if not guess.traces.size:
            raise Undefined("the guess names users and no regions")
        truth, named = release.original.original, guess.traces
        if guess.asked is not None:
            truth, named = truth[guess.asked.people], named[guess.asked.people]
        gaps = np.minimum(release.original.grid.distances / self.radius, 1.0)
        weights = np.where(release.original.sensitive[truth], self.weight, 1.0)
        lost = weights * gaps[truth, named]
        value = float(lost.sum() / weights.sum())
        if guess.asked is None or truth.shape[0] < 2:
            return self.score(value)
        # The cells of one user are right or wrong together, so that a user counts as one.
        spread = (lost - value * weights).sum(axis=1) / weights.sum(axis=1).mean()
        around = mean_of_sample(value + spread, release.original.people)
        interval = Interval(max(0.0, around.low), min(1.0, around.high))
        return self.score(value, interval, detail={"people sampled": int(guess.asked.people.size)})

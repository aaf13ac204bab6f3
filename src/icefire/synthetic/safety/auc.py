"""How often a member is more suspicious than somebody else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.values import Scale, Score
from icefire.synthetic.data import Guess, Release
from icefire.synthetic.ranking import area
from icefire.synthetic.roles import Safety
from icefire.synthetic.safety._membership import confidence
from icefire.synthetic.safety._rarest import of_rarest


@dataclass(frozen=True)
class Auc(Safety):
    """How often a member is more suspicious than somebody who is none (area under the ROC curve); 0.5 is chance.

    The detail has the same on the rarest tenth of the people.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import Guess, People, Release
        >>> people = People(pl.DataFrame({"a": [1, 2]}), pl.DataFrame({"a": [3, 4]}))
        >>> Auc().measure(Release(people, people.members), Guess(confidence=np.zeros(4))).value
        0.5

    Reference:
        DeLong, DeLong, Clarke-Pearson: Comparing the areas under two or more correlated ROC curves. 1988.
    """

    needs_guess: ClassVar[bool] = True
    scale: ClassVar[Scale] = Scale(best=0.5, worst=1.0)

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        scores, people = confidence(guess), release.original
        value, interval = area(scores, people.membership)
        return self.score(
            value, interval, detail=of_rarest(people, lambda rare: area(scores[rare], people.membership[rare]))
        )

"""How many members are found for sure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.documents import Json
from icefire.core.parameters import Between
from icefire.core.values import BAD_SHARE, Interval, Scale, Score
from icefire.synthetic.data import Floats, Guess, Mask, People, Release
from icefire.synthetic.ranking import Roc
from icefire.synthetic.roles import Safety
from icefire.synthetic.safety._membership import confidence
from icefire.synthetic.safety._rarest import of_rarest


@dataclass(frozen=True)
class TruePositiveRate(Safety):
    """Share of the members who are named while hardly any of the others is: by default, at most 1 in 100.

    Whoever guesses finds as many members as others. The detail has the same at 1 in 1,000, and on the rarest tenth of
    the people.

    Parameters:
        accused: the share of the others who may be named.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import Guess, People, Release
        >>> people = People(pl.DataFrame({"a": [1, 2]}), pl.DataFrame({"a": [3, 4]}))
        >>> TruePositiveRate().measure(Release(people, people.members), Guess(confidence=np.zeros(4))).value
        0.01

    Reference:
        Carlini, Chien, Nasr, Song, Terzis, Tramer: Membership inference attacks from first principles. 2022.
    """

    needs_guess: ClassVar[bool] = True
    scale: ClassVar[Scale] = BAD_SHARE

    accused: Annotated[float, Between(0, 1)] = 0.01

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        scores, people = confidence(guess), release.original
        curve = Roc.of(scores, people.membership)
        value = curve.at(self.accused)
        detail: dict[str, Json] = {"1 in 1,000": curve.at(0.001), **of_rarest(people, self._of_some(scores, people))}
        return self.score(value, curve.interval_at(self.accused), value * curve.members, detail)

    def _of_some(self, scores: Floats, people: People) -> Callable[[Mask], tuple[float, Interval]]:
        def of_some(chosen: Mask) -> tuple[float, Interval]:
            curve = Roc.of(scores[chosen], people.membership[chosen])
            return curve.at(self.accused), curve.interval_at(self.accused)

        return of_some

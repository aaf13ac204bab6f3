"""How much better than chance members are named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.documents import Json
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.synthetic.data import Guess, Release
from icefire.synthetic.ranking import Roc
from icefire.synthetic.roles import Safety
from icefire.synthetic.safety._excess import floored
from icefire.synthetic.safety._membership import confidence
from icefire.synthetic.safety._rarest import of_rarest


@dataclass(frozen=True)
class MembershipAdvantage(Safety):
    """Share of the members minus share of the others among the most suspicious, of whom as many are named as there are members.

    0 is what chance gives, 1 that exactly the members are named. Below 0 counts as 0. The detail has the same on the rarest
    tenth of the people, and the accuracy for as many others as members.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import Guess, People, Release
        >>> people = People(pl.DataFrame({"a": [1, 2]}), pl.DataFrame({"a": [3, 4]}))
        >>> told = Guess(confidence=people.membership.astype(float))
        >>> MembershipAdvantage().measure(Release(people, people.members), told).value
        1.0

    Reference:
        Yeom, Giacomelli, Fredrikson, Jha: Privacy risk in machine learning. 2018.
    """

    needs_guess: ClassVar[bool] = True
    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        scores, people = confidence(guess), release.original
        curve = Roc.of(scores, people.membership)
        value, interval = curve.advantage()
        detail: dict[str, Json] = {"accuracy": (1 + value) / 2}
        detail |= of_rarest(people, lambda rare: Roc.of(scores[rare], people.membership[rare]).advantage())
        return floored(self, value, interval, curve.named()[0], detail)

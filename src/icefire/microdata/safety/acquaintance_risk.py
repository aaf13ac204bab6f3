"""Risk by somebody who happens to know a person of the data: the Dunbar-number attacker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import AtLeast, Share
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Guess, Release
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class AcquaintanceRisk(Safety):
    """Chance that a recipient knows somebody in the data and singles that person out: the Dunbar-number attacker.

    The chance that at least one of the recipient's friends is in the data, 1 - (1 - share)^friends, times the mean of
    1 / class size: the recipient knows the quasi-identifiers of friends. It takes attackers for friends of the people alone,
    which the thesis calls optimistic.

    Parameters:
        share: how much of the population is in the data.
        friends: how many people somebody knows; 150 is Dunbar's number.

    Example:
        Breast cancer: 0.7% of the population. A recipient knows a patient with a chance of 0.65.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"age": [30, 30, 40, 50]}), Schema(qi=["age"]))
        >>> score = AcquaintanceRisk(share=0.007).measure(Release(people, people, np.arange(4)))
        >>> round(score.detail["knows somebody"], 2), round(score.value, 3)
        (0.65, 0.489)

    Reference:
        El Emam, Arbuckle: Anonymizing health data. 2013. Thesis, chapter 3.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    share: Share
    friends: Annotated[int, AtLeast(1)] = 150

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        classes = int(relational.class_sizes(release.published.native, release.published.qi)[1].sum())
        knows = 1.0 if self.share == 1 else -float(np.expm1(self.friends * np.log1p(-self.share)))
        found = classes / release.published.height
        return self.score(knows * found, detail={"knows somebody": knows, "found then": found})

"""The share of the members' hidden values that are reconstructed, where rare values count more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.accuracy import accuracy_detail
from icefire.synthetic.data import Guess, Release
from icefire.synthetic.roles import Safety
from icefire.synthetic.safety._reconstruction import judge_groups


@dataclass(frozen=True)
class RarityWeightedAccuracy(Safety):
    """Share of the hidden values of members that are guessed right, each by 1 over the number of members who have it.

    So everybody who has a value of two counts as much as a thousand who share another one. The score is the mean over the
    columns, and over the values of a column; a number is right in its tenth. The detail has the same of the others, and that
    of the same guess for everybody, 1 over the number of values (baseline).

    Example:
        >>> import polars as pl
        >>> from icefire.synthetic.data import Guess, People, Release, Schema
        >>> people = People(pl.DataFrame({"a": [1, 2, 3], "b": ["x", "x", "y"]}), pl.DataFrame({"a": [4], "b": ["x"]}),
        ...     Schema(hidden=["b"]))
        >>> guess = Guess(values=pl.DataFrame({"b": ["x"] * 4}))
        >>> RarityWeightedAccuracy().measure(Release(people, people.members), guess).value
        0.5

    Reference:
        NIST Collaborative Research Cycle: red team exercise. 2025.
    """

    needs_guess: ClassVar[bool] = True
    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        members, others = judge_groups(release, guess, rare=True)
        value, control = (float(np.mean([hits.weighted for hits in part.values()])) for part in (members, others))
        return self.score(value, detail=accuracy_detail(members, weighted=True) | {"others": control})

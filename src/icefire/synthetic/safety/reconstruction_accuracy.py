"""The share of the members' hidden values that are reconstructed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.intervals import wilson
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.accuracy import accuracy_detail, whole_rows
from icefire.synthetic.data import Guess, Release
from icefire.synthetic.roles import Safety
from icefire.synthetic.safety._reconstruction import judge_groups


@dataclass(frozen=True)
class ReconstructionAccuracy(Safety):
    """Share of the hidden values of members that are guessed right; the mean over the columns.

    A number is right in its tenth. The detail has the same of the others, which a release may tell as knowledge about the
    population; the best guess that is the same for everybody (baseline); and the members of whom all values are right.

    Example:
        >>> import polars as pl
        >>> from icefire.synthetic.data import Guess, People, Release, Schema
        >>> people = People(pl.DataFrame({"a": [1, 2], "b": ["x", "y"]}), pl.DataFrame({"a": [3, 4], "b": ["x", "y"]}),
        ...     Schema(hidden=["b"]))
        >>> guess = Guess(values=pl.DataFrame({"b": ["x"] * 4}))
        >>> ReconstructionAccuracy().measure(Release(people, people.members), guess).value
        0.5

    Reference:
        NIST Collaborative Research Cycle: red team exercise. 2025.
    """

    needs_guess: ClassVar[bool] = True
    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        members, others = judge_groups(release, guess, rare=False)
        value, control = (float(np.mean([hits.plain for hits in part.values()])) for part in (members, others))
        number = release.original.people
        detail = accuracy_detail(members, weighted=False)
        detail |= {"others": control, "all columns": whole_rows(members)}
        return self.score(value, wilson(value * number, number), detail=detail)

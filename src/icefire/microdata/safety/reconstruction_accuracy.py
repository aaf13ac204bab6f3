"""The share of hidden values that an attacker reconstructs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import DataError
from icefire.core.intervals import wilson
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.accuracy import accuracy_detail, judge_columns, whole_rows
from icefire.microdata.data import Release
from icefire.microdata.inferences import Inference
from icefire.microdata.roles import InferenceSafety


@dataclass(frozen=True)
class ReconstructionAccuracy(InferenceSafety):
    """Share of the values of hidden sensitive columns that are guessed right; the mean over the columns.

    An amount is right in its tenth. The detail has the share of people of whom all hidden values are right, when the columns
    are guessed one by one and when a whole published row is named, and the baseline, the best guess that is the same for
    everybody.

    Example:
        Two of three illnesses are right. Saying "no" of everybody is as good.

        >>> import polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": list("ffm"), "ill": ["no", "no", "yes"]}), Schema(qi=["sex"], sa=["ill"]))
        >>> guess = Inference({"ill": pl.Series(["no", "yes", "yes"])}, {"ill": np.full(3, 0.5)})
        >>> score = ReconstructionAccuracy().measure(Release(people, people, np.arange(3)), guess)
        >>> round(score.value, 3), round(score.detail["baseline"], 3)
        (0.667, 0.667)

    Reference:
        NIST Collaborative Research Cycle: red team exercise. 2025.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    needs_guess: ClassVar[bool] = True
    judges: ClassVar[type] = Inference

    def measure(self, release: Release, guess: Inference | None = None) -> Score:
        if guess is None:
            raise DataError("reconstruction is measured on inferred values: give an inference")
        original = release.original
        people = np.arange(original.height) if guess.people is None else guess.people
        columns = judge_columns(original, people, guess.values, original.sa)
        value = float(np.mean([hits.plain for hits in columns.values()]))
        detail = accuracy_detail(columns, weighted=False)
        detail["all columns"] = whole_rows(columns)
        if guess.rows is not None:
            published = release.published
            named = {name: published.column(name).gather(guess.rows) for name in columns}
            detail["all columns, by whole rows"] = whole_rows(judge_columns(original, people, named, original.sa))
        return self.score(value, wilson(value * people.size, people.size), detail=detail)

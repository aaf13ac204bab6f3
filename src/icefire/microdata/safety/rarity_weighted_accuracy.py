"""The share of hidden values that an attacker reconstructs, where rare values count more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import DataError
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.accuracy import accuracy_detail, judge_columns
from icefire.microdata.data import Release
from icefire.microdata.inferences import Inference
from icefire.microdata.roles import InferenceSafety


@dataclass(frozen=True)
class RarityWeightedAccuracy(InferenceSafety):
    """Share of hidden sensitive values that are guessed right, each by 1 over the number of people who have it.

    So everybody who has a value of two counts as much as a thousand who share another one. The score is the mean over the
    columns, and over the values of a column; an amount is right in its tenth. Attacks that say which values they guess where
    rare ones count more are judged by these, others by the most probable ones. The baseline, the same guess for everybody,
    has 1 over the number of values.

    Example:
        One of two who are well, and the one who is ill.

        >>> import polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": list("ffm"), "ill": ["no", "no", "yes"]}), Schema(qi=["sex"], sa=["ill"]))
        >>> guess = Inference({"ill": pl.Series(["no", "yes", "yes"])}, {"ill": np.full(3, 0.5)})
        >>> score = RarityWeightedAccuracy().measure(Release(people, people, np.arange(3)), guess)
        >>> score.value, score.detail["baseline"]
        (0.75, 0.5)

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
        columns = judge_columns(original, people, {**guess.values, **guess.rare_values}, original.sa)
        value = float(np.mean([hits.weighted for hits in columns.values()]))
        return self.score(value, detail=accuracy_detail(columns, weighted=True))

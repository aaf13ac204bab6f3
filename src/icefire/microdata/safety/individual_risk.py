"""Individual risk with sampling weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.errors import Undefined
from icefire.core.parameters import Share
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.data import Guess, Release
from icefire.microdata.roles import Safety
from icefire.microdata.safety._rows import class_risks


@dataclass(frozen=True)
class IndividualRisk(Safety):
    """Share of rows with an individual risk above a threshold: the expectation of 1/F, estimated by sampling weights.

    For tables that are a survey of a population: a weight says for how many people a row stands, so that the weights of a class
    add up to about F, the number of people with the same QI. The detail has the maximum, the mean and the expected number of
    re-identifications.

    Parameters:
        weight: the column of the original with the sampling weights; that of the schema if left out.
        threshold: the largest risk that is acceptable.

    Example:
        Both rows are unique, but one of them stands for 100 people.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"town": ["a", "b"], "weight": [2, 100]}), Schema(qi=["town"], sa=["weight"]))
        >>> score = IndividualRisk("weight").measure(Release(people, people, np.arange(2)))
        >>> score.value, round(score.detail["maximum"], 4), round(score.detail["mean"], 4)
        (0.5, 0.6931, 0.3698)

    Reference:
        Benedetti, Franconi: Statistical and technological solutions for controlled data dissemination. 1998; Franconi,
        Polettini: Individual risk estimation in mu-Argus: a review. PSD 2004.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    weight: str | None = None
    threshold: Share = 0.2

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        weight = self.weight or release.original.schema.weight
        if weight is None:
            raise Undefined('there are no sampling weights: name their column in the schema, as weight = "weight"')
        risks = class_risks(release, weight, self.threshold)
        return self.score(risks.share, detail=risks.detail())

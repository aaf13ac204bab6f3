"""Risk that somebody of a household is re-identified."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.errors import Undefined
from icefire.core.parameters import Share
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.data import Guess, Release
from icefire.microdata.roles import Safety
from icefire.microdata.safety._rows import household_risks


@dataclass(frozen=True)
class HouseholdRisk(Safety):
    """Share of rows with a household risk above a threshold: the probability that some member of it is re-identified.

    Whoever recognizes a member knows the whole household: 1 - (1 - r_1) (1 - r_2) ..., with the individual risk of each
    published member, or 1/f where there are no sampling weights. The detail has the maximum, the mean over rows and the
    expected number of rows whose household is found.

    Parameters:
        household: the column of the original that names the household; that of the schema if left out.
        weight: the column of the original with the sampling weights, if there is one; that of the schema if left out.
        threshold: the largest risk that is acceptable.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> frame = pl.DataFrame({"sex": list("fmfm"), "home": [1, 1, 2, 3]})
        >>> people = Microdata(frame, Schema(qi=["sex"], sa=["home"]))
        >>> HouseholdRisk("home", threshold=0.7).measure(Release(people, people, np.arange(4))).value
        0.5

    Reference:
        Hundepool et al.: Statistical disclosure control. 2012, section 3.3; measure_risk of sdcMicro.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    household: str | None = None
    weight: str | None = None
    threshold: Share = 0.2

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        household = self.household or release.original.schema.household
        if household is None:
            raise Undefined('there are no households: name their column in the schema, as household = "home"')
        weight = self.weight or release.original.schema.weight
        risks = household_risks(release, household, weight, self.threshold)
        return self.score(risks.share, detail=risks.detail())

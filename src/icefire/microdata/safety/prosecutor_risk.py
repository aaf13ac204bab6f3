"""Prosecutor risk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.parameters import Share
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Guess, Release
from icefire.microdata.risk import Risks
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class ProsecutorRisk(Safety):
    """Share of rows with a prosecutor risk above a threshold: 1/f, f being the number of rows with the same QI.

    The attacker knows the QI of a person, and that the person is in the table; what other published columns tell about the QI
    counts, too, as in k_anonymity. The detail has the maximum, the mean (marketer
    risk: the share that is found by trying everybody) and the expected number of re-identifications.

    Parameters:
        threshold: the largest risk that is acceptable; 0.2 stands for classes of at least 5 rows.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "f", "m"]}), Schema(qi=["sex"]))
        >>> score = ProsecutorRisk(threshold=0.5).measure(Release(people, people, np.arange(3)))
        >>> round(score.value, 4), score.detail["maximum"], round(score.detail["mean"], 4)
        (0.3333, 1.0, 0.6667)

    Reference:
        El Emam, Dankar: Protecting privacy using k-anonymity. JAMIA 2008.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    threshold: Share = 0.2

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        sizes, classes = relational.class_sizes(release.told_apart(), release.telling.names)
        risks = Risks.of(1 / sizes, sizes * classes, self.threshold)
        return self.score(risks.share, detail=risks.detail())

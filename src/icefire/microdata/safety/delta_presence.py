"""Delta-presence: what a release tells about who is in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.covering import PAIRS, covering
from icefire.microdata.data import Guess, Release
from icefire.microdata.roles import Safety
from icefire.microdata.safety._population import larger_population


@dataclass(frozen=True)
class DeltaPresence(Safety):
    """Delta-presence: the largest probability of being in the release, of a person of the population whose QI are known.

    For releases in which being present is itself sensitive, such as a register of patients. Each published row is equally
    likely to be any person who fits its QI cells. The detail has the smallest probability and the mean.

    Parameters:
        population: a file with the QI of the population (.csv, .csv.gz or .parquet); if left out, the original, provided that
            the release does not hold everybody of it.

    Example:
        One of two women and all three men were published.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": list("ffmmm")}), Schema(qi=["sex"]))
        >>> release = Release(people, people.take([0, 2, 3, 4]), np.array([0, 2, 3, 4]))
        >>> score = DeltaPresence().measure(release)
        >>> score.value, score.detail["smallest"]
        (1.0, 0.5)

    Reference:
        Nergiz, Atzori, Clifton: Hiding the presence of individuals from shared databases. SIGMOD 2007.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("delta-presence",)

    population: str | None = None

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        found = covering(release.published, larger_population(release, self.population, self.name))
        people = np.maximum(found.people_by_class(), found.sizes)
        chance = np.zeros(found.people.size)
        for classes, groups in found.pairs(PAIRS):
            chance += np.bincount(groups, found.sizes[classes] / people[classes], chance.size)
        some = found.people > 0
        chance, number = np.minimum(chance[some], 1.0), found.people[some]
        detail = {"smallest": float(chance.min()), "mean": float(np.average(chance, weights=number))}
        return self.score(float(chance.max()), detail=detail)

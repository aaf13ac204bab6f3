"""k-map: the smallest number of people of the population whom a published row fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import CROWD, Scale, Score
from icefire.microdata.covering import covering
from icefire.microdata.data import Guess, Release
from icefire.microdata.roles import Safety
from icefire.microdata.safety._population import larger_population


@dataclass(frozen=True)
class KMap(Safety):
    """k-map: the smallest number of people of the population who fit the QI cells of a published row.

    For releases that are a sample: an attacker who does not know who is in it has to choose among the population. Rows of equal
    QI count as people of the population, even if it lacks them; the detail has the number of rows that nobody fits.

    Parameters:
        population: a file with the QI of the population (.csv, .csv.gz or .parquet); if left out, the original, provided that
            the release does not hold everybody of it.

    Example:
        One of two women and one of three men were published.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": list("ffmmm")}), Schema(qi=["sex"]))
        >>> KMap().measure(Release(people, people.take([0, 2]), np.array([0, 2]))).value
        2.0

    Reference:
        Sweeney: Computational disclosure control. 2001, chapter 6.
    """

    scale: ClassVar[Scale] = CROWD
    aliases: ClassVar[tuple[str, ...]] = ("k-map",)

    population: str | None = None

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        found = covering(release.published, larger_population(release, self.population, self.name))
        people = found.people_by_class()
        some = found.sizes > 0
        detail = {"rows that nobody fits": int(found.sizes[people == 0].sum())}
        return self.score(float(np.maximum(people, found.sizes)[some].min()), detail=detail)

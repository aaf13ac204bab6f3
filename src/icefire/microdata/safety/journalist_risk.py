"""Journalist risk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast, Share
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.frames import relational
from icefire.microdata.covering import covering
from icefire.microdata.data import Guess, Release
from icefire.microdata.population import Sample
from icefire.microdata.risk import Risks, individual_risk
from icefire.microdata.roles import Safety
from icefire.microdata.safety._population import population_of


@dataclass(frozen=True)
class JournalistRisk(Safety):
    """Share of rows with a journalist risk above a threshold: 1/F, F being the number of people in the population who fit.

    The attacker knows the QI of everybody in the population, but not who of them is in the table. With a file of the population
    F is counted, and is at least the number of rows with the same QI. With the number of people only, the expectation of 1/F is
    estimated as for a simple random sample. The detail has the maximum, the mean and the expected number of re-identifications.

    Parameters:
        population: the number of people in the population, or a file with their QI (.csv, .csv.gz or .parquet).
        threshold: the largest risk that is acceptable.

    Example:
        Two rows of a sample of 1 in 10 are unique, but their classes in the population have more people.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"town": ["a", "b", "c", "c"]}), Schema(qi=["town"]))
        >>> score = JournalistRisk(population=40, threshold=0.2).measure(Release(people, people, np.arange(4)))
        >>> score.value, round(score.detail["maximum"], 4)
        (0.5, 0.2558)

    Reference:
        El Emam, Dankar: Protecting privacy using k-anonymity. JAMIA 2008; Franconi, Polettini: Individual risk estimation in
        mu-Argus: a review. PSD 2004.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    population: Annotated[int, AtLeast(1)] | str | None = None
    threshold: Share = 0.2

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        risks = self._risks(release)
        return self.score(risks.share, detail=risks.detail())

    def _risks(self, release: Release) -> Risks:
        match self.population:
            case None:
                raise Undefined(
                    "the population is not known: give its size or a file, as in journalist_risk(population=1000000)"
                )
            case int(size):
                sample = Sample(*relational.class_sizes(release.published.native, release.published.qi), size)
                values = individual_risk(sample.sizes, sample.sizes / sample.fraction)
                return Risks.of(values, sample.sizes * sample.classes, self.threshold)
            case file:
                found = covering(release.published, population_of(release, file))
                some = found.sizes > 0
                people = np.maximum(found.people_by_class(), found.sizes)[some]
                return Risks.of(1 / people, found.sizes[some], self.threshold)

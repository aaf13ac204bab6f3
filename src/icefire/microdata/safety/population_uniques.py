"""Population uniques, estimated from the published sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Guess, Release
from icefire.microdata.population import Sample, decided_uniques, population_uniques
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class PopulationUniques(Safety):
    """Estimated share of people whose QI are unique in the population of which the table is a sample.

    A row that is unique in the table need not be unique in the population. Three models estimate how many people are: Pitman's
    sampling formula, Zayatz' equivalence class model, and the slide negative binomial model (SNB). No model is best everywhere;
    the decision rule of Dankar et al. takes Pitman up to a sampling fraction of 0.1, and the smaller one of the others beyond.
    The detail has the number of people, the model that was used, and the share of unique rows in the table.

    Parameters:
        population: the number of people in the population.
        model: "dankar" is the decision rule.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"town": list("abccddee")}), Schema(qi=["town"]))
        >>> score = PopulationUniques(population=40, model="zayatz").measure(Release(people, people, np.arange(8)))
        >>> round(score.value, 3), score.detail["unique rows"]
        (0.072, 0.25)

    Reference:
        Dankar, El Emam, Neisa, Roffey: Estimating the re-identification risk of clinical data sets. 2012; Hoshino 2001
        (Pitman); Zayatz 1991; Chen, Keller-McNulty 1998 (SNB), with the number of classes by Haas, Stokes 1998.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    population: Annotated[int, AtLeast(1)] | None = None
    model: Literal["dankar", "pitman", "zayatz", "snb"] = "dankar"

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        if self.population is None:
            raise Undefined("the population is not known: give its size, as in population_uniques(population=1000000)")
        published = release.published
        sample = Sample(*relational.class_sizes(published.native, published.qi), self.population)
        uniques, model = (
            decided_uniques(sample) if self.model == "dankar" else (population_uniques(sample, self.model), self.model)
        )
        detail = {"people": uniques, "model": model, "unique rows": sample.number(1) / sample.records}
        return self.score(uniques / self.population, detail=detail)

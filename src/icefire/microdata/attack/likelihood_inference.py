r"""Values inferred from the likelihood of published rows, for attackers who know the method.

    P(i | r)  = L(r | i) / sum_i' L(r | i')        which person i a row r is, by the known columns
    w(i, r)   = P(i | r)                           weight of the row for the person
    pi(v)    ~= alpha pi0(v) + sum_w n_w pi(v) T(w | v) / sum_v' pi(v') T(w | v')

L multiplies what the known steps state of the known columns. Where a step changes a hidden column at random, T(w | v) says
how likely value v becomes w; the values of a person's rows, n_w, are then read through T by expectation maximization, from
the shares pi0 of the whole table with a weight of alpha rows. `alike` reads them by icefire.microdata.deconvolution instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.errors import OutOfBudget, Undefined
from icefire.core.roles import AnyAnonymizer
from icefire.microdata.attack.homogeneity import Homogeneity
from icefire.microdata.attack.informed import Informed
from icefire.microdata.beliefs import Candidates, Channel, infer
from icefire.microdata.costs import NEIGHBOURS
from icefire.microdata.data import Microdata
from icefire.microdata.deconvolution import Deconvolution, group_people
from icefire.microdata.inferences import Inference
from icefire.microdata.linkage import Linkage
from icefire.microdata.partition import group_equal
from icefire.microdata.roles import Anonymizer, InformedInferenceAttack

WIDEST = 500
"""Most values of a hidden column whose channel is inverted."""


@dataclass(frozen=True)
class LikelihoodInference(InformedInferenceAttack):
    """Read the hidden columns of the rows that a person is likely to be, given the steps of the release.

    Randomized quasi-identifiers make rows more or less likely a person's; randomized hidden values are inverted. Where the
    known columns are published without randomness, the rows are those whose cells fit.

    Parameters:
        alike: whether people who are the same in all that is known are taken to have the same chances of each value.

    Example:
        Sexes are kept with a probability of 90%, so most of the men's rows are still men's.

        >>> import polars as pl
        >>> from icefire.microdata.anonymize.pram import Pram
        >>> from icefire.microdata.data import Schema
        >>> schema = Schema(qi=["sex"], sa=["ill"])
        >>> people = pl.DataFrame({"sex": ["f"] * 10 + ["m"] * 10, "ill": ["no"] * 10 + ["yes"] * 10})
        >>> published, known = Microdata(people, schema), Microdata(people.select("sex"), Schema(qi=["sex"]))
        >>> guess = LikelihoodInference().knowing([Pram(keep=0.9)]).attack(published, known, np.random.default_rng(0))
        >>> guess.values["ill"][-1], round(float(guess.confidence["ill"][-1]), 2)
        ('yes', 0.95)

    Reference:
        Domingo-Ferrer, Muralidhar: New directions in anonymization (2016), for the attacker who knows the method. Agrawal,
        Aggarwal: On the design and quantification of privacy preserving data mining algorithms (2001), for the inversion.
    """

    alike: bool = False

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Self]:
        return [cls(), cls(alike=True)] if super().variants(published, knowledge) else []

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Inference:
        hidden = [name for name in published.schema.names if name not in knowledge.schema.names]
        if not hidden:
            raise Undefined("every published column is known: there is nothing to infer")
        channels = find_channels(self.known_steps, published, hidden)
        candidates, rest = self._likely_rows(published, knowledge, rng)
        if self.alike:
            if candidates is None or channels:
                raise Undefined(
                    "it is for releases in which known columns were changed at random, and hidden ones were not"
                )
            groups = group_equal([knowledge.codes(name) for name in knowledge.schema.names])[2]
            return infer(published, knowledge, hidden, Deconvolution(group_people(candidates, groups), rest))
        if candidates is None:
            candidates = Homogeneity().find_candidates(published, knowledge)
        return infer(published, knowledge, hidden, candidates, channels)

    def _likely_rows(
        self, published: Microdata, knowledge: Microdata, rng: np.random.Generator
    ) -> tuple[Candidates | None, NDArray[np.float64]]:
        """The rows of each person by their likelihoods, and what is left of each for people who are not listed.

        None if no known column was changed at random.
        """
        nobody = np.zeros(0)
        if not any(name in published.schema.names for name in knowledge.schema.names):
            return None, nobody
        repeated, columns = Informed().knowing(self.known_steps).find_likelihoods(published, knowledge)
        if not repeated.stated:
            return None, nobody
        linkage = Linkage(columns, rng)
        lists = linkage.best(NEIGHBOURS)
        if linkage.asked is not None:
            raise OutOfBudget(
                "takes more comparisons than its budget allows, and fewer would infer less: --budget allows more"
            )
        rows = np.repeat(np.arange(lists.counts.size), lists.counts)
        chance = np.exp(lists.least[rows] - lists.costs)
        # Whoever is not listed costs at least `rest`.
        unlisted = (linkage.width - lists.counts) * np.exp(np.minimum(lists.least - lists.rest, 0.0))
        unlisted = np.where(np.isfinite(lists.rest), unlisted, 0.0)
        total = np.bincount(rows, chance, lists.counts.size) + unlisted
        people = repeated.people[lists.people]
        shape = knowledge.height, lists.counts.size
        weights = sparse.csr_array((chance / total[rows], (people, rows)), shape=shape)
        return Candidates(weights, np.arange(knowledge.height), linkage.which), unlisted / total


def find_channels(steps: Sequence[AnyAnonymizer], published: Microdata, names: Sequence[str]) -> Mapping[str, Channel]:
    """How likely each value of a hidden column becomes each other, where steps change it at random."""
    channels: dict[str, Channel] = {}
    for name in names:
        if published.is_numeric(name) or not 1 < len(published.domain(name).values) <= WIDEST:
            continue
        domain = published.domain(name)
        cells = published.cells(name, domain)
        total: NDArray[np.float64] | None = None
        for step in steps:
            assert isinstance(step, Anonymizer)
            columns: tuple[str, ...] = getattr(step, "columns", ())
            if step.deterministic or step.conditions or (columns and name not in columns):
                continue
            try:
                table = step.likelihood(published, name, cells)
            except (Undefined, KeyError):
                continue
            if table is None:
                continue
            total = table.T if total is None else total @ table.T
        if total is not None:
            channels[name] = Channel(tuple(cells.texts), tuple(domain.texts[: total.shape[0]]), total)
    return channels

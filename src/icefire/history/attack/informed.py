"""The most likely customer, for attackers who know the method."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from icefire.history.attack._stated import StatedFacets, treatment_of
from icefire.history.attack.record_matching import RecordMatching
from icefire.history.data import History
from icefire.history.facets import Facets
from icefire.history.roles import InformedAttack


@dataclass(frozen=True)
class Informed(RecordMatching, InformedAttack):
    """Record matching by somebody who knows the steps of the release and their parameters, so that nothing is learned.

    Each step states what it does to a record: the probability that it is deleted (rare items first is repeated on the known
    records), the noise of its price and quantity, the shift of its date. What remains is Bayes' rule: the probabilities of
    all ways to match the records of a pseudonym with those of a customer are added up, and each customer gets the likeliest
    pseudonym of a period, or none if it is likelier that all of the customer's records were deleted. How it compares
    with the best guess was measured on small histories with independent noise and deletion; it is no bound for others.

    Parameters:
        assign: "sinkhorn" takes the likeliest pseudonym of each customer, or none; "assignment" the likeliest matching of all.
        link, drop_dummies, habits, records, share, periods, characters, invoices: as for record matching.
        rounds: as for record matching, where habits stand in for unknown records; nothing else is learned.

    Example:
        Nine in ten records are deleted. That bob's many records have all gone is less likely than that ann's one has.

        >>> import numpy as np
        >>> from icefire.history.anonymize.delete_records import DeleteRecords
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea", *["bob 2011-01-03 tea"] * 20)
        >>> attack = Informed().knowing([DeleteRecords(share=0.9)])
        >>> attack.attack(records("1 2011-01-03 tea"), known, np.random.default_rng(0)).table.tolist()
        [[-1], [0]]

    Reference:
        Domingo-Ferrer, Muralidhar: New directions in anonymization: permutation paradigm, verifiability by subjects and
        intruders, transparency to users. 2016.
    """

    aliases: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        made = super().variants(published, knowledge)
        return made + [replace(variant, assign="assignment") for variant in made if not variant.habits]

    def facets(self, published: History, knowledge: History) -> Facets:
        stated = treatment_of(self.known_steps, knowledge)
        return StatedFacets(
            published,
            knowledge,
            stated,
            drop_dummies=self.drop_dummies,
            rounds=self.rounds,
            invoices=self.invoices,
            habits=self.habits,
        )

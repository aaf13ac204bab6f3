"""The owner of each published record, for attackers who know the method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.history.attack.informed import Informed
from icefire.history.attack.record_owners import RecordOwners
from icefire.history.data import History
from icefire.history.facets import Facets
from icefire.history.roles import InformedAttack


@dataclass(frozen=True)
class LikelyOwners(RecordOwners, InformedAttack):
    """Owners of records by somebody who knows the steps of the release and their parameters, so that nothing is learned.

    Parameters:
        assign, rounds, invoices: as for record matching.
        link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see Jaccard.

    Example:
        Nine in ten records are deleted. That bob's many records have all gone is less likely than that ann's one has.

        >>> import numpy as np
        >>> from icefire.history.anonymize.delete_records import DeleteRecords
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea", *["bob 2011-01-03 tea"] * 20)
        >>> attack = LikelyOwners().knowing([DeleteRecords(share=0.9)])
        >>> guess = attack.attack(records("1 2011-01-03 tea"), known, np.random.default_rng(0))
        >>> known.users.gather(guess.claims.owners).to_list()
        ['bob']

    Reference:
        As for `record_owners` and `informed`.
    """

    aliases: ClassVar[tuple[str, ...]] = ()

    def facets(self, published: History, knowledge: History) -> Facets:
        steps = self.known_steps
        return (
            Informed(rounds=self.rounds, invoices=self.invoices, habits=self.habits)
            .knowing(steps)
            .facets(published, knowledge)
        )

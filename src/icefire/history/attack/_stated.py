"""Likelihood of published records given known ones, where the steps of the release say what they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import sparse

from icefire.core.roles import AnyAnonymizer
from icefire.history.attack._amounts import Amounts
from icefire.history.attack._matchings import Floats, starts
from icefire.history.attack._records import Beliefs, Hosts, Part, RecordFacets, Tally
from icefire.history.data import History
from icefire.history.roles import Anonymizer
from icefire.history.treatment import Dummies, Treatment

SURE = 1e-9
"""Least probability of a record to be published, deleted or added: a slip in what is known must not rule out everybody."""
MOST_KEPT = 0.99
"""Largest probability of a record to be published: sums over matchings that must use every known record converge badly."""
MODELS = 8
"""Largest number of records of an item whose amounts stand for those of its dummies."""
OTHERS = 0.1
"""Share of dummies that are taken to be drawn as for anybody, since clusters need not be found again."""
EXACT = 1e-9
"""Spread of amounts without noise."""


def treatment_of(steps: Sequence[AnyAnonymizer], knowledge: History) -> Treatment:
    """What the steps do to the known records, one after the other."""
    treatment = Treatment.none(knowledge)
    for step in steps:
        assert isinstance(step, Anonymizer)
        treatment = step.treat(treatment)
    return treatment


class StatedFacets(RecordFacets):
    """Records of both sides, where the steps say what was done to them."""

    def __init__(
        self,
        published: History,
        knowledge: History,
        stated: Treatment,
        *,
        drop_dummies: bool = False,
        rounds: int = 1,
        invoices: bool = True,
        habits: bool = False,
    ) -> None:
        # Only habits have to be learned about.
        rounds = rounds if habits else 1
        super().__init__(
            published, knowledge, drop_dummies=drop_dummies, rounds=rounds, invoices=invoices, habits=habits
        )
        self.stated = stated
        for name, noise in stated.noise.items():
            if name in self.amounts:
                self.amounts[name] = Amounts.of(published, knowledge, name, noise.unit)
        longest = int(np.diff(np.asarray(published.periods.starts)).max()) - 1
        self.reach = 0 if stated.shift is None else min(stated.shift.days, longest)

    def _first(self) -> Beliefs:
        kept = self.stated.kept
        dummies = SURE
        if self.stated.added or not self.knowledge.complete:
            dummies = max(1.0 - float(kept.sum()) / max(self.published.height, 1), SURE)
        alone = self.stated.shift is not None and not self.stated.shift.together
        return Beliefs(
            np.clip(kept, SURE, MOST_KEPT),
            dummies,
            {name: self.stated.noise[name].scale if name in self.stated.noise else EXACT for name in self.amounts},
            {"date": 0.0 if alone else 1.0 - SURE, "time": 1.0 - SURE},
            self._shifts(),
        )

    def _shifts(self) -> Floats:
        """Alike for all numbers of days; where a shift is longer than a period, its ends collect the longer ones."""
        days = 0 if self.stated.shift is None else self.stated.shift.days
        numbers = np.clip(np.arange(-days, days + 1), -self.reach, self.reach) + self.reach
        return np.bincount(numbers) / numbers.size

    def _hosts(self, part: Part, tables: dict[str, Floats], crowd: Floats, spare: Floats) -> Hosts | None:
        dummies = self.stated.dummies
        if dummies is None or not self.knowledge.complete:
            return None
        owners = dummies.owners[part.known[starts(part.column_owner)]]
        likely = self._as_items(part, tables, dummies)
        expected = np.asarray((likely @ dummies.rates[owners].T).todense())
        anybody = likely @ (dummies.rates.sum(axis=0) / dummies.rates.shape[0])
        expected = (1.0 - OTHERS) * expected + OTHERS * np.asarray(anybody).reshape(-1, 1)
        ratio = np.maximum(expected * np.exp(-crowd)[:, None], SURE)
        number = np.bincount(dummies.owners, minlength=dummies.rates.shape[0])[owners]
        share = np.bincount(part.pairs.column_groups) / number[part.owners[1]]
        return Hosts(np.log(ratio) - spare[:, None], np.log(share))

    def _as_items(self, part: Part, tables: dict[str, Floats], dummies: Dummies) -> sparse.csr_array:
        """[published record, item]: how likely its cells are, given that it is a dummy of that item."""
        order = np.argsort(dummies.items, kind="stable")
        begin = np.searchsorted(dummies.items[order], dummies.items[order])
        models = order[np.arange(order.size) - begin < MODELS]
        rows, columns = self._compatible(part.published, models)
        known, shown = models[columns], part.published[rows]
        logs = np.zeros(rows.size)
        for name, amounts in self.amounts.items():
            logs += tables[name][amounts.published[shown], amounts.known[known]]
        if self.times is not None:
            logs += np.log(self.times[2][self.times[0][shown]])
        items = dummies.items[known]
        values = np.exp(logs) / np.bincount(dummies.items[models])[items]
        return sparse.csr_array((values, (rows, items)), shape=(part.published.size, dummies.rates.shape[1]))

    def _learned(self, tally: Tally) -> Beliefs:
        """Habits are no records that may be published, so how many of them come back has to be learned."""
        learned = super()._learned(tally)
        return replace(self._first(), kept=learned.kept, dummies=learned.dummies)

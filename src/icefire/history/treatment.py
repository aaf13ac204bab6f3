"""What the steps of a release do to records, as an attacker knows it who has read them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.errors import Undefined
from icefire.history.data import History, Ints

Floats = NDArray[np.float64]


class AmountNoise(NamedTuple):
    """An amount is multiplied by a log-normal factor, rounded to whole units, and at least one unit."""

    scale: float
    """Standard deviation of the logarithm."""
    unit: float


class DateShift(NamedTuple):
    """Dates are moved by up to some number of days, all numbers alike, and stay within their period."""

    days: int
    together: bool
    """Whether all records of a customer in a period are moved by the same number of days."""


@dataclass(frozen=True)
class Dummies:
    """Records that were added to those of a customer, each on an invoice that the customer has."""

    rates: sparse.csr_array
    """[owner, item]: the expected number of dummies."""
    owners: Ints
    """The owner of each known record: a customer, or a pseudonym by which the step has seen the customer."""
    items: Ints
    """The item of each known record, as the step has seen it. Amounts of dummies are those of other records of the item."""


@dataclass(frozen=True)
class Treatment:
    """What becomes of known records in the steps so far. Each step of a release adds what it does (`Anonymizer.treat`).

    Generalized cells are not listed: the release shows itself what a cell may stand for.
    """

    records: History
    """The known records as they stand before the next step, as far as steps can be repeated: items and pseudonyms."""
    kept: Floats
    """Probability of each known record to be still there."""
    added: bool = False
    """Whether there are dummies: records that come from none."""
    dummies: Dummies | None = None
    """Which ones, if the step that adds them can be repeated."""
    noise: Mapping[str, AmountNoise] = field(default_factory=dict)
    """By column, price or quantity."""
    shift: DateShift | None = None

    @classmethod
    def none(cls, knowledge: History) -> Treatment:
        """Before the first step."""
        return cls(knowledge, np.ones(knowledge.height))

    def thinned(self, kept: Floats | float, dummies: float) -> Treatment:
        """After a step that keeps records, and dummies, with these probabilities."""
        added = self.dummies
        if added is not None:
            added = replace(added, rates=added.rates * dummies)
        return replace(self, kept=self.kept * kept, dummies=added)

    def with_noise(self, column: str, noise: AmountNoise) -> Treatment:
        if column in self.noise:
            raise Undefined(f"noise is added to the {column} twice, and the sum of both is not stated")
        return replace(self, noise={**self.noise, column: noise})

    def with_shift(self, shift: DateShift) -> Treatment:
        if self.shift is not None:
            raise Undefined("dates are shifted twice, and the sum of both shifts is not stated")
        return replace(self, shift=shift)

    def require_certain(self, step: str) -> None:
        """Undefined if a step cannot be repeated, since which records it finds depends on the seed of an earlier one."""
        if self.added or ((self.kept > 0) & (self.kept < 1)).any():
            raise Undefined(f"{step} depends on which records earlier steps have deleted or added at random")

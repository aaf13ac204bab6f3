"""How well confidences tell members from others. Candidates with equal confidence are in random order, so that they count with
their expectation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

from icefire.core.errors import Undefined
from icefire.core.intervals import difference, wilson
from icefire.core.values import Interval
from icefire.synthetic.data import Floats, Mask


@dataclass(frozen=True)
class Roc:
    """The share of the others (false) and of the members (true) above each threshold, from 0 to 1."""

    false: Floats
    true: Floats
    members: int
    others: int

    @classmethod
    def of(cls, confidence: Floats, membership: Mask) -> Roc:
        """
        >>> Roc.of(np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, True, False, False])).true.tolist()
        [0.0, 0.5, 1.0, 1.0]
        """
        members = int(membership.sum())
        others = membership.size - members
        if not members or not others:
            raise Undefined("there are no members or no others among the candidates")
        order = np.argsort(-confidence, kind="stable")
        last = np.append(np.flatnonzero(np.diff(confidence[order])), order.size - 1)
        true = np.cumsum(membership[order])[last]
        return cls(np.append(0, (last + 1 - true) / others), np.append(0, true / members), members, others)

    def at(self, false: float) -> float:
        """The share of the members who are found while no more than a share of the others is accused."""
        place = int(np.searchsorted(self.false, false, side="right")) - 1
        if place == self.false.size - 1:
            return 1.0
        low, high = self.false[place], self.false[place + 1]
        return float(self.true[place] + (self.true[place + 1] - self.true[place]) * (false - low) / (high - low))

    def interval_at(self, false: float) -> Interval:
        """The interval of `at`: which share of others a threshold accuses is an estimate itself."""
        accused = wilson(false * self.others, self.others)
        ends = self.at(accused.low), self.at(accused.high)
        low, high = (wilson(share * self.members, self.members) for share in ends)
        return Interval(min(low.low, self.at(false)), max(high.high, self.at(false)))

    def named(self) -> tuple[float, float]:
        """How many members and others are named if as many are named as there are members."""
        total = self.false * self.others + self.true * self.members
        share = [float(np.interp(self.members, total, part)) for part in (self.true, self.false)]
        return share[0] * self.members, share[1] * self.others

    def advantage(self) -> tuple[float, Interval]:
        """The share of the members minus the share of the others who are named, if as many are named as there are members."""
        members, others = self.named()
        interval = difference(members, self.members, others, self.others)
        return members / self.members - others / self.others, interval


def area(confidence: Floats, membership: Mask) -> tuple[float, Interval]:
    """The area under the curve, with DeLong's interval: how often a member is more suspicious than another candidate.

    >>> area(np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, True, False, False]))[0]
    0.875
    """
    inside, outside = confidence[membership], confidence[~membership]
    if not inside.size or not outside.size:
        raise Undefined("there are no members or no others among the candidates")
    ranks = rankdata(np.concatenate([inside, outside]))
    beaten = (ranks[: inside.size] - rankdata(inside)) / outside.size
    beating = 1 - (ranks[inside.size :] - rankdata(outside)) / inside.size
    value = float(beaten.mean())
    spread = sum(float(part.var(ddof=1)) / part.size for part in (beaten, beating) if part.size > 1)
    # Without any overlap the variance is 0, whatever the number of people: then Wilson's interval for the fewer of them.
    fewer = min(inside.size, outside.size)
    if spread == 0:
        found = wilson(value * fewer, fewer)
        return value, Interval(found.low, found.high)
    reach = float(ndtri(0.975)) * spread**0.5
    return value, Interval(max(0.0, value - reach), min(1.0, value + reach))


def rarest(rarity: Floats, share: float = 0.1) -> Mask:
    """[candidate]: whether they belong to the rarest."""
    number = max(1, round(share * rarity.size))
    chosen = np.zeros(rarity.size, dtype=np.bool_)
    chosen[np.argsort(-rarity, kind="stable")[:number]] = True
    return chosen

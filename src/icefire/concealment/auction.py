"""Disjoint perfect matchings of nearly least cost, by an auction (Bertsekas 1988).

Records without a partner bid for the cheapest one: its price rises by what the second cheapest would have cost more, and a
little. Whoever would have to pay too much gives up; those who are left get the best partners among themselves. On 32,561
records this takes a tenth of the time of exact assignments.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from icefire.concealment.space import Floats, Ints, Space

STEP = 0.1
"""Least rise of a price, in mean costs."""
WORTH = 3.0
"""Mean costs above its cheapest partner at which a record gives up."""
LEFT = 2_000
"""Records that gave up and are matched at a time."""
BARRED = 1e3
"""Cost of a pair that is used already."""


def auctioned(space: Space, near: Ints, k: int) -> Ints:
    """[record, k]: itself, and its partners in k - 1 disjoint perfect matchings, mostly among its candidates in `near`."""
    records = np.arange(space.size)
    costs = space.pair_loss(np.repeat(records, near.shape[1]), near.ravel()).reshape(near.shape)
    found = records[:, None]
    for place in range(1, k):
        costs[near == found[:, -1:]] = np.inf
        rank = min(place + 1, near.shape[1] - 1)
        usual = np.partition(costs, rank, axis=1)[:, rank]
        mean = max(float(usual[np.isfinite(usual)].mean()) if np.isfinite(usual).any() else 0.0, 1e-9)
        partner = _auction(near, costs, STEP * mean, costs.min(axis=1) + WORTH * mean)
        _match_left(space, partner, found)
        found = np.hstack([found, partner[:, None]])
    return found


def _auction(near: Ints, costs: Floats, step: float, worth: Floats) -> Ints:
    """[record]: its partner, or -1 if it gave up."""
    size = len(near)
    price, partner, owner = np.zeros(size), np.full(size, -1), np.full(size, -1)
    winner, paid = np.empty(size, dtype=np.int64), np.empty(size)
    active = np.arange(size)
    while active.size:
        listed, turn = near[active], np.arange(active.size)
        total = costs[active] + price[listed]
        best = total.argmin(axis=1)
        least = total[turn, best]
        total[turn, best] = np.inf
        rise = np.minimum(total.min(axis=1), worth[active]) - least + step
        bids = least < worth[active]
        bidder, wanted = active[bids], listed[turn, best][bids]
        bid = price[wanted] + rise[bids]
        # The last one stays where several bid for the same.
        order = np.argsort(bid, kind="stable")
        winner[wanted[order]], paid[wanted[order]] = bidder[order], bid[order]
        sold = np.unique(wanted)
        outbid = owner[sold][owner[sold] >= 0]
        partner[outbid] = -1
        owner[sold], partner[winner[sold]], price[sold] = winner[sold], sold, paid[sold]
        active = np.concatenate([bidder[partner[bidder] < 0], outbid])
    return partner


def _match_left(space: Space, partner: Ints, found: Ints) -> None:
    """Give those without a partner the records that are left, none that they have already."""
    free = np.ones(partner.size, dtype=np.bool_)
    free[partner[partner >= 0]] = False
    order = np.lexsort([column.codes for column in space.columns])
    left, right = order[partner[order] < 0], order[free[order]]
    for begin in range(0, left.size, LEFT):
        rows, columns = left[begin : begin + LEFT], right[begin : begin + LEFT]
        costs = space.gaps(rows, columns).astype(np.float64)
        costs[(found[rows][:, :, None] == columns).any(axis=1)] = BARRED
        partner[rows] = columns[linear_sum_assignment(costs)[1]]
    for row in np.flatnonzero((found == partner[:, None]).any(axis=1)):
        _swap(space, partner, found, int(row))


def _swap(space: Space, partner: Ints, found: Ints, row: int) -> None:
    """Exchange the partner of a row, which it has already, with the row where that costs least."""
    rows = np.arange(partner.size)
    costs = space.pair_loss(np.full(rows.size, row), partner) + space.pair_loss(rows, np.full(rows.size, partner[row]))
    barred = np.isin(partner, found[row]) | (found == partner[row]).any(axis=1)
    other = int((costs - space.pair_loss(rows, partner) + BARRED * barred).argmin())
    partner[[row, other]] = partner[[other, row]]

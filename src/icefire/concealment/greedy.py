"""From (k,1) over (k,k) to k-concealment: widening released records where it costs least.

Everything happens among the nearest candidates of each record, so that time and memory grow with records times candidates.
What holds among candidates holds altogether, since further edges only add neighbours and matches.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy import sparse

from icefire.concealment.graph import Graph
from icefire.concealment.space import Boxes, Ints, Space, replaced, taken

Start = Literal["nearest", "expand"]


def k_one(space: Space, near: Ints, k: int, start: Start = "expand") -> Boxes:
    """(k,1): every released record covers at least k records: the nearest ones, or one after the other the cheapest."""
    everybody = np.arange(space.size)
    if start == "nearest":
        return space.closure(np.hstack([everybody[:, None], near[:, : k - 1]]))
    boxes = space.single(everybody)
    used = np.zeros(near.shape, dtype=np.bool_)
    for _ in range(k - 1):
        cost = _widened(space, boxes, everybody, near)
        cost[used] = np.inf
        best = cost.argmin(axis=1)
        used[everybody, best] = True
        boxes = space.joined(boxes, near[everybody, best])
    return boxes


def one_k(space: Space, near: Ints, boxes: Boxes, k: int) -> Boxes:
    """(1,k): every record is covered by at least k released records; those of least extra cost are widened."""
    boxes = taken(boxes, np.arange(space.size))
    while True:
        covered = _covered(space, boxes, near)
        missing = k - 1 - covered.sum(axis=1)
        short = np.flatnonzero(missing > 0)
        if not short.size:
            return boxes
        pairs = near[short]
        rows = np.repeat(short, near.shape[1])
        targets = taken(boxes, pairs.ravel())
        extra = (space.loss(space.joined(targets, rows)) - space.loss(targets)).reshape(pairs.shape)
        extra[covered[short]] = np.inf
        best = extra.argmin(axis=1)
        chosen = pairs[np.arange(short.size), best]
        # Two records that choose the same released one take turns: each round the cheaper one first.
        order = np.argsort(extra[np.arange(short.size), best], kind="stable")
        _, first = np.unique(chosen[order], return_index=True)
        turn = order[first]
        replaced(boxes, chosen[turn], space.joined(taken(boxes, chosen[turn]), short[turn]))


def concealed(space: Space, near: Ints, boxes: Boxes, k: int) -> Boxes:
    """k-concealment: who has fewer than k matches gets one by a swap with a neighbour, the cheapest first."""
    boxes = taken(boxes, np.arange(space.size))
    everybody = np.arange(space.size)
    while True:
        covered = _covered(space, boxes, near)
        matched, count = _matches(space, boxes, covered, near)
        short = np.flatnonzero(count < k)
        if not short.size:
            return boxes
        # Widening one's own record to a neighbour who already covers one makes both a match of each other.
        cost = _widened(space, taken(boxes, short), short, near[short])
        cost[matched[short]] = np.inf
        # Where nobody is left who covers one, any candidate becomes a neighbour later.
        cost[~covered[short]] += 2.0
        best = cost.argmin(axis=1)
        partner = near[short, best]
        replaced(boxes, short, space.joined(taken(boxes, short), partner))
        uncovered = ~covered[short, best]
        for row, target in zip(everybody[short][uncovered], partner[uncovered], strict=True):
            one = np.array([target])
            replaced(boxes, one, space.joined(taken(boxes, one), np.array([row])))


def _widened(space: Space, boxes: Boxes, rows: Ints, near: Ints) -> np.ndarray:
    """[row, candidate]: the loss of each box, widened to one candidate."""
    repeated = taken(boxes, np.repeat(np.arange(rows.size), near.shape[1]))
    return space.loss(space.joined(repeated, near.ravel())).reshape(near.shape)


def _covered(space: Space, boxes: Boxes, near: Ints) -> np.ndarray:
    """[record, candidate]: whether the candidate's released record covers the record."""
    rows = np.repeat(np.arange(space.size), near.shape[1])
    return space.holds(taken(boxes, near.ravel()), rows).reshape(near.shape)


def _matches(space: Space, boxes: Boxes, covered: np.ndarray, near: Ints) -> tuple[np.ndarray, Ints]:
    """Which candidates are matches, and how many matches each record has, itself among them."""
    size = near.shape[0]
    everybody = np.arange(size)
    rows = np.repeat(everybody, near.shape[1])
    # Whose candidate somebody is need not be theirs: both directions count.
    holds = space.holds(taken(boxes, rows), near.ravel())
    begin = np.concatenate([rows[covered.ravel()], near.ravel()[holds], everybody])
    end = np.concatenate([near[covered], rows[holds], everybody])
    edges = sparse.csr_array((np.ones(begin.size, dtype=np.int8), (begin, end)), shape=(size, size))
    graph = Graph.of_edges(edges, everybody)
    group = graph.components[0]
    matched = covered & (group[near] == group[:, None])
    return matched, matched.sum(axis=1) + 1

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
        edges = _edges(space, boxes, covered, near)
        is_match, count = _matched(edges, space.size)
        keys = edges[1][is_match] * np.int64(space.size) + edges[0][is_match]
        matched = np.isin(near * np.int64(space.size) + everybody[:, None], keys)
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


def trimmed(space: Space, near: Ints, boxes: Boxes, k: int, of_rows: int) -> Boxes:
    """k-concealment with less: cells give up values as long as everybody keeps k matches, and every released record `of_rows`.

    A value leaves a cell together with all whom the cell then no longer covers. Each round takes what gains most, and nobody
    loses more than one match in it. Where a component falls apart and somebody falls short by that, what tore it is taken
    back and stays.
    """
    edges = _edges(space, boxes, _covered(space, boxes, near), near)
    barred = np.zeros(edges[0].size, dtype=np.bool_)
    while True:
        record, box = edges
        matched, count = _matched(edges, space.size)
        drop = _droppable(space, edges, matched, count, k, of_rows, barred)
        if not drop.any():
            return space.hull(record, box)
        while (torn := _torn(edges, drop, matched, space.size, k, of_rows)).any():
            back = drop & np.isin(box, box[torn])
            barred |= back
            drop &= ~back
        edges, barred = (record[~drop], box[~drop]), barred[~drop]


def _torn(
    edges: tuple[Ints, Ints], drop: np.ndarray, matched: np.ndarray, size: int, k: int, of_rows: int
) -> np.ndarray:
    """The dropped edges between parts that fell apart, next to whoever has fewer than k matches without them."""
    record, box = edges
    group = _components((record[~drop], box[~drop]), size)
    within = ~drop & (group[record] == group[box])
    # A released record that had fewer before, because its neighbours are no matches, keeps what it had.
    least = np.minimum(of_rows, np.bincount(box[matched], minlength=size))
    of_record, of_box = (np.bincount(side[within], minlength=size) for side in edges)
    short = (of_record < k) | (of_box < least)
    if not short.any():
        return np.zeros(drop.size, dtype=np.bool_)
    parts = np.zeros(group.max() + 1, dtype=np.bool_)
    parts[group[short]] = True
    parts[group[box[short[record] & matched]]] = True
    # The largest part is what the others were torn from.
    parts[np.bincount(group).argmax()] = False
    between = drop & (group[record] != group[box])
    torn = between & (parts[group[record]] | parts[group[box]])
    return torn if torn.any() else drop


def _droppable(
    space: Space, edges: tuple[Ints, Ints], matched: np.ndarray, count: Ints, k: int, of_rows: int, barred: np.ndarray
) -> np.ndarray:
    """The edges that go if every box gives up at most one value, and every record at most one match."""
    record, box = edges
    best_gain, best_column = np.zeros(space.size), np.full(space.size, -1)
    best_group = np.full(space.size, -1)
    of_box = np.bincount(box[matched], minlength=space.size)
    groups = []
    for number, column in enumerate(space.columns):
        group, gain = column.trims(record, box)
        # A match of somebody who has none to spare, or what was tried in vain, keeps the value in.
        stuck = barred | (matched & (count[record] <= k))
        gain[group[stuck]] = 0.0
        owner = np.zeros(gain.size, dtype=np.int64)
        owner[group] = box
        gain[of_box[owner] - np.bincount(group[matched], minlength=gain.size) < of_rows] = 0.0
        order = np.argsort(gain, kind="stable")
        top, where = np.zeros(space.size), np.full(space.size, -1)
        top[owner[order]], where[owner[order]] = gain[order], order
        better = top > best_gain
        best_gain[better], best_column[better], best_group[better] = top[better], number, where[better]
        groups.append(group)
    drop = np.zeros(record.size, dtype=np.bool_)
    for number, group in enumerate(groups):
        drop |= (best_column[box] == number) & (best_group[box] == group)
    # Of all boxes that would give up the same record the one that gains most does.
    rank = np.empty(space.size, dtype=np.int64)
    rank[np.argsort(-best_gain, kind="stable")] = np.arange(space.size)
    first = np.full(space.size, space.size)
    np.minimum.at(first, record[drop & matched], rank[box[drop & matched]])
    late = drop & matched & (rank[box] > first[record])
    return drop & ~np.isin(box, box[late])


def _edges(space: Space, boxes: Boxes, covered: np.ndarray, near: Ints) -> tuple[Ints, Ints]:
    """(record, box) for every candidate pair that lies in a box, and for everybody's own, by box."""
    everybody = np.arange(space.size)
    rows = np.repeat(everybody, near.shape[1])
    # Whose candidate somebody is need not be theirs: both directions count.
    holds = space.holds(taken(boxes, rows), near.ravel())
    record = np.concatenate([rows[covered.ravel()], near.ravel()[holds], everybody])
    box = np.concatenate([near[covered], rows[holds], everybody])
    keys = np.unique(box * np.int64(space.size) + record)
    return keys % space.size, keys // space.size


def _components(edges: tuple[Ints, Ints], size: int) -> Ints:
    """The component of each record, which is that of its own box, too."""
    graph = sparse.csr_array((np.ones(edges[0].size, dtype=np.int8), edges), shape=(size, size))
    return Graph.of_edges(graph, np.arange(size)).components[0]


def _matched(edges: tuple[Ints, Ints], size: int) -> tuple[np.ndarray, Ints]:
    """Which edges are matches, and how many matches each record has."""
    record, box = edges
    group = _components(edges, size)
    matched = group[record] == group[box]
    return matched, np.bincount(record[matched], minlength=size)


def _widened(space: Space, boxes: Boxes, rows: Ints, near: Ints) -> np.ndarray:
    """[row, candidate]: the loss of each box, widened to one candidate."""
    repeated = taken(boxes, np.repeat(np.arange(rows.size), near.shape[1]))
    return space.loss(space.joined(repeated, near.ravel())).reshape(near.shape)


def _covered(space: Space, boxes: Boxes, near: Ints) -> np.ndarray:
    """[record, candidate]: whether the candidate's released record covers the record."""
    rows = np.repeat(np.arange(space.size), near.shape[1])
    return space.holds(taken(boxes, near.ravel()), rows).reshape(near.shape)

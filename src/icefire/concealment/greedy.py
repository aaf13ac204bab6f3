"""Greedy k-concealment: released records are widened to (k,1)-, then (k,k)-anonymity, then k-concealment.

Only edges between each record and its nearest candidates are considered, so that time and memory grow with records times
candidates. The guarantees hold for the whole graph, because further edges only add neighbours and matches.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy import sparse

from icefire.concealment.graph import Graph
from icefire.concealment.space import Boxes, Flags, Floats, Ints, Space, put_boxes, taken

Start = Literal["nearest", "expand"]


def k_one(space: Space, near: Ints, k: int, start: Start = "expand") -> Boxes:
    """(k,1)-anonymity: every released record covers at least k records.

    start: "nearest" takes the k - 1 nearest records; "expand" adds them one at a time, each time the cheapest.
    """
    records = np.arange(space.size)
    if start == "nearest":
        return space.closure(np.hstack([records[:, None], near[:, : k - 1]]))
    boxes = space.single(records)
    used = np.zeros(near.shape, dtype=np.bool_)
    for _ in range(k - 1):
        cost = _widened_loss(space, boxes, records, near)
        cost[used] = np.inf
        best = cost.argmin(axis=1)
        used[records, best] = True
        boxes = space.joined(boxes, near[records, best])
    return boxes


def one_k(space: Space, near: Ints, boxes: Boxes, k: int) -> Boxes:
    """(1,k)-anonymity: every record is covered by at least k released records; the cheapest ones are widened."""
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
        # If several records choose the same released record, only the cheapest gets it in this round.
        order = np.argsort(extra[np.arange(short.size), best], kind="stable")
        _, first = np.unique(chosen[order], return_index=True)
        turn = order[first]
        put_boxes(boxes, chosen[turn], space.joined(taken(boxes, chosen[turn]), short[turn]))


def concealed(space: Space, near: Ints, boxes: Boxes, k: int) -> Boxes:
    """k-concealment: a record with fewer than k matches gets another by a swap with a neighbour, the cheapest first."""
    records = np.arange(space.size)
    boxes = taken(boxes, records)
    while True:
        covered = _covered(space, boxes, near)
        edges = _edges(space, boxes, covered, near)
        is_match, count = _matched(edges, space.size)
        keys = edges[1][is_match] * np.int64(space.size) + edges[0][is_match]
        matched = np.isin(near * np.int64(space.size) + records[:, None], keys)
        short = np.flatnonzero(count < k)
        if not short.size:
            return boxes
        # Widening a box to a record whose own box already covers this record makes the two matches of each other.
        cost = _widened_loss(space, taken(boxes, short), short, near[short])
        cost[matched[short]] = np.inf
        # Candidates whose boxes do not cover the record yet are the last resort: their boxes are widened as well.
        cost[~covered[short]] += 2.0
        best = cost.argmin(axis=1)
        partner = near[short, best]
        put_boxes(boxes, short, space.joined(taken(boxes, short), partner))
        uncovered = ~covered[short, best]
        for record, candidate in zip(short[uncovered], partner[uncovered], strict=True):
            target = np.array([candidate])
            put_boxes(boxes, target, space.joined(taken(boxes, target), np.array([record])))


def trimmed(space: Space, near: Ints, boxes: Boxes, k: int, of_rows: int) -> Boxes:
    """Remove values from cells while every record keeps k matches, and every released record keeps `of_rows`.

    Removing a value from a cell removes the edges to all records with that value. Each round removes the values of largest
    gain, at most one match of each record. If that splits a component and leaves a record with too few matches, the removals
    that split it are undone for good.
    """
    edges = _edges(space, boxes, _covered(space, boxes, near), near)
    barred = np.zeros(edges[0].size, dtype=np.bool_)
    while True:
        record, box = edges
        matched, count = _matched(edges, space.size)
        drop = _droppable(space, edges, matched, count, k, of_rows, barred)
        if not drop.any():
            return space.hull(record, box)
        while (splitting := _splitting(edges, drop, matched, space.size, k, of_rows)).any():
            undone = drop & np.isin(box, box[splitting])
            barred |= undone
            drop &= ~undone
        edges, barred = (record[~drop], box[~drop]), barred[~drop]


def _splitting(edges: tuple[Ints, Ints], drop: Flags, matched: Flags, size: int, k: int, of_rows: int) -> Flags:
    """The dropped edges between new components, next to records or boxes that have too few matches without them."""
    record, box = edges
    group = _components((record[~drop], box[~drop]), size)
    within = ~drop & (group[record] == group[box])
    # A released record that already had fewer matches need only keep those.
    least = np.minimum(of_rows, np.bincount(box[matched], minlength=size))
    of_record, of_box = (np.bincount(side[within], minlength=size) for side in edges)
    short = (of_record < k) | (of_box < least)
    if not short.any():
        return np.zeros(drop.size, dtype=np.bool_)
    parts = np.zeros(group.max() + 1, dtype=np.bool_)
    parts[group[short]] = True
    parts[group[box[short[record] & matched]]] = True
    # The largest component is what the others were split from.
    parts[np.bincount(group).argmax()] = False
    between = drop & (group[record] != group[box])
    splitting = between & (parts[group[record]] | parts[group[box]])
    return splitting if splitting.any() else drop


def _droppable(
    space: Space, edges: tuple[Ints, Ints], matched: Flags, count: Ints, k: int, of_rows: int, barred: Flags
) -> Flags:
    """The edges to drop in a round: every box loses at most one value, and every record at most one match."""
    record, box = edges
    best_gain, best_column = np.zeros(space.size), np.full(space.size, -1)
    best_group = np.full(space.size, -1)
    of_box = np.bincount(box[matched], minlength=space.size)
    groups = []
    for number, column in enumerate(space.columns):
        group, gain = column.trims(record, box)
        # A value stays if a record with no match to spare needs it, or if its removal was undone before.
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
    # If several boxes would drop the same record, only the one of largest gain does.
    rank = np.empty(space.size, dtype=np.int64)
    rank[np.argsort(-best_gain, kind="stable")] = np.arange(space.size)
    first = np.full(space.size, space.size)
    np.minimum.at(first, record[drop & matched], rank[box[drop & matched]])
    late = drop & matched & (rank[box] > first[record])
    return drop & ~np.isin(box, box[late])


def _edges(space: Space, boxes: Boxes, covered: Flags, near: Ints) -> tuple[Ints, Ints]:
    """(record, box) for every candidate pair where the box covers the record, and for every record and its own box.

    Sorted by box.
    """
    records = np.arange(space.size)
    rows = np.repeat(records, near.shape[1])
    # Being a candidate is not symmetric, so both directions are checked.
    holds = space.holds(taken(boxes, rows), near.ravel())
    record = np.concatenate([rows[covered.ravel()], near.ravel()[holds], records])
    box = np.concatenate([near[covered], rows[holds], records])
    keys = np.unique(box * np.int64(space.size) + record)
    return keys % space.size, keys // space.size


def _components(edges: tuple[Ints, Ints], size: int) -> Ints:
    """The component of each record and of its own box."""
    graph = sparse.csr_array((np.ones(edges[0].size, dtype=np.int8), edges), shape=(size, size))
    return Graph.of_edges(graph, np.arange(size)).components[0]


def _matched(edges: tuple[Ints, Ints], size: int) -> tuple[Flags, Ints]:
    """Which edges are matches, and the number of matches of each record."""
    record, box = edges
    group = _components(edges, size)
    matched = group[record] == group[box]
    return matched, np.bincount(record[matched], minlength=size)


def _widened_loss(space: Space, boxes: Boxes, rows: Ints, near: Ints) -> Floats:
    """[row, candidate]: the loss of each box after it is widened to hold the candidate."""
    repeated = taken(boxes, np.repeat(np.arange(rows.size), near.shape[1]))
    return space.loss(space.joined(repeated, near.ravel())).reshape(near.shape)


def _covered(space: Space, boxes: Boxes, near: Ints) -> Flags:
    """[record, candidate]: whether the candidate's box covers the record."""
    rows = np.repeat(np.arange(space.size), near.shape[1])
    return space.holds(taken(boxes, near.ravel()), rows).reshape(near.shape)

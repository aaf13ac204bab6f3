"""Decision trees over codes: each split halves the values of one column so that the rows on both sides differ most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from icefire.synthetic.data import Floats, Ints, Mask
from icefire.synthetic.encoding import Codes

NONE = -1
GAIN = 1e-9
"""The least gain of a split, as a share of what all rows differ."""


@dataclass(frozen=True)
class Tree:
    """Nodes in an order in which parents come first; node 0 is the root."""

    columns: Ints
    """[node]: the column that decides; NONE for a leaf."""
    children: Ints
    """[node]: the node on the left; the right one follows it."""
    starts: Ints
    """[node]: where in `left` the codes of its column begin."""
    left: Mask
    """[start of a node + code]: whether rows with this code go left."""

    def leaves(self, codes: Codes) -> Ints:
        """[row]: the leaf that it falls into."""
        nodes = np.zeros(codes.shape[0], dtype=np.int64)
        moving = np.arange(codes.shape[0])
        while True:
            moving = moving[self.columns[nodes[moving]] != NONE]
            if not moving.size:
                return nodes
            at = nodes[moving]
            goes_left = self.left[self.starts[at] + codes[moving, self.columns[at]]]
            nodes[moving] = self.children[at] + ~goes_left


def grow(
    codes: Codes,
    sizes: Sequence[int],
    categorical: Sequence[bool],
    targets: Floats,
    least: int = 5,
    depth: int = 30,
) -> Tree:
    """The tree whose splits lower the squared error of the targets, [row, target], most: CART.

    With the indicators of classes as targets, that is the lowest Gini impurity. Codes of a categorical column are sorted by
    their targets first, which for one target, and so for two classes, finds the best of all halves.

    Parameters:
        least: number of rows of a leaf at least.
        depth: number of splits above a leaf at most.

    >>> codes = np.array([[0], [1], [2], [3]], dtype=np.int32)
    >>> grow(codes, (4,), (False,), np.array([[1.0], [1.0], [9.0], [9.0]]), least=1).leaves(codes).tolist()
    [1, 1, 2, 2]
    """
    targets = targets - targets.mean(axis=0)
    floor = GAIN * float((targets**2).sum())
    columns, children, starts, left = [NONE], [NONE], [0], [np.zeros(0, dtype=np.bool_)]
    nodes = np.zeros(codes.shape[0], dtype=np.int64)
    # Nodes of one depth are split together.
    level, used = np.array([0]), 0
    for _ in range(depth):
        places = np.full(len(columns), NONE)
        places[level] = np.arange(level.size)
        rows = np.flatnonzero(places[nodes] != NONE)
        best = _best_splits(places[nodes[rows]], level.size, codes[rows], sizes, categorical, targets[rows], least)
        chosen = np.flatnonzero(best.gains > floor)
        if not chosen.size:
            break
        for place in chosen:
            node, column = int(level[place]), int(best.columns[place])
            columns[node], children[node], starts[node] = column, len(columns), used
            left.append(best.left[place])
            used += best.left[place].size
            columns += [NONE, NONE]
            children += [NONE, NONE]
            starts += [0, 0]
        split = rows[np.isin(places[nodes[rows]], chosen)]
        tree = Tree(np.array(columns), np.array(children), np.array(starts), np.concatenate(left))
        at = nodes[split]
        goes_left = tree.left[tree.starts[at] + codes[split, tree.columns[at]]]
        nodes[split] = tree.children[at] + ~goes_left
        level = np.arange(len(columns) - 2 * chosen.size, len(columns))
    return Tree(np.array(columns), np.array(children), np.array(starts), np.concatenate(left))


@dataclass
class _Best:
    """The best split of each node so far."""

    gains: Floats
    columns: Ints
    left: list[Mask]


def _best_splits(
    places: Ints,
    number: int,
    codes: Codes,
    sizes: Sequence[int],
    categorical: Sequence[bool],
    targets: Floats,
    least: int,
) -> _Best:
    best = _Best(np.zeros(number), np.full(number, NONE), [np.zeros(0, dtype=np.bool_)] * number)
    for column, size in enumerate(sizes):
        cells = places * size + codes[:, column]
        counts = np.bincount(cells, minlength=number * size).reshape(number, size)
        summed = [np.bincount(cells, weights=target, minlength=number * size) for target in targets.T]
        sums: Floats = np.stack(summed, axis=1, dtype=np.float64).reshape(number, size, -1)
        order = np.argsort(_scores(counts, sums), axis=1, kind="stable") if categorical[column] else None
        if order is not None:
            counts = np.take_along_axis(counts, order, axis=1)
            sums = np.take_along_axis(sums, order[:, :, None], axis=1)
        below, total = np.cumsum(counts, axis=1), counts.sum(axis=1, keepdims=True)
        above = total - below
        left, whole = np.cumsum(sums, axis=1), sums.sum(axis=1, keepdims=True)
        right = whole - left
        gains = (
            (left**2).sum(axis=2) / np.maximum(below, 1)
            + (right**2).sum(axis=2) / np.maximum(above, 1)
            - (whole**2).sum(axis=2) / np.maximum(total, 1)
        )
        gains[(below < least) | (above < least)] = 0.0
        cut = gains.argmax(axis=1)
        gain = gains[np.arange(number), cut]
        for place in np.flatnonzero(gain > best.gains):
            goes_left = np.zeros(size, dtype=np.bool_)
            ordered = np.arange(size) if order is None else order[place]
            goes_left[ordered[: cut[place] + 1]] = True
            best.left[place], best.columns[place], best.gains[place] = goes_left, column, gain[place]
    return best


def _scores(counts: Ints, sums: Floats) -> Floats:
    """[node, code]: where the mean targets of rows with a code lie, along the direction in which they differ most."""
    means = sums / np.maximum(counts, 1)[:, :, None]
    if means.shape[2] == 1:
        return np.asarray(means[:, :, 0])
    weights = counts[:, :, None]
    centred = means - (sums.sum(axis=1, keepdims=True) / np.maximum(counts.sum(axis=1), 1)[:, None, None])
    directions = np.linalg.eigh(np.swapaxes(centred * weights, 1, 2) @ centred)[1][:, :, -1]
    # Which of the two ways a direction points is not defined, so that the largest part is taken as positive.
    largest = np.take_along_axis(directions, np.abs(directions).argmax(axis=1)[:, None], axis=1)
    return np.asarray((centred @ (directions * np.sign(largest))[:, :, None])[:, :, 0])


MOST = 20
"""Classes that count by themselves when a split is chosen; the rarer ones count together."""


def indicators(codes: Ints, size: int) -> Floats:
    """[row, class]: 1 for the class of the row.

    >>> indicators(np.array([0, 2, 0]), 3).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    if size > MOST:
        frequent = np.argsort(-np.bincount(codes, minlength=size), kind="stable")
        together = np.full(size, MOST - 1)
        together[frequent[: MOST - 1]] = np.arange(MOST - 1)
        codes, size = together[codes], MOST
    return np.eye(size)[codes]

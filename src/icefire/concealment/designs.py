"""Complete designs of k-concealment: the union of k disjoint perfect matchings, of which the identity is one."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from icefire.concealment import Design
from icefire.concealment.auction import auctioned
from icefire.concealment.exchange import exchanged
from icefire.concealment.space import Ints, Space
from icefire.core.errors import need
from icefire.core.matching import full_matching

Floats = NDArray[np.float64]
LARGEST = 4_000
"""Records up to which exchanges begin with exact assignments; their time grows much faster than the number of records."""
SCALE = 1_000_000
"""Factor from costs to the integers that the flow solver needs."""


def design(space: Space, near: Ints, k: int, how: Design) -> Ints:
    """[record, k]: the records that each released record covers, its own first; every record is covered k times.

    Edges are limited to the candidates in `near`, and to a few others that guarantee a solution.
    """
    if how == "exchange":
        many = space.size > max(LARGEST, 2 * k)
        start = auctioned(space, near, k) if many else design(space, near, k, "lsap")
        return exchanged(space, near, start)
    edges = _Edges(space, np.repeat(np.arange(space.size), near.shape[1]), near.ravel(), k)
    if how == "flow":
        return edges.flow(k)
    if how == "lsap":
        return edges.assignments(k)
    found = [np.arange(space.size)]
    tour = edges.tour(set(edges.keys(found))) if how == "ring" else found[0]
    for _ in range(k - 1):
        found.append(tour[found[-1]] if how == "ring" else edges.tour(set(edges.keys(found))))
    return np.stack(found, axis=1)


class _Edges:
    """Candidate edges with their costs: (i, j) if the released record of i may cover j."""

    def __init__(self, space: Space, begin: Ints, end: Ints, k: int) -> None:
        size = space.size
        self.size = size
        self.space = space
        # The records in sorted order. A cyclic shift of it is a perfect matching, so a solution always exists.
        self.walk = np.lexsort([column.codes for column in space.columns])
        self.begin, self.end = begin, end
        self._add_shifts(k)

    def _add_shifts(self, count: int) -> None:
        self.shifts = min(count, self.size - 1)
        records = np.arange(self.size)
        place = np.empty(self.size, dtype=np.int64)
        place[self.walk] = records
        ends = [self.walk[(place + step) % self.size] for step in range(1, self.shifts + 1)]
        begin = np.concatenate([self.begin, np.tile(records, len(ends))])
        keys = np.unique(begin * np.int64(self.size) + np.concatenate([self.end, *ends]))
        self.begin, self.end = keys // self.size, keys % self.size
        self.cost = self.space.pair_loss(self.begin, self.end)

    def keys(self, partners: list[Ints]) -> list[int]:
        """The edges of matchings, each encoded as an integer."""
        records = np.arange(self.size, dtype=np.int64)
        return [int(key) for partner in partners for key in records * self.size + partner]

    def assignments(self, k: int) -> Ints:
        """[record, k]: itself, and its partners in k - 1 disjoint perfect matchings, each of least cost."""
        found = [np.arange(self.size)]
        for _ in range(k - 1):
            found.append(self.assignment(set(self.keys(found))))
        return np.stack(found, axis=1)

    def assignment(self, used: set[int]) -> Ints:
        """The perfect matching of least cost without the used edges."""
        while True:
            left = ~np.isin(self.begin * np.int64(self.size) + self.end, np.fromiter(used, dtype=np.int64))
            try:
                return full_matching(self.begin[left], self.end[left], self.cost[left], (self.size, self.size))
            except ValueError:
                # The used edges may leave no perfect matching among the candidates; among all pairs there always is one.
                if self.shifts == self.size - 1:
                    raise
                self._add_shifts(2 * self.shifts)

    def tour(self, used: set[int]) -> Ints:
        """A Hamiltonian cycle without the used edges: an assignment whose cycles are patched together (Karp 1979)."""
        after = self.assignment(used)
        # Patching at (i, j) swaps the successors of i and j.
        left, right = self.begin, self.end
        cost = self.space.pair_loss(left, after[right]) + self.space.pair_loss(right, after[left])
        cost -= self.space.pair_loss(left, after[left]) + self.space.pair_loss(right, after[right])
        cycle = _cycles(after)
        order = np.flatnonzero(cycle[left] != cycle[right])
        order = order[np.argsort(cost[order], kind="stable")]
        cycles = int(cycle.max()) + 1
        parent = np.arange(cycles)
        if cycles == 1:
            return after
        pairs = [(int(left[place]), int(right[place])) for place in order]
        # Cycles that candidates cannot join are joined at any pair of records.
        for first, second in itertools.chain(pairs, itertools.combinations(self.walk.tolist(), 2)):
            roots = _root(parent, cycle[first]), _root(parent, cycle[second])
            swapped = first * self.size + int(after[second]), second * self.size + int(after[first])
            if roots[0] == roots[1] or swapped[0] in used or swapped[1] in used:
                continue
            after[first], after[second] = after[second], after[first]
            parent[roots[0]] = roots[1]
            cycles -= 1
            if cycles == 1:
                break
        return after

    def flow(self, k: int) -> Ints:
        """k - 1 partners of each record at least total cost, by a min-cost flow, whose solutions are integral."""
        network = need("ortools.graph.python.min_cost_flow", "conceal").SimpleMinCostFlow()
        size, arcs = self.size, self.cost.size
        proper = self.begin != self.end
        network.add_arcs_with_capacity_and_unit_cost(
            self.begin[proper], size + self.end[proper], np.ones(int(proper.sum())), np.rint(self.cost[proper] * SCALE)
        )
        supplies = np.concatenate([np.full(size, k - 1), np.full(size, 1 - k)])
        network.set_nodes_supplies(np.arange(2 * size), supplies)
        status = network.solve()
        assert status == network.OPTIMAL, f"the network of {arcs} arcs has no flow of {k - 1} per record"
        used = np.flatnonzero(network.flows(np.arange(int(proper.sum()))) > 0)
        begin, end = self.begin[proper][used], self.end[proper][used]
        order = np.argsort(begin, kind="stable")
        return np.hstack([np.arange(size)[:, None], end[order].reshape(size, k - 1)])


def _cycles(after: Ints) -> Ints:
    """The cycle of each record in a permutation."""
    size = after.size
    graph = sparse.csr_array((np.ones(size, dtype=np.int8), (np.arange(size), after)), shape=(size, size))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _root(parent: Ints, node: int) -> int:
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = int(parent[node])
    return int(node)

"""Complete designs: everybody has exactly k matches, by k perfect matchings of which identity is one."""

from __future__ import annotations

import itertools
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from icefire.concealment.space import Ints, Space
from icefire.core.errors import need
from icefire.core.matching import full_matching

Design = Literal["ring", "tsp", "lsap", "flow"]
Floats = NDArray[np.float64]
SCALE = 1_000_000
"""Costs are whole millionths where a solver wants integers."""


def design(space: Space, near: Ints, k: int, how: Design) -> Ints:
    """[record, k]: whose values the released record covers, its own first; every record stands in k rows.

    Edges are limited to candidates and a few that make a solution certain.
    """
    edges = _Edges(space, near, k)
    if how == "flow":
        return edges.flow(k)
    found = [np.arange(space.size)]
    tour = edges.tour(set(edges.keys(found))) if how == "ring" else found[0]
    for _ in range(k - 1):
        if how == "ring":
            found.append(tour[found[-1]])
        else:
            used = set(edges.keys(found))
            found.append(edges.tour(used) if how == "tsp" else edges.assignment(used))
    return np.stack(found, axis=1)


class _Edges:
    """Candidate edges with their costs, from records to those whose released record is to cover them."""

    def __init__(self, space: Space, near: Ints, k: int) -> None:
        size = space.size
        self.size = size
        self.space = space
        everybody = np.arange(size)
        # A walk through similar records: shifts along it are perfect matchings, so there always is a solution.
        walk = np.lexsort([column.codes for column in space.columns])
        self.walk = walk
        self.begin, self.end = np.repeat(everybody, near.shape[1]), near.ravel()
        self._add_shifts(k)

    def _add_shifts(self, count: int) -> None:
        self.shifts = min(count, self.size - 1)
        everybody = np.arange(self.size)
        place = np.empty(self.size, dtype=np.int64)
        place[self.walk] = everybody
        ends = [self.walk[(place + step) % self.size] for step in range(1, self.shifts + 1)]
        begin = np.concatenate([self.begin, np.tile(everybody, len(ends))])
        keys = np.unique(begin * np.int64(self.size) + np.concatenate([self.end, *ends]))
        self.begin, self.end = keys // self.size, keys % self.size
        self.cost = self.space.pair_loss(self.begin, self.end)

    def keys(self, partners: list[Ints]) -> list[int]:
        """The edges of matchings, as numbers."""
        everybody = np.arange(self.size, dtype=np.int64)
        return [int(key) for partner in partners for key in everybody * self.size + partner]

    def assignment(self, used: set[int]) -> Ints:
        """The partner of each record, at least total cost, none by an edge that was used."""
        while True:
            left = ~np.isin(self.begin * np.int64(self.size) + self.end, np.fromiter(used, dtype=np.int64))
            try:
                return full_matching(self.begin[left], self.end[left], self.cost[left], (self.size, self.size))
            except ValueError:
                # What was used may leave no full matching among these edges; among all pairs there always is one.
                if self.shifts == self.size - 1:
                    raise
                self._add_shifts(2 * self.shifts)

    def tour(self, used: set[int]) -> Ints:
        """One cycle through all: an assignment whose cycles are patched together where that costs least (Karp 1979)."""
        after = self.assignment(used)
        # Patching at (i, j) makes i go to where j went, and j to where i went.
        one, other = self.begin, self.end
        cost = self.space.pair_loss(one, after[other]) + self.space.pair_loss(other, after[one])
        cost -= self.space.pair_loss(one, after[one]) + self.space.pair_loss(other, after[other])
        cycle = _cycles(after)
        order = np.flatnonzero(cycle[one] != cycle[other])
        order = order[np.argsort(cost[order], kind="stable")]
        cycles = int(cycle.max()) + 1
        parent = np.arange(cycles)
        pairs = [(int(one[place]), int(other[place])) for place in order]
        # What candidates cannot join is joined along the walk, and in the end anywhere.
        if cycles == 1:
            return after
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
        """k - 1 partners for each at least total cost: a flow of least cost, which is integral by itself."""
        network = need("ortools.graph.python.min_cost_flow", "conceal").SimpleMinCostFlow()
        size, arcs = self.size, self.cost.size
        other = self.begin != self.end
        network.add_arcs_with_capacity_and_unit_cost(
            self.begin[other], size + self.end[other], np.ones(int(other.sum())), np.rint(self.cost[other] * SCALE)
        )
        supplies = np.concatenate([np.full(size, k - 1), np.full(size, 1 - k)])
        network.set_nodes_supplies(np.arange(2 * size), supplies)
        status = network.solve()
        assert status == network.OPTIMAL, f"the network of {arcs} arcs has no flow of {k - 1} per record"
        used = np.flatnonzero(network.flows(np.arange(int(other.sum()))) > 0)
        begin, end = self.begin[other][used], self.end[other][used]
        order = np.argsort(begin, kind="stable")
        return np.hstack([np.arange(size)[:, None], end[order].reshape(size, k - 1)])


def _cycles(after: Ints) -> Ints:
    """The number of each record's cycle."""
    size = after.size
    graph = sparse.csr_array((np.ones(size, dtype=np.int8), (np.arange(size), after)), shape=(size, size))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _root(parent: Ints, node: int) -> int:
    while parent[node] != node:
        parent[node] = parent[parent[node]]
        node = int(parent[node])
    return int(node)

"""The bipartite graph of original and released records, its perfect matchings and the matches of each record.

An edge joins an original record and a released record that covers it: they are neighbours. The truth is a perfect matching.
A *match* of a record is a neighbour by an edge that lies in some perfect matching: only a match can be the truth. All
matches follow from one perfect matching and the strongly connected components.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from icefire.concealment.trie import Trie
from icefire.core.errors import DataError

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
MOST = 50_000_000
"""Largest number of edges for which a perfect matching is computed."""


@dataclass(frozen=True)
class Graph:
    """The bipartite graph of a release, in which equal records are merged: they have the same neighbours and matches."""

    edges: sparse.csr_array = field(repr=False)
    """[record class, released class], sparse."""
    records: Ints = field(repr=False)
    """The class (group of equal records) of each original record."""
    released: Ints = field(repr=False)
    """The class of each released record."""
    owners: Ints = field(repr=False)
    """The original record of each released record, by the truth or by any perfect matching; empty if none was computed."""

    @classmethod
    def of_edges(cls, edges: sparse.csr_array, owners: Ints | None = None) -> Graph:
        """The graph of the given edges, [record, released record]; without owners a perfect matching is computed."""
        rows, columns = (np.arange(size) for size in edges.shape)
        return cls(edges, rows, columns, _perfect_matching(edges) if owners is None else owners)

    @classmethod
    def of_cells(
        cls, values: Ints, cells: Ints, fits: Sequence[Flags], owners: Ints | None = None, matched: bool = True
    ) -> Graph:
        """The graph of a release; without owners a perfect matching is computed. If it need not be `matched`, there is none
        where that would take too long.

        values: [record, column], codes of values. cells: [released record, column], codes of distinct cells. fits: for each
        column, [cell, value], whether the value lies in the cell.
        """
        if values.shape[0] != cells.shape[0]:
            raise DataError(
                f"{cells.shape[0]:,} released records for {values.shape[0]:,} original ones: k-concealment needs a release "
                "with every record exactly once"
            )
        if owners is not None:
            _check_truth(values, cells, fits, owners)
        distinct, records = _distinct(values)
        boxes, released = _distinct(cells)
        edges = covers(distinct, boxes, fits)
        if owners is None:
            pairs = int((edges.astype(np.int64) @ np.bincount(released)) @ np.bincount(records))
            if pairs > MOST and not matched:
                return cls(edges, records, released, np.zeros(0, dtype=np.int64))
            if pairs > MOST:
                raise DataError(
                    f"{pairs:,} pairs of a record and a row that covers it are too many to compute a matching: give the row map"
                )
            owners = _perfect_matching(sparse.csr_array(edges[records][:, released]))
        return cls(edges, records, released, owners)

    @property
    def size(self) -> int:
        return self.records.size

    @cached_property
    def components(self) -> tuple[Ints, Ints]:
        """The strongly connected component of each record class and of each released class."""
        height, width = self.edges.shape
        back = np.unique(self.released * np.int64(height) + self.records[self.owners])
        begins = np.concatenate(
            [self.edges.indptr, self.edges.nnz + np.cumsum(np.bincount(back // height, minlength=width))]
        )
        columns = np.concatenate([self.edges.indices + np.int32(height), (back % height).astype(np.int32)])
        size = height + width
        directed = sparse.csr_array((np.ones(columns.size), columns, begins), shape=(size, size))
        _, label = connected_components(directed, directed=True, connection="strong")
        return label[:height].astype(np.int64), label[height:].astype(np.int64)

    @cached_property
    def matching_edges(self) -> sparse.csr_array:
        """The edges that lie in some perfect matching; all edges if none was computed."""
        if not self.owners.size:
            return sparse.csr_array(self.edges.astype(np.float64))
        left, right = self.components
        kept = np.repeat(left, np.diff(self.edges.indptr)) == right[self.edges.indices]
        before = np.concatenate([[0], np.cumsum(kept)])
        columns = self.edges.indices[kept]
        return sparse.csr_array((np.ones(columns.size), columns, before[self.edges.indptr]), shape=self.edges.shape)

    def neighbours(self) -> tuple[Ints, Ints]:
        """Number of neighbours of each record, and of each released record."""
        return self._degrees(self.edges)

    def matches(self) -> tuple[Ints, Ints]:
        """Number of matches of each record, and of each released record."""
        return self._degrees(self.matching_edges)

    def _degrees(self, edges: sparse.csr_array) -> tuple[Ints, Ints]:
        height, width = edges.shape
        ones = sparse.csr_array((np.ones(edges.nnz), edges.indices, edges.indptr), shape=edges.shape)
        of_records = ones @ np.bincount(self.released, minlength=width)
        of_released = ones.T @ np.bincount(self.records, minlength=height)
        return of_records[self.records].astype(np.int64), of_released[self.released].astype(np.int64)

    def worlds(self) -> sparse.csr_array:
        """[record, released record]: all matches, with equal records apart."""
        return sparse.csr_array(self.matching_edges[self.records][:, self.released])

    def exposed_by_leak(self, leaks: Ints) -> Ints:
        """For each leaked link, given by its released record: how many other records are left with a single match."""
        worlds = self.worlds()
        group = self.components[0][self.records]
        order = np.argsort(group, kind="stable")
        ends = np.searchsorted(group[order], np.arange(group.max() + 2))
        own = np.empty(self.size, dtype=np.int64)
        own[self.owners] = np.arange(self.size)
        found = np.empty(leaks.size, dtype=np.int64)
        for place, leak in enumerate(leaks):
            number = group[self.owners[leak]]
            members = order[ends[number] : ends[number + 1]]
            rest = members[members != self.owners[leak]]
            inside = sparse.csr_array(worlds[rest][:, own[rest]])
            left = Graph.of_edges(inside, np.arange(rest.size)).matches()[0] if rest.size else rest
            before = np.diff(worlds.indptr)[rest]
            found[place] = int(((left == 1) & (before > 1)).sum())
        return found


def _check_truth(values: Ints, cells: Ints, fits: Sequence[Flags], owners: Ints) -> None:
    times = np.bincount(owners, minlength=values.shape[0])
    if (times != 1).any():
        raise DataError(
            f"the row map names original record {times.argmax() + 1} {times.max()} times and record {times.argmin() + 1} "
            f"{times.min()} times: k-concealment needs a release with every record exactly once"
        )
    inside = np.ones(owners.size, dtype=np.bool_)
    for column, table in enumerate(fits):
        inside &= table[cells[:, column], values[owners, column]]
    wrong = np.flatnonzero(~inside)
    if wrong.size:
        raise DataError(
            f"released record {wrong[0] + 1} does not cover the original record {owners[wrong[0]] + 1} it was made from "
            f"({wrong.size:,} in all): either the row map is wrong, or the release does more than generalize"
        )


def _distinct(table: Ints) -> tuple[Ints, Ints]:
    """The distinct rows, and the index of each row among them."""
    sizes = [int(size) + 1 for size in table.max(axis=0)]
    if math.prod(sizes) >= 2**62:
        rows, which = np.unique(table, axis=0, return_inverse=True)
        return rows, which.ravel()
    # As np.ravel_multi_index, which takes 64 columns at most.
    strides = np.array([math.prod(sizes[at + 1 :]) for at in range(len(sizes))], dtype=np.int64)
    _, first, which = np.unique(table @ strides, return_index=True, return_inverse=True)
    return table[first], which


def covers(values: Ints, cells: Ints, fits: Sequence[Flags]) -> sparse.csr_array:
    """[record, released record]: whether the released record covers the record; rows have to be distinct on both sides."""
    misfits = [(~table).astype(np.float64) for table in fits]
    trie = Trie(list(values.T), list(cells.T), misfits)
    near = list(trie.within(np.arange(len(cells)), np.zeros(len(cells))))
    rows, columns = (np.concatenate(side) for side in zip(*((n.records, n.boxes) for n in near), strict=True))
    shape = (values.shape[0], cells.shape[0])
    return sparse.csr_array((np.ones(rows.size, dtype=np.int8), (rows, columns)), shape=shape)


def _perfect_matching(edges: sparse.csr_array) -> Ints:
    """A perfect matching (Hopcroft-Karp): the record of each released record."""
    partner = maximum_bipartite_matching(sparse.csr_matrix(edges), perm_type="row")
    unmatched = np.flatnonzero(partner < 0)
    if unmatched.size:
        raise DataError(
            f"the graph has no perfect matching: no record is left for released record {unmatched[0] + 1} "
            f"({unmatched.size:,} in all). Either a record is missing, or a released record does not cover its original"
        )
    return partner.astype(np.int64)

"""Who may be behind which released record: the bipartite graph of a release, and what follows from it exactly.

An edge joins an original record and a released one that covers it. The truth is a perfect matching of this graph. A *match* of
a record is a neighbour whose edge lies in some perfect matching: only these can be the truth. One perfect matching and the
strongly connected components tell all of them.
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

from icefire.core.errors import DataError

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
PART = 4_000_000
"""Pairs that are looked at together."""
MOST = 50_000_000
"""Pairs up to which a perfect matching is searched for."""
TABLE = 100_000_000
"""Entries of a table up to which branches are looked up rather than searched."""


@dataclass(frozen=True)
class Graph:
    """Equal records are one node, equal released records another: they have the same neighbours and the same matches."""

    edges: sparse.csr_array = field(repr=False)
    """[record class, released class]."""
    records: Ints = field(repr=False)
    """The class of each original record."""
    released: Ints = field(repr=False)
    """The class of each released record."""
    owners: Ints = field(repr=False)
    """The record that each released one is matched with, in one perfect matching: the truth, or any."""

    @classmethod
    def of_edges(cls, edges: sparse.csr_array, owners: Ints | None = None) -> Graph:
        """A graph given by its edges, [record, released record]."""
        everybody = np.arange(edges.shape[0])
        return cls(edges, everybody, np.arange(edges.shape[1]), _matched(edges) if owners is None else owners)

    @classmethod
    def of_cells(cls, values: Ints, cells: Ints, fits: Sequence[Flags], owners: Ints | None = None) -> Graph:
        """The graph of a release.

        values: [record, column], codes. cells: [released, column], codes of distinct cells. fits: for each column which
        value lies in which distinct cell, [cell, value].
        """
        if values.shape[0] != cells.shape[0]:
            raise DataError(
                f"{cells.shape[0]:,} released records for {values.shape[0]:,} original ones: concealment is about releases "
                "that hold everybody once"
            )
        if owners is not None:
            _check_truth(values, cells, fits, owners)
        distinct, records = _distinct(values)
        boxes, released = _distinct(cells)
        edges = covers(distinct, boxes, fits)
        if owners is None:
            pairs = int((edges.astype(np.int64) @ np.bincount(released)) @ np.bincount(records))
            if pairs > MOST:
                raise DataError(
                    f"{pairs:,} pairs of a record and a row that covers it are too many to find a matching among: give the "
                    "row map"
                )
            owners = _matched(sparse.csr_array(edges[records][:, released]))
        return cls(edges, records, released, owners)

    @property
    def size(self) -> int:
        return self.records.size

    @cached_property
    def components(self) -> tuple[Ints, Ints]:
        """The component of each record class and of each released class."""
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
        """The edges that lie in some perfect matching."""
        left, right = self.components
        kept = np.repeat(left, np.diff(self.edges.indptr)) == right[self.edges.indices]
        before = np.concatenate([[0], np.cumsum(kept)])
        columns = self.edges.indices[kept]
        return sparse.csr_array((np.ones(columns.size), columns, before[self.edges.indptr]), shape=self.edges.shape)

    def neighbours(self) -> tuple[Ints, Ints]:
        """How many neighbours each record and each released record has."""
        return self._degrees(self.edges)

    def matches(self) -> tuple[Ints, Ints]:
        """How many matches each record and each released record has."""
        return self._degrees(self.matching_edges)

    def _degrees(self, edges: sparse.csr_array) -> tuple[Ints, Ints]:
        height, width = edges.shape
        ones = sparse.csr_array((np.ones(edges.nnz), edges.indices, edges.indptr), shape=edges.shape)
        of_records = ones @ np.bincount(self.released, minlength=width)
        of_released = ones.T @ np.bincount(self.records, minlength=height)
        return of_records[self.records].astype(np.int64), of_released[self.released].astype(np.int64)

    def worlds(self) -> sparse.csr_array:
        """[record, released record]: every match."""
        return sparse.csr_array(self.matching_edges[self.records][:, self.released])

    def exposed_by_leak(self, leaks: Ints) -> Ints:
        """For each leaked link (a released record and its owner become known): how many others have one match left."""
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
            f"{times.min()} times: concealment is about releases that hold everybody once"
        )
    inside = np.ones(owners.size, dtype=np.bool_)
    for column, table in enumerate(fits):
        inside &= table[cells[:, column], values[owners, column]]
    wrong = np.flatnonzero(~inside)
    if wrong.size:
        raise DataError(
            f"released record {wrong[0] + 1} does not cover the original record {owners[wrong[0]] + 1} it was made from "
            f"({wrong.size:,} in all): either the row map is wrong, or the release does not merely generalize"
        )


def _distinct(table: Ints) -> tuple[Ints, Ints]:
    """The different rows, and which of them each row is."""
    sizes = [int(size) + 1 for size in table.max(axis=0)]
    if math.prod(sizes) >= 2**62:
        rows, which = np.unique(table, axis=0, return_inverse=True)
        return rows, which.ravel()
    _, first, which = np.unique(np.ravel_multi_index(table.T, sizes), return_index=True, return_inverse=True)
    return table[first], which


def covers(values: Ints, cells: Ints, fits: Sequence[Flags]) -> sparse.csr_array:
    """[record, released record]: which released record covers which record; both hold distinct rows.

    The records are a trie, column by column, and the released ones walk down it: only branches that exist are visited. The most
    telling columns come first, and released records are taken in parts so that memory stays bounded.
    """
    shares = [table.mean(axis=1)[cells[:, column]].mean() for column, table in enumerate(fits)]
    order = np.argsort(shares, kind="stable")
    values, cells = values[:, order], cells[:, order]
    fits = [fits[column] for column in order]
    sort = np.lexsort(values.T[::-1])
    values = values[sort]
    levels = _trie(values, [table.shape[1] for table in fits])
    found_rows: list[NDArray[np.int32]] = []
    found_columns: list[NDArray[np.int32]] = []
    step = max(1, PART // 64)
    for begin in range(0, cells.shape[0], step):
        chosen = np.arange(begin, min(begin + step, cells.shape[0]))
        boxes, nodes = _walk(chosen, cells, levels, fits)
        found_rows.append(sort[nodes].astype(np.int32))
        found_columns.append(boxes.astype(np.int32))
    rows, columns = np.concatenate(found_rows), np.concatenate(found_columns)
    shape = (values.shape[0], cells.shape[0])
    return sparse.csr_array((np.ones(rows.size, dtype=np.int8), (rows, columns)), shape=shape)


class _Level:
    """One column of the trie: its nodes, sorted by the node before and then by value."""

    def __init__(self, parents: Ints, values: Ints, count: int, size: int) -> None:
        self.values, self.size = values, size
        self.keys = parents * np.int64(size) + values
        self.before: NDArray[np.int32] | None = None
        """How many nodes come before each (node before, value), where a table of all of them is small enough."""
        if count * size <= TABLE:
            there = np.zeros(count * size + 1, dtype=np.int32)
            there[self.keys + 1] = 1
            self.before = np.cumsum(there, dtype=np.int32)

    def children(self, parents: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints]:
        """Where the children with values from low to high begin, and how many they are."""
        first, last = parents * self.size + low, parents * self.size + high + 1
        if self.before is not None:
            begin = self.before[first].astype(np.int64)
            return begin, self.before[last] - begin
        begin = np.searchsorted(self.keys, first)
        return begin, np.searchsorted(self.keys, last) - begin


def _trie(values: Ints, sizes: Sequence[int]) -> list[_Level]:
    levels = []
    new = np.zeros(values.shape[0], dtype=np.bool_)
    new[:1] = True
    parents = np.zeros(values.shape[0], dtype=np.int64)
    for column, size in enumerate(sizes):
        new[1:] |= values[1:, column] != values[:-1, column]
        levels.append(_Level(parents[new], values[new, column], int(parents[-1]) + 1, size))
        parents = np.cumsum(new) - 1
    return levels


def _walk(chosen: Ints, cells: Ints, levels: Sequence[_Level], fits: Sequence[Flags]) -> tuple[Ints, Ints]:
    boxes, nodes = chosen, np.zeros(chosen.size, dtype=np.int64)
    for column, level in enumerate(levels):
        table = fits[column]
        low, high = table.argmax(axis=1), level.size - 1 - table[:, ::-1].argmax(axis=1)
        gaps = table.any(axis=1) & (table.sum(axis=1) != high - low + 1)
        high = np.where(table.any(axis=1), high, low - 1)
        mine = cells[boxes, column]
        begins, counts = level.children(nodes, low[mine], high[mine])
        kept_boxes, kept_nodes = [boxes[:0]], [nodes[:0]]
        ends = np.cumsum(counts)
        first = 0
        while first < boxes.size:
            last = max(first + 1, int(np.searchsorted(ends, (ends[first - 1] if first else 0) + PART, side="right")))
            part = slice(first, last)
            children = _ranges(begins[part], counts[part])
            parents = np.repeat(boxes[part], counts[part])
            if gaps.any():
                inside = table[cells[parents, column], level.values[children]]
                parents, children = parents[inside], children[inside]
            kept_boxes.append(parents)
            kept_nodes.append(children)
            first = last
        boxes, nodes = np.concatenate(kept_boxes), np.concatenate(kept_nodes)
    return boxes, nodes


def _ranges(starts: Ints, counts: Ints) -> Ints:
    """starts[0], starts[0] + 1, ... and so on for every start."""
    offsets = np.cumsum(counts) - counts
    return np.arange(int(counts.sum())) - np.repeat(offsets - starts, counts)


def _matched(edges: sparse.csr_array) -> Ints:
    """A perfect matching by Hopcroft and Karp: the record of each released one."""
    partner = maximum_bipartite_matching(sparse.csr_matrix(edges), perm_type="row")
    alone = np.flatnonzero(partner < 0)
    if alone.size:
        raise DataError(
            f"the graph has no perfect matching: nobody is left for released record {alone[0] + 1} ({alone.size:,} in "
            "all). Either a record is missing, or a released one does not cover its original"
        )
    return partner.astype(np.int64)

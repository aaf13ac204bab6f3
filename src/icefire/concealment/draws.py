"""Which world is true: drawn after the rows are made, so that how they were made does not tell.

The rows of a release are built around records, and whoever repeats that knows which row was built around whom. So who is
really behind a row is drawn afterwards among those whom it covers.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from icefire.concealment.graph import Graph, Ints

FLIPS = 10
"""Exchanges between two matchings, for each matching. Chances are exact after none; more make links independent."""
LOOPS = 10
"""Alternating cycles for each record: enough that no more people keep the row built around them than their chances say."""
LONGEST = 1_000
"""Longest alternating cycle. Dropping longer ones keeps the uniform distribution: a cycle is as long in both directions."""


def matchings(members: Ints, rng: np.random.Generator) -> Ints:
    """[k, record]: the row of each record, in k disjoint perfect matchings of a complete design ([row, k]: its records).

    They are found in a random order of rows and records, so that they differ from those that the design was made of.
    """
    size, k = members.shape
    row_order, record_order = rng.permutation(size), rng.permutation(size)
    rows, records = np.repeat(row_order, k), record_order[members.ravel()]
    found = []
    for _ in range(k):
        graph = sparse.csr_matrix((np.ones(rows.size, dtype=np.int8), (records, rows)), shape=(size, size))
        found.append(maximum_bipartite_matching(graph, perm_type="column").astype(np.int64))
        kept = found[-1][records] != rows
        rows, records = rows[kept], records[kept]
    return np.argsort(row_order)[np.stack(found)[:, record_order]]


def drawn_of(worlds: Ints, rng: np.random.Generator, tied: tuple[Ints, Ints] | None = None) -> Ints:
    """[record]: its row in a world at random, in which each of the k given rows of a record has a chance of exactly 1/k.

    worlds: [k, record], the row of each record in k perfect matchings. tied: pairs of records that have to be in the same
    world, such as all records of a customer.

    Two matchings form cycles, and each cycle may be taken from either. Exchanging them at random, for many pairs of
    matchings, leaves the k rows of every record as they are, one in each matching, so a matching drawn at the end has the
    chances above. The exchanges make sure that a link that becomes known says little about others.
    """
    worlds = worlds.copy()
    k, size = worlds.shape
    left, right = tied if tied is not None else (np.empty((0,), dtype=np.int64),) * 2
    for _ in range(FLIPS * k):
        first, second = rng.choice(k, 2, replace=False)
        back = np.empty(size, dtype=np.int64)
        back[worlds[second]] = np.arange(size)
        begin = np.concatenate([np.arange(size), left])
        end = np.concatenate([back[worlds[first]], right])
        graph = sparse.csr_array((np.ones(begin.size, dtype=np.int8), (begin, end)), shape=(size, size))
        count, cycle = connected_components(graph, directed=False)
        turned = (rng.random(count) < 0.5)[cycle]
        worlds[first, turned], worlds[second, turned] = worlds[second, turned], worlds[first, turned]
    drawn: Ints = worlds[rng.integers(k)]
    return drawn


def drawn_from(graph: Graph, rng: np.random.Generator) -> Ints:
    """[released record]: the record behind it in a perfect matching drawn from all, about uniformly.

    A record leaves its released record and takes one of its matches at random, the record found there does the same, and so
    on until the first released record is taken again. This Markov chain is reversible with respect to the uniform
    distribution. Equal released records are listed once, so that memory does not grow with the number of pairs.
    """
    order = np.argsort(graph.released, kind="stable")
    members = [part.tolist() for part in np.split(order, np.cumsum(np.bincount(graph.released))[:-1])]
    edges = graph.matching_edges
    classes = [part.tolist() for part in np.split(edges.indices, edges.indptr[1:-1])]
    ends = [list(accumulate(len(members[which]) for which in part)) for part in classes]
    class_of, record_of = graph.records.tolist(), graph.owners.tolist()
    released_of = np.argsort(graph.owners).tolist()
    for start in rng.integers(0, graph.size, LOOPS * graph.size).tolist():
        record, free, before = start, released_of[start], []
        for chance in rng.random(LONGEST).tolist():
            listed = ends[class_of[record]]
            number = int(chance * listed[-1])
            which = bisect_right(listed, number)
            released = members[classes[class_of[record]][which]][number - listed[which]]
            released_of[record] = released
            if released == free:
                record_of[free] = record
                break
            before.append((released, record_of[released]))
            record_of[released], record = record, record_of[released]
        else:
            for released, record in reversed(before):
                record_of[released], released_of[record] = record, released
            released_of[start] = free
    return np.array(record_of, dtype=np.int64)

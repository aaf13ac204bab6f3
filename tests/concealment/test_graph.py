"""Graphs of releases against brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from icefire.concealment.graph import Graph, covers
from icefire.concealment.worlds import count_worlds, permanent
from icefire.core.errors import DataError


def brute_matches(edges: np.ndarray) -> np.ndarray:
    """An edge is a match if its ends can be taken out and the rest still has a perfect matching."""
    size = edges.shape[0]
    found = np.zeros_like(edges)
    for order in itertools.permutations(range(size)):
        if all(edges[i, j] for i, j in enumerate(order)):
            found[np.arange(size), order] = True
    return found


graphs = st.integers(1, 6).flatmap(
    lambda size: st.lists(st.booleans(), min_size=size * size, max_size=size * size).map(
        lambda bits: np.array(bits).reshape(size, size) | np.eye(size, dtype=bool)
    )
)


@settings(max_examples=200, deadline=None)
@given(edges=graphs, seed=st.integers(0, 99))
def test_matches_agree_with_brute_force(edges: np.ndarray, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(edges.shape[0])
    shuffled = edges[:, order]
    expected = brute_matches(shuffled)
    for owners in (order, None):
        graph = Graph.of_edges(sparse.csr_array(shuffled), owners)
        assert np.array_equal(graph.worlds().toarray() > 0, expected)
        assert graph.matches()[0].tolist() == expected.sum(axis=1).tolist()
        assert graph.matches()[1].tolist() == expected.sum(axis=0).tolist()
        assert graph.neighbours()[0].tolist() == shuffled.sum(axis=1).tolist()
    count = sum(all(shuffled[i, j] for i, j in enumerate(p)) for p in itertools.permutations(range(len(order))))
    assert permanent(shuffled) == count
    assert count_worlds(graph).exact == count


@settings(max_examples=50, deadline=None)
@given(edges=graphs)
def test_exposed_by_leak_agrees_with_brute_force(edges: np.ndarray) -> None:
    size = edges.shape[0]
    graph = Graph.of_edges(sparse.csr_array(edges), np.arange(size))
    found = graph.exposed_by_leak(np.arange(size))
    before = brute_matches(edges).sum(axis=1)
    for leak in range(size):
        rest = np.delete(np.arange(size), leak)
        after = brute_matches(edges[np.ix_(rest, rest)]).sum(axis=1)
        assert found[leak] == ((after == 1) & (before[rest] > 1)).sum()


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    columns=st.integers(1, 4),
    part=st.sampled_from([1, 7, 4_000_000]),
    table=st.sampled_from([0, 100]),
)
def test_covers_agrees_with_brute_force(seed: int, columns: int, part: int, table: int) -> None:
    from icefire.concealment import trie as module

    rng = np.random.default_rng(seed)
    values = np.unique(rng.integers(0, 4, (12, columns)), axis=0)
    cells = np.unique(rng.integers(0, 5, (9, columns)), axis=0)
    fits = [rng.random((5, 4)) < 0.6 for _ in range(columns)]
    expected = np.array(
        [[all(fits[c][cell[c], value[c]] for c in range(columns)) for cell in cells] for value in values]
    )
    before = module.PART, module.TABLE
    module.PART, module.TABLE = part, table
    try:
        assert np.array_equal(covers(values, cells, fits).toarray() > 0, expected)
    finally:
        module.PART, module.TABLE = before


def test_bounds_enclose_the_count() -> None:
    from icefire.concealment import worlds as module

    rng = np.random.default_rng(0)
    edges = rng.random((12, 12)) < 0.5
    edges |= np.eye(12, dtype=bool)
    graph = Graph.of_edges(sparse.csr_array(edges), np.arange(12))
    exact = count_worlds(graph)
    before, module.COUNTED = module.COUNTED, 0
    try:
        bounds = count_worlds(graph)
    finally:
        module.COUNTED = before
    assert bounds.low <= exact.low <= bounds.high
    assert bounds.exact is None


def test_equal_records_are_merged() -> None:
    values = np.array([[0], [0], [1], [1]])
    cells = np.array([[0], [0], [1], [1]])
    graph = Graph.of_cells(values, cells, [np.array([[True, True], [False, True]])], np.arange(4))
    assert graph.edges.shape == (2, 2)
    # The first two are the only ones who can be behind the first cell.
    assert graph.neighbours()[0].tolist() == [2, 2, 4, 4]
    assert graph.matches()[0].tolist() == [2, 2, 2, 2]


def test_invalid_releases_raise() -> None:
    fits = [np.eye(2, dtype=bool)]
    with pytest.raises(DataError, match="3 released records for 2 original ones"):
        Graph.of_cells(np.array([[0], [1]]), np.array([[0], [1], [1]]), fits)
    with pytest.raises(DataError, match="released record 1 does not cover the original record 2"):
        Graph.of_cells(np.array([[0], [1]]), np.array([[0], [1]]), fits, np.array([1, 0]))
    with pytest.raises(DataError, match="no perfect matching: no record is left for released record 2"):
        Graph.of_cells(np.array([[0], [1]]), np.array([[0], [0]]), fits)

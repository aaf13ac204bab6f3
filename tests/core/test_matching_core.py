"""Transport plans from scores, and matchings over candidate lists."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import maximum_bipartite_matching

from icefire.core import matching as solver
from icefire.core.bipartite import NONE, largest_matching
from icefire.core.matching import matching, sinkhorn

Rng = np.random.default_rng


def test_a_row_with_more_columns_than_it_needs_keeps_its_preference() -> None:
    # The lead of the best over the mean is 10 units of the exponent, so the best is e^20 times as likely.
    plan = sinkhorn(np.array([[1.0, 0.0]]))
    assert plan[0, 0] / plan[0, 1] == pytest.approx(np.exp(20.0))
    assert plan.sum() == pytest.approx(1.0)


def test_rows_of_a_large_class_do_not_compete_for_the_same_candidates() -> None:
    # As the rows of one class list their equals: each begins at another one. In sorted order this took minutes.
    size, listed = 30_000, 40
    people = Rng(0).permutation(size)
    near = people[(np.arange(size)[:, None] + np.arange(listed)) % size]
    chosen = matching(near, np.zeros(near.shape), size)
    assert np.unique(chosen).size == size
    assert (near == chosen[:, None]).any(axis=1).all()


@pytest.mark.parametrize("seed", range(20))
def test_a_matching_over_full_lists_is_the_best_assignment(seed: int) -> None:
    rng = Rng(seed)
    height, width = int(rng.integers(1, 8)), int(rng.integers(8, 12))
    # Few different costs, so that there are many ties.
    cost = rng.integers(0, 4, (height, width)).astype(np.float64)
    near = np.argsort(cost, axis=1, kind="stable")
    chosen = matching(near, np.take_along_axis(cost, near, axis=1), width)
    assert np.unique(chosen).size == height
    assert cost[np.arange(height), chosen].sum() == cost[linear_sum_assignment(cost)].sum()


@pytest.mark.parametrize("seed", range(20))
def test_parts_that_share_nothing_are_matched_as_well_by_themselves(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    # Ten groups of rows and columns, some of them with more rows than columns.
    rows, columns = np.nonzero(np.kron(np.eye(10), np.ones((4, int(rng.integers(3, 6))))))
    kept = rng.random(rows.size) < 0.7
    rows, columns = rows[kept], columns[kept]
    cost = rng.integers(0, 30, rows.size).astype(np.float64)
    shape = 40, int(columns.max()) + 1
    prices = dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), cost.tolist(), strict=True))
    totals = []
    for part in (1, 1_000):
        monkeypatch.setattr(solver, "PART", part)
        chosen = solver.sparse_matching(rows, columns, cost, shape)
        found = [(row, column) for row, column in enumerate(chosen.tolist()) if column >= 0]
        assert len({column for _, column in found}) == len(found)
        totals.append((len(found), sum(prices[pair] for pair in found)))
    assert totals[0] == totals[1]


@pytest.mark.parametrize("seed", range(30))
def test_as_many_rows_as_possible_have_a_partner(seed: int) -> None:
    rng = Rng(seed)
    height, width = rng.integers(1, 60, 2)
    graph = sparse.csr_array(rng.random((height, width)) < rng.choice([0.02, 0.05, 0.2]))
    chosen = np.full(height, NONE)
    begun = int(rng.integers(0, height))
    if graph.indptr[begun] < graph.indptr[begun + 1]:
        chosen[begun] = graph.indices[graph.indptr[begun]]
    found = largest_matching(graph, chosen)
    rows = np.flatnonzero(found != NONE)
    assert np.unique(found[rows]).size == rows.size
    assert graph.toarray()[rows, found[rows]].all()
    best = maximum_bipartite_matching(sparse.csr_matrix(graph), perm_type="column")
    assert rows.size == (best != NONE).sum()


def test_thousands_of_rows_with_similar_lists_are_matched_in_a_few_rounds() -> None:
    # As sets of five postal codes that are hashed into a few hundred. Row by row, this took minutes.
    rng, rows = Rng(0), 5_000
    person = rng.integers(0, 512, rows)
    class_of = np.argsort(np.argsort(rng.random(rows))) // 5
    buckets = np.zeros((rows // 5, 512), dtype=np.int8)
    np.add.at(buckets, (class_of, person), 1)
    graph = sparse.csr_array(buckets[class_of][:, person] > 0)
    assert (largest_matching(graph, np.full(rows, NONE)) != NONE).all()

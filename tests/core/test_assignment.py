"""Assignment over candidate lists: the optimum over all pairs, with and without numba."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from icefire.core import memory
from icefire.core.assignment import best_assignment
from icefire.core.matching import Assign, match, match_dense
from icefire.core.scores import NONE, Scores, Similarity, Table, nearness
from icefire.core.similarity import row_sums

Rng = np.random.default_rng


def optimum(values: np.ndarray) -> float:
    return float(values[linear_sum_assignment(values, maximize=True)].sum())


def total(values: np.ndarray, rows: np.ndarray) -> float:
    chosen = np.flatnonzero(rows != NONE)
    assert np.unique(rows[chosen]).size == chosen.size
    return float(values[chosen, rows[chosen]].sum())


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing fits into memory, lists are short, and the index is used."""
    monkeypatch.setattr("icefire.core.memory._limit", 4_000)
    monkeypatch.setattr("icefire.core.scores.INDEXED", 0)
    monkeypatch.setattr("icefire.core.assignment.FIRST", 2)
    monkeypatch.setattr("icefire.core.assignment.CANDIDATES", 3)


@pytest.fixture(params=["numba", "scipy"])
def solver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "scipy":
        monkeypatch.setattr("icefire.core.assignment.has_numba", lambda: False)
        monkeypatch.setattr("icefire.core.scores.has_numba", lambda: False)
    return str(request.param)


def profiles(rows: int, seed: int, tokens: int = 30) -> sparse.csr_array:
    """Random profiles in which some tokens are far more frequent than others."""
    rng = Rng(seed)
    counts = rng.poisson(3.0 / (1.0 + np.arange(tokens)), (rows, tokens))
    return sparse.csr_array(counts.astype(np.float64))


def comparisons(height: int, width: int, seed: int) -> list[Scores]:
    left, right = profiles(height, seed), profiles(width, seed + 1)
    ours, theirs = left.sign(), right.sign()
    few = Rng(seed).integers(-3, 4, (height, width)).astype(np.float64)
    # Everybody wants the same columns, so most rows end far down in their lists.
    crowded = Rng(seed).random((height, width)) - np.linspace(0.0, 50.0, width)
    return [
        Similarity(left, right),
        Similarity(ours, theirs, (1.0, 1.0), row_sums(ours), row_sums(theirs)),
        nearness(left, right),
        Table(few),
        Table(crowded),
    ]


@pytest.mark.parametrize("shape", [(60, 60), (40, 70), (70, 40), (1, 5), (5, 1)])
def test_the_total_is_that_of_the_dense_assignment(shape: tuple[int, int], solver: str, in_parts: None) -> None:
    for seed in range(3):
        for scores in comparisons(*shape, seed):
            found = match(scores, "assignment", Rng(seed))
            values = scores.dense()
            assert total(values, found.rows) == pytest.approx(optimum(values), abs=1e-6)
            assert (found.rows != NONE).sum() == min(shape)
            taken = np.flatnonzero(found.rows != NONE)
            assert (found.columns[found.rows[taken]] == taken).all()


def test_the_assignment_itself_where_only_one_is_best(solver: str, in_parts: None) -> None:
    scores = Table(Rng(5).random((50, 50)))
    dense = match_dense(scores.dense(), "assignment", Rng(0))
    found = match(scores, "assignment", Rng(1))
    assert (found.rows == dense.rows).all()
    assert (found.columns == dense.columns).all()


@pytest.mark.parametrize("how", ["argmax", "assignment"])
def test_the_last_digits_of_scores_decide_nothing(how: Assign) -> None:
    table = Rng(2).integers(0, 3, (40, 50)) / 7.0
    plain, noisy = (
        match_dense(scores, how, Rng(0)) for scores in (table, table + Rng(3).normal(0, 1e-14, table.shape))
    )
    assert (plain.rows == noisy.rows).all()
    assert (plain.columns == noisy.columns).all()


def test_pairs_that_share_nothing_are_not_matched_where_that_does_not_count(solver: str, in_parts: None) -> None:
    left = sparse.csr_array(np.diag([1.0, 1.0, 0.0]))
    found = match(Similarity(left, left), "assignment", Rng(0), least=0.0)
    assert found.rows.tolist() == found.columns.tolist() == [0, 1, NONE]


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 10_000), st.integers(1, 4))
def test_the_optimum_of_small_tables_with_many_ties(height: int, width: int, seed: int, values: int) -> None:
    table = Rng(seed).integers(0, values, (height, width)).astype(np.float64)
    table -= table.min()
    assert total(table, best_assignment(Table(table), Rng(seed))) == pytest.approx(optimum(table))


@pytest.mark.parametrize("how", ["argmax", "sinkhorn"])
def test_other_ways_in_parts(how: Assign, in_parts: None) -> None:
    values = np.eye(40) + 0.01 * Rng(0).random((40, 40))
    found = match(Table(values), how, Rng(0))
    assert (found.rows == np.arange(40)).all()
    assert (found.columns == np.arange(40)).all()


def test_the_best_by_parts_are_those_of_the_table(in_parts: None) -> None:
    for scores in comparisons(30, 50, 0)[2:]:
        values = scores.dense()
        rows, columns = scores.best(Rng(0))
        assert (values[np.arange(30), rows] == values.max(axis=1)).all()
        assert (values[columns, np.arange(50)] == values.max(axis=0)).all()


def test_the_nearest_with_prices(solver: str, in_parts: None) -> None:
    prices = Rng(7).random(50) * 4.0
    for scores in comparisons(30, 50, 1):
        values, rows = scores.dense(), np.array([3, 29, 0])
        near, found = scores.nearest(6, Rng(0), rows, prices)
        for place, row in enumerate(rows):
            kept = near[place] != NONE
            assert values[row, near[place][kept]] == pytest.approx(found[place][kept])
            best = np.sort((values[row] - prices)[(values[row] > 0) | (not isinstance(scores, Similarity))])
            if scores.least < 0:
                best = np.sort(values[row] - prices)
            worth = (found[place] - prices[near[place]])[kept]
            assert worth == pytest.approx(best[::-1][: worth.size])


def test_the_limit_of_memory_can_be_set() -> None:
    before = memory.limit()
    try:
        memory.set_limit(32_000)
        assert memory.fits(10, 100)
        assert not memory.fits(10, 101)
    finally:
        memory.set_limit(before)

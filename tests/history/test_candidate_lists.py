"""Candidate lists: the same answers as from the full matrix, whatever is found by them."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.matching import Assign, match_listed
from icefire.history.data import NONE

Rng = np.random.default_rng
WAYS: tuple[Assign, ...] = ("argmax", "assignment", "sinkhorn")


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("seed", range(5))
def test_rows_and_columns_of_lists_are_told_apart(how: Assign, seed: int) -> None:
    # Three rows and five columns; each row's best is another row's second best.
    near = np.array([[4, 0], [0, 2], [2, 4]])
    scores = np.array([[0.9, 0.3], [0.8, 0.2], [0.7, 0.1]])
    found = match_listed(near, scores, how, 5, Rng(seed))
    assert found.rows.tolist() == [4, 0, 2]
    assert found.columns.tolist() == [1, NONE, 2, NONE, 0]


@pytest.mark.parametrize("seed", range(5))
def test_only_the_best_may_be_taken_twice(seed: int) -> None:
    near, scores = np.array([[1, 0], [1, 2]]), np.array([[0.9, 0.8], [0.6, 0.1]])
    best = match_listed(near, scores, "argmax", 3, Rng(seed))
    assert (best.rows.tolist(), best.columns.tolist()) == ([1, 1], [0, 0, 1])
    # In total 0.8 + 0.6 is more than 0.9 + 0.1.
    paired = match_listed(near, scores, "assignment", 3, Rng(seed))
    assert (paired.rows.tolist(), paired.columns.tolist()) == ([0, 1], [0, 1, NONE])


@pytest.mark.parametrize("how", WAYS)
def test_lists_of_different_lengths(how: Assign) -> None:
    near = np.array([[0, 1], [NONE, 1], [NONE, NONE]])
    scores = np.array([[0.9, 0.1], [0.0, 0.8], [0.0, 0.0]])
    found = match_listed(near, scores, how, 2, Rng(0))
    assert found.rows.tolist() == [0, 1, NONE]
    assert found.columns.tolist() == [0, 1]


def test_equal_scores_are_resolved_at_random() -> None:
    near, scores = np.array([[0, 1]]), np.array([[0.5, 0.5]])
    chosen = {int(match_listed(near, scores, "argmax", 2, Rng(seed)).rows[0]) for seed in range(20)}
    assert chosen == {0, 1}

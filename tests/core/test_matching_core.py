"""Transport plans from scores, and matchings over candidate lists."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

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

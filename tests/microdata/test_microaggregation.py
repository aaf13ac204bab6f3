"""Microaggregation against a plain search through all points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.microdata import points as points_module
from icefire.microdata.anonymize.microaggregate import _gather, mdav
from icefire.microdata.points import Points


def squares(points: np.ndarray, centre: np.ndarray) -> np.ndarray:
    difference = points - centre
    return np.asarray(np.einsum("ij,ij->i", difference, difference))


def plain_mdav(points: np.ndarray, k: int, gain: float) -> np.ndarray:
    """MDAV and V-MDAV that look at every point every time; of equally distant points the first counts."""
    groups, left, number = np.empty(len(points), dtype=np.int64), np.arange(len(points)), 0
    while left.size >= 3 * k:
        farthest = left[squares(points[left], points[left].mean(axis=0)).argmax()]
        opposite = left[squares(points[left], points[farthest]).argmax()]
        for seed in (farthest, opposite):
            if seed in left and left.size >= 2 * k:
                left = plain_gather(points, groups, left, seed, k, gain, number)
                number += 1
    if left.size >= 2 * k:
        seed = left[squares(points[left], points[left].mean(axis=0)).argmax()]
        left = plain_gather(points, groups, left, seed, k, 0.0, number)
        number += 1
    groups[left] = number
    return groups


def plain_gather(
    points: np.ndarray, groups: np.ndarray, left: np.ndarray, seed: int, k: int, gain: float, number: int
) -> np.ndarray:
    inside = np.zeros(left.size, dtype=bool)
    inside[np.argsort(squares(points[left], points[seed]), kind="stable")[:k]] = True
    while gain and inside.sum() < 2 * k - 1 and (~inside).sum() > k:
        outside = np.flatnonzero(~inside)
        to_group = np.min([squares(points[left[outside]], points[left[i]]) for i in np.flatnonzero(inside)], axis=0)
        best = int(to_group.argmin())
        others = np.delete(outside, best)
        if to_group[best] >= gain**2 * squares(points[left[others]], points[left[outside[best]]]).min():
            break
        inside[outside[best]] = True
    groups[left[inside]] = number
    return left[~inside]


@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from([0.0, 0.5, 2.0]), st.sampled_from([0, 2, 8]))
def test_groups_are_those_of_a_plain_search(seed: int, k: int, gain: float, values: int) -> None:
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(k, 300)), int(rng.integers(1, 5))
    points = rng.integers(0, values, shape).astype(float) if values else rng.normal(size=shape)
    assert mdav(points, k, gain).tolist() == plain_mdav(points, k, gain).tolist()


@pytest.mark.parametrize("shape", ["normal", "skewed", "correlated"])
def test_groups_of_many_rows_are_those_of_a_plain_search(shape: str) -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(3000, 6))
    if shape == "skewed":
        points = np.exp(points)
    elif shape == "correlated":
        points = points[:, :2] @ rng.random((2, 6)) + 0.1 * points
    assert np.array_equal(mdav(points, 5), plain_mdav(points, 5, 0.0))


@given(st.integers(0, 10**6), st.integers(2, 6), st.sampled_from([0.0, 0.5, 2.0]))
def test_groups_have_k_to_2k_minus_1_rows(seed: int, k: int, gain: float) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(k, 60)), 2))
    sizes = np.bincount(mdav(points, k, gain))
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1
    assert sizes.sum() == len(points)


def test_a_group_grows_by_rows_that_are_nearer_to_it_than_to_any_other() -> None:
    def group(*values: float) -> list[float]:
        points = np.array(values)[:, None]
        pool = Points(points)
        inside = _gather(points, pool, seed=0, k=3, gain=1.0)
        assert sorted([*inside, *pool.rows]) == list(range(len(values)))
        return sorted(values[row] for row in inside)

    assert group(0, 1, 2, 29, 2.5, 30, 31, 32) == [0, 1, 2, 2.5]
    # 3 is nearer to 3.5 than to 2.
    assert group(0, 1, 2, 3, 3.5, 100, 101, 102) == [0, 1, 2]


def test_farthest_and_nearest_of_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(points_module, "SIZE", 8)
    monkeypatch.setattr(points_module, "OUTER", 4)
    rng = np.random.default_rng(1)
    points = (10 * rng.normal(size=(500, 3))).round()
    pool = Points(points)
    while pool.size:
        rows = pool.rows
        assert pool.centre == pytest.approx(points[rows].mean(axis=0))
        for point in (points[rows[0]], (50 * rng.normal(size=3)).round()):
            distance = squares(points[rows], point)
            assert pool.farthest(point) == rows[distance.argmax()]
            count = int(rng.integers(1, 1 + min(40, rows.size)))
            order = np.lexsort((rows, distance))[:count]
            near, found = pool.nearest(point, count)
            assert found == pytest.approx(distance[order])
            assert near.tolist() == rows[order].tolist()
        pool.take(rng.permutation(rows)[:11])

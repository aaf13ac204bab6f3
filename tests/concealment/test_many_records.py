"""What is done differently for many records: neighbours without all pairs, and assignments by auction."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.concealment import designs, exchange, neighbours, pool
from icefire.concealment.auction import auctioned
from icefire.concealment.designs import design
from icefire.concealment.neighbours import divided, nearest
from icefire.concealment.space import Space, taken
from icefire.microdata.anonymize import k_member
from icefire.microdata.anonymize.conceal import Conceal
from icefire.microdata.concealing import graph_of_release, space_of
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.schema import Column
from icefire.microdata.utility.loss import Loss

Rng = np.random.default_rng


def people(n: int, seed: int = 0) -> Microdata:
    """Numbers, texts and a hierarchy, each with and without missing values."""
    rng = Rng(seed)

    def some(values: pl.Series) -> pl.Series:
        return pl.select(pl.when(pl.Series(rng.random(n) < 0.9)).then(values)).to_series()

    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "hours": some(pl.Series(rng.integers(0, 80, n))),
            "job": rng.choice(list("abcdefgh"), n, p=[0.4, 0.3, 0.1, 0.1, 0.04, 0.03, 0.02, 0.01]),
            "zip": some(pl.Series(rng.choice(["x", "y", "z"], n))),
            "height": rng.integers(150, 200, n),
        }
    )
    return Microdata(frame, Schema(frame.columns, [], {"height": Column(hierarchy=Hierarchy(widths=(5, 10, 20)))}))


def space(n: int, seed: int = 0) -> Space:
    original = people(n, seed)
    return space_of(original, original.qi)


@given(st.integers(0, 10**6), st.integers(1, 400), st.integers(1, 50), st.sampled_from([3, 8, 64]))
def test_the_nearest_are_those_of_all_pairs(seed: int, n: int, count: int, size: int) -> None:
    records = space(n, seed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(neighbours, "SIZE", size)
        patched.setattr(neighbours, "FIRST", 1)
        near = nearest(records, count)
    assert near.shape == (n, min(count, n - 1))
    gaps = records.gaps(np.arange(n), np.arange(n))
    np.fill_diagonal(gaps, np.inf)
    found = np.take_along_axis(gaps, near, axis=1)
    assert found == pytest.approx(np.sort(gaps, axis=1)[:, : near.shape[1]], abs=1e-6)
    assert all(len(set(row)) == len(row) for row in near.tolist())


def test_gaps_are_losses_of_pairs() -> None:
    records = space(80)
    left, right = (side.ravel() for side in np.indices((80, 80)))
    gaps = records.gaps(np.arange(80), np.arange(80)).ravel() / len(records.columns)
    assert gaps == pytest.approx(records.pair_loss(left, right), abs=1e-6)


def test_bounds_are_below_all_gaps() -> None:
    records = space(300, 1)
    groups = divided(records, 7)
    assert sorted(np.concatenate(groups).tolist()) == list(range(300))
    rows, starts = np.concatenate(groups), np.cumsum([0] + [group.size for group in groups[:-1]])
    for column in records.columns:
        bound = column.apart(rows, starts)
        for number, group in enumerate(groups):
            least = [column.gaps(group, other).min() for other in groups]
            assert (bound(number) <= np.array(least) + 1e-6).all()


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(0, 60), st.integers(1, 15))
def test_auctions_make_disjoint_perfect_matchings(seed: int, k: int, more: int, count: int) -> None:
    records = space(2 * k + 1 + more, seed)
    found = auctioned(records, nearest(records, max(count, k)), k)
    assert np.array_equal(found[:, 0], np.arange(records.size))
    assert all(len(set(row)) == k for row in found.tolist())
    assert (np.sort(found, axis=0) == np.arange(records.size)[:, None]).all()


def test_auctions_cost_little_more_than_the_optimum() -> None:
    records = space(1500)
    near = nearest(records, 40)
    costs = [
        records.pair_loss(np.repeat(np.arange(1500), 3), found.ravel()).sum()
        for found in (auctioned(records, near, 3), design(records, near, 3, "lsap"))
    ]
    assert costs[0] < 1.1 * costs[1]


@pytest.mark.parametrize("k", [2, 5])
def test_many_records_lose_no_more(k: int, monkeypatch: pytest.MonkeyPatch) -> None:
    original = people(1500, 2)
    losses = []
    for largest in (4000, 100):
        monkeypatch.setattr(designs, "LARGEST", largest)
        release = Conceal(k=k).anonymize(original, Rng(0))
        assert graph_of_release(release).matches()[0].min() >= k
        losses.append(Loss().measure(original, release).value)
    assert losses[1] < 1.01 * losses[0]


def plain_clusters(records: Space, k: int, order: np.ndarray) -> np.ndarray:
    """k-member clustering that looks at every record every time; [record]: its cluster."""
    left, seed, cluster = order, int(order[0]), np.empty(records.size, dtype=np.int64)
    clusters: list[list[int]] = []
    while left.size >= k:
        seed = int(left[records.pair_loss(np.full(left.size, seed), left).argmax()])
        members, box = [seed], records.single(np.array([seed]))
        left = left[left != seed]
        while len(members) < k:
            wider = records.joined(taken(box, np.zeros(left.size, dtype=np.int64)), left)
            best = int(records.loss(wider).argmin())
            members.append(int(left[best]))
            box, left = taken(wider, np.array([best])), np.delete(left, best)
        clusters.append(members)

    def loss(members: list[int]) -> float:
        return float(records.loss(records.hull(np.array(members), np.zeros(len(members), dtype=np.int64)))[0])

    for row in left.tolist():
        added = [loss([*members, row]) - loss(members) for members in clusters]
        clusters[int(np.argmin(added))].append(row)
    for number, members in enumerate(clusters):
        cluster[members] = number
    return cluster


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(2, 250))
def test_k_member_clusters_are_those_of_a_plain_search(seed: int, k: int, more: int) -> None:
    records = space(k + more, seed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pool, "SIZE", 5)
        patched.setattr(pool, "FIRST", 1)
        boxes = k_member._clustered(records, k, Rng(seed))
    cluster = plain_clusters(records, k, Rng(seed).permutation(records.size))
    order = np.argsort(cluster, kind="stable")
    expected = taken(records.hull(order, cluster[order]), cluster)
    for cells, others in zip(boxes, expected, strict=True):
        for part, other in zip(cells, others, strict=True):
            assert part.tolist() == other.tolist()


def test_exchanges_keep_track_of_places() -> None:
    members = np.stack([np.arange(40), np.roll(np.arange(40), 1), np.roll(np.arange(40), 2)], axis=1)
    places = np.argsort(members.ravel(), kind="stable").reshape(40, 3)
    exchange._swap(members, places, np.array([[1, 61], [5, 83]]))
    assert (members.ravel()[places] == np.arange(40)[:, None]).all()
    assert np.array_equal(places, np.argsort(members.ravel(), kind="stable").reshape(40, 3))

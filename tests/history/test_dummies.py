"""Dummy records: the published table, and fewer dummies than published."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import sparse

from icefire.core.errors import ParameterError
from icefire.history.anonymize import union_clusters
from icefire.history.anonymize._clusters import item_sets, union_cost
from icefire.history.anonymize.method1 import Method1
from icefire.history.anonymize.method2 import Method2
from icefire.history.anonymize.union_clusters import UnionClusters, _Savings
from icefire.history.attack.jaccard import Jaccard
from icefire.history.data import NONE, History
from icefire.history.examples import example
from icefire.history.safety.re_identification import ReIdentification
from icefire.history.theory.dummies import dummies_of_clustering

Rng = np.random.default_rng
SEEDS = range(10)
# (clusters, least size): dummies. Harada, Ito, Kikuchi 2017, table 4; None is Method 1.
PUBLISHED: dict[tuple[int, int | None], int] = {
    (50, None): 182_897, (50, 2): 183_902, (50, 3): 175_449, (50, 4): 162_474, (50, 8): 125_798,
    (75, None): 141_696, (75, 2): 136_526, (75, 3): 112_781, (75, 4): 91_946,
    (100, None): 128_568, (100, 2): 99_228, (100, 3): 68_357, (100, 4): 59_374,
    (125, None): 97_581, (125, 2): 60_492, (125, 3): 46_101,
}  # fmt: skip
# The published mean of Method 1 at 100 clusters is higher than ours; one run in six is as high.
APART = {(100, None)}


def method(clusters: int, least: int | None) -> Any:
    return Method1(clusters) if least is None else Method2(clusters, least_size=least)


@pytest.mark.parametrize(("setting", "published"), PUBLISHED.items(), ids=str)
def test_methods_1_and_2_need_as_many_dummies_as_published(
    contest: History, setting: tuple[int, int | None], published: int
) -> None:
    sets = item_sets(contest)
    counts = [union_cost(sets, method(*setting).labels(sets, Rng(seed))) for seed in SEEDS]
    if setting in APART:
        assert min(counts) < published < max(counts)
    else:
        assert abs(np.mean(counts) / published - 1) < 0.1


CHECKED = [(50, None), (50, 8), (75, None), (75, 4), (100, None), (100, 4), (125, None), (125, 3)]


@pytest.mark.parametrize("setting", CHECKED, ids=str)
def test_jaccard_finds_one_customer_of_each_cluster(contest: History, setting: tuple[int, int | None]) -> None:
    sets = item_sets(contest)
    rates, outsiders = [], []
    for seed in SEEDS if setting == (50, None) else SEEDS[:4]:
        release = method(*setting).anonymize(contest, Rng(seed))
        guess = Jaccard().attack(release.published, contest, Rng(seed))
        rates.append(ReIdentification().measure(release, guess).value)
        outsiders.append(lost_to_outsiders(sets, method(*setting).labels(sets, Rng(seed))))
    assert abs(np.mean(rates) - (setting[0] - np.mean(outsiders)) / 400) < 0.0035
    if setting == (50, None):
        # Four of the large unions are more like the one customer with 1,768 items than like any of their own.
        assert np.mean(outsiders) == pytest.approx(4.1)
        assert np.mean(rates) == pytest.approx(0.1148, abs=5e-4)
    else:
        assert abs(np.mean(rates) - setting[0] / 400) < 0.01


def lost_to_outsiders(sets: sparse.csr_array, labels: np.ndarray) -> int:
    """Clusters whose union is nearest, by Jaccard, to a customer outside."""
    own = sets.toarray() > 0
    lost = 0
    for cluster in np.unique(labels):
        union = own[labels == cluster].any(axis=0)
        jaccard = (own & union).sum(axis=1) / (own | union).sum(axis=1)
        lost += not (labels[jaccard == jaccard.max()] == cluster).any()
    return lost


@pytest.mark.parametrize(("clusters", "least"), [(50, 8), (75, 4), (100, 4), (125, 3), (50, 2), (100, 2)])
def test_union_clusters_need_fewer_dummies(contest: History, clusters: int, least: int) -> None:
    sets = item_sets(contest)
    ours = UnionClusters(clusters, least_size=least).labels(sets, Rng(0))
    sizes = np.bincount(ours)
    assert (sizes.size, sizes.min() >= least) == (clusters, True)
    theirs = min(union_cost(sets, Method2(clusters, least_size=least).labels(sets, Rng(seed))) for seed in SEEDS)
    assert union_cost(sets, ours) < 0.9 * theirs
    assert union_cost(sets, ours) < PUBLISHED[clusters, least]


@pytest.mark.parametrize("name", [Method1, Method2, UnionClusters])
def test_customers_of_a_cluster_look_alike_and_real_records_stay(name: Any) -> None:
    original = example(40, 8)
    for dummies in ("realistic", "published"):
        release = name(clusters=8, dummies=dummies).anonymize(original, Rng(3))
        sets = item_sets(original)
        labels = name(clusters=8).labels(sets, Rng(3))
        owner = release.owners.max(axis=1)
        bought = {
            int(owner[code]): frozenset(
                release.published.frame.filter(pl.Series(release.published.user_codes == code))["item"]
            )
            for code in range(len(owner))
        }
        for cluster in np.unique(labels):
            assert len({bought[int(user)] for user in np.flatnonzero(labels == cluster)}) == 1
        real = release.rows != NONE
        assert sorted(release.rows[real]) == list(range(original.height))
        assert int((~real).sum()) == union_cost(sets, labels)
        kept = release.published.frame.filter(pl.Series(real)).drop("user", "invoice")
        assert kept.equals(original.frame.drop("user", "invoice")[release.rows[real]])
        added = release.published.frame.filter(pl.Series(~real))
        if dummies == "published":
            assert added["price"].is_between(0.1, 0.9).all()
            assert (added["quantity"] == 1).all()
        else:
            pairs = set(original.frame.select("item", "price", "quantity").rows())
            assert set(added.select("item", "price", "quantity").rows()) <= pairs
        # A dummy stands on an invoice that the customer has, with its date and time.
        invoices = release.published.frame.group_by("user", "invoice").agg(
            pl.col("date").n_unique(), pl.col("time").n_unique()
        )
        assert invoices["date"].max() == invoices["time"].max() == 1


def test_the_cost_of_a_clustering_by_hand() -> None:
    people = [{"A"}, {"A", "B"}, {"C"}, {"C", "D"}, {"C", "E"}, {"F", "G"}, {"F", "H"}, {"F", "I"}, {"F", "J"}]
    labels = np.array([0, 0, 1, 1, 1, 2, 2, 2, 2])
    items = sorted(set().union(*people))
    sets = sparse.csr_array([[float(item in own) for item in items] for own in people])
    clusters = [[own for own, label in zip(people, labels, strict=True) if label == cluster] for cluster in range(3)]
    assert union_cost(sets, labels) == dummies_of_clustering(clusters) == 17


def test_the_savings_of_every_move_and_swap_are_exact() -> None:
    rng = Rng(1)
    own = (rng.random((12, 15)) < 0.3).astype(np.float32)
    labels = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2])
    sets = sparse.csr_array(own)
    before = union_cost(sets, labels)
    savings = _Savings.of(own, labels, 3, least_size=3)
    for user in range(12):
        for other in range(12):
            if labels[user] != labels[other]:
                swapped = labels.copy()
                swapped[[user, other]] = labels[[other, user]]
                assert savings.swaps[user, other] == union_cost(sets, swapped) - before
        for cluster in range(3):
            if cluster != labels[user] and labels[user] != 1:
                moved = labels.copy()
                moved[user] = cluster
                assert savings.moves[user, cluster] == union_cost(sets, moved) - before
    # The cluster of three may not shrink.
    assert not savings.moves[4:7].any()


def test_large_populations_are_searched_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = item_sets(example(120, 8))
    whole = UnionClusters(30).labels(sets, Rng(0))
    monkeypatch.setattr("icefire.history.anonymize.union_clusters.BATCH", 40)
    parts = UnionClusters(30).labels(sets, Rng(0))
    assert np.bincount(parts).min() >= 4
    assert union_cost(sets, parts) < 1.1 * union_cost(sets, whole)


def test_impossible_clusters_are_refused() -> None:
    original = example(30, 4)
    with pytest.raises(ParameterError, match="between 1 and the 30 customers"):
        Method1(31).anonymize(original, Rng(0))
    with pytest.raises(ParameterError, match="at most 3 with 10 clusters of 30 customers"):
        UnionClusters(10, least_size=4).anonymize(original, Rng(0))


def test_very_large_clusters_are_searched_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.history.anonymize.union_clusters.BATCH", 30)
    sets = item_sets(example(120, 8))
    labels = UnionClusters(3, least_size=10).labels(sets, Rng(0))
    assert np.bincount(labels).min() >= 10
    order = np.argsort(-np.diff(sets.indptr), kind="stable")
    start = np.empty(120, dtype=np.int64)
    start[order] = np.minimum(np.arange(120) // 10, 2)
    assert union_cost(sets, labels) <= union_cost(sets, start)


def test_batches_hold_whole_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(union_clusters, "BATCH", 12)
    labels = Rng(0).permutation(np.repeat(np.arange(20), 3))
    batches = union_clusters._batches(labels, 20, Rng(1))
    assert len(batches) >= 5
    assert sorted(np.concatenate(batches)) == list(range(60))
    for cluster in range(20):
        assert len([batch for batch in batches if (labels[batch] == cluster).any()]) == 1

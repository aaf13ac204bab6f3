"""Ways to make the item sets of a cluster alike: by adding, deleting and rewriting records."""

from __future__ import annotations

from itertools import product
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icefire.core.errors import DataError
from icefire.history.anonymize._clusters import item_sets, union_cost
from icefire.history.anonymize.kmeans_items import KmeansItems
from icefire.history.anonymize.method1 import Method1
from icefire.history.anonymize.method2 import Method2
from icefire.history.anonymize.unify_items import UnifyItems
from icefire.history.data import History, Release
from icefire.history.examples import example, records
from icefire.history.theory.fitted import Fitted
from icefire.history.utility.own_items import OwnItems
from icefire.history.utility.records_changed import RecordsChanged

Rng = np.random.default_rng
How = Literal["mixed", "delete", "rewrite"]


def bought(release: Release) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = {}
    for user, item in zip(release.record_owners, release.published.frame["item"], strict=True):
        found.setdefault(int(user), set()).add(item)
    return {user: frozenset(items) for user, items in found.items()}


@pytest.mark.parametrize("how", ["mixed", "delete", "rewrite"])
def test_customers_of_a_cluster_look_alike(how: How) -> None:
    original = example(40, 8)
    release = UnifyItems(clusters=20, how=how).anonymize(original, Rng(3))
    sets = bought(release)
    labels = Method2(20).labels(item_sets(original), Rng(3))
    for cluster in np.unique(labels):
        assert len({sets.get(int(user)) for user in np.flatnonzero(labels == cluster)}) == 1
    detail = RecordsChanged().measure(original, release).detail
    if how == "rewrite":
        assert (detail["added"], detail["deleted"]) == (0, 0)
    if how == "delete":
        assert (detail["added"], detail["rewritten"]) == (0, 0)


users = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=5), min_size=2, max_size=4)


@settings(max_examples=40, deadline=None)
@given(users)
def test_mixed_is_the_least_that_can_be_added_and_deleted(customers: list[list[int]]) -> None:
    lines = [f"u{user} 2011-01-03 i{item}" for user, items in enumerate(customers) for item in items]
    log = records(*lines)
    least = min(
        sum(len(set(target) - set(items)) + sum(item not in target for item in items) for items in customers)
        for target in ([i for i, chosen in enumerate(choice) if chosen] for choice in product((0, 1), repeat=4))
    )
    try:
        detail = RecordsChanged().measure(log, UnifyItems(clusters=1).anonymize(log, Rng(0))).detail
    except DataError:
        assert least == log.height
        return
    assert int(str(detail["added"])) + int(str(detail["deleted"])) == least


@settings(max_examples=40, deadline=None)
@given(users)
def test_rewriting_keeps_every_record_and_changes_no_more_than_needed(customers: list[list[int]]) -> None:
    lines = [f"u{user} 2011-01-03 i{item}" for user, items in enumerate(customers) for item in items]
    log = records(*lines)
    release = UnifyItems(clusters=1, how="rewrite").anonymize(log, Rng(0))
    assert release.published.height == log.height
    (target,) = {frozenset(items) for items in bought(release).values()}
    needed = sum(
        max(sum(f"i{item}" not in target for item in items), len(target - {f"i{item}" for item in items}))
        for items in customers
    )
    assert RecordsChanged().measure(log, release).detail["rewritten"] == needed


def test_jaccard_means_need_fewer_dummies_than_euclidean_ones(contest: History) -> None:
    sets = item_sets(contest)
    jaccard, euclid = (KmeansItems(50, distance=d).labels(sets, Rng(0)) for d in ("jaccard", "euclid"))
    # Figure 3 shows a cluster of 294 customers and 45 of one: what the Euclidean distance gives.
    sizes = np.bincount(euclid, minlength=50)
    assert sizes.max() > 250
    assert (sizes == 1).sum() > 30
    assert np.bincount(jaccard).max() < 40
    assert union_cost(sets, jaccard) < union_cost(sets, Method1(50).labels(sets, Rng(0))) < union_cost(sets, euclid)


@pytest.mark.parametrize(("clusters", "published"), [(50, 0.1728), (125, 0.3692)])
def test_own_items_as_published(contest: History, clusters: int, published: float) -> None:
    release = Method1(clusters).anonymize(contest, Rng(0))
    assert OwnItems().measure(contest, release).value == pytest.approx(published, abs=0.01)


def test_models_of_the_contest_data(contest: History) -> None:
    fitted = Fitted.of(contest)
    assert (fitted.users, fitted.records, fitted.items) == (400, 38_087, 2_781)
    models = fitted.dummies(50)
    # The thesis: equal customers change next to nothing, equally likely items overstate the cost.
    assert models["E4"] == pytest.approx(models["E"], rel=0.06)
    assert models["E3"] == pytest.approx(models["E2"], rel=0.06)
    assert models["E2"] < 0.8 * models["E"]

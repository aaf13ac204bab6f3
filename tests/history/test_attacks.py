"""Attacks on histories: exact where they can be computed by hand, strong where they have to be."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from icefire.core.attackers import Attacker
from icefire.core.matching import match, match_dense, match_listed, sinkhorn
from icefire.core.pipeline import Pipeline
from icefire.core.scores import Similarity
from icefire.history.anonymize._clusters import item_sets
from icefire.history.anonymize.generalize import Generalize
from icefire.history.anonymize.method2 import Method2
from icefire.history.anonymize.pseudonyms import Pseudonyms
from icefire.history.attack._ratios import nearest_by_ratio
from icefire.history.attack.evidence import Evidence
from icefire.history.attack.item_overlap import ItemOverlap
from icefire.history.attack.jaccard import Jaccard
from icefire.history.attack.mean_price import MeanPrice
from icefire.history.attack.record_count import RecordCount
from icefire.history.attack.scoreboard import _stands_out
from icefire.history.attack.tf_idf import TfIdf
from icefire.history.attackers import limited
from icefire.history.data import NONE, Guess, History, Release
from icefire.history.examples import example
from icefire.history.facets import Facets, suspicious
from icefire.history.safety.extended_month_matching import ExtendedMonthMatching
from icefire.history.safety.month_matching import MonthMatching
from icefire.history.safety.re_identification import ReIdentification

Rng = np.random.default_rng


def found(release: Release, guess: Guess) -> float:
    return ReIdentification().measure(release, guess).value


def records(rows: list[tuple[Any, ...]], columns: tuple[str, ...] = ("user", "item", "date")) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=list(columns), orient="row")
    return frame if "date" in columns else frame.with_columns(date=date(2011, 1, 1))


def test_mean_jaccard_of_the_contest_data(contest: History) -> None:
    sets = item_sets(contest)
    sizes = np.diff(sets.indptr)
    common = (sets @ sets.T).toarray()
    jaccard = common / (sizes[:, None] + sizes - common)
    pairs = jaccard[np.triu_indices(400, 1)]
    assert round(float(pairs.mean()), 4) == 0.0300
    assert contest.height == 38_087
    assert sets.shape == (400, 2781)
    assert round(float(sizes.mean())) == 66


def test_jaccard_by_hand() -> None:
    original = History(
        records([("ann", "tea"), ("ann", "cup"), ("bob", "tea"), ("bob", "jam"), ("cat", "hat")], ("user", "item"))
    )
    # p has tea, cup and hat: 2/3 with ann, 1/4 with bob, 1/3 with cat. q has jam: 1/2 with bob. r has nothing of anybody.
    rows = [("p", "tea"), ("p", "cup"), ("p", "hat"), ("q", "jam"), ("r", "pen")]
    published = History(records(rows, ("user", "item")), periods=original.periods)
    guess = Jaccard().attack(published, original, Rng(0))
    assert guess.owners.tolist() == [0, 1, NONE]
    assert guess.table[:, 0].tolist() == [0, 1, 0]
    matched = Jaccard(assign="assignment").attack(published, original, Rng(0))
    assert matched.table[:, 0].tolist() == [0, 1, NONE]


@given(st.integers(0, 10_000))
def test_every_similarity_agrees_with_its_formula(seed: int) -> None:
    rng = Rng(seed)
    left, right = (
        sparse.csr_array((rng.integers(0, 3, (shape, 9)) * (rng.random((shape, 9)) < 0.4)).astype(float))
        for shape in (6, 5)
    )
    a, b = left.toarray(), right.toarray()
    sets = [{int(j) for j in np.flatnonzero(row)} for row in (*a, *b)]
    dense = _similarity("jaccard", left, right).dense()
    for i in range(6):
        for j in range(5):
            known, seen = sets[i], sets[6 + j]
            assert dense[i, j] == pytest.approx(len(known & seen) / len(known | seen) if known | seen else 0)
    divergence = _similarity("jensen_shannon", left, right).dense()
    for i in range(6):
        for j in range(5):
            if a[i].sum() and b[j].sum():
                p, q = a[i] / a[i].sum(), b[j] / b[j].sum()
                m = (p + q) / 2
                kl = [sum(x * np.log2(x / y) for x, y in zip(side, m, strict=True) if x > 0) for side in (p, q)]
                assert divergence[i, j] == pytest.approx(1 - sum(kl) / 2)
    cosine = _similarity("tf_idf", left, right)
    lengths = [np.linalg.norm(side.toarray(), axis=1) for side in (cosine.left, cosine.right)]
    assert np.allclose(lengths[0], a.any(axis=1))
    assert np.allclose(lengths[1], b.any(axis=1))


NAMES = ["jaccard", "tversky", "idf_jaccard", "tf_idf", "log_likelihood", "jensen_shannon", "scoreboard"]


def _similarity(name: str, left: Any, right: Any) -> Similarity:
    from icefire.core.registry import Registry

    attack: Any = Registry().make("history", "attack", name)
    made: Similarity = attack.similarity(left, right)
    return made


@pytest.mark.parametrize("name", NAMES)
def test_the_inverted_index_finds_what_the_full_matrix_finds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="the fast kernel needs numba")
    rng = Rng(4)
    left, right = (
        sparse.csr_array(np.ceil(5 * sparse.random_array((shape, 60), density=0.1, rng=rng).toarray()))
        for shape in (80, 70)
    )
    similarity = _similarity(name, left, right)
    scores = similarity.dense()
    monkeypatch.setattr("icefire.core.scores.INDEXED", 0)
    near, values = similarity.nearest(5, Rng(0))
    best = -np.sort(-scores, axis=1)[:, :5]
    assert np.allclose(values, np.where(best > 0, best, 0.0))
    for row in range(80):
        listed = near[row] != NONE
        assert np.allclose(scores[row, near[row][listed]], values[row][listed])


@pytest.mark.parametrize("how", ["argmax", "assignment", "sinkhorn"])
def test_candidate_lists_lead_to_the_same_answers(how: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    original = example(60, 12)
    release = Pseudonyms(window=None).anonymize(original, Rng(1))
    attack = TfIdf(assign=how)
    full = attack.attack(release.published, original, Rng(2))
    monkeypatch.setattr("icefire.core.memory._limit", 0)
    monkeypatch.setattr("icefire.core.scores.INDEXED", 0)
    monkeypatch.setattr("icefire.core.scores.has_numba", lambda: False)
    listed = attack.attack(release.published, original, Rng(2))
    assert found(release, full) == found(release, listed) == 1


def test_evidence_on_candidate_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    original = example(60, 12)
    release = Pseudonyms(window=None).anonymize(original, Rng(1))
    monkeypatch.setattr("icefire.history.attack.evidence.SMALL", 0)
    for plain in (False, True):
        guess = Evidence(assign="assignment", plain=plain).attack(release.published, original, Rng(2))
        assert found(release, guess) > 0.95


def test_ties_are_broken_at_random_whatever_the_order() -> None:
    # Ten customers who cannot be told apart: a tenth is found on average, in any order of the data.
    rows = [(f"c{i}", item, date(2011, 1, 1)) for i in range(10) for item in ("tea", "cup")]
    original = History(records(rows))
    hits: dict[str, list[float]] = {how: [] for how in ("argmax", "assignment", "sinkhorn")}
    published = History(records([(f"p{name[1:]}", item, day) for name, item, day in rows]), periods=original.periods)
    release = Release(original, published, np.arange(10)[:, None], np.arange(20))
    for seed in range(200):
        for how, values in hits.items():
            guess = Jaccard(assign=how).attack(published, original, Rng(seed))  # type: ignore[arg-type]
            values.append(found(release, guess))
    for how, values in hits.items():
        assert abs(np.mean(values) - 0.1) < 0.035, how


def test_a_full_matrix_can_be_answered_in_three_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.array([[0.9, 0.8, 0.0], [0.85, 0.1, 0.0]])
    best = match_dense(scores, "argmax", Rng(0), least=0.0)
    assert (best.rows.tolist(), best.columns.tolist()) == ([0, 0], [0, 0, NONE])
    pairs = match_dense(scores, "assignment", Rng(0), least=0.0)
    assert (pairs.rows.tolist(), pairs.columns.tolist()) == ([1, 0], [1, 0, NONE])
    balanced = match_dense(scores, "sinkhorn", Rng(0))
    assert balanced.rows.tolist() == [1, 0]
    plan = sinkhorn(scores)
    assert np.allclose(plan.sum(axis=1), 1)
    assert np.allclose(sinkhorn(scores.T), plan.T)
    # Columns approach their limit from above, round by round.
    monkeypatch.setattr("icefire.core.matching.ROUNDS", 20_000)
    assert (sinkhorn(scores).sum(axis=0) <= 1 + 1e-4).all()
    near = np.array([[0, 1], [0, NONE]])
    listed = match_listed(near, np.array([[0.9, 0.8], [0.85, 0.0]]), "assignment", 3, Rng(0))
    assert listed.rows.tolist() == [1, 0]


def test_nobody_is_matched_with_an_empty_side() -> None:
    empty = sparse.csr_array((0, 4))
    found = match(Similarity(empty, sparse.csr_array((3, 4))), "assignment", Rng(0))
    assert (found.rows.size, found.columns.tolist()) == (0, [NONE] * 3)


def test_populations_that_overlap_in_part() -> None:
    # Half of the customers are not in the release, and half of the pseudonyms are strangers.
    original = example(80, 12)
    half = original.user_codes < 40
    other = example(40, 12, seed=99).frame.with_columns(pl.col("user") + "x")
    both = pl.concat([original.frame.filter(pl.Series(half)), other])
    published = Pseudonyms(window=None).anonymize(History(both), Rng(0))
    names = published.published.users
    owners = [published.original.users[int(o)] for o in published.owners.max(axis=1)]
    for attack in (Jaccard(assign="assignment"), Evidence(assign="assignment", plain=True), TfIdf(assign="sinkhorn")):
        guess = attack.attack(published.published, original, Rng(1))
        real = [name for name, owner in zip(range(len(names)), owners, strict=True) if not owner.endswith("x")]
        right = sum(
            guess.owners[name] != NONE and original.users[int(guess.owners[name])] == owners[name] for name in real
        )
        assert right / len(real) > 0.9, attack.name


def test_ratios_by_hand_and_by_brute_force() -> None:
    rng = Rng(0)
    values, among = rng.integers(0, 12, 200).astype(float), rng.integers(0, 12, 50).astype(float)
    nearest = nearest_by_ratio(values, among, Rng(1))
    larger = np.maximum(values[:, None], among[None, :])
    ratio = np.where(larger > 0, np.minimum(values[:, None], among[None, :]) / np.where(larger > 0, larger, 1), 1.0)
    assert np.allclose(ratio[np.arange(200), nearest], ratio.max(axis=1))


def test_s7_and_s8_by_hand() -> None:
    columns = ("user", "item", "date", "price")
    day = date(2011, 1, 1)
    original = History(records([("ann", "x", day, 2.0), ("ann", "y", day, 4.0), ("bob", "x", day, 10.0)], columns))
    # Means: ann 3, bob 10. p has 9 (nearest to bob: 0.9), q has 4 and 2 records.
    rows = [("p", "x", day, 9.0), ("q", "x", day, 3.0), ("q", "y", day, 5.0)]
    published = History(records(rows, columns), periods=original.periods)
    assert MeanPrice().attack(published, original, Rng(0)).table[:, 0].tolist() == [1, 0]
    assert RecordCount().attack(published, original, Rng(0)).table[:, 0].tolist() == [1, 0]


def test_item_overlap_names_three() -> None:
    original = History(records([("ann", item, date(2011, 1, 1)) for item in ("a", "b", "c", "d")]))
    rows = [("p", "abcd"), ("q", "abc"), ("r", "ab"), ("s", "a")]
    published = History(
        records([(name, item, date(2011, 1, 1)) for name, items in rows for item in items]), periods=original.periods
    )
    guess = ItemOverlap().attack(published, original, Rng(0))
    assert guess.ranked is not None
    assert guess.ranked[0, 0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("k", [3])
def test_three_known_records_of_each_customer_are_enough(contest: History, k: int) -> None:
    release = Pipeline(()).anonymize(contest, Rng(0))
    best = {
        attack.step(): found(release, attack.attack(release.published, contest, Rng(seed)))
        for seed in (1, 2)
        for attack in (Jaccard(records=k, assign="assignment"), Evidence(records=k, assign="assignment"))
    }
    assert min(best.values()) >= 0.9, best
    assert best[Evidence(records=k, assign="assignment").step()] >= 0.99, best


def test_the_dummy_filter_undoes_published_prices_and_not_realistic_ones(contest: History) -> None:
    for dummies, undone in (("published", True), ("realistic", False)):
        release = Method2(clusters=100, dummies=dummies).anonymize(contest, Rng(0))  # type: ignore[arg-type]
        plain = found(release, Jaccard().attack(release.published, contest, Rng(1)))
        assert abs(plain - 0.25) < 0.05
        filtered = found(release, Jaccard(drop_dummies=True).attack(release.published, contest, Rng(1)))
        if undone:
            assert filtered > 0.95
        else:
            assert abs(filtered - 0.25) < 0.05
            # Dates, prices and quantities of the real records still tell whose they are.
            strongest = Evidence(assign="assignment", plain=True).attack(release.published, contest, Rng(1))
            assert found(release, strongest) > 0.99


def test_limited_attackers_know_what_they_should() -> None:
    original = example(30, 8)
    three = limited(original, Rng(0), records=3)
    assert np.bincount(three.user_codes).tolist() == [3] * 30
    assert not three.complete
    quarter = limited(original, Rng(0), share=0.25)
    assert quarter.height == 60
    february = limited(original, Rng(0), periods=("2011-02",))
    assert set(february.period_codes) == {1}
    short = limited(original, Rng(0), characters=2)
    assert short.complete
    assert set(short.frame["item"].str.len_chars()) == {3}
    assert limited(original, Rng(0)) is original


def test_habits_reach_into_months_of_which_nothing_is_known() -> None:
    # Everybody buys the same private item every month; the attacker knows January only.
    rows = [(f"c{i}", f"item{i}", date(2011, month, 3)) for i in range(20) for month in (1, 2, 3)]
    original = History(records(rows))
    release = Pseudonyms().anonymize(original, Rng(0))
    known = Jaccard(periods=("2011-01",))
    habits = Jaccard(periods=("2011-01",), habits=True)
    assert MonthMatching().measure(release, known.attack(release.published, original, Rng(0))).value == pytest.approx(
        1 / 3
    )
    assert MonthMatching().measure(release, habits.attack(release.published, original, Rng(0))).value == 1


def test_coarse_items_meet_coarse_knowledge() -> None:
    original = example(40, 12)
    release = Generalize(item=2).anonymize(original, Rng(0))
    facets = Facets(release.published, original)
    side, known = facets.tokens(("item",))
    assert set(side.codes) == set(known)
    fine = Pseudonyms(window=None).anonymize(original, Rng(0))
    coarse = Facets(fine.published, limited(original, Rng(0), characters=2))
    assert len(set(coarse.tokens(("item",))[1])) == len({item[:2] for item in original.frame["item"]})


def test_sets_and_beginnings_spread_over_what_they_may_be() -> None:
    original = History(records([("ann", "a1"), ("ann", "a2"), ("bob", "b1")], ("user", "item")))
    published = History(
        records([("p", "{a1|b1}"), ("p", "a2"), ("q", "a*")], ("user", "item")), periods=original.periods
    )
    left, right = Facets(published, original).profiles(("item",))
    assert left.shape[1] == right.shape[1]
    both = {row: {left.indices[at]: left.data[at] for at in range(*left.indptr[row : row + 2])} for row in range(2)}
    known = {row: set(right.indices[slice(*right.indptr[row : row + 2])].tolist()) for row in range(2)}
    assert sorted(both[0].values()) == [0.5, 0.5, 1.0]
    assert set(both[1]) == known[0]


def test_intervals_meet_the_values_inside_them() -> None:
    original = example(40, 12)
    release = Generalize(date="week", price=3, quantity=2).anonymize(original, Rng(0))
    facets = Facets(release.published, original)
    assert set(facets.names) == {"item", "date", "price", "quantity", "time"}
    for name in ("date", "price", "quantity"):
        side, known = facets.tokens((name,))
        assert (side.codes == known[release.rows]).all(), name


def test_suspicious_records_are_those_of_unknown_item_and_price() -> None:
    columns = ("user", "item", "date", "price")
    day = date(2011, 1, 1)
    original = History(records([("ann", "x", day, 2.0)], columns))
    published = History(
        records([("p", "x", day, 2.0), ("p", "x", day, 0.3), ("p", "y", day, 2.0)], columns), periods=original.periods
    )
    assert suspicious(published, original).tolist() == [False, True, True]


def test_a_pseudonym_that_changes_hands_is_not_one_person() -> None:
    # 'p' is ann in January and bob in February: linking misleads, not linking does not.
    rows = [
        ("ann", "a", date(2011, 1, 1)),
        ("bob", "b", date(2011, 1, 1)),
        ("ann", "a", date(2011, 2, 1)),
        ("bob", "b", date(2011, 2, 1)),
    ]
    original = History(records(rows))
    names = ["p", "q", "q", "p"]
    published = History(original.frame.with_columns(user=pl.Series(names)), periods=original.periods)
    release = Release(original, published, np.array([[0, 1], [1, 0]]), np.arange(4))
    apart = Jaccard(link=False).attack(published, original, Rng(0))
    assert ExtendedMonthMatching().measure(release, apart).value == 1
    assert any(not attack.link for attack in Jaccard.variants(published, original))


def test_short_items_do_not_shorten_the_others() -> None:
    # "M" is whole; cutting it must not make one character of all items.
    items = ["M", "22100", "22200", "23100", "23200"]
    rows = [(f"c{i}", items[i], date(2011, 1, 1)) for i in range(5)]
    original = History(records(rows))
    for width, groups in ((2, 3), (3, 5), (4, 5)):
        release = Generalize(item=width).anonymize(original, Rng(0))
        side, known = Facets(release.published, original).tokens(("item",))
        assert len(set(known.tolist())) == groups
        assert (side.codes == known[release.rows[side.records]]).all()


def test_items_may_look_like_sets_and_beginnings() -> None:
    for items in (["{a", "{b", "c"], ["{a}", "{b}", "{a|b}"], ["a*", "b*", "ab*", "x"], ["a|b", "*", "**"]):
        original = History(records([(f"c{i}", item, date(2011, 1, 1)) for i, item in enumerate(items)]))
        release = Pseudonyms(window=None).anonymize(original, Rng(0))
        assert found(release, Jaccard().attack(release.published, original, Rng(0))) == 1, items


def test_coarse_attackers_read_sets_and_partly_cut_items() -> None:
    items = ["10abc", "10abd", "20xyz", "30xyz"]
    original = History(records([(f"c{i}", item, date(2011, 1, 1)) for i, item in enumerate(items)]))
    cells = ["{10abc|10abd}", "10*", "20xyz", "30*"]
    published = History(
        records([(f"p{i}", cell, date(2011, 1, 1)) for i, cell in enumerate(cells)]), periods=original.periods
    )
    for characters in (2, 4, 5, None):
        guess = Jaccard(characters=characters, assign="assignment").attack(published, original, Rng(0))
        assert guess.owners[2:].tolist() == [2, 3]
        assert set(guess.owners[:2].tolist()) == {0, 1}


def test_generalizing_twice_loses_no_more_than_once() -> None:
    original = example(60, 12)
    once = Pipeline((Generalize(item=3),)).anonymize(original, Rng(0))
    twice = Pipeline((Generalize(item=3), Generalize(date="week"), Generalize(item=2))).anonymize(original, Rng(0))
    assert set(once.published.frame["item"]) == {f"{item[:3]}*" for item in original.frame["item"]}
    assert set(twice.published.frame["item"]) == {f"{item[:2]}*" for item in original.frame["item"]}


def test_order_says_nothing_on_candidate_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    # Groups of ten who cannot be told apart, pseudonyms in the order of the customers.
    rows = [(f"c{i:03}", f"g{i // 10}", date(2011, 1, 1)) for i in range(200)]
    original = History(records(rows))
    published = History(records([(f"p{name[1:]}", item, day) for name, item, day in rows]), periods=original.periods)
    release = Release(original, published, np.arange(200)[:, None], np.arange(200))
    for name in (
        "icefire.core.memory._limit",
        "icefire.core.scores.INDEXED",
        "icefire.history.attack.evidence.SMALL",
    ):
        monkeypatch.setattr(name, 0)
    for attack in (
        Evidence(assign="assignment"),
        Jaccard(assign="assignment"),
        Evidence(assign="sinkhorn"),
        Evidence(),
    ):
        rates = [found(release, attack.attack(published, original, Rng(seed))) for seed in range(8)]
        assert np.mean(rates) < 0.2, attack.step()


def test_a_taken_candidate_stays_with_its_partner() -> None:
    lists = match_listed(np.array([[0], [0]]), np.array([[1.0], [0.5]]), "assignment", 1, Rng(0))
    assert lists.columns.tolist() == [0]


def test_twins_are_found_half_of_the_time_by_the_evidence() -> None:
    rows = [(f"c{i}", f"{item}{i // 2}", date(2011, 1, 1)) for i in range(100) for item in "ab"]
    original = History(records(rows))
    release = Pseudonyms(window=None).anonymize(original, Rng(0))
    for attack in (Evidence(), Evidence(assign="assignment"), Evidence(plain=True)):
        rates = [found(release, attack.attack(release.published, original, Rng(seed))) for seed in range(6)]
        assert 0.35 < np.mean(rates) < 0.65, attack.step()


def test_missing_prices_hide_nothing_that_is_known() -> None:
    columns = ("user", "item", "date", "price")
    day = date(2011, 1, 1)
    rows = [(f"c{i}", item, day, price) for i in range(9) for item, price in (("x", 2.0**i), ("y", None))]
    original = History(records(rows, columns))
    release = Pseudonyms(window=None).anonymize(original, Rng(0))
    assert found(release, MeanPrice().attack(release.published, original, Rng(0))) == 1
    assert not suspicious(release.published, original).any()


def test_periods_without_records_are_no_trouble() -> None:
    from icefire.core.registry import Registry
    from icefire.evaluation.runs import run_attacks
    from icefire.history.kind import HistoryKind

    rows = [(f"c{i}", f"item{i}", date(2011, month, 3)) for i in range(6) for month in (1, 3)]
    original = History(records(rows))
    release = Pseudonyms().anonymize(original, Rng(0))
    january = limited(original, Rng(0), periods=("2011-01",))
    for known in (original, january):
        runs = run_attacks(Registry(), HistoryKind(), release.published, Attacker(known), 0)
        assert max(MonthMatching().measure(release, run.guess).value for run in runs if run.guess is not None) == 1


@given(st.integers(0, 10_000), st.sampled_from([1, 2, 60]))
def test_scoreboard_names_only_those_who_stand_out(seed: int, width: int) -> None:
    rng = Rng(seed)
    left, right = (sparse.csr_array((rng.random((rows, 6)) < 0.5).astype(float)) for rows in (5, width))
    similarity = _similarity("scoreboard", left, right)
    found = _stands_out(similarity, 0.5, rng)
    for scores, stands_out in zip(similarity.dense(), found, strict=True):
        if width == 1:
            assert stands_out
        else:
            second, first = np.sort(scores)[-2:]
            assert stands_out == (first - second >= 0.5 * scores.std())

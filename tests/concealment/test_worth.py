"""What k is worth: draws of the truth, chances of matches, and what repeating a method finds."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import polars as pl
import pytest
from scipy import sparse
from scipy.stats import chisquare

from icefire.concealment import Design
from icefire.concealment.audit import audit
from icefire.concealment.designs import design
from icefire.concealment.draws import drawn_from, drawn_of, matchings
from icefire.concealment.exchange import exchanged
from icefire.concealment.graph import Graph
from icefire.concealment.neighbours import nearest
from icefire.concealment.worlds import balanced, effective, effective_matches, marginals
from icefire.core.errors import Undefined
from icefire.datasets.households import Households
from icefire.microdata.anonymize.conceal import Conceal
from icefire.microdata.anonymize.k_member import KMember
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.anonymize.noise import Noise
from icefire.microdata.anonymize.top_bottom_code import TopBottomCode
from icefire.microdata.attack.posterior import Posterior
from icefire.microdata.attack.replay import Replay
from icefire.microdata.concealing import graph_of, graph_of_release, space_of
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.roles import Attack, InformedAttack
from icefire.microdata.safety.k_concealment import KConcealment

Rng = np.random.default_rng


def ages(*values: object) -> Microdata:
    return Microdata(pl.DataFrame({"age": values}), Schema(qi=["age"]))


def worlds_of(edges: np.ndarray) -> list[tuple[int, ...]]:
    """Every perfect matching, one after the other: the row of each record."""
    size = len(edges)
    return [world for world in itertools.permutations(range(size)) if all(edges[range(size), world])]


def exact(edges: np.ndarray) -> np.ndarray:
    """[record, row]: the share of perfect matchings that hold each edge."""
    worlds = np.array(worlds_of(edges))
    return np.array([[(worlds[:, record] == row).mean() for row in range(len(edges))] for record in range(len(edges))])


def random_edges(size: int, seed: int) -> np.ndarray:
    """Ranges around the records, as releases have them."""
    rng = Rng(seed)
    place = rng.random(size)
    low, high = place - rng.exponential(0.2, size), place + rng.exponential(0.2, size)
    return (low <= place[:, None]) & (place[:, None] <= high)


def graph(edges: np.ndarray) -> Graph:
    return Graph.of_edges(sparse.csr_array(edges.astype(np.int8)), np.arange(len(edges)))


SLIDE = np.array([[1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [0, 1, 1, 0, 0], [0, 0, 0, 1, 1], [0, 0, 0, 1, 1]], dtype=bool)
"""Ages and zips of the slides: six worlds."""


def test_marginals_against_all_worlds() -> None:
    """The slide by hand: the first record is behind either of its rows in 1 and 2 of 3 worlds; then random releases."""
    found = marginals(graph(SLIDE)).toarray()
    assert exact(SLIDE)[0, :2].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert np.abs(found - exact(SLIDE)).max() < 0.05
    errors, plain = [], []
    for seed in range(40):
        edges = random_edges(7, seed)
        truth = exact(edges)
        matched = graph(edges)
        errors.append(np.abs(marginals(matched).toarray() - truth)[truth > 0].mean())
        plain.append(np.abs(balanced(matched.worlds())[0].toarray() - truth)[truth > 0].mean())
    assert np.mean(errors) < 0.012
    assert max(errors) < 0.07
    assert np.mean(errors) < np.mean(plain)


def test_equal_records_are_counted_as_often_as_they_occur() -> None:
    """Three equal people of 20 and one of 30, behind three equal rows and one wide row."""
    original = ages(20, 20, 20, 30)
    released = ages("[20..30]", "[20..30]", "[20..30]", "[20..30]")
    assert effective_matches(graph_of(original, released)) == pytest.approx([4.0] * 4)
    merged = graph_of(original, ages("20", "20", "[20..30]", "[20..30]"))
    apart = graph(np.array([[1, 1, 1, 1]] * 3 + [[0, 0, 1, 1]], dtype=bool))
    assert effective_matches(merged) == pytest.approx(effective(sparse.csr_array(marginals(apart).T)))


def test_draws_from_all_worlds_are_uniform() -> None:
    for edges in (SLIDE, random_edges(5, 3), random_edges(6, 8)):
        rng, worlds = Rng(0), worlds_of(edges)
        behind = Counter(tuple(np.argsort(drawn_from(graph(edges), rng)).tolist()) for _ in range(60 * len(worlds)))
        assert set(behind) <= set(worlds)
        assert chisquare([behind[world] for world in worlds]).pvalue > 0.001


def test_draws_do_not_depend_on_the_matching_they_start_from() -> None:
    """On a release of 300 people, as many are behind the row built around them as their chances say."""
    original = Households(n=300).generate(Rng(0))
    release = Conceal(k=5, design="greedy", randomized=False).anonymize(original, Rng(0))
    found = graph_of_release(release)
    own = marginals(found)[found.records[release.rows], found.released].sum()
    drawn = [int((drawn_from(found, Rng(seed)) == release.rows).sum()) for seed in range(5)]
    assert np.mean(drawn) == pytest.approx(own, rel=0.15)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_each_of_k_records_is_equally_likely(k: int) -> None:
    size = 9
    members = (np.arange(size)[:, None] + np.arange(k)) % size
    worlds = matchings(members, Rng(0))
    # k disjoint perfect matchings of the design.
    assert (np.sort(worlds, axis=1) == np.arange(size)).all()
    assert sorted((row, record) for world in worlds for record, row in enumerate(world)) == sorted(
        (row, record) for row in range(size) for record in members[row]
    )
    rng, runs = Rng(1), 400
    counts = np.zeros((size, size))
    seen = set()
    for _ in range(runs):
        world = drawn_of(worlds, rng)
        counts[np.arange(size), world] += 1
        seen.add(tuple(world))
    for record in range(size):
        assert chisquare(counts[record][counts[record] > 0]).pvalue > 1e-4
        assert (counts[record] > 0).sum() == k
    # Not the k matchings alone, but parts of them combined.
    assert len(seen) > k or k == 2


def test_tied_records_move_together() -> None:
    """Records 0 and 1 are a customer's, and so are 2 and 3: the two may be exchanged, but not one record alone."""
    worlds = np.array([[0, 1, 2, 3], [2, 3, 0, 1]])
    tied = np.array([0, 2]), np.array([1, 3])
    assert {tuple(drawn_of(worlds, Rng(seed), tied)) for seed in range(20)} == {(0, 1, 2, 3), (2, 3, 0, 1)}
    assert len({tuple(drawn_of(worlds, Rng(seed))) for seed in range(40)}) == 4


@pytest.mark.parametrize("how", ["exchange", "lsap", "flow"])
def test_the_table_does_not_depend_on_who_is_behind_its_rows(how: Design) -> None:
    original = ages(1, 2, 4, 8, 16, 32, 64)
    tables, behind = set(), Counter[tuple[str, int]]()
    runs = 300
    for seed in range(runs):
        release = Conceal(k=3, design=how).anonymize(original, Rng(seed))
        cells = release.published.frame["age"].to_list()
        tables.add(tuple(sorted(cells)))
        behind.update(zip(cells, release.rows.tolist(), strict=True))
    # Tours may be run in both directions, so "ring" and "tsp" would have two tables.
    assert len(tables) == 1
    times = Counter(next(iter(tables)))
    for (cell, _), number in behind.items():
        if times[cell] == 1:
            assert abs(number / runs - 1 / 3) < 5 * np.sqrt(2 / 9 / runs)


def test_exchanges_keep_the_design_complete_and_lower_its_loss() -> None:
    original = Households(n=200).generate(Rng(0))
    space = space_of(original, original.qi)
    near = nearest(space, 40)
    for k in (2, 5):
        before = design(space, near, k, "lsap")
        after = exchanged(space, near, before)
        assert np.array_equal(after[:, 0], np.arange(200))
        assert np.bincount(after.ravel()).tolist() == [k] * 200
        assert all(len(set(row)) == k for row in after.tolist())
        losses = [space.loss(space.closure(members)).mean() for members in (before, after)]
        assert losses[1] <= losses[0] * (1.0 if k == 2 else 0.95)


def found(release: Release, attack: Attack | InformedAttack, known: Microdata) -> float:
    return float((attack.attack(release.published, known, Rng(3)).rows == release.rows).mean())


@pytest.fixture(scope="module")
def homes() -> Microdata:
    original = Households(n=300).generate(Rng(0))
    return original.only(original.qi)


@pytest.mark.parametrize(
    ("step", "least"), [(Conceal(k=5, design="greedy"), 0.6), (Conceal(k=5, design="flow"), 0.6), (Conceal(k=5), 0.4)]
)
def test_replay_finds_whom_rows_were_built_around(step: Conceal, least: float, homes: Microdata) -> None:
    plain = Conceal(k=5, design=step.design, randomized=False)
    release = plain.anonymize(homes, Rng(1))
    replay = Replay(match="assignment", runs=5)
    assert found(release, replay.knowing([plain]), homes) > least
    drawn = step.anonymize(homes, Rng(1))
    # 1 in 5 of 300, or with "greedy" what the chances of all assignments say, and four standard deviations.
    most = 0.2 if step.design != "greedy" else float(marginals(graph_of_release(drawn)).max(axis=0).toarray().mean())
    for attack in (replay.knowing([step]), Posterior(), Posterior(assign="assignment")):
        assert found(drawn, attack, homes) < most + 4 * 0.025


def test_replay_does_not_break_k_anonymity(homes: Microdata) -> None:
    """Rows of a cluster are equal, so repeating the clustering tells no more than the cluster."""
    release = KMember(k=5).anonymize(homes, Rng(1))
    assert found(release, Replay(runs=5).knowing([KMember(k=5)]), homes) < 0.2 + 4 * 0.025


def test_replay_after_other_steps(homes: Microdata) -> None:
    original = Households(n=200).generate(Rng(0))
    steps = TopBottomCode(), Conceal(k=3, randomized=False)
    release, _ = original.begin(Rng(0))
    for step in steps:
        release = release.then(step.anonymize(release.working, Rng(1)))
    assert found(release, Replay(runs=3).knowing(steps), original.only(original.qi)) > 0.6


def test_replay_uses_other_columns_that_are_known() -> None:
    """Amounts that are published as they are tell everybody apart, whoever was drawn."""
    original = Households(n=120).generate(Rng(0))
    amounts = pl.Series("pay", Rng(1).permutation(120))
    table = Microdata(original.frame.select(original.qi).with_columns(amounts), Schema(qi=original.qi, sa=["pay"]))
    release = Conceal(k=3).anonymize(table, Rng(2))
    assert found(release, Replay(runs=2).knowing([Conceal(k=3)]), table) == 1.0


def test_replay_says_where_it_has_no_use(homes: Microdata) -> None:
    for steps, reason in (
        ((Mondrian(k=3),), "`informed` knows"),
        ((Noise(scale=1.0),), "`informed` knows"),
        ((Conceal(k=301),), "conceal cannot be repeated"),
    ):
        with pytest.raises(Undefined, match=reason):
            Replay().knowing(steps).attack(homes, homes, Rng(0))


def test_chances_of_the_draw_add_up() -> None:
    original = Households(n=80).generate(Rng(0))
    for step in (Conceal(k=4), Conceal(k=4, design="greedy"), Conceal(k=4, randomized=False), KMember(k=4)):
        release, chances = step.repeated(original, Rng(0))
        assert np.allclose(chances.sum(axis=1), 1.0, atol=1e-3)
        assert (chances.toarray()[np.arange(80), release.rows] > 0).all()
    assert np.allclose(Conceal(k=4).repeated(original, Rng(0))[1].data, 0.25)


def test_audit_says_what_k_is_worth(homes: Microdata) -> None:
    worth = {}
    for randomized in (False, True):
        step = Conceal(k=5, design="flow", randomized=randomized)
        release = step.anonymize(homes, Rng(1))
        figures = KConcealment().audit(release, 5, Rng(0), (step,)).document
        least, informed = figures["least_matches"], figures["informed"]
        assert isinstance(least, int)
        assert least >= 5
        assert isinstance(informed, dict)
        worth[randomized] = float(informed["mean"])
        assert KConcealment().audit(release, 5, Rng(0)).document["informed"] == {
            "not measured": "the method is not known"
        }
    assert worth[False] < 3.0 < 4.5 < worth[True]
    assert audit(graph(SLIDE), 2, Rng(0)).effective_least == pytest.approx(1.89, abs=0.1)

"""Ties count by their expectation, not by a draw."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from icefire.core.attackers import Attacker
from icefire.core.errors import DataError
from icefire.core.registry import Registry
from icefire.datasets.households import Households
from icefire.evaluation.runs import run_attacks
from icefire.microdata import costs, data
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.anonymize.pram import Pram
from icefire.microdata.attack.euclid import Euclid
from icefire.microdata.attack.id_rand import IdRand
from icefire.microdata.attack.id_sa import IdSa
from icefire.microdata.attack.informed import Informed
from icefire.microdata.attack.inside import Inside
from icefire.microdata.attack.sa21 import Sa21
from icefire.microdata.attack.sort import Sort
from icefire.microdata.data import Chances, Guess, Microdata, Release, Schema
from icefire.microdata.kind import MicrodataKind
from icefire.microdata.partition import group_equal
from icefire.microdata.roles import Attack, InformedAttack
from icefire.microdata.safety.re_identification import ReIdentification

Rng = np.random.default_rng
REGISTRY, KIND = Registry(), MicrodataKind()


def people(seed: int, rows: int = 12, scale: int = 1) -> Microdata:
    rng = Rng(seed)
    values = {
        "age": rng.integers(0, 3, rows),
        "sex": rng.choice(["f", "m"], rows),
        "pay": rng.integers(0, 4, rows) * scale,
        "tax": rng.integers(0, 4, rows) + 7 * scale,
    }
    return Microdata(pl.DataFrame(values), Schema(qi=["age", "sex"], sa=["pay", "tax"]))


def stated(guess: Guess) -> list[set[int]]:
    """The original rows that each published row may be given."""
    assert guess.chances is not None
    return [set(np.flatnonzero(row).tolist()) for row in guess.chances.toarray()]


@given(st.integers(0, 10**6), st.sampled_from([1, 1000, 123_456]))
def test_equal_distances_are_found_despite_rounding(seed: int, scale: int) -> None:
    """Against distances in fractions: variances of integers are rational."""
    original, other = people(seed, scale=scale), people(seed + 1, 8, scale)
    guess = Euclid().attack(other, original, Rng(0))
    columns = {name: [int(v) for v in original.frame[name]] for name in original.numeric}
    variances = {}
    for name, values in columns.items():
        mean = Fraction(sum(values), len(values))
        variances[name] = sum((value - mean) ** 2 for value in values) / len(values) or Fraction(1)
    for j, shown in enumerate(other.frame.rows(named=True)):
        costs = [
            sum((shown[name] - true[name]) ** 2 / variances[name] for name in columns) + (shown["sex"] != true["sex"])
            for true in original.frame.rows(named=True)
        ]
        assert stated(guess)[j] == {i for i, cost in enumerate(costs) if cost == min(costs)}
        assert guess.rows[j] in stated(guess)[j]


def test_a_small_difference_is_no_tie_however_large_the_other_columns_are() -> None:
    frame = pl.DataFrame({"age": [40, 40, 90, 10], "pay": [1.0, 1.001, 2.0, 3.0], "tax": [9e9, 9e9, 8e9, 1e9]})
    original = Microdata(frame, Schema(qi=["age"], sa=["pay", "tax"]))
    for attack in (Euclid(), Inside()):
        guess = attack.attack(original, original, Rng(0))
        assert stated(guess) == [{0}, {1}, {2}, {3}]


@given(st.integers(0, 10**6))
def test_id_sa_states_all_rows_of_the_nearest_amount(seed: int) -> None:
    original, other = people(seed, 20), people(seed + 1, 10)
    guess = IdSa().attack(other, original, Rng(0))
    for j, shown in enumerate(other.frame.rows(named=True)):
        known = list(enumerate(original.frame.rows(named=True)))
        fits = [i for i, row in known if row["age"] == shown["age"] and row["sex"] == shown["sex"]]
        gaps = {i: abs(known[i][1]["pay"] - shown["pay"]) for i in fits or range(20)}
        expected = {i for i, gap in gaps.items() if gap == min(gaps.values())}
        assert stated(guess)[j] == expected
        assert guess.rows[j] == min(expected)


ATTACKS = [
    "euclid",
    "inside",
    "rank",
    "id_rand",
    "sa21",
    "sort",
    "euclid(match=assignment)",
    "posterior",
    "posterior(assign=assignment)",
    "informed",
    "informed(match=assignment)",
    "shadow(match=nearest)",
]


@pytest.mark.parametrize("step", ATTACKS)
def test_the_expectation_is_the_mean_over_draws(step: str) -> None:
    """Rows of both tables in random order each time, so that no draw can depend on the order of files."""
    original = people(1, 9)
    method = Mondrian(k=3) if "posterior" in step or "shadow" in step else Pram(keep=0.6, columns=("age", "sex"))
    release = method.anonymize(original, Rng(1))
    attack = REGISTRY.make("microdata", "attack", step)
    assert isinstance(attack, Attack | InformedAttack)
    if isinstance(attack, InformedAttack):
        attack = attack.knowing([method])
    draws, expected = [], []
    for draw in range(12 if "shadow" in step else 200):
        rng = Rng(draw)
        order, known = rng.permutation(9), rng.permutation(9)
        guess = attack.attack(release.published.take(order), original.take(known), rng)
        guess.check(release.published, original)
        truth = np.argsort(known)[release.rows[order]]
        draws.append(float((guess.rows == truth).sum()))
        expected.append(guess.found(truth))
    error = np.std(np.subtract(draws, expected)) / np.sqrt(len(draws))
    assert np.mean(draws) == pytest.approx(np.mean(expected), abs=4 * error + 1e-9)
    if "assignment" not in step and "shadow" not in step:
        assert np.std(expected) < 1e-9, "nothing is left to the draw"


def classes_of(release: Release) -> int:
    return group_equal([release.cells(name).codes for name in release.original.qi])[0].size


@pytest.mark.parametrize("k", [2, 5, 20])
def test_id_rand_finds_one_of_each_class(k: int) -> None:
    rng = Rng(k)
    frame = pl.DataFrame({"age": rng.integers(0, 90, 250), "sex": rng.choice(["f", "m"], 250), "pay": range(250)})
    release = Mondrian(k=k).anonymize(Microdata(frame, Schema(qi=["age", "sex"], sa=["pay"])), rng)
    guess = IdRand().attack(release.published, KIND.known(release.original, "qi"), rng)
    score = ReIdentification().measure(release, guess)
    assert score.found == pytest.approx(classes_of(release), abs=1e-9)
    assert score.interval is not None
    assert score.interval.low < score.value < score.interval.high


def test_the_best_of_many_attacks_is_not_the_luckiest() -> None:
    """Without other columns, rows of a class are equal: whoever knows the quasi-identifiers finds at most one of each."""
    people = Households(250).generate(Rng(5))
    original = people.only(people.qi)
    step = Mondrian(k=5)
    release = step.anonymize(original, Rng(5))
    attacker = Attacker(KIND.known(original, "qi"), "qi", method=(step,))
    runs = run_attacks(REGISTRY, KIND, release.published, attacker, seed=3)
    found = {run.attack.step(): run.guess.found(release.rows) for run in runs if run.guess is not None}
    assert max(found.values()) <= classes_of(release) + 1e-9
    assert found["informed"] == pytest.approx(classes_of(release), abs=1e-9)
    drawn = [float((run.guess.rows == release.rows).sum()) for run in runs if run.guess is not None]
    assert max(drawn) > classes_of(release), "draws alone would have shown more"


def test_equal_amounts_share_their_ranks() -> None:
    """Ranks 0 and 1 of 5, 5, 9 are those of 4 and of one 6: each 5 is the 4 by one half, each 6 by one quarter."""
    original = Microdata(pl.DataFrame({"pay": [6, 4, 6]}), Schema(qi=[], sa=["pay"]))
    published = Microdata(pl.DataFrame({"pay": [9, 5, 5]}), Schema(qi=[], sa=["pay"]))
    for attack in (Sort(), Sa21()):
        guess = attack.attack(published, original, Rng(0))
        assert guess.chances is not None
        assert guess.chances.toarray().tolist() == [[0.5, 0, 0.5], [0.25, 0.5, 0.25], [0.25, 0.5, 0.25]]


def test_too_many_ties_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    original = people(0)
    free = [attack.attack(original, original, Rng(0)) for attack in (Euclid(), IdRand(), IdSa())]
    for module in (data, costs):
        monkeypatch.setattr(module, "CHANCES", 5)
    drawn = [attack.attack(original, original, Rng(0)) for attack in (Euclid(), IdRand(), IdSa())]
    assert [guess.chances for guess in drawn] == [None] * 3
    assert [guess.rows.tolist() for guess in drawn] == [guess.rows.tolist() for guess in free]


def test_chances_are_checked() -> None:
    original = people(0, 3)
    release = Release(original, original, np.arange(3))
    for chances, reason in (
        (np.full((3, 3), 0.5), "add up to 1"),
        (np.array([[2.0, -1, 0], [1, 0, 0], [1, 0, 0]]), "must be positive"),
        (np.ones((2, 3)) / 3, "for 2 published and 3 original rows: there are 3 and 3"),
    ):
        guess = Guess(np.arange(3), Chances.made(sparse.csr_array(chances), np.arange(len(chances))))
        with pytest.raises(DataError, match=reason):
            ReIdentification().measure(release, guess)


def test_known_rows_that_were_removed_keep_their_numbers() -> None:
    original = people(3, 30)
    steps = [REGISTRY.make("microdata", "anonymize", step) for step in ("drop_rows(smaller_than=2)", "pram(keep=0.5)")]
    release = steps[0].anonymize(original, Rng(0))
    release = release.then(steps[1].anonymize(release.published, Rng(1)))
    guess = Informed().knowing(steps).attack(release.published, original, Rng(0))
    guess.check(release.published, original)
    assert all(row in rows for row, rows in zip(guess.rows.tolist(), stated(guess), strict=True))


def test_a_judged_guess_says_the_same_in_less_memory() -> None:
    guess = Guess.among(np.array([0, 2, 1]), np.array([0, 1, 2]), np.array([0, 2, 0]), np.array([2, 1, 3]), people=3)
    truth = np.array([1, 2, 0])
    for asked in (None, np.array([0, 2])):
        whole = Guess(guess.rows, guess.chances, asked)
        left = whole.settled(truth)
        assert left.right(truth).tolist() == whole.right(truth).tolist() == [1 / 2, 1.0, 1 / 3]
        assert (left.found(truth), left.answers) == (whole.found(truth), whole.answers)
        assert left.rows.size == 0

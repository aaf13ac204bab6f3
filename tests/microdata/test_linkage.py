"""Candidates that are looked up against comparing everybody with everybody."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from icefire.core.budget import Budget
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.microdata import costs as costs_module
from icefire.microdata import linkage
from icefire.microdata.attack.euclid import Euclid
from icefire.microdata.attack.informed import Informed
from icefire.microdata.attack.inside import Inside
from icefire.microdata.attack.learned import Learned
from icefire.microdata.attack.rank import Rank
from icefire.microdata.attack.replay import Replay
from icefire.microdata.attack.shadow import Shadow
from icefire.microdata.attack.told import Told
from icefire.microdata.costs import Costs
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.distances import Feature, Floats, features
from icefire.microdata.linkage import Linkage
from icefire.microdata.lists import Lists
from icefire.microdata.roles import Attack
from icefire.microdata.safety.re_identification import ReIdentification

Rng = np.random.default_rng
REGISTRY = Registry()
METHODS = (
    "mondrian(k=3)",
    "mondrian(k=3) noise(scale=0.3)",
    "conceal(k=2)",
    "global_recode(k=3)",
    "pram(keep=0.5)",
    "pram(keep=0.9) noise(scale=0.1)",
    "noise(scale=1)",
    "swap(window=0.1)",
    "generalize(columns=[age],width=3)",
    "drop_columns(columns=[job,pay]) microaggregate(k=3)",
    "drop_rows(outliers=0.1)",
)


def people(seed: int, rows: int) -> Microdata:
    rng = Rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 40, rows),
            "job": pl.Series(rng.choice(["a", "b", "c", ""], rows)).replace("", None),
            "town": rng.choice(list("pqrst"), rows),
            "pay": pl.Series(rng.integers(0, 9, rows)).replace(8, None),
            "rent": rng.normal(size=rows).round(2),
        }
    )
    return Microdata(frame, Schema(["age", "job", "town"], ["pay", "rent"]))


def released(original: Microdata, steps: str, seed: int) -> Release:
    method = tuple(REGISTRY.make("microdata", "anonymize", step) for step in steps.split(" "))
    found = Pipeline(method).anonymize(original, Rng(seed))
    assert isinstance(found, Release)
    return found


def table(columns: list[Feature]) -> Floats:
    """[published row, original row]: all costs, column by column and pair by pair."""
    height, width = columns[0].height, columns[0].width
    rows, everybody = np.divmod(np.arange(height * width), width)
    return np.asarray(sum(column.pairs(rows, everybody) for column in columns)).reshape(height, width)


def weighed(columns: list[Feature], original: Microdata, first: float) -> list[Feature]:
    """The same with another weight for the QI."""
    return [column if column.name in original.sa else replace(column, weight=first) for column in columns]


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(METHODS),
    st.integers(0, 10**6),
    st.sampled_from(["deviation", "rank", "raw"]),
    st.sampled_from([0.01, 1.0, 1e6]),
    st.sampled_from([(1 << 16, 0.02), (4, 0.02), (1 << 16, 1.0), (4, 1.0)]),
)
def test_nearest_rows_and_ties(steps: str, seed: int, unit: str, first: float, limits: tuple[int, float]) -> None:
    original = people(seed, 40)
    published = released(original, steps, seed).published
    # Weights move the border between what is proven at once and what needs a second look.
    columns = weighed(features(published, original, unit), original, first)  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linkage, "TREE", limits[0])
        patch.setattr(linkage, "NARROW", limits[1])
        found = Linkage(columns, Rng(0))
        guess = found.match("nearest", published, original)
        costs = table(columns)
        least = costs.min(axis=1)
        assert found.smallest() == pytest.approx(least, abs=1e-9 * first, rel=1e-9)
        assert guess.chances is not None
        for chances, cost in zip(guess.chances.toarray(), costs, strict=True):
            tied = cost <= cost.min() + 1e-9 * (1 + cost.min())
            assert (np.flatnonzero(chances) == np.flatnonzero(tied)).all()
            assert chances[tied] == pytest.approx(1 / tied.sum())


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(METHODS), st.integers(0, 10**6), st.sampled_from([2, 40]), st.sampled_from([1.0, 1e6]))
def test_assignments_cost_least(steps: str, seed: int, neighbours: int, first: float) -> None:
    original = people(seed, 30)
    published = released(original, steps, seed).published
    columns = weighed(features(published, original), original, first)
    costs = table(columns)
    with pytest.MonkeyPatch.context() as patch:
        # Short lists have to be made longer until nobody outside of them can be better.
        patch.setattr(costs_module, "NEIGHBOURS", neighbours)
        rows = Linkage(columns, Rng(0)).match("assignment", published, original).rows
    assert np.unique(rows).size == rows.size
    best = costs[linear_sum_assignment(costs)].sum()
    assert costs[np.arange(rows.size), rows].sum() == pytest.approx(best, rel=1e-6, abs=1e-6)


def test_rows_are_sampled_beyond_the_budget_and_people_never_are() -> None:
    original = people(0, 1500)
    release = released(original, "pram(keep=0.7) noise(scale=1)", 1)
    metric = ReIdentification()
    steps = [REGISTRY.make("microdata", "anonymize", step) for step in ("pram(keep=0.7)", "noise(scale=1)")]
    attacks = [Euclid(), Euclid("assignment"), Learned(), Informed().knowing(steps), Shadow().knowing(steps)]
    for attack in attacks:
        whole = attack.attack(release.published, original, Rng(0))
        with Budget(minutes=3e-5).spent():
            guess = attack.attack(release.published, original, Rng(0))
        assert whole.asked is None
        assert guess.asked is not None
        assert 200 <= guess.answers < 1500
        score = metric.measure(release, guess)
        assert score.interval is not None
        assert (score.value, score.detail) == (
            guess.found(release.rows) / guess.answers,
            {"rows sampled": guess.answers},
        )
        if attack in (Euclid(), Informed().knowing(steps)):
            # These do not depend on other published rows.
            assert whole.chances is not None
            assert guess.chances is not None
            found, same = (chances.of(release.rows)[guess.asked] for chances in (guess.chances, whole.chances))
            assert found.tolist() == same.tolist()
    with Budget(minutes=3e-5).spent():
        # What is proven at once is not sampled.
        published = released(original, "mondrian(k=5)", 1).published
        assert all(attack.attack(published, original, Rng(0)).asked is None for attack in (Euclid(), Inside(), Rank()))


def test_more_rows_than_people_are_matched_as_far_as_there_are_people() -> None:
    original = people(0, 60)
    published = released(original, "mondrian(k=3)", 0).published
    some = original.take(np.arange(40))
    with Budget(minutes=np.inf).spent():
        rows = Linkage(features(published, some), Rng(0)).match("assignment", published, some).rows
    assert np.unique(rows).size == 40


def test_replay_is_sampled() -> None:
    original = people(0, 400)
    step = REGISTRY.make("microdata", "anonymize", "conceal(k=3,randomized=false)")
    release = step.anonymize(original.only(original.qi), Rng(0))
    with Budget(minutes=1e-6).spent():
        guess = Replay().knowing([step]).attack(release.published, release.original, Rng(0))
    guess.check(release.published, release.original)
    assert guess.answers == 200


@pytest.mark.parametrize("attack", [Euclid("assignment"), Learned(match="assignment"), Told("assignment")])
def test_the_budget_is_a_bound_of_all_comparisons(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    original = people(0, 1500)
    release = released(original, "pram(keep=0.2) noise(scale=1)", 1)
    compared = Costs._compared
    made = []

    def counted(self: Costs, rows: NDArray[np.int64], number: int) -> Lists:
        made.append(rows.size * self.width * self.columns)
        return compared(self, rows, number)

    monkeypatch.setattr(Costs, "_compared", counted)
    knowledge = original.only(["age", "job", "town", "pay"])
    attack.attack(release.published, knowledge, Rng(0))
    whole = sum(made)
    made.clear()
    budget = Budget(minutes=2e-4)
    allowed = budget.left
    with budget.spent():
        attack.attack(release.published, knowledge, Rng(0))
    assert sum(made) <= allowed < whole


def test_rows_are_sampled_where_their_lists_would_take_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sampled row is answered as if all rows were listed, and the interval holds what all rows come to."""
    original = people(3, 600)
    release = released(original, "mondrian(k=12)", 3)
    known = original.only(["age", "job", "town"])
    whole = Told().attack(release.published, known, Rng(0))
    assert whole.asked is None
    monkeypatch.setattr(linkage, "TRIED", 20)
    monkeypatch.setattr(linkage, "HELD", 800)
    for how in ("nearest", "assignment"):
        guess = Told(how).attack(release.published, known, Rng(0))
        assert guess.asked is not None
        assert 30 < guess.asked.size < 590
    nearest = Told().attack(release.published, known, Rng(0))
    assert nearest.asked is not None
    truth = release.rows
    assert nearest.right(truth)[nearest.asked] == pytest.approx(whole.right(truth)[nearest.asked])
    score = ReIdentification().measure(release, nearest)
    assert score.interval is not None
    assert score.interval.low <= ReIdentification().measure(release, whole).value <= score.interval.high


@pytest.mark.parametrize("attack", [Euclid("assignment"), Told(), Told("assignment")])
def test_without_a_bound_on_work_every_row_is_answered(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guess files have an answer for every row, whatever it takes."""
    original = people(4, 300)
    release = released(original, "mondrian(k=12)", 4)
    known = original.only(["age", "job", "town"])
    monkeypatch.setattr(linkage, "TRIED", 20)
    monkeypatch.setattr(linkage, "HELD", 300)
    monkeypatch.setattr(costs_module, "LISTED", 300)
    assert attack.attack(release.published, known, Rng(0)).asked is not None
    with Budget(np.inf).spent():
        assert attack.attack(release.published, known, Rng(0)).asked is None

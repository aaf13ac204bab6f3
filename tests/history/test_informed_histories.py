"""Attackers of histories who know the method."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import permutations
from math import erf, log, prod, sqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icefire.checks import check
from icefire.core.attackers import Attacker
from icefire.core.errors import Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.roles import AnyAnonymizer, AnyAttack
from icefire.evaluation.runs import every_attack
from icefire.history.anonymize.conceal import Conceal
from icefire.history.anonymize.delete_records import DeleteRecords
from icefire.history.anonymize.generalize import Generalize
from icefire.history.anonymize.method1 import Method1
from icefire.history.anonymize.noise import Noise
from icefire.history.anonymize.pseudonyms import Pseudonyms
from icefire.history.anonymize.shift_dates import ShiftDates
from icefire.history.anonymize.union_clusters import UnionClusters
from icefire.history.attack._matchings import likeliest
from icefire.history.attack._stated import StatedFacets, treatment_of
from icefire.history.attack.informed import Informed
from icefire.history.attack.record_matching import RecordMatching
from icefire.history.data import NONE, History, Release
from icefire.history.examples import example, records
from icefire.history.kind import HistoryKind
from icefire.history.safety.month_matching import MonthMatching
from icefire.history.treatment import Treatment

Rng = np.random.default_rng
REGISTRY, KIND = Registry(), HistoryKind()


def steps_of(*texts: str) -> tuple[AnyAnonymizer, ...]:
    return tuple(REGISTRY.make("history", "anonymize", text) for text in texts)


def found(release: Release, attack: AnyAttack, knowledge: History | None = None) -> float:
    guess = attack.attack(release.published, release.original if knowledge is None else knowledge, Rng(2))
    return MonthMatching().measure(release, guess).value


# Bayes' rule by brute force


def normal(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


def noisy(cell: float, value: float, scale: float, unit: float) -> float:
    """Probability that a value becomes a cell: a log-normal factor, rounded to the unit and at least one unit."""
    low = -np.inf if cell <= unit else log(cell - unit / 2)
    return normal((log(cell + unit / 2) - log(value)) / scale) - normal((low - log(value)) / scale)


def chance_of_records(
    shown: list[tuple[float, ...]], known: list[tuple[float, ...]], deleted: float, days: int
) -> float:
    """Probability that known records (day, price, quantity) become the shown ones; the month has the days 1 to 31."""
    total = 0.0
    for shift in range(-days, days + 1):
        for chosen in permutations(range(len(known)), len(shown)):
            total += prod(
                float(min(max(known[at][0] + shift, 1), 31) == cell[0])
                * noisy(cell[1], known[at][1], 0.5, 0.01)
                * noisy(cell[2], known[at][2], 1.0, 1.0)
                for cell, at in zip(shown, chosen, strict=True)
            )
    return total / (2 * days + 1) * deleted ** (len(known) - len(shown)) * (1 - deleted) ** len(shown)


def posterior(shown: list[list[tuple[float, ...]]], known: list[list[tuple[float, ...]]], days: int) -> np.ndarray:
    """[pseudonym, customer] over all ways to give each pseudonym a customer of its own; the others were deleted."""
    chance = np.array([[chance_of_records(cells, rows, 0.5, days) for rows in known] for cells in shown])
    nothing = np.array([0.5 ** len(rows) for rows in known])
    return marginals(chance, nothing)


def marginals(chance: np.ndarray, nothing: np.ndarray) -> np.ndarray:
    total = np.zeros(chance.shape)
    for chosen in permutations(range(nothing.size), len(chance)):
        idle = [float(nothing[user]) for user in range(nothing.size) if user not in chosen]
        weight = prod(float(chance[name, user]) for name, user in enumerate(chosen)) * prod(idle)
        total[np.arange(len(chance)), list(chosen)] += weight
    return np.asarray(total / total[0].sum())


def cells_of(history: History) -> list[list[tuple[float, ...]]]:
    frame = history.frame.with_columns(day=pl.col("date").dt.day())
    return [
        list(frame.filter(pl.col("user") == user).select("day", "price", "quantity").iter_rows())
        for user in history.users
    ]


def few_records(seed: int, days: int) -> tuple[History, History, np.ndarray]:
    """Known and published records of four customers, and the log-likelihood ratios of the attack."""
    rng = Rng(seed)
    lines = [
        f"c{user} 2011-01-{rng.integers(1, 4):02} tea {rng.lognormal(1, 1) + 0.02:.2f} {rng.integers(1, 20)}"
        for user in range(4)
        for _ in range(rng.integers(1, 4))
    ]
    known = records(*lines)
    shift = (ShiftDates(days=days),) if days else ()
    steps = (DeleteRecords(share=0.5), *shift, Noise(price=0.5, quantity=1.0), Pseudonyms())
    published = Pipeline(steps).anonymize(known, rng).published
    scores = StatedFacets(published, known, treatment_of(steps, known)).scores
    return known, published, scores[0][2]


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_the_likelihoods_are_those_of_bayes(seed: int) -> None:
    """Against all matchings of records, one by one."""
    known, published, scores = few_records(seed, days=0)
    for shown, ours in zip(cells_of(published), scores, strict=True):
        exact = np.array([chance_of_records(shown, rows, 0.5, 0) / 0.5 ** len(rows) for rows in cells_of(known)])
        likely = exact > 1e-6 * exact.max()
        gap = ours[likely] - np.log(exact[likely])
        # Sums over matchings are too small by a factor of at most sqrt(2) for each record, see test_record_matching.
        assert np.ptp(gap) <= log(2) / 2 * len(shown) + 1e-3


@pytest.mark.parametrize("days", [0, 2])
def test_guesses_are_as_good_as_those_of_bayes(days: int) -> None:
    """The expected number of hits, given the exact probabilities: that of the attack, and the largest there is."""
    reached = largest = 0.0
    for seed in range(40):
        known, published, scores = few_records(seed, days)
        exact = posterior(cells_of(published), cells_of(known), days)
        # A customer has one of the pseudonyms, or none.
        options = np.vstack([exact, 1 - exact.sum(axis=0)])
        reached += options[likeliest(scores, Rng(seed)).columns, np.arange(4)].sum()
        largest += options.max(axis=0).sum()
    assert largest < 0.95 * 160
    assert reached > 0.995 * largest


@pytest.mark.parametrize(
    "texts",
    [
        ("delete_records(share=0.5)", "generalize(item=1, date=period, time=drop)", "noise(price=0.5, quantity=1)"),
        (
            "delete_records(share=0.8, rarest=true)",
            "generalize(item=2, date=week, time=drop)",
            "noise(price=1, quantity=1)",
        ),
    ],
    ids=["random", "rarest"],
)
def test_nothing_finds_more_than_who_knows_the_method(texts: tuple[str, ...]) -> None:
    steps = (*steps_of(*texts), Pseudonyms())
    shares: dict[str, list[float]] = {}
    cells = 0
    for seed in range(10):
        original = example(25, 9, seed=seed)
        release = Pipeline(steps).anonymize(original, Rng(seed))
        cells += int((release.pseudonyms != NONE).sum())
        for attack in every_attack(REGISTRY, KIND, release.published, Attacker(original, method=steps)):
            with suppress(Undefined):
                share = found(release, attack)
                shares.setdefault(attack.step(), []).append(share)
    means = {name: float(np.mean(values)) for name, values in shares.items()}
    best = means["informed"]
    # Half the width of a 95% interval over all links.
    slack = 1.96 * sqrt(max(best * (1 - best), 1e-4) / cells)
    assert 0.2 < best < 0.95
    assert {name: mean for name, mean in means.items() if mean > best + slack} == {}


# What the steps state


def test_rare_items_go_first_and_the_border_in_part() -> None:
    log = records("a 2011-01-03 pen", "a 2011-01-03 cup", "b 2011-01-03 cup", "a 2011-01-03 tea", "b 2011-01-03 tea")
    stated = treatment_of([DeleteRecords(share=0.4, rarest=True)], log)
    # The pen, and one of four.
    assert stated.kept.tolist() == [0, 0.75, 0.75, 0.75, 0.75]
    assert treatment_of([DeleteRecords(share=0.4, rarest=True), DeleteRecords(share=0.5)], log).kept[1] == 0.375


def test_rarity_is_counted_as_the_step_sees_items_and_customers() -> None:
    log = records("a 2011-01-03 t1", "b 2011-01-03 t2", "a 2011-01-03 cup", "a 2011-02-03 cup", "a 2011-03-03 cup")
    rarest = DeleteRecords(share=0.4, rarest=True)
    assert treatment_of([Generalize(item=1), rarest], log).kept.round(2).tolist() == [1, 1, 0.33, 0.33, 0.33]
    assert treatment_of([Pseudonyms(), rarest], log).kept.tolist() == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("rarest", [False, True])
def test_stated_shares_are_those_of_many_releases(rarest: bool) -> None:
    original, step = example(8, 4), DeleteRecords(share=0.45, rarest=rarest)
    kept = np.zeros(original.height)
    for seed in range(200):
        release = step.anonymize(original, Rng(seed))
        kept[release.rows] += 1 / 200
    assert np.abs(kept - step.treat(Treatment.none(original)).kept).max() < 0.12


def test_the_same_dummies_are_found_again() -> None:
    original, step = example(40, 9), UnionClusters(clusters=10)
    stated = step.treat(Treatment.none(original)).dummies
    assert stated is not None
    release = Pipeline((step,)).anonymize(original, Rng(3))
    added = release.rows == NONE
    assert stated.rates.sum() == pytest.approx(added.sum(), rel=0.1)
    item = dict(zip(original.frame["item"], stated.items, strict=True))
    items = np.array([item[name] for name in release.published.frame["item"].filter(pl.Series(added))])
    expected = np.asarray(stated.rates.todense())
    assert expected[release.record_owners[added], items].mean() > 1.5 * expected.mean(axis=0)[items].mean()


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (None, "the steps that made the release are not known"),
        ((Conceal(k=3),), "conceal does not say what becomes of a record"),
        ((Noise(price=0.1), Noise(price=0.2)), "noise is added to the price twice"),
        ((ShiftDates(), ShiftDates()), "dates are shifted twice"),
        ((DeleteRecords(), DeleteRecords(rarest=True)), "delete_records depends on which records earlier steps"),
        ((Method1(clusters=2), UnionClusters(clusters=2)), "union_clusters depends on the dummies of an earlier step"),
        ((UnionClusters(clusters=50),), "union_clusters cannot be repeated: The 'clusters' parameter"),
    ],
)
def test_what_cannot_be_known_is_said(steps: tuple[AnyAnonymizer, ...] | None, reason: str) -> None:
    original = example(10, 6)
    attack = Informed() if steps is None else Informed().knowing(steps)
    with pytest.raises(Undefined, match=reason):
        attack.attack(original, original, Rng(0))


@dataclass(frozen=True)
class Boasting(DeleteRecords):
    """Says that it deletes more than it does."""

    def treat(self, treatment: Treatment) -> Treatment:
        return super().treat(super().treat(treatment))


@dataclass(frozen=True)
class Silent(Noise):
    """Does not say that it adds noise."""

    def treat(self, treatment: Treatment) -> Treatment:
        return treatment


def test_conformance_catches_steps_that_do_something_else_than_they_state() -> None:
    with pytest.raises(AssertionError, match=r"states that it keeps 194\.4 records, and keeps 216"):
        check(Boasting())
    with pytest.raises(AssertionError, match="does not state how it changes the price"):
        check(Silent())


# What it finds


def test_shifts_of_single_records_and_of_generalized_dates() -> None:
    original = example(60, 9)
    for texts in (("shift_dates(days=3, together=false)",), ("shift_dates(days=5)", "generalize(date=week)")):
        texts = (
            "delete_records(share=0.5)",
            *texts,
            "generalize(item=1, time=drop, price=1, quantity=1)",
            "pseudonyms",
        )
        steps = steps_of(*texts)
        release = Pipeline(steps).anonymize(original, Rng(1))
        informed, uninformed = found(release, Informed().knowing(steps)), found(release, RecordMatching())
        assert informed > max(0.2, uninformed), texts


def test_dummies_of_clusters_that_are_found_again_give_themselves_away() -> None:
    original = REGISTRY.make("history", "dataset", "purchases(n=40)").generate(Rng(0))
    steps = steps_of(
        "union_clusters(clusters=8)",
        "delete_records(share=0.8)",
        "generalize(item=2, date=period, time=drop)",
        "noise(price=0.5, quantity=1)",
        "pseudonyms",
    )
    release = Pipeline(steps).anonymize(original, Rng(1))
    assert found(release, Informed().knowing(steps)) > found(release, RecordMatching()) + 0.05


@pytest.mark.parametrize("level", ["records:3", "month", "T25", "T75"])
def test_attackers_with_partial_knowledge(level: str) -> None:
    original = example(60, 12)
    steps = steps_of("delete_records(share=0.3)", "noise(price=0.3, quantity=0.3)")
    release = Pipeline(steps).anonymize(original, Rng(1))
    known = KIND.known(original, level)
    variants = Informed.variants(release.published, known)
    shares = {variant.step(): found(release, variant.knowing(steps), known) for variant in variants}
    assert max(shares.values()) > 0.25, shares

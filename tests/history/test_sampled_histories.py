"""Attacks on histories within a budget: some pseudonyms and people are looked for, each among all."""

import time

import numpy as np
import pytest

from icefire.core.attackers import Attacker
from icefire.core.budget import Budget
from icefire.core.errors import OutOfBudget, Undefined
from icefire.core.registry import Registry
from icefire.datasets.purchases import Purchases
from icefire.evaluation.runs import attack_runs
from icefire.history.anonymize.delete_records import DeleteRecords
from icefire.history.anonymize.pseudonyms import Pseudonyms
from icefire.history.data import Guess, History, Release
from icefire.history.roles import InformedAttack

REGISTRY = Registry()
ASKED = 40
ONE_BY_ONE = ("jaccard", "idf_jaccard", "tf_idf", "log_likelihood", "jensen_shannon", "tversky", "scoreboard")
"""Attacks that decide about each pseudonym and each person alone."""
TOGETHER = (
    "jaccard(assign='assignment')",
    "tf_idf(assign='sinkhorn')",
    "evidence",
    "record_matching",
    "informed",
    "posterior",
)
"""Attacks in which people compete for pseudonyms."""


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.core.budget.LEAST", ASKED)


@pytest.fixture(scope="module")
def log() -> History:
    return Purchases(n=300, items=500).generate(np.random.default_rng(0))


@pytest.fixture(scope="module")
def release(log: History) -> Release:
    return DeleteRecords(share=0.6).anonymize(log, np.random.default_rng(1))


def attack(step: str, release: Release, minutes: float) -> Guess:
    method = REGISTRY.make("history", "attack", step)
    if isinstance(method, InformedAttack):
        method = method.knowing([DeleteRecords(share=0.6)])
    with Budget(minutes).spent():
        guess: Guess = method.attack(release.published, release.original, np.random.default_rng(2))
    return guess


def same(step: str, release: Release) -> tuple[float, float]:
    """The shares of the answers on both sheets that are the same if all are asked for."""
    whole, some = attack(step, release, 10), attack(step, release, 1e-9)
    assert whole.asked is None
    assert some.asked is not None
    some.check(release.published, release.original)
    assert some.asked.pseudonyms.size == some.asked.people.size == ASKED
    owners = some.owners[some.asked.pseudonyms] == whole.owners[some.asked.pseudonyms]
    table = some.table[some.asked.people] == whole.table[some.asked.people]
    return float(owners.mean()), float(table.mean())


@pytest.mark.parametrize("step", ONE_BY_ONE)
def test_what_is_asked_for_is_found_as_if_all_were(step: str, release: Release) -> None:
    # Ties may be decided otherwise.
    assert min(same(step, release)) > 0.97


@pytest.mark.parametrize("step", TOGETHER)
def test_where_people_compete_a_sample_would_find_too_little(step: str, release: Release) -> None:
    with pytest.raises(OutOfBudget, match="--budget allows more"):
        attack(step, release, 1e-9)


def test_what_was_left_out_is_said(release: Release) -> None:
    attacks = [REGISTRY.make("history", "attack", step) for step in ("jaccard", "jaccard(assign='assignment')")]
    with Budget(1e-9).spent():
        made, left_out = attack_runs(release.published, Attacker(release.original), attacks, 0)
    assert (made.incomplete, made.guess.asked.people.size) == (False, ASKED)
    assert (left_out.incomplete, left_out.guess) == (True, None)


@pytest.mark.parametrize("step", ["jaccard", "tf_idf", "scoreboard"])
def test_intervals_hold_the_figure_of_all(step: str, release: Release) -> None:
    whole, some = attack(step, release, 10), attack(step, release, 1e-9)
    for name in ("extended_month_matching", "month_matching", "user_matching", "re_identification", "cells"):
        metric = REGISTRY.make("history", "safety", name)
        full, score = metric.measure(release, whole), metric.measure(release, some)
        assert score.interval is not None
        assert score.interval.low <= full.value <= score.interval.high
        assert score.detail.get("people sampled", score.detail.get("pseudonyms sampled")) == ASKED


@pytest.mark.parametrize("step", ["posterior(assign='argmax')", "item_overlap"])
def test_people_are_looked_for_among_all_pseudonyms(step: str, release: Release) -> None:
    whole, some = attack(step, release, 10), attack(step, release, 1e-9)
    assert some.asked is not None
    # Where several pseudonyms have room for all records, a random one is taken.
    assert (some.table[some.asked.people] == whole.table[some.asked.people]).mean() > 0.9


def test_a_table_alone_says_nothing_about_who_is_behind_a_pseudonym(release: Release) -> None:
    guess = attack("item_overlap", release, 1e-9)
    with pytest.raises(Undefined, match="of sampled people"):
        REGISTRY.make("history", "safety", "re_identification").measure(release, guess)
    assert REGISTRY.make("history", "safety", "graded_matching").measure(release, guess).value > 0.3


def test_periods_with_pseudonyms_of_their_own_are_asked_about_the_same_people(log: History) -> None:
    release = Pseudonyms(window=1).anonymize(log, np.random.default_rng(1))
    assert same("jaccard", release)[1] > 0.97


def test_the_budget_is_about_what_it_takes() -> None:
    log = Purchases(n=1_500, items=300).generate(np.random.default_rng(0))
    release = DeleteRecords(share=0.2).anonymize(log, np.random.default_rng(1))
    attack("jensen_shannon", release, 1e-9)
    begin = time.process_time()
    guess = attack("jensen_shannon", release, 0.3 / 60)
    assert guess.asked is not None
    assert time.process_time() - begin < 3

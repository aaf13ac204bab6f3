"""Attacks on traces within a budget: some pseudonyms and users are looked for, each among all."""

import numpy as np
import pytest

from icefire.core.attackers import Attacker
from icefire.core.budget import Asked, Budget
from icefire.core.errors import OutOfBudget, Undefined
from icefire.core.registry import Registry
from icefire.datasets.walks import Walks
from icefire.evaluation.runs import attack_runs, every_attack
from icefire.trace.anonymize.decoys import Decoys
from icefire.trace.anonymize.krr import Krr
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.attackers import known_points
from icefire.trace.data import Guess, Reference, Release
from icefire.trace.roles import InformedAttack
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety
from icefire.trace.safety.worst_of_both import WorstOfBoth

REGISTRY = Registry()
KIND = REGISTRY.kind("trace")
ASKED = 40
METHOD = Krr(epsilon=6.0)
ONE_BY_ONE = tuple(
    f"{name}(assign='argmax')" for name in ("count_vectors", "tf_idf", "jensen_shannon", "slot_likelihood")
)
"""Attacks that decide about each pseudonym and each user alone."""
NAMES_ALONE = ("visit_prob(ties='first')", "home_prob(ties='first')", "informed(assign='argmax')")
"""Attacks that decide about each pseudonym alone, and about places all together."""
POINTS = ("known_points(assign='argmax')", "informed(assign='argmax')")
TOGETHER = ("count_vectors", "slot_likelihood(assign='assignment')", "modal_fill", "second_guess", "informed", "shadow")
"""Attacks in which users compete for pseudonyms."""


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.core.budget.LEAST", ASKED)


@pytest.fixture(scope="module")
def release() -> Release:
    walks = Walks(n=300, days=2, rows=8, columns=8).generate(np.random.default_rng(0))
    return METHOD.anonymize(walks, np.random.default_rng(1)).finished(np.random.default_rng(2))


def attack(step: str, release: Release, budget: Budget, known: Reference | None = None, seed: int = 3) -> Guess:
    method = REGISTRY.make("trace", "attack", step)
    if isinstance(method, InformedAttack):
        method = method.knowing([METHOD])
    with budget.spent():
        guess: Guess = method.attack(
            release.published, known or release.original.knowledge, np.random.default_rng(seed)
        )
    guess.check(release.published, release.original.knowledge)
    return guess


def both(step: str, release: Release, known: Reference | None = None) -> tuple[Guess, Guess, Asked]:
    whole, some = (attack(step, release, Budget(minutes), known) for minutes in (10, 1e-9))
    assert whole.asked is None
    assert some.asked is not None
    return whole, some, some.asked


@pytest.mark.parametrize("step", ONE_BY_ONE)
def test_what_is_asked_for_is_found_as_if_all_were(step: str, release: Release) -> None:
    whole, some, asked = both(step, release)
    assert asked.pseudonyms.size == asked.people.size == ASKED
    # Ties may be decided otherwise.
    assert (some.users[asked.pseudonyms] == whole.users[asked.pseudonyms]).mean() > 0.97
    assert (some.traces[asked.people] == whole.traces[asked.people]).mean() > 0.97


@pytest.mark.parametrize("step", POINTS)
def test_known_points_too(step: str, release: Release) -> None:
    whole, some, asked = both(step, release, known_points(release.original, 8))
    assert (some.users[asked.pseudonyms] == whole.users[asked.pseudonyms]).mean() > 0.97
    assert (some.traces[asked.people] == whole.traces[asked.people]).mean() > 0.97


@pytest.mark.parametrize("step", NAMES_ALONE)
def test_where_users_compete_for_places_alone_names_are_told(step: str, release: Release) -> None:
    whole, some, asked = both(step, release)
    assert asked.pseudonyms.size == ASKED
    assert (some.users[asked.pseudonyms] == whole.users[asked.pseudonyms]).mean() > 0.97
    for metric in (TraceSafety(), WorstOfBoth()):
        with pytest.raises(Undefined, match="no regions"):
            metric.measure(release, some)


@pytest.mark.parametrize("step", TOGETHER)
def test_where_users_compete_a_sample_would_find_too_little(step: str, release: Release) -> None:
    with pytest.raises(OutOfBudget, match="--budget allows more"):
        attack(step, release, Budget(1e-9))


@pytest.mark.parametrize("randomized", [False, True])
def test_decoys_are_undone_for_all_or_for_nobody(randomized: bool, release: Release) -> None:
    attack = REGISTRY.make("trace", "attack", "decoy_likelihood" if randomized else "decoy_inversion")
    assert isinstance(attack, InformedAttack)
    with Budget(1e-9).spent(), pytest.raises(OutOfBudget):
        attack.knowing([Decoys(randomized=randomized)]).attack(
            release.published, release.original.knowledge, np.random.default_rng(0)
        )


def test_all_are_matched_but_where_they_were_is_told_of_some(release: Release) -> None:
    whole = attack("hidden_markov", release, Budget(10))
    matched = Budget(10)
    # Enough to match everybody, and nothing else.
    matched.left = SlotLikelihood(assign="assignment").work(release.published, release.original.knowledge)
    some = attack("hidden_markov", release, matched)
    assert some.asked is not None
    assert (some.asked.pseudonyms.size, some.asked.people.size) == (300, ASKED)
    assert (some.users == whole.users).mean() > 0.97
    assert (some.traces[some.asked.people] == whole.traces[some.asked.people]).mean() > 0.97


def test_attacks_one_by_one_are_added_where_matchings_are_out_of_budget(release: Release) -> None:
    attacker = Attacker(release.original.knowledge, "other-days", (METHOD,))
    steps = {}
    for minutes in (10.0, 1e-9):
        with Budget(minutes).spent():
            steps[minutes] = {attack.step() for attack in every_attack(REGISTRY, KIND, release.published, attacker)}
    assert steps[1e-9] - steps[10.0] == set(ONE_BY_ONE)
    assert steps[10.0] < steps[1e-9]


def test_what_was_left_out_is_said(release: Release) -> None:
    attacks = [REGISTRY.make("trace", "attack", step) for step in ("tf_idf(assign='argmax')", "tf_idf")]
    with Budget(1e-9).spent():
        made, left_out = attack_runs(release.published, Attacker(release.original.knowledge), attacks, 0)
    assert (made.incomplete, made.guess.asked.people.size) == (False, ASKED)
    assert (left_out.incomplete, left_out.guess) == (True, None)


def test_intervals_hold_the_figure_of_all(release: Release) -> None:
    step, runs = "tf_idf(assign='argmax')", 100
    whole = attack(step, release, Budget(10))
    metrics = (IdSafety(), TraceSafety(), WorstOfBoth())
    full, held = [metric.measure(release, whole).value for metric in metrics], np.zeros(3)
    for seed in range(runs):
        # The answers are those of all, so that the draw alone is new.
        drawn = [Budget(1e-9).drawn(300, 1e9, np.random.default_rng((seed, side))) for side in range(2)]
        some = Guess(whole.users, whole.traces, Asked(*drawn))
        for at, metric in enumerate(metrics):
            score = metric.measure(release, some)
            assert score.interval is not None
            assert score.detail.get("people sampled", score.detail.get("pseudonyms sampled")) == ASKED
            held[at] += score.interval.low <= full[at] <= score.interval.high
    assert (held >= 0.9 * runs).all()

"""Attacks that do not fit into memory work in parts, with the same answers."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.matching import match, match_dense
from icefire.datasets.walks import Walks
from icefire.trace.anonymize.planar_laplace import PlanarLaplace
from icefire.trace.attack._scored import ScoredAttack
from icefire.trace.attack.count_vectors import CountVectors
from icefire.trace.attack.hidden_markov import HiddenMarkov
from icefire.trace.attack.home_prob import HomeProb
from icefire.trace.attack.jensen_shannon import JensenShannon
from icefire.trace.attack.modal_fill import ModalFill
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.attack.tf_idf import TfIdf
from icefire.trace.attack.visit_prob import VisitProb
from icefire.trace.data import Guess, Release
from icefire.trace.roles import Attack
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety

Rng = np.random.default_rng
SCORED = (CountVectors, TfIdf, JensenShannon, SlotLikelihood)


@pytest.fixture(scope="module")
def release() -> Release:
    walks = Walks(n=150, days=3, rows=8, columns=8).generate(Rng(0))
    return PlanarLaplace(level=2.0).anonymize(walks, Rng(1)).finished(Rng(2))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr("icefire.core.memory._limit", 200_000)
    monkeypatch.setattr("icefire.core.scores.INDEXED", 0)
    monkeypatch.setattr("icefire.core.assignment.CANDIDATES", 5)
    return monkeypatch


def guess(attack: Attack, release: Release) -> Guess:
    return attack.attack(release.published, release.original.knowledge, Rng(3))


@pytest.mark.parametrize("attack", SCORED)
def test_one_to_one_has_the_same_total(attack: type[ScoredAttack], release: Release, small: pytest.MonkeyPatch) -> None:
    scores = attack().scores(release.published, release.original.knowledge)
    rows = np.arange(scores.shape[0])
    expected = scores[rows, match_dense(scores, "assignment", Rng(0)).rows].sum()
    found = match(attack().compared(release.published, release.original.knowledge), "assignment", Rng(0))
    assert np.sort(found.rows).tolist() == rows.tolist()
    assert scores[rows, found.rows].sum() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("attack", [VisitProb(share=0.5), VisitProb(ties="first"), HomeProb()])
def test_sample_attacks_are_the_same(attack: Attack, release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = guess(attack, release)
    monkeypatch.setattr("icefire.core.memory._limit", 40_000)
    parts = guess(attack, release)
    assert (whole.users == parts.users).all()
    assert (whole.traces == parts.traces).all()


@pytest.mark.parametrize(
    "attack",
    [SlotLikelihood(assign="assignment"), CountVectors(assign="assignment"), ModalFill()],
    ids=lambda attack: attack.name,
)
def test_places_are_the_same(attack: Attack, release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = guess(attack, release)
    monkeypatch.setattr("icefire.core.memory._limit", 200_000)
    parts = guess(attack, release)
    assert (whole.users == parts.users).mean() > 0.97
    assert (whole.traces == parts.traces).mean() > 0.97


@pytest.mark.parametrize("attack", [*(cls() for cls in SCORED), HiddenMarkov()], ids=lambda attack: attack.name)
def test_plans_over_candidates_find_about_as_many(attack: Attack, release: Release, small: pytest.MonkeyPatch) -> None:
    parts = guess(attack, release)
    small.undo()
    whole = guess(attack, release)
    for metric in (IdSafety(), TraceSafety()):
        found = [metric.measure(release, made).value for made in (whole, parts)]
        assert found[1] == pytest.approx(found[0], abs=0.03)

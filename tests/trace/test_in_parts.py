"""Attacks that do not fit into memory work in parts, with the same answers."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.matching import Assign, match, match_dense
from icefire.core.scores import Scores, WeightedSum
from icefire.datasets.walks import Walks
from icefire.trace.anonymize.decoys import Decoys
from icefire.trace.anonymize.planar_laplace import PlanarLaplace
from icefire.trace.attack._channels import channel_of
from icefire.trace.attack._likelihood import LikelihoodRatios, Sent
from icefire.trace.attack._scored import ScoredAttack
from icefire.trace.attack.count_vectors import CountVectors
from icefire.trace.attack.decoy_inversion import DecoyInversion
from icefire.trace.attack.decoy_likelihood import DecoyLikelihood
from icefire.trace.attack.hidden_markov import HiddenMarkov
from icefire.trace.attack.home_prob import HomeProb
from icefire.trace.attack.informed import Informed
from icefire.trace.attack.jensen_shannon import JensenShannon
from icefire.trace.attack.known_points import KnownPoints, PointOdds
from icefire.trace.attack.modal_fill import ModalFill
from icefire.trace.attack.second_guess import SecondGuess
from icefire.trace.attack.shadow import Shadow
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.attack.tf_idf import TfIdf
from icefire.trace.attack.visit_prob import VisitProb
from icefire.trace.attackers import known_points
from icefire.trace.data import Guess, Release
from icefire.trace.predictions import Predictions
from icefire.trace.roles import Attack, InformedAttack
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety

Rng = np.random.default_rng
METHOD = PlanarLaplace(level=2.0)
SCORED = (CountVectors, TfIdf, JensenShannon, SlotLikelihood)


@pytest.fixture(scope="module")
def release() -> Release:
    walks = Walks(n=150, days=3, rows=8, columns=8).generate(Rng(0))
    return METHOD.anonymize(walks, Rng(1)).finished(Rng(2))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr("icefire.core.memory._limit", 200_000)
    monkeypatch.setattr("icefire.core.scores.INDEXED", 0)
    monkeypatch.setattr("icefire.core.assignment.CANDIDATES", 5)
    return monkeypatch


def guess(attack: Attack | InformedAttack, release: Release) -> Guess:
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
    [
        SlotLikelihood(assign="assignment"),
        CountVectors(assign="assignment"),
        ModalFill(),
        SecondGuess(),
        SecondGuess(least=True),
    ],
    ids=lambda attack: attack.name,
)
def test_places_are_the_same(attack: Attack, release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = guess(attack, release)
    monkeypatch.setattr("icefire.core.memory._limit", 200_000)
    parts = guess(attack, release)
    assert (whole.users == parts.users).mean() > 0.97
    assert (whole.traces == parts.traces).mean() > 0.97


INFORMED = [Informed().knowing([METHOD]), Shadow().knowing([METHOD])]


@pytest.mark.parametrize(
    "attack", [*(cls() for cls in SCORED), HiddenMarkov(), *INFORMED], ids=lambda attack: attack.name
)
def test_plans_over_candidates_find_about_as_many(attack: Attack, release: Release, small: pytest.MonkeyPatch) -> None:
    parts = guess(attack, release)
    small.undo()
    whole = guess(attack, release)
    for metric in (IdSafety(), TraceSafety()):
        found = [metric.measure(release, made).value for made in (whole, parts)]
        assert found[1] == pytest.approx(found[0], abs=0.03)


def tables(release: Release) -> list[Scores]:
    published, known = release.published, release.original.knowledge
    channel = channel_of([METHOD], known, Rng(0))
    through = LikelihoodRatios(published, known, Sent(Predictions(known, Rng(0)), channel))
    points = PointOdds(published, known_points(release.original, 4), channel)
    return [through, points, WeightedSum([through, points], np.array([0.5, -2.0]))]


@pytest.mark.parametrize("which", range(3))
def test_a_part_of_the_scores_is_that_part_of_the_table(
    which: int, release: Release, small: pytest.MonkeyPatch
) -> None:
    parts = tables(release)[which]
    assert parts.held() is parts
    rows, columns = Rng(4).permutation(150)[:40], Rng(5).permutation(150)[:30]
    found = parts.part(rows, columns)
    small.undo()
    whole = tables(release)[which].held().dense()
    np.testing.assert_allclose(found, whole[np.ix_(rows, columns)], rtol=1e-9, atol=1e-9)
    assert parts.least == pytest.approx(found.min())


@pytest.mark.parametrize("assign", ["argmax", "assignment"])
def test_known_points_find_the_same(assign: Assign, release: Release, small: pytest.MonkeyPatch) -> None:
    knowledge = known_points(release.original, 4)
    attacks = KnownPoints(assign=assign), Informed(assign=assign).knowing([METHOD])
    parts = [attack.attack(release.published, knowledge, Rng(3)) for attack in attacks]
    small.undo()
    whole = [attack.attack(release.published, knowledge, Rng(3)) for attack in attacks]
    for one, other in zip(whole, parts, strict=True):
        assert (one.users == other.users).mean() > 0.97
        assert (one.traces == other.traces).mean() > 0.97


@pytest.mark.parametrize("attack", [DecoyLikelihood(), DecoyInversion()], ids=lambda attack: attack.name)
def test_decoys_are_undone_as_often(attack: DecoyLikelihood | DecoyInversion, small: pytest.MonkeyPatch) -> None:
    method = Decoys(utility=0.8, randomized=isinstance(attack, DecoyLikelihood))
    walks = Walks(n=80, days=6, rows=8, columns=8).generate(Rng(0))
    release = method.anonymize(walks, Rng(1)).finished(Rng(2))
    parts = guess(attack.knowing([method]), release)
    assert np.sort(parts.users).tolist() == list(range(80))
    small.undo()
    whole = guess(attack.knowing([method]), release)
    found = [float((made.users == release.owners).mean()) for made in (whole, parts)]
    # Guessing finds one of eighty.
    assert found[0] > 0.25
    assert found[1] == pytest.approx(found[0], abs=0.05)

"""Attackers who know that a release was made by merging pairs of similar traces."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.errors import Undefined
from icefire.datasets.walks import Walks
from icefire.trace.anonymize.krr import Krr
from icefire.trace.anonymize.merge_similar import MergeSimilar
from icefire.trace.attack.informed import Informed
from icefire.trace.attack.merged_twins import MergedTwins, _Scene, _twins
from icefire.trace.attack.shadow import Shadow
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.data import Cells, Traces
from icefire.trace.habits import REACH, chances
from icefire.trace.predictions import Predictions
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety

Rng = np.random.default_rng
METHOD = MergeSimilar(k=2, utility=0.7)


def test_merging_the_most_telling_cells_first_is_undone() -> None:
    people = Walks(n=40, days=6, rows=16, columns=16).generate(Rng(0))
    release = METHOD.anonymize(people, Rng(1))
    attacks = SlotLikelihood(), Shadow().knowing([METHOD]), MergedTwins().knowing([METHOD])
    guesses = [attack.attack(release.published, people.knowledge, Rng(2)) for attack in attacks]
    safe = [IdSafety().measure(release, guess).value for guess in guesses]
    assert min(safe[:2]) > 0.5
    assert safe[2] < 0.1
    assert TraceSafety().measure(release, guesses[2]).value < TraceSafety().measure(release, guesses[1]).value


def test_twins_agree_most_often_and_deleted_cells_do_not_count() -> None:
    codes = np.array([[1, 2, 3, 4], [5, 6, 7, -1], [1, 2, 3, -1], [5, 6, 0, -1], [8, 8, 8, -1]])
    assert _twins(Cells(codes, 9)) == [(0, 2), (1, 3)]


def test_likelihoods_of_pairs_by_brute_force() -> None:
    """Every place of either user is tried; the rule of the price says which pairs of places are merged."""
    few = Walks(n=5, days=2, rows=4, columns=5).generate(Rng(1))
    codes = few.original.copy()
    codes[1, ::3] = codes[0, ::3]
    codes[1, 5] = -1
    price, users = 0.7, (3, 2)
    scene = _Scene(Cells(codes, 20), few.knowledge, (), (), Rng(0))
    found = scene.log_likelihoods((0, 1), np.array([[3], [2]]), price)[:, 0]
    gaps = np.minimum(few.grid.distances / REACH, 1.0)
    habits = {slot: habit for slot, habit, _ in Predictions(few.knowledge, Rng(0))()}
    evidence = {s: np.maximum(np.log(profile / crowd), 0) for s, profile, crowd in chances(few.knowledge)}

    def merged(slot: int, user: int, place: int, other: int) -> float:
        """Probability that a place is merged with wherever the other user is."""
        total = sum(
            habits[slot][other, there]
            for there in range(20)
            if evidence[slot][user, place] + evidence[slot][other, there] >= price * gaps[place, there]
        )
        return float(np.clip(total, scene.slip, 1 - scene.slip))

    expected = []
    for one, other in (users, users[::-1]):
        logs = scene.prior[users]
        for time, slot in enumerate(few.knowledge.published_slots):
            first, second = codes[:2, time]
            habit, sure = habits[slot], evidence[slot]
            seen = habit[one, first] * merged(slot, one, first, other)
            both = 0.5 * (seen + habit[other, first] * merged(slot, other, first, one))
            if second < 0:
                logs += np.log(both + habit[one, first] - seen)
            elif first == second:
                logs += np.log(both)
            else:
                left = sure[one, first] + sure[other, second] < price * gaps[first, second]
                slip = 1 - scene.slip if left else scene.slip
                logs += np.log(habit[one, first] * habit[other, second] * slip)
        expected.append(logs)
    assert found == pytest.approx(expected, rel=1e-3)


def test_what_cannot_be_undone_is_said() -> None:
    walks = Traces(np.zeros((4, 4), int), np.zeros((4, 4), int))
    for steps, reason in (
        ([Krr(epsilon=1.0)], "no step of the release is merge_similar"),
        ([MergeSimilar(k=3)], "this attack is made for pairs"),
    ):
        with pytest.raises(Undefined, match=reason):
            MergedTwins().knowing(steps).attack(walks.cells, walks.knowledge, Rng(0))


def test_a_step_without_a_statement_is_simulated_where_others_state_theirs() -> None:
    people = Walks(n=40, days=6, rows=12, columns=12).generate(Rng(0))
    steps = [MergeSimilar(k=5, utility=0.9), Krr(epsilon=8.0)]
    release = steps[1].anonymize(people.with_cells(steps[0].anonymize(people, Rng(1)).cells), Rng(1))
    guess = Informed().knowing(steps).attack(release.published, people.knowledge, Rng(0))
    assert IdSafety().measure(release, guess).value < 0.3

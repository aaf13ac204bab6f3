"""Defences that look at the data: what they promise holds."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.errors import DataError
from icefire.datasets.walks import Walks
from icefire.trace.anonymize.block_medoid import BlockMedoid
from icefire.trace.anonymize.decoys import Decoys
from icefire.trace.anonymize.merge_similar import MergeSimilar, similar_groups
from icefire.trace.anonymize.mrlh import Mrlh
from icefire.trace.anonymize.shift_sensitive import ShiftSensitive
from icefire.trace.attack.count_vectors import CountVectors
from icefire.trace.attack.second_guess import SecondGuess
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.data import Traces
from icefire.trace.examples import example
from icefire.trace.grid import Grid
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.utility.closeness import Closeness

Rng = np.random.default_rng


@pytest.fixture(scope="module")
def people() -> Traces:
    return Walks(n=150, days=10, rows=16, columns=16).generate(Rng(0))


@pytest.mark.parametrize("utility", [0.6, 0.75, 0.9])
@pytest.mark.parametrize("defence", [Decoys, MergeSimilar])
def test_the_required_utility_is_kept_and_nearly_spent(people: Traces, defence: type, utility: float) -> None:
    release = defence(utility=utility).anonymize(people, Rng(0))
    kept = Closeness().measure(people, release).value
    assert utility <= kept < utility + 0.03


def test_decoys_hide_people_from_the_first_and_the_second_guess(people: Traces) -> None:
    release = Decoys(utility=0.7).anonymize(people, Rng(0))
    attacks = (SlotLikelihood(), CountVectors(), SecondGuess(), SecondGuess(least=True))
    guesses = [attack.attack(release.published, people.knowledge, Rng(0)) for attack in attacks]
    assert min(IdSafety().measure(release, guess).value for guess in guesses) > 0.85


def test_merging_two_leaves_at_best_an_even_chance() -> None:
    people = Walks(n=60, days=2, rows=4, columns=4).generate(Rng(0))
    release = MergeSimilar(k=2, utility=0.0).anonymize(people, Rng(0))
    _, sizes = np.unique(release.cells.codes, axis=0, return_counts=True)
    assert sizes.min() >= 2
    guess = SlotLikelihood(assign="assignment").attack(release.published, people.knowledge, Rng(0))
    assert IdSafety().measure(release, guess).value > 0.3


def test_groups_hold_at_least_k_similar_users(people: Traces) -> None:
    group = similar_groups(people, 7, Rng(0))
    assert np.bincount(group).min() >= 7
    assert np.bincount(group).max() < 14


def test_block_medoid_by_brute_force() -> None:
    original = example()
    release = BlockMedoid(height=4, width=4).anonymize(original, Rng(0))
    blocks = original.grid.blocks(4, 4)
    for time in range(original.cells.shape[1]):
        here = original.original[:, time]
        for block in np.unique(blocks[here]):
            inside = np.flatnonzero(blocks[here] == block)
            shown = np.unique(release.cells.codes[inside, time])
            assert shown.size == 1
            assert blocks[shown[0]] == block
            total = {r: original.grid.distances[here[inside], r].sum() for r in np.flatnonzero(blocks == block)}
            assert total[shown[0]] == pytest.approx(min(total.values()))


def test_sensitive_visits_are_moved_away_and_nothing_else_is() -> None:
    original = example()
    release = ShiftSensitive(distance=0.5).anonymize(original, Rng(0))
    before, after = original.original, release.cells.codes
    moved = original.sensitive[before]
    assert moved.any()
    assert np.array_equal(before[~moved], after[~moved])
    assert not original.sensitive[after].any()
    assert original.grid.distances[before[moved], after[moved]].min() >= 0.5


def test_on_a_small_map_sensitive_visits_go_as_far_as_they_can() -> None:
    line = Grid(rows=1, columns=4, cell_height=1.0, cell_width=1.0)
    original = Traces(
        np.zeros((1, 5), int), np.zeros((1, 5), int), line, sensitive=np.array([True, False, False, True])
    )
    release = ShiftSensitive(distance=9.0, choices=1).anonymize(original, Rng(0))
    assert release.cells.codes.tolist() == [[2] * 5]


def test_what_cannot_be_done_is_said() -> None:
    with pytest.raises(DataError, match="no region is marked as sensitive"):
        ShiftSensitive().anonymize(Traces(np.array([[0]]), np.array([[0]]), Grid(2, 2)), Rng(0))
    everywhere = Traces(np.array([[0]]), np.array([[0]]), Grid(2, 2), sensitive=np.ones(4, dtype=np.bool_))
    with pytest.raises(DataError, match="every region is marked as sensitive"):
        ShiftSensitive().anonymize(everywhere, Rng(0))
    with pytest.raises(DataError, match="30 users cannot be merged by 40"):
        MergeSimilar(k=40).anonymize(example(), Rng(0))
    sets = Mrlh(x=1, y=1).anonymize(example(), Rng(0)).cells
    with pytest.raises(DataError, match="put this step before the ones that make them"):
        Decoys().anonymize(example().with_cells(sets), Rng(0))


def test_merging_two_leaves_neither_trace_as_it_was() -> None:
    """Each is as good a representative as the other, so one is drawn anew at every time."""
    people = example(30)
    release = MergeSimilar(k=2, utility=0.0).anonymize(people, Rng(0))
    assert (release.cells.codes != people.original).any(axis=1).mean() > 0.9

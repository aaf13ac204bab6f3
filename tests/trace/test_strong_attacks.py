"""The strong attacks, each against an independent computation or a case in which it must see more than the others."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import jensenshannon

from icefire.datasets.walks import Walks
from icefire.trace.anonymize.decoys import Decoys
from icefire.trace.anonymize.mrlh import Mrlh
from icefire.trace.anonymize.planar_laplace import PlanarLaplace
from icefire.trace.attack import hidden_markov
from icefire.trace.attack.count_vectors import CountVectors
from icefire.trace.attack.hidden_markov import HiddenMarkov
from icefire.trace.attack.jensen_shannon import JensenShannon
from icefire.trace.attack.modal_fill import ModalFill
from icefire.trace.attack.reference_replay import ReferenceReplay
from icefire.trace.attack.second_guess import SecondGuess
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.data import Cells, Release, Traces
from icefire.trace.examples import example
from icefire.trace.grid import Grid
from icefire.trace.habits import beliefs, certain, kernel, likely_regions, losses, visits
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety

Rng = np.random.default_rng


@pytest.fixture(scope="module")
def people() -> Traces:
    return Walks(n=150, days=10, rows=16, columns=16).generate(Rng(0))


@pytest.mark.parametrize("release", [Mrlh(), Mrlh(x=1, y=1, delete=0.2), PlanarLaplace()])
def test_jensen_shannon_is_scipys(release: Mrlh) -> None:
    published = release.anonymize(example(), Rng(0)).published
    scores = JensenShannon().scores(published, example().knowledge)
    seen = (published.counts() @ published.spread).todense()
    known = visits(example().knowledge)
    for row, user in itertools.product(range(0, 30, 7), range(0, 30, 5)):
        assert scores[row, user] == pytest.approx(1 - jensenshannon(seen[row], known[user], base=2) ** 2, abs=1e-12)


def test_the_likely_region_is_the_one_of_least_expected_loss(people: Traces) -> None:
    release = Mrlh(x=1, y=1, delete=0.2).anonymize(people, Rng(0))
    knowledge, published = people.knowledge, release.published
    guess = likely_regions(published, certain(np.arange(150), 150), knowledge, 0.9)
    belief, loss = dict(beliefs(knowledge)), losses(knowledge)
    for user, time in ((0, 0), (7, 33), (149, 199), (80, 101)):
        code = published.codes[user, time]
        seen = np.zeros(people.grid.regions) if code < 0 else published.spread[[code]].todense()[0]
        chance = 0.9 * seen + (1 - 0.9 * seen.sum()) * belief[time % 20][user]
        expected = [float((chance * loss[:, region]).sum()) for region in range(people.grid.regions)]
        assert expected[guess[user, time]] == pytest.approx(min(expected), rel=1e-5)


def test_hidden_markov_decoding_equals_the_sum_over_all_paths() -> None:
    rng = Rng(3)
    grid = Grid(rows=2, columns=2)
    original = Traces(rng.integers(0, 4, (3, 8)), rng.integers(0, 4, (3, 4)), grid, day=4)
    published = Cells(np.array([[0, 3, -1, 4], [1, 1, 2, 2], [3, 0, 0, 1]]), 4, np.array([0, 2]), np.array([1, 2]))
    attack = HiddenMarkov(pull=0.3, noise=0.4)
    sure = sparse.csr_array(np.diag([0.9, 0.5, 0.2]))
    knowledge = original.knowledge
    found = hidden_markov._Decoder(attack, published, knowledge, sure).decode(np.arange(3), rng)
    moves, belief, loss = hidden_markov._moves(knowledge), dict(beliefs(knowledge)), losses(knowledge)
    near = kernel(knowledge, 0.4)
    for user in range(3):
        share = 0.95 * sure[user, user]
        events = []
        for code in published.codes[user]:
            told = np.full(4, 0.25) if code < 0 else near[:, [code] if code < 4 else [1, 2]].mean(axis=1)
            events.append(share * told + (1 - share) / 4)
        posterior = np.zeros((4, 4))
        for path in itertools.product(range(4), repeat=4):
            chance = belief[0][user, path[0]] * events[0][path[0]]
            for time in range(1, 4):
                step = 0.3 * belief[time][user, path[time]] + 0.7 * moves[path[time - 1], path[time]]
                chance *= step * events[time][path[time]]
            posterior[range(4), path] += chance
        assert found[user].tolist() == (posterior @ loss).argmin(axis=1).tolist()


def test_hidden_markov_sees_through_noise(people: Traces) -> None:
    release = PlanarLaplace(level=2.0).anonymize(people, Rng(0))
    scores = {
        attack.name: TraceSafety().measure(release, attack.attack(release.published, people.knowledge, Rng(0))).value
        for attack in (HiddenMarkov(), CountVectors(assign="assignment"))
    }
    assert scores["hidden_markov"] < scores["count_vectors"]


def test_reference_replay_answers_with_the_last_day(people: Traces) -> None:
    nothing = Cells(np.full(people.cells.shape, -1), people.grid.regions)
    guess = ReferenceReplay(how="day").attack(nothing, people.knowledge, Rng(0))
    assert np.array_equal(guess.traces[:, 20:40], people.reference[:, -20:])


def test_reference_replay_bounds_what_any_release_can_reach(people: Traces) -> None:
    values = []
    for anonymizer in (Mrlh(), Decoys()):
        release = anonymizer.anonymize(people, Rng(0))
        guess = ReferenceReplay().attack(release.published, people.knowledge, Rng(0))
        values.append(TraceSafety().measure(release, guess).value)
    assert values[0] == values[1]


def test_modal_fill_takes_what_was_seen_often_enough() -> None:
    # User 0 is always at 3 in the first time of day, and anywhere in the second.
    reference = np.array([[3, 0, 3, 1, 3, 2], [1, 1, 2, 2, 0, 0]])
    original = Traces(reference, np.array([[0, 0], [1, 1]]), Grid(rows=2, columns=2), day=2)
    release = Release(original, original.cells, np.array([0, 1]))
    filled = ModalFill().attack(release.published, original.knowledge, Rng(0)).traces
    assert filled[0, 0] == 3
    never = ModalFill(enough=1.0).attack(release.published, original.knowledge, Rng(0)).traces
    assert never[0, 0] == 3
    assert {int(never[0, 1]), int(never[1, 1])} == {0, 1}


def test_second_guess_finds_who_hides_behind_a_decoy(people: Traces) -> None:
    release = Decoys(utility=0.8, away=0.0).anonymize(people, Rng(1))
    first, second = (
        IdSafety().measure(release, attack.attack(release.published, people.knowledge, Rng(0))).value
        for attack in (SlotLikelihood(), SecondGuess())
    )
    assert first > 0.95
    assert second < 0.6

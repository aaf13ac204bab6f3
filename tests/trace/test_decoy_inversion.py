"""Attackers who know that a release was made by decoys."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from icefire.core.errors import Undefined
from icefire.core.roles import AnyAnonymizer
from icefire.datasets.walks import Walks
from icefire.trace.anonymize.decoys import HEAT, Decoys, _Search, drawn
from icefire.trace.anonymize.krr import Krr
from icefire.trace.attack import decoy_inversion, decoy_likelihood
from icefire.trace.attack._decoys import DecoySteps
from icefire.trace.attack.decoy_inversion import DecoyInversion, dilated
from icefire.trace.attack.decoy_likelihood import DecoyLikelihood
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.data import Cells, Release, Traces
from icefire.trace.grid import Grid
from icefire.trace.habits import REACH, chances, losses
from icefire.trace.predictions import Predictions
from icefire.trace.roles import Attack, InformedAttack
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety
from icefire.trace.utility.closeness import Closeness

Rng = np.random.default_rng
BEST = Decoys(utility=0.7, randomized=False)
DRAWN = Decoys(utility=0.7)
GRID = Grid(rows=4, columns=5, cell_height=0.5, cell_width=0.6)


@pytest.fixture(scope="module")
def people() -> Traces:
    return Walks(n=60, days=10, rows=16, columns=16).generate(Rng(0))


@pytest.fixture(scope="module")
def few() -> Traces:
    return Walks(n=6, days=1, rows=4, columns=5).generate(Rng(1))


def inverted(codes: NDArray[np.integer], walks: Traces) -> decoy_inversion._Scene:
    return decoy_inversion._Scene(Cells(codes, 20), walks.knowledge, DecoySteps((), BEST, ()), Rng(0))


def safety(people: Traces, release: Release, attack: Attack | InformedAttack) -> tuple[float, float]:
    guess = attack.attack(release.published, people.knowledge, Rng(2))
    return IdSafety().measure(release, guess).value, TraceSafety().measure(release, guess).value


def test_the_best_decoys_are_undone(people: Traces) -> None:
    release = BEST.anonymize(people, Rng(1))
    unknown = safety(people, release, SlotLikelihood())
    known = safety(people, release, DecoyInversion().knowing([BEST]))
    assert unknown[0] > 0.9
    assert known[0] < 0.1
    assert known[1] < unknown[1] / 2


def test_random_decoys_are_seen_through_by_their_likelihood(people: Traces) -> None:
    release = DRAWN.anonymize(people, Rng(1))
    unknown = safety(people, release, SlotLikelihood())
    known = safety(people, release, DecoyLikelihood().knowing([DRAWN]))
    assert unknown[0] > 0.9
    assert known[0] < unknown[0] - 0.2
    assert known[1] < unknown[1]


@pytest.mark.parametrize("utility", [0.65, 0.8, 0.9])
def test_random_decoys_use_up_the_utility(people: Traces, utility: float) -> None:
    release = Decoys(utility=utility).anonymize(people, Rng(3))
    assert utility <= Closeness().measure(people, release).value <= utility + 0.005


def test_every_published_cell_would_be_published_as_itself(people: Traces) -> None:
    """The fixed-point rule: publishing a release again, at the same price, changes nothing."""
    decoy = np.roll(np.arange(60), 1)
    first, _ = _Search(people, decoy, BEST, Rng(0)).moved(5.0, np.arange(60))
    assert (first != people.original).mean() > 0.2
    again = people.with_cells(type(people.cells)(first, people.grid.regions))
    second, kept = _Search(again, decoy, BEST, Rng(0)).moved(5.0, np.arange(60))
    assert np.array_equal(first, second)
    assert kept == 1.0


def test_the_bound_on_the_price_holds_and_is_that_of_the_rule(few: Traces) -> None:
    decoy = np.roll(np.arange(6), 1)
    codes, _ = _Search(few, decoy, BEST, Rng(0)).moved(3.0, np.arange(6))
    scene = inverted(codes, few)
    found = scene.bounds(np.arange(6), decoy, np.arange(20))
    pairs = scene.pair_bounds(np.arange(6), np.tile(np.arange(6), (6, 1)), np.tile(decoy[:, None], (1, 6)))
    gaps = np.minimum(few.grid.distances / REACH, 1.0)
    logs = {slot: np.log(profile) for slot, profile, _ in chances(few.knowledge)}
    for row in range(6):
        assert found[row, row] <= 3.0 + 1e-3
        for owner in set(range(6)) - {decoy[row]}:
            expected = 0.0
            for time, slot in enumerate(few.knowledge.published_slots):
                pull = logs[slot][decoy[row]] - BEST.away * logs[slot][owner]
                c = codes[row, time]
                slopes = [(pull[r] - pull[c]) / gaps[c, r] for r in range(20) if 0 < gaps[c, r] < 1]
                expected = max(expected, *slopes)
            assert found[row, owner] == pytest.approx(expected, rel=1e-3)
            assert pairs[row, owner] == pytest.approx(expected, rel=1e-3)


def test_the_largest_worth_by_brute_force() -> None:
    pull = Rng(0).normal(0, 3, (7, 20)).astype(np.float32)
    gaps = np.minimum(GRID.distances / REACH, 1.0)
    for price in (0.5, 4.0, 50.0):
        expected = (pull[:, None, :] - price * gaps).max(axis=2)
        assert dilated(pull, price, GRID) == pytest.approx(expected, abs=1e-4)


def test_the_regions_that_are_published_as_a_cell_are_those_of_the_method(few: Traces) -> None:
    """Every user is sent to every region; the attack must say which of them end in a given cell."""
    decoy = np.roll(np.arange(6), 1)
    codes, _ = _Search(few, decoy, BEST, Rng(0)).moved(3.0, np.arange(6))
    scene = inverted(codes, few)
    maps = np.stack(
        [
            _Search(few.with_cells(type(few.cells)(np.full((6, 20), x), 20)), decoy, BEST, Rng(0)).moved(
                3.0, np.arange(6)
            )[0]
            for x in range(20)
        ]
    )
    for slot in np.unique(few.knowledge.published_slots):
        for time, shown in scene._sources(int(slot), np.arange(6), np.arange(6), decoy, 3.0):
            assert np.array_equal(shown, (maps[:, :, time] == codes[None, :, time]).T)


def test_likelihoods_and_places_of_random_decoys_by_brute_force(few: Traces) -> None:
    steps = DecoySteps((), DRAWN, ())
    scene = decoy_likelihood._Scene(few.cells, few.knowledge, steps, Rng(0))
    price = steps.price(few.knowledge, Rng(0))
    owners, decoys = np.arange(6), np.roll(np.arange(6), 1)
    found = scene.log_likelihoods(owners[:, None], decoys[:, None])[:, 0]
    places = scene.places(owners, decoys)
    gaps, loss = np.minimum(few.grid.distances / REACH, 1.0), losses(few.knowledge)
    expected = np.zeros(6)
    habit_of = {slot: habit for slot, habit, _ in Predictions(few.knowledge, Rng(0))()}
    for slot, profile, _ in chances(few.knowledge):
        for time in np.flatnonzero(few.knowledge.published_slots == slot):
            for user in range(6):
                pull = np.log(profile[decoys[user]]) - DRAWN.away * np.log(profile[user])
                weights = np.exp((pull[None, :] - price * gaps) / HEAT)
                channel = (weights / weights.sum(axis=1, keepdims=True))[:, few.original[user, time]]
                expected[user] += np.log(habit_of[slot][user] @ channel)
                cost = (habit_of[slot][user] * channel) @ loss
                assert cost[places[user, time]] == pytest.approx(cost.min(), rel=1e-3)
    assert found == pytest.approx(expected, rel=1e-3)


def test_regions_are_drawn_as_often_as_their_weights_say() -> None:
    weights = np.array([0.1, 0.0, 0.6, 0.3], dtype=np.float32)
    with np.errstate(divide="ignore"):
        exponents = np.tile(np.log(weights), (20_000, 1))
    found = np.bincount(drawn(exponents, Rng(0).random(20_000, dtype=np.float32)), minlength=4) / 20_000
    assert found == pytest.approx(weights, abs=0.015)


@pytest.mark.parametrize("attack", [DecoyInversion(), DecoyLikelihood()], ids=lambda attack: attack.name)
@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([Krr(epsilon=1.0)], "no step of the release is decoys"),
        ([], "no step of the release is decoys"),
    ],
)
def test_what_cannot_be_undone_is_said(attack: InformedAttack, steps: list[AnyAnonymizer], reason: str) -> None:
    walks = Traces(np.zeros((2, 4), int), np.zeros((2, 4), int), GRID)
    with pytest.raises(Undefined, match=reason):
        attack.knowing(steps).attack(walks.cells, walks.knowledge, Rng(0))


def test_each_attack_is_made_for_its_own_version() -> None:
    walks = Traces(np.zeros((2, 4), int), np.zeros((2, 4), int), GRID)
    for attack, method, reason in (
        (DecoyInversion(), DRAWN, "decoy_likelihood is made for them"),
        (DecoyLikelihood(), BEST, "decoy_inversion undoes them"),
    ):
        with pytest.raises(Undefined, match=reason):
            attack.knowing([method]).attack(walks.cells, walks.knowledge, Rng(0))

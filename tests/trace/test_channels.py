"""Attackers of traces who know the method."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from icefire.core.errors import Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.trace.anonymize.block_medoid import BlockMedoid
from icefire.trace.anonymize.decoys import Decoys
from icefire.trace.anonymize.krr import Krr
from icefire.trace.anonymize.mrlh import Mrlh
from icefire.trace.anonymize.planar_laplace import PlanarLaplace
from icefire.trace.anonymize.shift_sensitive import ShiftSensitive
from icefire.trace.attack._channels import channel_of
from icefire.trace.attack._likelihood import log_likelihoods
from icefire.trace.attack.informed import Informed, places
from icefire.trace.attack.slot_likelihood import SlotLikelihood
from icefire.trace.data import NOTHING, Cells, Traces
from icefire.trace.grid import Grid
from icefire.trace.habits import losses
from icefire.trace.predictions import Predictions
from icefire.trace.roles import Anonymizer
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety

Rng = np.random.default_rng
GRID = Grid(rows=4, columns=5)
SENSITIVE = np.arange(20) % 7 == 0


@pytest.mark.parametrize(
    "step",
    [Krr(epsilon=2.0), PlanarLaplace(level=1.5), PlanarLaplace(level=9.0), ShiftSensitive(distance=0.5, choices=3)],
    ids=repr,
)
def test_the_channel_is_what_happens(step: Anonymizer) -> None:
    """Every region is published 20,000 times."""
    places = np.repeat(np.arange(20)[:, None], 20_000, axis=1)
    walks = Traces(np.arange(20)[:, None], places, GRID, sensitive=SENSITIVE)
    channel = step.channel(walks.knowledge)
    assert channel is not None
    assert channel.sum(axis=1) == pytest.approx(np.ones(20))
    shown = step.anonymize(walks, Rng(0)).cells.codes
    happened = np.stack([np.bincount(cells, minlength=20) / 20_000 for cells in shown])
    assert np.abs(happened - channel).max() < 4 * np.sqrt(0.25 / 20_000)


def test_the_channel_of_a_medoid_stays_in_its_block() -> None:
    known = Traces(Rng(0).integers(0, 20, (30, 9)), np.zeros((30, 1), int), GRID).knowledge
    channel = BlockMedoid(height=2, width=2).channel(known)
    assert channel is not None
    blocks = GRID.blocks(2, 2)
    assert not channel[blocks[:, None] != blocks].any()
    assert channel.sum(axis=1) == pytest.approx(np.ones(20))


@given(st.integers(0, 10_000))
def test_places_are_those_of_bayes(seed: int) -> None:
    """The least expected loss, summed up region by region."""
    rng = Rng(seed)
    walks = Traces(rng.integers(0, 20, (3, 8)), rng.integers(0, 20, (3, 4)), GRID, sensitive=SENSITIVE, day=4)
    known, channel = walks.knowledge, channel_of([Krr(epsilon=2.0)], walks.knowledge, rng)
    codes = rng.integers(0, 20, (3, 4))
    codes[0, 0] = NOTHING
    plan = np.zeros((3, 3))
    plan[[2, 0, 1], [0, 1, 2]] = 1.0
    expectations = list(Predictions(known, rng)())
    found = places(Cells(codes, 20), sparse.csr_array(plan), channel, known, expectations)
    loss = losses(known)
    for slot, belief, _ in expectations:
        for time in np.flatnonzero(known.published_slots == slot):
            for user, pseudonym in enumerate((2, 0, 1)):
                cell = codes[pseudonym, time]
                after = [belief[user, r] * (1.0 if cell == NOTHING else channel[r, cell]) for r in range(20)]
                expected = [sum(after[r] * loss[r, g] for r in range(20)) for g in range(20)]
                assert expected[found[user, time]] == pytest.approx(min(expected), rel=1e-4)


def test_a_set_is_as_likely_as_its_members_together() -> None:
    """Merging after noise: the chance of a block is the sum over its regions, whatever the factor that all users share."""
    rng = Rng(1)
    profile = rng.dirichlet(np.ones(20), 3)
    channel = channel_of(
        [Krr(epsilon=1.0), Mrlh(x=1)], Traces(np.zeros((1, 1), int), np.zeros((1, 1), int), GRID).knowledge, rng
    )
    cells = Mrlh(x=1).anonymize(Traces(np.zeros((1, 1), int), np.array([[6]]), GRID), rng).cells
    scores = log_likelihoods(cells, profile @ channel)[0]
    block = np.flatnonzero(GRID.blocks(1, 2) == GRID.blocks(1, 2)[6])
    expected = np.log((profile @ channel)[:, block].sum(axis=1))
    assert np.diff(scores) == pytest.approx(np.diff(expected))


@pytest.mark.parametrize(
    "steps",
    [["planar_laplace(level=1)"], ["krr(epsilon=4)"], ["planar_laplace(level=1)", "mrlh(x=1, delete=0.3)"]],
    ids=" ".join,
)
def test_who_knows_the_noise_finds_more(steps: list[str]) -> None:
    registry = Registry()
    walks = registry.make("trace", "dataset", "walks(n=80, days=10, rows=16, columns=16)").generate(generator(0))
    pipeline = Pipeline(tuple(registry.make("trace", "anonymize", step) for step in steps))
    release = pipeline.anonymize(walks, generator(1))
    attacks = Informed().knowing(pipeline.steps), SlotLikelihood(assign="assignment")
    scores = []
    for attack in attacks:
        guess = attack.attack(release.published, walks.knowledge, Rng(0))
        scores.append([metric.measure(release, guess).value for metric in (IdSafety(), TraceSafety())])
    assert scores[0][0] <= scores[1][0]
    assert scores[0][1] < scores[1][1]


def test_what_cannot_be_known_is_said() -> None:
    walks = Traces(np.zeros((2, 4), int), np.zeros((2, 4), int), GRID)
    with pytest.raises(Undefined, match="decoys does not say how likely a published cell is"):
        Informed().knowing([Decoys()]).attack(walks.cells, walks.knowledge, Rng(0))

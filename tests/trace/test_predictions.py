"""Where users will be, learned from their reference days."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.seeds import generator
from icefire.datasets.walks import Walks
from icefire.trace.data import Floats, Traces
from icefire.trace.grid import Grid
from icefire.trace.habits import chances
from icefire.trace.predictions import Predictions

Rng = np.random.default_rng


def surprise(walks: Traces, expected: dict[int, Floats]) -> float:
    """Mean of -log probability of the original traces, which nobody has seen."""
    slots = walks.knowledge.published_slots
    users = np.arange(walks.people)
    seen = [expected[int(slot)][users, walks.original[:, time]] for time, slot in enumerate(slots)]
    return float(-np.log(np.maximum(seen, 1e-12)).mean())


@pytest.mark.parametrize("days", [2, 10])
def test_the_other_days_are_predicted_better_than_with_fixed_weights(days: int) -> None:
    walks = Walks(n=60, days=days, rows=12, columns=12).generate(generator(3))
    known = walks.knowledge
    learned = surprise(walks, {slot: profile for slot, profile, _ in Predictions(known, Rng(0))()})
    fixed = surprise(walks, {slot: profile for slot, profile, _ in chances(known)})
    assert learned < fixed


def test_predictions_are_probabilities() -> None:
    grid = Grid(rows=3, columns=4)
    for reference in (Rng(0).integers(0, 12, (5, 8)), Rng(0).integers(0, 12, (5, 4))):
        known = Traces(reference, np.zeros((5, 4), int), grid, day=4).knowledge
        for _, profile, crowd in Predictions(known, Rng(1))():
            assert profile.sum(axis=1) == pytest.approx(np.ones(5))
            assert crowd.sum() == pytest.approx(1.0)
            assert profile.min() > 0


def test_who_repeats_every_day_is_believed_to_repeat() -> None:
    """Five users do the same every day, each something else. Even the sharpest blur gives a quarter to other times of day."""
    days = np.tile(Rng(0).permutation(30)[:20].reshape(5, 4), (1, 6))
    known = Traces(days, days[:, :4], Grid(rows=3, columns=10), day=4).knowledge
    for slot, profile, _ in Predictions(known, Rng(1))():
        assert profile[np.arange(5), days[:, slot]].min() > 0.7

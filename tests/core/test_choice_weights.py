"""Weights of evidence, learned from choices whose right answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.shadow import Cases, choice_weights

Rng = np.random.default_rng


def cases(weights: list[float], number: int, seed: int) -> Cases:
    """Choices drawn with exactly the probabilities that the model supposes."""
    rng = Rng(seed)
    evidence = rng.normal(size=(number, 6, len(weights)))
    listed = rng.random((number, 6)) < 0.8
    listed[:, 0] = True
    scores = np.where(listed, evidence @ np.array(weights), -np.inf)
    return Cases(evidence, listed, (scores + rng.gumbel(size=scores.shape)).argmax(axis=1))


def test_weights_are_found_again() -> None:
    true = [2.0, -1.0, 0.0]
    found = choice_weights([cases(true, 3_000, 0), cases(true, 3_000, 1)], np.zeros(3))
    assert found == pytest.approx(true, abs=0.12)


def test_units_do_not_matter() -> None:
    small = cases([1.0, 0.5], 500, 2)
    scaled = Cases(small.evidence * [1000.0, 0.01], small.listed, small.right)
    first, second = choice_weights([small], np.zeros(2)), choice_weights([scaled], np.zeros(2))
    assert second * [1000.0, 0.01] == pytest.approx(first, rel=1e-3)


def test_without_an_answer_the_prior_stays() -> None:
    lesson = cases([1.0], 5, 3)
    unknown = Cases(lesson.evidence, lesson.listed, np.full(5, -1))
    assert choice_weights([unknown], np.array([0.7])).tolist() == [0.7]

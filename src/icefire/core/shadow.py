"""Learning from shadow releases how to tell the right candidate from the others.

An attacker who knows the method makes releases of what they know, with seeds of their own. Who is who in those is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
SURE = 5.0
"""Largest weight to begin with, in standard deviations of the evidence: odds that were worked out may be too sure."""


@dataclass(frozen=True)
class Cases:
    """Choices whose right answer is known."""

    evidence: Floats
    """[case, candidate, feature]."""
    listed: NDArray[np.bool_]
    """[case, candidate]: whether there is such a candidate; lists may differ in length."""
    right: Ints
    """[case]: place of the right candidate; negative if it is not among them."""


def choice_weights(cases: Sequence[Cases], prior: Floats) -> Floats:
    """The weights of features under which the right candidates are most probable (conditional logit).

    The probability of a candidate is proportional to exp(weights · evidence). In standard deviations of the evidence, weights
    are normally distributed around their prior, as Bayesians say: they stay there where nothing speaks against it.

    >>> evidence = np.array([[[1.0, 0.0], [0.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]]])
    >>> first, second = choice_weights([Cases(evidence, np.full((2, 2), True), np.array([0, 1]))], np.zeros(2))
    >>> bool(first > 0 > second)
    True
    """
    used = [Cases(c.evidence[c.right >= 0], c.listed[c.right >= 0], c.right[c.right >= 0]) for c in cases]
    number = sum(case.right.size for case in used)
    if not number:
        return prior
    scale = np.concatenate([case.evidence[case.listed] for case in used]).std(axis=0)
    scale = np.where(scale > 1e-9, scale, 1.0)
    start = np.clip(prior * scale, -SURE, SURE)

    def cost(weights: Floats) -> tuple[float, Floats]:
        away = weights - start
        total, slope = float(away @ away) / 2 / number, away / number
        for case in used:
            chance = probabilities(case.evidence @ (weights / scale), case.listed)
            rows = np.arange(case.right.size)
            total -= float(np.log(np.maximum(chance[rows, case.right], 1e-300)).sum()) / number
            missed = -chance
            missed[rows, case.right] += 1.0
            slope = slope - np.einsum("ij,ijk->k", missed, case.evidence) / scale / number
        return total, slope

    found = minimize(cost, start, jac=True, method="L-BFGS-B", options={"maxiter": 200})
    return np.asarray(found.x / scale)


def probabilities(scores: Floats, listed: NDArray[np.bool_]) -> Floats:
    """[case, candidate]: proportional to the exponential of the scores; 0 for candidates that there are not."""
    chance: Floats = np.where(listed, scores, -np.inf)
    chance = np.exp(chance - chance.max(axis=1, keepdims=True))
    return np.asarray(chance / chance.sum(axis=1, keepdims=True))

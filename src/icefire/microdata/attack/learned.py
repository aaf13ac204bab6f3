"""Distances that learn which columns were left alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from icefire.core.parameters import AtLeast
from icefire.microdata.attack._features import Distances, Feature, Match, features
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.roles import Attack

SAMPLE = 200
"""Published rows that the first weights are learned from."""
FLOOR = 0.01
"""Least error of a column, in standard deviations: no column decides alone for being untouched."""


@dataclass(frozen=True)
class Learned(Attack):
    """Learn which columns the defender hardly touched, and let those decide.

    First the weights of columns are raised and lowered in turn on a sample of rows, as long as the nearest row stands
    out more clearly from the second nearest. Then, in rounds, rows are matched and columns weighed by how well they
    agree within the matches: 1/(2 e^2) for a typical error e; for a category by how much more often it agrees than
    by chance (Fellegi and Sunter's weights).

    Parameters:
        rounds: how often rows are matched to learn from.
        match: how the last round decides: "nearest" or "assignment".

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> schema = Schema(qi=[], sa=["noisy", "exact"])
        >>> rng = np.random.default_rng(0)
        >>> values = rng.normal(size=(200, 2))
        >>> original = Microdata(pl.DataFrame(values, schema=["noisy", "exact"]), schema)
        >>> noise = np.stack([rng.normal(size=200), np.zeros(200)], axis=1)
        >>> published = Microdata(pl.DataFrame(values + noise, schema=["noisy", "exact"]), schema)
        >>> bool((Learned().attack(published, original, rng).rows == np.arange(200)).mean() > 0.9)
        True

    Reference:
        Fellegi, Sunter: A theory for record linkage. 1969; Winkler: Using the EM algorithm for weight computation. 1988.
    """

    rounds: Annotated[int, AtLeast(1)] = 3
    match: Match = "nearest"

    @classmethod
    def variants(cls, published: Microdata) -> list[Learned]:
        return [cls(match="nearest"), cls(match="assignment")]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        columns = features(published, knowledge)
        distances = Distances(_clearest(columns, rng))
        for _ in range(self.rounds):
            guess = distances.nearest(rng)
            distances = Distances([column.reweighted(_weight(column, guess)) for column in columns])
        return Guess(distances.match(self.match, rng))


def _clearest(columns: list[Feature], rng: np.random.Generator) -> list[Feature]:
    """Weights under which the nearest row of a sample stands out best."""
    rows = rng.choice(len(columns[0].published), min(SAMPLE, len(columns[0].published)), replace=False)
    sampled = [Feature(column.published[rows], column.original, column.ordinal) for column in columns]
    weights = np.ones(len(columns))
    if len(columns[0].original) < 2 or len(columns) < 2:
        return columns
    best = _clarity(sampled, weights)
    for factor in (30.0, 1 / 30.0, 5.0, 0.2):
        for index in range(len(columns)):
            trial = weights.copy()
            trial[index] *= factor
            clarity = _clarity(sampled, trial)
            if clarity > best:
                best, weights = clarity, trial
    return [column.reweighted(float(weight)) for column, weight in zip(columns, weights, strict=True)]


def _clarity(columns: list[Feature], weights: NDArray[np.float64]) -> float:
    """Mean logarithm of how much farther the second nearest row is than the nearest."""
    shares = weights / weights.sum()
    weighed = Distances([column.reweighted(float(share)) for column, share in zip(columns, shares, strict=True)])
    ratios = []
    for _, block in weighed.blocks():
        two = np.partition(block, 1, axis=1)[:, :2] + 1e-6
        ratios.append(np.log(two[:, 1] / two[:, 0]))
    return float(np.concatenate(ratios).mean())


def _weight(column: Feature, guess: NDArray[np.int64]) -> float:
    matched = column.original[guess]
    if column.ordinal:
        error = 1.4826 * float(np.median(np.abs(column.published - matched)))
        return 1.0 / (2.0 * max(error, FLOOR) ** 2)
    within = float(np.clip((column.published * matched).sum(axis=1).mean(), 0.02, 0.999))
    chance = float(np.clip((column.published.mean(axis=0) * column.original.mean(axis=0)).sum(), 0.001, 0.98))
    return max(0.0, np.log(within / chance) - np.log((1 - within) / (1 - chance)))

"""Nearest row by weights learned from the release."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from icefire.core.parameters import AtLeast
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.distances import Distances, Feature, Match, agreement_weight, features
from icefire.microdata.roles import Attack

CLEAR_SAMPLE, MATCH_SAMPLE = 200, 2000
"""Published rows that the first weights, and the later ones, are learned from."""


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
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Learned]:
        return [cls(match="nearest"), cls(match="assignment")]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        columns = features(published, knowledge)
        weights = _clearest(_sample(columns, CLEAR_SAMPLE, rng), rng)
        for _ in range(self.rounds):
            sample = _sample(columns, MATCH_SAMPLE, rng)
            guess = Distances(_reweighted(sample, weights), rng).nearest()
            weights = [agreement_weight(column, guess) for column in sample]
        return Distances(_reweighted(columns, weights), rng).match(self.match, published, knowledge)


def _sample(columns: list[Feature], size: int, rng: np.random.Generator) -> list[Feature]:
    """The same columns for some of the published rows."""
    height = len(columns[0].published)
    rows = rng.choice(height, min(size, height), replace=False)
    return [replace(column, published=column.published[rows]) for column in columns]


def _reweighted(columns: list[Feature], weights: list[float]) -> list[Feature]:
    return [replace(column, weight=weight) for column, weight in zip(columns, weights, strict=True)]


def _clearest(columns: list[Feature], rng: np.random.Generator) -> list[float]:
    """Weights under which the nearest row stands out best."""
    weights = [1.0] * len(columns)
    if len(columns[0].original) < 2 or len(columns) < 2:
        return weights
    best = _clarity(columns, weights, rng)
    for factor in (1e4, 1e-4, 30.0, 1 / 30.0):
        for index in range(len(columns)):
            trial = [weight * factor if i == index else weight for i, weight in enumerate(weights)]
            clarity = _clarity(columns, trial, rng)
            if clarity > best:
                best, weights = clarity, trial
    return weights


def _clarity(columns: list[Feature], weights: list[float], rng: np.random.Generator) -> float:
    """Mean logarithm of how much farther the second nearest row is than the nearest."""
    shares = [weight / sum(weights) for weight in weights]
    nearest = Distances(_reweighted(columns, shares), rng).two_smallest() + 1e-6
    return float(np.log(nearest[:, 1] / nearest[:, 0]).mean())

"""Nearest row by weights learned from the release."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from icefire.core.budget import current
from icefire.core.parameters import AtLeast
from icefire.core.seeds import generator
from icefire.microdata.costs import Match
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.distances import Feature, Floats, Ints, agreement_weight, features
from icefire.microdata.linkage import Linkage
from icefire.microdata.roles import Attack

CLEAR_SAMPLE, MATCH_SAMPLE = 200, 2000
"""Published rows that the first weights, and the later ones, are learned from."""
LEARNING = 0.3
"""Share of the budget that is spent on learning."""
CROWD = 4000
"""People among whom the first weights are learned, and as many more who fit."""


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
        key = type(self), self.rounds, current().left
        columns = knowledge.once(published, key, lambda: self._weighed(features(published, knowledge)))
        return Linkage(columns, rng).match(self.match, published, knowledge)

    def _weighed(self, columns: list[Feature]) -> list[Feature]:
        """The columns with learned weights, the same for both ways to match."""
        rng = generator(0, self.name)
        weights = _clearest(columns, rng)
        for _ in range(self.rounds):
            sample = _sample(columns, MATCH_SAMPLE, rng)
            with current().part(LEARNING / self.rounds).spent():
                rows, people = Linkage(_reweighted(sample, weights), rng).nearest()
            weights = [agreement_weight(column.of(rows), people) for column in sample]
        return _reweighted(columns, weights)


def _sample(columns: list[Feature], size: int, rng: np.random.Generator) -> list[Feature]:
    """The same columns for some of the published rows."""
    height = columns[0].height
    rows = rng.choice(height, min(size, height), replace=False)
    return [column.of(rows) for column in columns]


def _reweighted(columns: list[Feature], weights: list[float]) -> list[Feature]:
    return [replace(column, weight=weight) for column, weight in zip(columns, weights, strict=True)]


def _clearest(columns: list[Feature], rng: np.random.Generator) -> list[float]:
    """Weights under which the nearest row stands out best, for some rows among some people."""
    weights = [1.0] * len(columns)
    if columns[0].width < 2 or len(columns) < 2:
        return weights
    sample = _sample(columns, CLEAR_SAMPLE, rng)
    people = _crowd(sample, rng)
    rows = np.arange(sample[0].height)
    tables = [column.block(rows, people) for column in sample]
    total = np.sum(tables, axis=0)
    best = _clarity(total.copy(), len(tables))
    for factor in (1e4, 1e-4, 30.0, 1 / 30.0):
        for index, table in enumerate(tables):
            trial = [weight * factor if i == index else weight for i, weight in enumerate(weights)]
            change = trial[index] - weights[index]
            clarity = _clarity(total + change * table, sum(trial))
            if clarity > best:
                best, weights, total = clarity, trial, total + change * table
    return weights


def _crowd(columns: list[Feature], rng: np.random.Generator) -> Ints:
    """Everybody, or some people and all who fit the rows best."""
    width = columns[0].width
    if width <= CROWD:
        return np.arange(width)
    people = Linkage(columns, rng).candidates()
    fitting = rng.permutation(people)[:CROWD]
    return np.union1d(fitting, rng.choice(width, CROWD, replace=False))


def _clarity(costs: Floats, unit: float) -> float:
    """Mean logarithm of how much farther the second nearest row is than the nearest; the costs are used up."""
    rows, place = np.arange(len(costs)), costs.argmin(axis=1)
    nearest = costs[rows, place]
    costs[rows, place] = np.inf
    least, second = (np.maximum(found, 0.0) / unit + 1e-6 for found in (nearest, costs.min(axis=1)))
    return float(np.log(second / least).mean())

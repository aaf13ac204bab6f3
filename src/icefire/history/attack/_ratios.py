"""Nearest numbers by ratio."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icefire.history.data import NONE, Guess, History, Ints


def by_ratio(published: History, knowledge: History, ours: str, rng: np.random.Generator) -> Guess:
    """In each period, every customer gets the pseudonym j with the largest min(a, b_j) / max(a, b_j).

    `ours` says what is compared: the mean of a column, or "records" for their number.
    """
    table = np.full((len(knowledge.users), len(knowledge.periods)), NONE, dtype=np.int64)
    a, b = _numbers(knowledge, ours), _numbers(published, ours)
    for period in range(len(knowledge.periods)):
        users, pseudonyms = (np.flatnonzero(~np.isnan(side[:, period])) for side in (a, b))
        if users.size and pseudonyms.size:
            nearest = nearest_by_ratio(a[users, period], b[pseudonyms, period], rng)
            table[users, period] = pseudonyms[nearest]
    return Guess.of_table(table, len(published.users))


def _numbers(history: History, what: str) -> NDArray[np.float64]:
    """[user, period]: the number to compare, nan where the user has no record."""
    count, total = history.sums(None if what == "records" else what)
    value = total if what == "records" else total / np.where(count > 0, count, 1.0)
    return np.where(count > 0, _rounded(value), np.nan)


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values to twelve digits: sums of the same amounts in another order differ in the last ones."""
    size = 10.0 ** (11 - np.floor(np.log10(np.where(values > 0, values, 1.0))))
    return np.asarray(np.rint(values * size) / size)


def nearest_by_ratio(values: NDArray[np.float64], among: NDArray[np.float64], rng: np.random.Generator) -> Ints:
    """For each value the position of the one among the others with the largest min/max; ties at random.

    >>> nearest_by_ratio(np.array([3.0, 0.0]), np.array([10.0, 2.0, 0.0]), np.random.default_rng(0)).tolist()
    [1, 2]
    """
    distinct, inverse = np.unique(among, return_inverse=True)
    high = np.searchsorted(distinct, values)
    low, high = np.maximum(high - 1, 0), np.minimum(high, distinct.size - 1)
    below, above = (_ratio(values, distinct[side]) for side in (low, high))
    upper = (above > below) | ((above == below) & (rng.random(values.size) < 0.5))
    chosen = np.where(upper, high, low)
    # Among those with the same number, a random one.
    order = np.lexsort((rng.random(among.size), inverse))
    first = np.searchsorted(inverse[order], chosen, side="left")
    number = np.searchsorted(inverse[order], chosen, side="right") - first
    nearest: Ints = order[first + rng.integers(0, number)]
    return nearest


def _ratio(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    larger = np.maximum(a, b)
    return np.where(larger > 0, np.minimum(a, b) / np.where(larger > 0, larger, 1.0), 1.0)

"""Counts of right and existing pseudonyms, of which the metrics of 2017 are made."""

from __future__ import annotations

import numpy as np

from icefire.core.documents import JsonObject
from icefire.core.errors import Undefined
from icefire.core.intervals import mean_of_sample, wilson
from icefire.core.values import Interval
from icefire.history.data import NONE, Guess, Release


def matches(release: Release, guess: Guess | None) -> np.ndarray:
    """[user, period]: whether the guess is right, DEL included; of the users who were asked for."""
    assert guess is not None, "this metric judges a guess"
    guess.check(release.published, release.original)
    return np.asarray(of_asked(guess.table == release.table, guess))


def existing(release: Release, guess: Guess | None) -> np.ndarray:
    """[user, period]: whether there is a pseudonym at all; of the users who were asked for."""
    return of_asked(release.table != NONE, guess)


def of_asked(table: np.ndarray, guess: Guess | None) -> np.ndarray:
    """The rows of the users who were asked for."""
    return table if guess is None or guess.asked is None else table[guess.asked.people]


def sampled(guess: Guess | None) -> JsonObject:
    """How many users were looked for, if not all."""
    return {} if guess is None or guess.asked is None else {"people sampled": int(guess.asked.people.size)}


def interval(value: float, there: np.ndarray, guess: Guess | None) -> Interval | None:
    """Of a share of the cells of sampled users; None if it is of all users.

    The cells of one user may be right all together or not at all, so that they count as one, and users with many cells weigh
    more (Kish's effective sample size).
    """
    if guess is None or guess.asked is None:
        return None
    cells = there.sum(axis=1).astype(np.float64)
    size = max(1, int(cells.sum() ** 2 / np.square(cells).sum()))
    return wilson(value * size, size)


def by_customers(hits: np.ndarray, total: np.ndarray) -> Interval | None:
    """Of the share of things that are hit, [customer]: what is one customer's is hit together. None of fewer than two."""
    some = (hits != 0) | (total != 0)
    if some.sum() < 2:
        return None
    hits, total = hits[some], total[some]
    share = hits.sum() / total.sum()
    # The spread of a ratio of means (Cochran: Sampling techniques, 1977, section 2.11).
    around = mean_of_sample(share + (hits - share * total) / total.mean())
    return Interval(min(1.0, max(0.0, around.low)), min(1.0, max(0.0, around.high)))


def month_matching_curve(release: Release, guess: Guess | None) -> list[float | None]:
    """MM(l) for l = 1..d: over the first l periods; None as long as no customer has a pseudonym."""
    right, there = matches(release, guess), existing(release, guess)
    match, cells = np.cumsum(right.sum(axis=0)), np.cumsum(there.sum(axis=0))
    total = np.arange(1, right.shape[1] + 1) * right.shape[0]
    gone = total - cells
    return [float(max(found, 0) / count) if count else None for found, count in zip(match - gone, cells, strict=True)]


def require_cells(release: Release, guess: Guess | None) -> int:
    """How many pseudonyms there are, counted by customer and period."""
    count = int(existing(release, guess).sum())
    if count == 0:
        raise Undefined("no customer has a pseudonym in any period")
    return count

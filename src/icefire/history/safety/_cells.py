"""Counts of right and existing pseudonyms, of which the metrics of 2017 are made."""

from __future__ import annotations

import numpy as np

from icefire.core.errors import Undefined
from icefire.history.data import NONE, Guess, Release


def matches(release: Release, guess: Guess | None) -> np.ndarray:
    """[user, period]: whether the guess is right, DEL included."""
    assert guess is not None, "this metric judges a guess"
    guess.check(release.published, release.original)
    return np.asarray(guess.table == release.table)


def existing(release: Release) -> np.ndarray:
    """[user, period]: whether there is a pseudonym at all."""
    return np.asarray(release.table != NONE)


def month_matching_curve(release: Release, guess: Guess | None) -> list[float | None]:
    """MM(l) for l = 1..d: over the first l periods; None as long as no customer has a pseudonym."""
    right, there = matches(release, guess), existing(release)
    match, cells = np.cumsum(right.sum(axis=0)), np.cumsum(there.sum(axis=0))
    total = np.arange(1, right.shape[1] + 1) * right.shape[0]
    gone = total - cells
    return [float(max(found, 0) / count) if count else None for found, count in zip(match - gone, cells, strict=True)]


def require_cells(release: Release) -> int:
    """How many pseudonyms there are, counted by customer and period."""
    count = int(existing(release).sum())
    if count == 0:
        raise Undefined("no customer has a pseudonym in any period")
    return count

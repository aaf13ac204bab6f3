"""Whose record is it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from icefire.core.documents import JsonObject
from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import NONE, Guess, Ints, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import by_customers, sampled


@dataclass(frozen=True)
class RecordOwnership(Safety):
    """Share of the published records whose owner is named rightly.

    Where records stand under several pseudonyms, nobody may know which pseudonym is whose, and yet whose each record is.
    Attacks that name pseudonyms alone name the owner of a record by the pseudonym that it stands under; of several, each with
    the same chance. The baseline is the largest share of one customer, of the records of each period. Dummies do not count.

    Example:
        Nobody's pseudonym is found, and all owners are.

        >>> from icefire.history.data import Claims
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "bob 2011-01-04 cup")
        >>> release = Release(log, records("{1|2} 2011-01-03 tea", "{1|2} 2011-01-04 cup"), [[0], [1]], [0, 1])
        >>> claims = Claims(np.array([0, 1]), np.array([1.0, 1.0]), log)
        >>> guess = Guess(np.array([[NONE], [NONE]]), np.array([NONE, NONE]), claims=claims)
        >>> score = RecordOwnership().measure(release, guess)
        >>> score.value, score.detail["baseline"]
        (1.0, 0.5)

    Reference:
        Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: l-diversity: privacy beyond k-anonymity. 2007.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("record owners",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        assert guess is not None, "record ownership judges a guess"
        guess.check(release.published, release.original)
        genuine = np.flatnonzero(release.rows != NONE)
        owners = release.original.user_codes[release.rows[genuine]]
        if guess.asked is not None and guess.claims is None:
            asked = np.isin(owners, guess.asked.people)
            genuine, owners = genuine[asked], owners[asked]
        if not genuine.size:
            raise Undefined("no record of the original was published")
        if guess.claims is not None:
            right = (guess.claims.owners[genuine] == owners).astype(np.float64)
        else:
            right = _by_pseudonyms(release, guess)[genuine]
        detail: JsonObject = {
            "baseline": _largest_shares(release, genuine, owners),
            "records": int(genuine.size),
            **(sampled(guess) if guess.claims is None else {}),
        }
        interval = by_customers(np.bincount(owners, right), np.bincount(owners))
        return self.score(float(right.mean()), interval, float(right.sum()), detail)


def _by_pseudonyms(release: Release, guess: Guess) -> NDArray[np.float64]:
    """[published record]: the chance that its owner is named by who is said to have its pseudonyms."""
    table, holders = guess.table, release.published.holders
    people = np.arange(len(table)) if guess.asked is None else guess.asked.people
    claimants = np.zeros((len(release.published.users), table.shape[1]), dtype=np.int64)
    users, periods = np.nonzero(table[people] >= 0)
    np.add.at(claimants, (table[people][users, periods], periods), 1)
    rows = release.rows[holders.records]
    owner = np.where(rows == NONE, NONE, release.original.user_codes[rows])
    period = release.published.period_codes[holders.records]
    named = (owner != NONE) & (table[owner, period] == holders.users)
    chance = named * holders.weights / np.maximum(claimants[holders.users, period], 1)
    shares = np.bincount(holders.records, chance, minlength=release.published.height)
    return shares.astype(np.float64, copy=False)


def _largest_shares(release: Release, records: Ints, owners: Ints) -> float:
    """What naming the customer with the most records of each period would find."""
    counts = np.zeros((len(release.original.users), len(release.original.periods)))
    np.add.at(counts, (owners, release.published.period_codes[records]), 1.0)
    return float(counts.max(axis=0).sum() / counts.sum())

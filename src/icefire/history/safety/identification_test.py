"""The identification test of PWSCUP 2018."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from icefire.core.errors import Undefined
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import NONE, Guess, Release
from icefire.history.roles import Safety


@dataclass(frozen=True)
class IdentificationTest(Safety):
    """Right answers divided by the number that makes a release unsafe: 1 or more means unsafe.

    Of n named pseudonyms fewer than r(n) may be right, r(n) being the least r with sum over i >= r of C(n,i) / 3^i below
    0.01 / 20. The official table has no factor (2/3)^(n-i). A pseudonym under which several customers stand is right by the
    first of them.

    Example:
        Seven right answers of seven are unsafe, since 1 / 3^7 = 1 / 2187 is below 0.01 / 20; six of six would not be.

        >>> import numpy as np
        >>> from icefire.history.data import Guess, Release
        >>> from icefire.history.examples import records
        >>> log, shown = (records(*(f"{name} 2011-01-03 tea" for name in names)) for names in ("abcdefg", "1234567"))
        >>> release = Release(log, shown, np.arange(7)[:, None], np.arange(7))
        >>> IdentificationTest().measure(release, Guess.of_table(release.pseudonyms, 7)).detail
        {'named': 7, 'right': 7, 'unsafe from': 7, 'flagged': True}

    Reference:
        Rules of PWSCUP 2018.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("r(n) test",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        assert guess is not None, "the test judges a guess"
        guess.check(release.published, release.original)
        named = guess.owners != NONE
        if not named.any():
            raise Undefined("the guess names no customer")
        right = (guess.owners == release.first_owners) & named
        allowed = least_unsafe(int(named.sum()))
        found = int(right.sum())
        detail = {"named": int(named.sum()), "right": found, "unsafe from": allowed, "flagged": found >= allowed}
        return self.score(found / allowed, detail=detail)


@lru_cache(maxsize=64)
def least_unsafe(named: int) -> int:
    """r(n).

    >>> least_unsafe(1), least_unsafe(100), least_unsafe(1000)
    (2, 65, 612)
    """
    bound, tail = Fraction(1, 2000), Fraction(0)
    if named > 2000:
        return _by_logarithms(named)
    for right in range(named, -1, -1):
        tail += Fraction(math.comb(named, right), 3**right)
        if tail >= bound:
            return right + 1
    return 0


def _by_logarithms(named: int) -> int:
    """The same where the numbers would be too long: the sum of the terms from the far end, as a logarithm."""
    tail = -math.inf
    for right in range(named, -1, -1):
        term = math.lgamma(named + 1) - math.lgamma(right + 1) - math.lgamma(named - right + 1) - right * math.log(3)
        high = max(tail, term)
        tail = high + math.log(math.exp(tail - high) + math.exp(term - high))
        if tail >= math.log(1 / 2000):
            return right + 1
    return 0

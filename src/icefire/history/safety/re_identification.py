"""Re-identification rate of PWSCUP 2016."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.intervals import wilson
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import NONE, Guess, Release
from icefire.history.roles import Safety


@dataclass(frozen=True)
class ReIdentification(Safety):
    """Share of pseudonyms whose customer was named: the rate of PWSCUP 2016.

    A pseudonym that stood for different customers in different periods counts by the share of its periods.

    Example:
        >>> import numpy as np
        >>> from icefire.history.data import Guess, Release
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "bob 2011-01-04 cup")
        >>> release = Release(log, records("1 2011-01-03 tea", "2 2011-01-04 cup"), [[0], [1]], [0, 1])
        >>> guess = Guess(np.array([[0], [0]]), owners=np.array([0, 0]))
        >>> ReIdentification().measure(release, guess).value
        0.5

    Reference:
        Rules of PWSCUP 2016.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("re-identified",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        assert guess is not None, "re-identification judges a guess"
        guess.check(release.published, release.original)
        there = release.owners != NONE
        seen = there.any(axis=1)
        if not seen.any():
            raise Undefined("no pseudonym was published")
        if guess.asked is not None:
            seen &= np.isin(np.arange(seen.size), guess.asked.pseudonyms)
            if not seen.any():
                raise Undefined("the guess names the pseudonyms of sampled people, not the people behind pseudonyms")
        right = (release.owners == guess.owners[:, None]) & there
        shares = right.sum(axis=1)[seen] / there.sum(axis=1)[seen]
        found = float(shares.sum())
        detail = {"of": int(seen.sum()), "named": int((guess.owners[seen] != NONE).sum())}
        detail |= {} if guess.asked is None else {"pseudonyms sampled": int(seen.sum())}
        return self.score(float(np.mean(shares)), wilson(found, int(seen.sum())), found=found, detail=detail)

"""Re-identification rate of a guess."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.errors import DataError
from icefire.core.intervals import wilson
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.data import Guess, Release
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class ReIdentification(Safety):
    """re-id: share of published rows whose original row the guess names. `found` is the number of rows.

    A tie counts by its expectation: 1 over the number of original rows that fit equally well. Of a guess for a sample of the
    published rows, the share in the sample.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Guess, Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "f", "m", "m"]}), Schema(qi=["sex"]))
        >>> release = Release(people, people.take([1, 3, 2]), np.array([1, 3, 2]))
        >>> score = ReIdentification().measure(release, Guess(np.array([0, 3, 2])))
        >>> round(score.value, 4), score.found
        (0.6667, 2.0)

    Reference:
        PWSCUP 2015, section 3.4.2.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("re-id",)
    needs_guess: ClassVar[bool] = True
    judges: ClassVar[type] = Guess

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        if guess is None:
            raise DataError("re-identification is measured on a guess: give one")
        guess.check(release.published, release.original)
        hits, trials = guess.found(release.rows), guess.answers
        detail = {} if guess.asked is None else {"rows sampled": trials}
        return self.score(hits / trials, wilson(hits, trials), found=hits, detail=detail)

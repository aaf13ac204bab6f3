"""MM of recipients who use some months only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety
from icefire.history.safety._cells import existing, interval, matches, require_cells, sampled


@dataclass(frozen=True)
class WindowMatching(Safety):
    """The largest MM over windows of adjacent periods: the risk if a recipient uses those alone.

    UM and MM over all periods are about recipients who use everything. Whoever leaves the first month out, or compares two
    adjacent ones, is not held up by what was done to the others.

    Parameters:
        periods: length of a window; shorter series are one window.

    Example:
        The guess is right in the last of twelve months only. EMM is 1/12; whoever uses the last month alone finds everybody.

        >>> import numpy as np
        >>> from icefire.history.data import Guess, Release
        >>> from icefire.history.examples import records
        >>> from icefire.history.safety.extended_month_matching import ExtendedMonthMatching
        >>> dates = [f"2011-{month:02}-03" for month in range(1, 13)]
        >>> log = records(*(f"{who} {date} tea" for date in dates for who in ("ann", "bob")))
        >>> shown = records(*(f"{who} {date} tea" for date in dates for who in "12"))
        >>> release = Release(log, shown, [[0] * 12, [1] * 12], range(24))
        >>> guess = Guess.of_table(np.array([[1] * 11 + [0], [0] * 11 + [1]]), pseudonyms=2)
        >>> round(ExtendedMonthMatching().measure(release, guess).value, 3)
        0.083
        >>> [round(WindowMatching(periods=length).measure(release, guess).value, 3) for length in (11, 2, 1)]
        [0.091, 0.5, 1.0]

    Reference:
        Tran, Sakamoto, Matsunaga 2018, section 3.1.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    needs_guess: ClassVar[bool] = True

    periods: Annotated[int, AtLeast(1)] = 2

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        require_cells(release, guess)
        right, there = matches(release, guess), existing(release, guess)
        labels = release.original.periods.labels
        length = min(self.periods, len(labels))
        # As in MM, an absent pseudonym is given and taken away again.
        found = (right.astype(np.int64) - ~there).sum(axis=0)
        sums, cells = (_windows(counts, length) for counts in (found, there.sum(axis=0)))
        if not cells.any():
            raise Undefined("no customer has a pseudonym in any period")
        curve = [float(max(hit, 0) / count) if count else None for hit, count in zip(sums, cells, strict=True)]
        worst = max(value for value in curve if value is not None)
        at = curve.index(worst)
        between = interval(worst, there[:, at : at + length], guess)
        detail = {"curve": curve, "from": labels[at], "to": labels[at + length - 1], **sampled(guess)}
        return self.score(worst, between, detail=detail)


def _windows(counts: np.ndarray, length: int) -> np.ndarray:
    return np.convolve(counts, np.ones(length, dtype=np.int64), mode="valid")

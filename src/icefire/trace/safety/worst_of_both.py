"""The smaller of s_I and s_T."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.documents import JsonObject
from icefire.core.values import GOOD_SHARE, Interval, Scale, Score
from icefire.trace.data import Guess, Release
from icefire.trace.roles import Safety
from icefire.trace.safety.id_safety import IdSafety
from icefire.trace.safety.trace_safety import TraceSafety


@dataclass(frozen=True)
class WorstOfBoth(Safety):
    """The smaller of s_I and s_T: a release is as safe as the worse of its two risks.

    So permuting traces among users, which defeats identification alone, does not look safe.

    Example:
        The two users' traces were exchanged. The guess follows the traces: wrong about the names, right about the places.

        >>> import numpy as np
        >>> from icefire.trace.data import Guess, Release, Traces
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.zeros((2, 1)), np.array([[0], [1]]), Grid(rows=1, columns=2))
        >>> release = Release(walks, walks.cells.take(np.array([1, 0])), [0, 1])
        >>> WorstOfBoth().measure(release, Guess(np.array([1, 0]), walks.original)).by_column()
        {'s_I': 1.0, 's_T': 0.0}
    """

    scale: ClassVar[Scale] = GOOD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("min(s_I, s_T)",)
    needs_guess: ClassVar[bool] = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        scores = {"s_I": IdSafety().measure(release, guess), "s_T": TraceSafety().measure(release, guess)}
        parts = {name: score.value for name, score in scores.items()}
        detail: JsonObject = {"by column": parts}
        if guess is None or guess.asked is None:
            return self.score(min(parts.values()), detail=detail)
        ends = [score.interval for score in scores.values() if score.interval]
        interval = Interval(min(end.low for end in ends), min(end.high for end in ends))
        detail |= {"people sampled": int(guess.asked.people.size)}
        return self.score(min(parts.values()), interval, detail=detail)

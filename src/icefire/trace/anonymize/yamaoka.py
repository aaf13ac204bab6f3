"""Yamaoka's cheat: permuted traces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from icefire.core.parameters import Share
from icefire.trace.data import Floats, Reference, Release, Traces
from icefire.trace.roles import Anonymizer


@dataclass(frozen=True)
class Yamaoka(Anonymizer):
    """Permute whole traces among a share of the users: safe from identification, and not from anything else.

    All traces are still published as they are, under the pseudonyms of others.

    Parameters:
        share: share of the users, from the first one on, whose traces are permuted.

    Example:
        Of ten users the first five exchange their traces; every trace is still there.

        >>> import numpy as np
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.zeros((10, 1)), np.arange(10)[:, None], Grid(rows=1, columns=10))
        >>> shown = Yamaoka(share=0.5).anonymize(walks, np.random.default_rng(0)).cells.codes.ravel().tolist()
        >>> sorted(shown) == list(range(10)), shown[:5] != [0, 1, 2, 3, 4], shown[5:]
        (True, True, [5, 6, 7, 8, 9])

    Reference:
        Sample programs of PWS Cup 2019.
    """

    share: Share = 1.0
    aliases: ClassVar[tuple[str, ...]] = ("YA",)

    @classmethod
    def variants(cls, original: Traces) -> list[Self]:
        return [cls(share=share) for share in (0.1, 0.3, 1.0)]

    def anonymize(self, original: Traces, rng: np.random.Generator) -> Release:
        count = round(self.share * original.cells.shape[0])
        rows = np.arange(original.cells.shape[0])
        rows[:count] = rng.permutation(count)
        return Release.shuffled(original, original.cells.take(rows), rng)

    def channel(self, knowledge: Reference) -> Floats | None:
        """Cells stay as they are. Which of those who may have exchanged their traces is named as the owner is a pure guess."""
        return None

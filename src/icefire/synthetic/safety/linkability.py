"""How much better the two halves of members' columns are linked than those of others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.synthetic.data import Guess, Release
from icefire.synthetic.hits import linked
from icefire.synthetic.roles import Safety
from icefire.synthetic.safety._excess import compared


@dataclass(frozen=True)
class Linkability(Safety):
    """How much more often two data sets about members are linked through the release than about others, of what is left.

    (p - q) / (1 - q), where p is the share of the members and q that of the others of whom both halves of the columns lead to
    the same released row. The detail has the shares, and the same on the rarest tenth of the people.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import Guess, People, Release
        >>> people = People(pl.DataFrame({"a": [1], "b": [2]}), pl.DataFrame({"a": [3], "b": [4]}))
        >>> rows = np.where(people.membership, 0, 1)[:, None]
        >>> guess = Guess(links=(np.zeros((2, 1), dtype=int), rows))
        >>> Linkability().measure(Release(people, people.members), guess).value
        1.0

    Reference:
        Giomi, Boenisch, Wehmeyer, Tasnadi: A unified framework for quantifying privacy risk in synthetic data. 2022.
    """

    needs_guess: ClassVar[bool] = True
    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        return compared(self, release, linked(guess).astype(np.float64))

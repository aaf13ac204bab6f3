"""How many pseudonyms everybody may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.core.errors import DataError, Undefined
from icefire.core.values import Direction, Score
from icefire.history.concealing import hidden
from icefire.history.data import Guess, Release
from icefire.history.roles import Safety


@dataclass(frozen=True)
class KConcealment(Safety):
    """The least number of pseudonyms that a customer may have in a period, and of published records a record may be behind.

    For releases that generalize and hold every record once. What counts was seen in a world in which everybody has a
    pseudonym and every record a place; the detail has both levels, and the records' matches if all have to fit together.
    """

    aliases: ClassVar[tuple[str, ...]] = ("k-concealment",)

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        try:
            found = hidden(release, np.random.default_rng(0))
        except DataError as error:
            raise Undefined(str(error)) from error
        return Score(float(found.k), Direction.HIGHER_IS_BETTER, detail=found.as_dict())

"""Yamaoka's cheat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from icefire.core.parameters import Share
from icefire.trace.data import Release, Traces
from icefire.trace.roles import Anonymizer


@dataclass(frozen=True)
class Yamaoka(Anonymizer):
    """Hands whole traces round among a share of the users: safe from identification, and not from anything else.

    Everything about everybody is still published, under another's pseudonym.

    Reference: sample programs of PWS Cup 2019.
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

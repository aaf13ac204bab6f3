"""k-ary randomized response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np

from icefire.core.parameters import AtLeast
from icefire.trace.data import Cells, Release, Traces
from icefire.trace.roles import Anonymizer


@dataclass(frozen=True)
class Krr(Anonymizer):
    """k-ary randomized response: keeps a region with probability e^epsilon / (e^epsilon + m - 1), else takes any other.

    Reference: sample programs of PWS Cup 2019.
    """

    epsilon: Annotated[float, AtLeast(0)] = 8.0
    aliases: ClassVar[tuple[str, ...]] = ("kRR",)

    @classmethod
    def variants(cls, original: Traces) -> list[Self]:
        return [cls(epsilon=epsilon) for epsilon in (6.0, 8.0, 10.0)]

    def anonymize(self, original: Traces, rng: np.random.Generator) -> Release:
        regions = original.grid.regions
        codes = original.original.astype(np.int64)
        stay = np.exp(self.epsilon) / (np.exp(self.epsilon) + regions - 1)
        other = (codes + rng.integers(1, max(2, regions), codes.shape)) % regions
        noisy = np.where(rng.random(codes.shape) < stay, codes, other)
        return Release.shuffled(original, Cells(noisy, regions), rng)

"""k-ary randomized response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np

from icefire.core.parameters import AtLeast
from icefire.trace.data import Cells, Floats, Reference, Release, Traces
from icefire.trace.roles import Anonymizer


@dataclass(frozen=True)
class Krr(Anonymizer):
    """k-ary randomized response: keep a region with probability e^epsilon / (e^epsilon + m - 1), else take any other.

    Parameters:
        epsilon: privacy budget of a cell; 0 draws all m regions with equal probability.

    Example:
        With epsilon = ln 3 and 4 regions a region is kept with probability 3 / (3 + 3).

        >>> import numpy as np
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.zeros((1, 1)), np.full((1, 1000), 2), Grid(rows=2, columns=2))
        >>> codes = Krr(epsilon=np.log(3)).anonymize(walks, np.random.default_rng(0)).cells.codes
        >>> round(float((codes == 2).mean()), 1), np.unique(codes).tolist()
        (0.5, [0, 1, 2, 3])

    Reference:
        Sample programs of PWS Cup 2019.
    """

    epsilon: Annotated[float, AtLeast(0)] = 8.0
    aliases: ClassVar[tuple[str, ...]] = ("kRR",)

    @classmethod
    def variants(cls, original: Traces) -> list[Self]:
        return [cls(epsilon=epsilon) for epsilon in (6.0, 8.0, 10.0)]

    def anonymize(self, original: Traces, rng: np.random.Generator) -> Release:
        regions = original.grid.regions
        codes = original.original.astype(np.int64)
        stay = self._stay(regions)
        other = (codes + rng.integers(1, max(2, regions), codes.shape)) % regions
        noisy = np.where(rng.random(codes.shape) < stay, codes, other)
        return Release.shuffled(original, Cells(noisy, regions), rng)

    def channel(self, knowledge: Reference) -> Floats | None:
        regions = knowledge.grid.regions
        stay = self._stay(regions)
        found = np.full((regions, regions), (1.0 - stay) / max(1, regions - 1))
        np.fill_diagonal(found, stay)
        return found

    def _stay(self, regions: int) -> float:
        return float(np.exp(self.epsilon) / (np.exp(self.epsilon) + regions - 1))

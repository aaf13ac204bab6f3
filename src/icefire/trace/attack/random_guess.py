"""Random guesses, the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.trace.data import Cells, Guess, Reference
from icefire.trace.roles import Attack


@dataclass(frozen=True)
class RandomGuess(Attack):
    """Random users, and random regions for each of them: the baseline that every other attack has to beat.

    Example:
        Of 1,000 pseudonyms about one is named rightly.

        >>> import numpy as np
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.zeros((1000, 1)), np.zeros((1000, 1)), Grid(rows=1, columns=2))
        >>> guess = RandomGuess().attack(walks.cells, walks.knowledge, np.random.default_rng(0))
        >>> int((guess.users == np.arange(1000)).sum()) < 10, guess.traces.shape
        (True, (1000, 1))

    Reference:
        Sample programs of PWS Cup 2019.
    """

    aliases: ClassVar[tuple[str, ...]] = ("random",)
    baseline: ClassVar[bool] = True
    blind: ClassVar[bool] = True

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        traces = rng.integers(0, knowledge.grid.regions, published.shape, dtype=np.int32)
        return Guess(rng.integers(0, knowledge.users, published.shape[0]), traces)

"""New names for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from icefire.core.parameters import AtLeast
from icefire.history.data import History, Release
from icefire.history.roles import Anonymizer


@dataclass(frozen=True)
class Pseudonyms(Anonymizer):
    """Pseudonyms for customers: kept for a number of periods, then replaced; by default a new one in every period.

    Without `window` a customer keeps one pseudonym for all time, which is what every release has at least.

    >>> Pseudonyms(window=3).step()
    'pseudonyms(window=3)'
    """

    window: Annotated[int, AtLeast(1)] | None = 1

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        return Release.made(original, original.frame, np.arange(original.height), rng, self.window)

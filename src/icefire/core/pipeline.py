"""Several anonymizers in a row, as one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from icefire.core.data import Original, Release
from icefire.core.roles import AnyAnonymizer


@dataclass(frozen=True)
class Pipeline:
    """Anonymizers one after the other, each starting from the release of the one before."""

    steps: tuple[AnyAnonymizer, ...]

    def anonymize(self, original: Original, rng: np.random.Generator) -> Release:
        release, rng = original.begin(rng)
        for step in self.steps:
            release = release.then(step.anonymize(release.working, rng))
        return release.finished(rng)

    def step(self) -> str:
        """The steps as they are typed on the command line."""
        return " ".join(step.step() for step in self.steps) or "nothing"

"""Several anonymizers in a row, as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from icefire.core.data import Release
from icefire.core.roles import AnyAnonymizer

if TYPE_CHECKING:
    import numpy as np

ReleaseT = TypeVar("ReleaseT", bound=Release)
ReleaseT_co = TypeVar("ReleaseT_co", bound=Release, covariant=True)


class Releasable(Protocol[ReleaseT_co]):
    """An original, as far as a pipeline has to know it: the release of a history is a release of histories."""

    def begin(self, rng: np.random.Generator) -> tuple[ReleaseT_co, np.random.Generator]: ...


@dataclass(frozen=True)
class Pipeline:
    """Anonymizers one after the other, each starting from the release of the one before."""

    steps: tuple[AnyAnonymizer, ...]

    def anonymize(self, original: Releasable[ReleaseT], rng: np.random.Generator) -> ReleaseT:
        release, rng = original.begin(rng)
        for step in self.steps:
            release = release.then(step.anonymize(release.working, rng))
        return release.finished(rng)

    def step(self) -> str:
        """The steps as they are typed on the command line."""
        return " ".join(step.step() for step in self.steps) or "nothing"

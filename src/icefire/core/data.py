"""What the data of every kind can do, as protocols: the original, a release of it, and what a pipeline does with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    import numpy as np


class Original(Protocol):
    """Data of people before anything is released."""

    @property
    def people(self) -> int:
        """How many people there are."""

    @property
    def knowledge(self) -> object:
        """What the maximum-knowledge attacker holds."""

    def sample(self, people: int, rng: np.random.Generator) -> Self:
        """All data of so many people, or of all if there are no more."""

    def summary(self) -> Mapping[str, int]:
        """The size of the data in a few numbers, for people who are about to work with them."""

    def begin(self, rng: np.random.Generator) -> tuple[Release, np.random.Generator]:
        """A release in which nothing but order and names has changed, and the generator for the steps that follow."""


class Release(Protocol):
    """What is published, and the secret that links it back."""

    @property
    def original(self) -> Original: ...

    @property
    def published(self) -> object: ...

    @property
    def working(self) -> object:
        """The data that the next anonymizer starts from."""

    def then(self, step: Self) -> Self:
        """This release after one more step, which was made from `working`."""

    def finished(self, rng: np.random.Generator) -> Self:
        """The release as the last step of a pipeline leaves it."""

    def reshuffled(self, rng: np.random.Generator) -> Self:
        """The same release without the order, names and numbers that its maker has chosen."""

"""Result of a verification of k-concealment, for any kind of data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from icefire.core.documents import JsonObject
from icefire.core.roles import AnyAnonymizer

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Finding:
    """The figures of a release, as a table to print and as JSON."""

    k: int
    """The largest k for which the release is k-concealed."""
    figures: tuple[tuple[str, float | str], ...]
    """Labels and values."""
    document: JsonObject
    """The figures as JSON."""
    verdict: str
    """A sentence that says whether the release is k-concealed."""


class Auditor(Protocol):
    """A metric of k-concealment that can also verify a release in detail."""

    def audit(
        self, release: object, k: int, rng: np.random.Generator, method: tuple[AnyAnonymizer, ...] | None = None
    ) -> Finding:
        """Verify a release by its secret. If the method is given, also measure what k is worth to whoever repeats it."""
        ...

    def audit_published(self, original: object, published: object, k: int, rng: np.random.Generator) -> Finding:
        """Verify a release without its secret: any perfect matching determines the matches."""
        ...

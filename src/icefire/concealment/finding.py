"""What a check of k-concealment has found, whatever the kind of data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from icefire.core.documents import JsonObject


@dataclass(frozen=True)
class Finding:
    """The figures of a release, ready to print."""

    k: int
    """The release is k-concealed for this k."""
    figures: tuple[tuple[str, float | str], ...]
    """What was counted, and the count."""
    document: JsonObject
    """The same as JSON."""
    verdict: str


class Auditor(Protocol):
    """A metric that can tell more about a release than its least number of matches."""

    def audit(self, release: object, k: int, rng: np.random.Generator) -> Finding: ...

    def audit_published(self, original: object, published: object, k: int, rng: np.random.Generator) -> Finding:
        """Without the secret: any perfect matching tells the matches."""

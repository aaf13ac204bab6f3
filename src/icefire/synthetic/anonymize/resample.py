"""Real rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from icefire.synthetic.data import People, Release
from icefire.synthetic.roles import Anonymizer


@dataclass(frozen=True)
class Resample(Anonymizer):
    """Draw rows of the members with replacement: they are no synthetic people, and everybody who is drawn is found.

    Example:
        >>> import numpy as np, polars as pl
        >>> people = People(pl.DataFrame({"a": [1, 2]}), pl.DataFrame({"a": [3]}))
        >>> set(Resample().anonymize(people, np.random.default_rng(0)).published["a"]) <= {1, 2}
        True
    """

    def anonymize(self, original: People, rng: np.random.Generator) -> Release:
        rows = rng.integers(0, original.people, original.people)
        return Release.shuffled(original, original.members[rows], rng)

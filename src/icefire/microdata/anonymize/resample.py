"""Random samples of rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from icefire.core.errors import DataError
from icefire.core.parameters import Above
from icefire.microdata.cells import Cells, Floats
from icefire.microdata.data import Microdata, Release
from icefire.microdata.roles import Anonymizer


@dataclass(frozen=True)
class Resample(Anonymizer):
    """Draw rows at random: some people vanish and, with replacement, some appear more than once.

    Parameters:
        share: number of rows drawn, relative to the table; above 1 only with replacement.
        replacement: whether a row may be drawn again.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "m"] * 50}), Schema(qi=["sex"]))
        >>> Resample(share=0.3, replacement=False).anonymize(people, np.random.default_rng(0)).published.height
        30
    """

    share: Annotated[float, Above(0)] = 1.0
    replacement: bool = True

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        size = round(self.share * original.height)
        if size == 0 or (size > original.height and not self.replacement):
            raise DataError(f"Resample cannot draw {size} of {original.height} rows: choose another share")
        rows = rng.choice(original.height, size, replace=self.replacement)
        return Release.shuffled(original, original.frame[rows], rows, rng)

    def likelihood(self, original: Microdata, name: str, cells: Cells) -> Floats | None:
        return None

"""Post-randomization of categories (PRAM)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from icefire.core.parameters import Share
from icefire.microdata.cells import Cells, Floats
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer


@dataclass(frozen=True)
class Pram(Anonymizer):
    """Post-randomization: each value is kept with some probability and otherwise redrawn from its column.

    Redrawing follows the column's own distribution, so expected frequencies stay as they are (invariant PRAM).

    Parameters:
        keep: probability to keep a value.
        columns: the columns to randomize; all QI if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "m"] * 500}), Schema(qi=["sex"]))
        >>> released = Pram(keep=0.5).anonymize(people, np.random.default_rng(0))
        >>> before = people.frame["sex"][released.rows]
        >>> bool(0.7 < (before == released.published.frame["sex"]).mean() < 0.8)
        True

    Reference:
        Gouweleeuw, Kooiman, Willenborg, de Wolf: Post randomisation for statistical disclosure control. 1998.
    """

    keep: Share = 0.8
    columns: tuple[str, ...] = ()

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        return [cls(keep=keep) for keep in (0.9, 0.8, 0.6)]

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        changed = {}
        for name in self._names(original):
            drawn = rng.integers(0, original.height, original.height)
            source = np.where(rng.random(original.height) < self.keep, np.arange(original.height), drawn)
            changed[name] = original.frame[name][source]
        return Release.shuffled(original, original.frame.with_columns(**changed), np.arange(original.height), rng)

    def likelihood(self, original: Microdata, name: str, cells: Cells) -> Floats | None:
        if name not in self._names(original):
            return None
        exact = cells.fits.astype(np.float64)
        drawn = exact @ (cells.domain.counts / cells.domain.counts.sum())
        return np.asarray(self.keep * exact + (1 - self.keep) * drawn[:, None])

    def _names(self, original: Microdata) -> tuple[str, ...]:
        return columns_or_all(self.columns, original.schema.names, "Pram") if self.columns else original.qi

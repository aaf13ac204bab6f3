"""Pseudonyms for customers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.history.data import History, Release
from icefire.history.roles import Anonymizer
from icefire.history.treatment import Treatment


@dataclass(frozen=True)
class Pseudonyms(Anonymizer):
    """Pseudonyms for customers: kept for a number of periods, then replaced; by default a new one in every period.

    Parameters:
        window: how many periods a pseudonym is kept. None keeps one for all time, which is what every release has at least.

    Example:
        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "ann 2011-02-03 tea", "ann 2011-03-03 tea")
        >>> [len(Pseudonyms(window).anonymize(log, np.random.default_rng(0)).published.users) for window in (1, 2, None)]
        [3, 2, 1]
    """

    window: Annotated[int, AtLeast(1)] | None = 1
    deterministic: ClassVar[bool] = True

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        return original.pseudonymized(rng, self.window)

    def treat(self, treatment: Treatment) -> Treatment:
        if self.window is None:
            return treatment
        # Later steps count a customer of several windows several times.
        records = treatment.records
        epochs = pl.Series(records.period_codes // self.window).cast(pl.String)
        frame = records.frame.with_columns(user=records.frame["user"] + " " + epochs)
        return replace(treatment, records=History(frame, records.schema, periods=records.periods))

"""Deletion of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
import polars as pl

from icefire.core.errors import DataError
from icefire.core.parameters import Above, Between
from icefire.history.data import History, Release
from icefire.history.roles import Anonymizer


@dataclass(frozen=True)
class DeleteRecords(Anonymizer):
    """Delete a share of the records: at random, or the rarest items first.

    Rare items give people away, so deleting them first buys more safety for the same loss.

    Parameters:
        share: how much of the records to delete.
        rarest: delete the records of the items that fewest customers have first, instead of random ones.

    Example:
        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "bob 2011-01-04 tea", "cid 2011-01-05 tea", "cid 2011-01-05 pen")
        >>> release = DeleteRecords(share=0.25, rarest=True).anonymize(log, np.random.default_rng(0))
        >>> sorted(release.published.frame["item"])
        ['tea', 'tea', 'tea']
    """

    share: Annotated[float, Above(0), Between(0, 1)] = 0.1
    rarest: bool = False

    @classmethod
    def variants(cls, original: History) -> list[Self]:
        return [cls(share=share, rarest=rarest) for share in (0.1, 0.3) for rarest in (False, True)]

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        number = round(self.share * original.height)
        if number >= original.height:
            raise DataError(f"deleting {self.share:.0%} of {original.height} records would leave none")
        order = rng.permutation(original.height)
        if self.rarest:
            buyers = original.frame.select(pl.col("user").n_unique().over("item")).to_series().to_numpy()
            order = order[np.argsort(buyers[order], kind="stable")]
        kept = np.sort(order[number:])
        return Release.made(original, original.frame[kept], kept, rng)

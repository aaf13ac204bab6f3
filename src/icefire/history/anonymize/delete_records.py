"""Deletion of records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError
from icefire.core.parameters import Above, Between
from icefire.history.data import History, Ints, Release
from icefire.history.roles import Anonymizer
from icefire.history.treatment import Treatment


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
            buyers = _buyers(original.frame)
            order = order[np.argsort(buyers[order], kind="stable")]
        kept = np.sort(order[number:])
        return Release.made(original, original.frame[kept], kept, rng)

    def treat(self, treatment: Treatment) -> Treatment:
        if not self.rarest:
            return treatment.thinned(1.0 - self.share, 1.0 - self.share)
        treatment.require_certain(self.name)
        there = np.flatnonzero(treatment.kept)
        kept = np.zeros(treatment.kept.size)
        kept[there] = _survival(_buyers(treatment.records.frame[there]), self.share)
        return treatment.thinned(kept, 0.0)


def _buyers(frame: pl.DataFrame) -> Ints:
    """How many customers have the item of each record."""
    buyers: Ints = frame.select(pl.col("user").n_unique().over("item")).to_series().to_numpy().astype(np.int64)
    return buyers


def _survival(buyers: Ints, share: float) -> NDArray[np.float64]:
    """Probability of each record to be kept if those with the fewest buyers go first; ties are broken at random."""
    number = round(share * buyers.size)
    border = np.sort(buyers)[number] if number < buyers.size else np.inf
    at = buyers == border
    kept = np.where(buyers > border, 1.0, 0.0)
    kept[at] = 1.0 - (number - (buyers < border).sum()) / max(int(at.sum()), 1)
    return kept

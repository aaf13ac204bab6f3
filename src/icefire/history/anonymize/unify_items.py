"""Item sets of a cluster made alike by deleting or rewriting records, beside adding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, Self

import numpy as np
import polars as pl

from icefire.core.errors import DataError
from icefire.core.parameters import AtLeast
from icefire.history.anonymize._clusters import item_codes, item_sets
from icefire.history.anonymize._dummies import dummy_records, random_record
from icefire.history.anonymize.method2 import Method2
from icefire.history.data import NONE, History, Ints, Release
from icefire.history.roles import Anonymizer


@dataclass(frozen=True)
class UnifyItems(Anonymizer):
    """Make the item sets of a cluster alike by deleting or rewriting records, where Methods 1 and 2 add dummies.

    Clusters are those of Method 2, so that item sets identify about clusters / customers of them, whatever the way.

    Parameters:
        clusters, least_size: as for Method 2.
        how: "mixed" adds an item to those who lack it or deletes it from those who have it, whichever takes fewer records,
            which is the fewest records that can be added and deleted; "delete" keeps what all customers of a cluster have;
            "rewrite" changes items of records, and neither adds nor deletes any.

    Example:
        Of {tea}, {tea, cup}, {tea, pen} the tea stays.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> log = records(
        ...     "ann 2011-01-03 tea", "bob 2011-01-03 tea", "bob 2011-01-03 cup", "cid 2011-01-03 tea", "cid 2011-01-03 pen"
        ... )
        >>> for how in ("mixed", "delete", "rewrite"):
        ...     release = UnifyItems(clusters=1, how=how).anonymize(log, np.random.default_rng(0))
        ...     sorted(release.published.frame["item"])
        ['tea', 'tea', 'tea']
        ['tea', 'tea', 'tea']
        ['tea', 'tea', 'tea', 'tea', 'tea']

    Reference:
        Harada, Ito, Kikuchi 2017, section 3.1, and section 5, which leaves both ways to the future.
    """

    clusters: Annotated[int, AtLeast(1)]
    how: Literal["mixed", "delete", "rewrite"] = "mixed"
    least_size: Annotated[int, AtLeast(1)] | None = None

    @classmethod
    def variants(cls, original: History) -> list[Self]:
        return [cls(clusters=max(1, len(original.users) // size), how="rewrite") for size in (2, 4, 10)]

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        sets = item_sets(original)
        active = np.flatnonzero(np.diff(sets.indptr))
        labels = np.full(sets.shape[0], NONE)
        labels[active] = Method2(self.clusters, least_size=self.least_size).labels(sets[active], rng)
        records = _Records(original, labels)
        if self.how == "rewrite":
            codes = records.rewritten(rng)
            frame, rows = _with_items(original, codes, rng), np.arange(original.height)
        else:
            kept = records.kept(mixed=self.how == "mixed")
            rows = np.flatnonzero(kept[labels[original.user_codes], records.items])
            frame = original.frame[rows]
            if self.how == "mixed":
                lacking = np.argwhere(kept[np.maximum(labels, 0)] & (labels != NONE)[:, None] & (sets.toarray() == 0))
                frame = pl.concat([frame, dummy_records(original, lacking[:, 0], lacking[:, 1], True, rng)])
                rows = np.concatenate([rows, np.full(len(lacking), NONE)])
        if frame.height == 0:
            raise DataError(
                "no cluster has an item that all of its customers have: nothing is left. Choose more clusters, or mixed."
            )
        return Release.made(original, frame, rows, rng)


class _Records:
    """Records counted by cluster, customer and item."""

    def __init__(self, original: History, labels: Ints) -> None:
        self.users, self.items, self.labels = original.user_codes, item_codes(original), labels
        shape = (labels.size, int(self.items.max()) + 1)
        self.counts = np.zeros(shape, dtype=np.int64)
        np.add.at(self.counts, (self.users, self.items), 1)

    def members(self, cluster: int) -> Ints:
        return np.flatnonzero(self.labels == cluster)

    def kept(self, mixed: bool) -> np.ndarray:
        """[cluster, item]: whether all of its customers are to have it; the others lose it."""
        found = np.zeros((int(self.labels.max()) + 1, self.counts.shape[1]), dtype=np.bool_)
        for cluster in range(len(found)):
            own = self.counts[self.members(cluster)]
            lacking = len(own) - (own > 0).sum(axis=0)
            found[cluster] = (lacking <= own.sum(axis=0)) & (own > 0).any(axis=0) if mixed else lacking == 0
        return found

    def rewritten(self, rng: np.random.Generator) -> Ints:
        """The new item of each record."""
        codes = self.items.copy()
        for cluster in range(int(self.labels.max()) + 1):
            members = self.members(cluster)
            target = _target(self.counts[members])
            for user in members:
                own = rng.permutation(np.flatnonzero(self.users == user))
                codes[own] = _covering(codes[own], target, rng)
        return codes


def _target(counts: Ints) -> Ints:
    """The items that all customers of a cluster are to have: of the most common ones, as many as take the fewest changes.

    `counts[user, item]`: records. Nobody can have more items than records.
    """
    order = np.lexsort((-counts.sum(axis=0), -(counts > 0).sum(axis=0)))[: counts.sum(axis=1).min()]
    chosen = counts[:, order]
    outside = counts.sum(axis=1)[:, None] - np.cumsum(chosen, axis=1)
    lacking = np.cumsum(chosen == 0, axis=1)
    return order[: int(np.maximum(outside, lacking).sum(axis=0).argmin()) + 1]


def _covering(items: Ints, target: Ints, rng: np.random.Generator) -> Ints:
    """A customer's items, with the fewest changed such that they are exactly those of the target."""
    items = items.copy()
    first = np.zeros(items.size, dtype=np.bool_)
    first[np.unique(items, return_index=True)[1]] = True
    inside = np.isin(items, target)
    lacking = np.setdiff1d(target, items)
    # Records of other items are changed in any case; if they are too few, so are repeated purchases.
    free = np.concatenate([np.flatnonzero(~inside), np.flatnonzero(inside & ~first)])
    outside = int((~inside).sum())
    number = max(outside, lacking.size)
    items[free[:number]] = np.concatenate([lacking, rng.choice(target, number - lacking.size)])
    return items


def _with_items(original: History, codes: Ints, rng: np.random.Generator) -> pl.DataFrame:
    """The records with other items; a changed record takes its price and quantity from a record of the new item."""
    before = item_codes(original)
    changed = np.flatnonzero(codes != before)
    model = np.arange(original.height)
    model[changed] = random_record(before, codes[changed], rng)
    names = [
        name for name in ("item", "price", "price_to", "quantity", "quantity_to") if name in original.frame.columns
    ]
    return original.frame.with_columns(original.frame.select(names)[model])

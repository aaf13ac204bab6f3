"""Algorithm 2: dummy records, added so that the customers of a cluster have the same items."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Annotated, Literal, Self

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.history.anonymize._clusters import Matrix, item_codes, item_sets
from icefire.history.data import NONE, History, Ints, Release
from icefire.history.roles import Anonymizer
from icefire.history.treatment import Treatment


@dataclass(frozen=True)
class ClusterDummies(Anonymizer):
    """Base of the methods that cluster customers and add dummy records; Method 1 explains the parameters."""

    clusters: Annotated[int, AtLeast(1)]
    dummies: Literal["realistic", "published"] = "realistic"

    @abstractmethod
    def labels(self, sets: Matrix, rng: np.random.Generator) -> Ints:
        """The cluster of each customer."""

    @classmethod
    def variants(cls, original: History) -> list[Self]:
        return [cls(clusters=max(1, len(original.users) // size)) for size in (2, 4, 10)]

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        sets = item_sets(original)
        added = dummy_records(original, *self.lacking(sets, rng), self.dummies == "realistic", rng)
        frame = pl.concat([original.frame, added])
        rows = np.concatenate([np.arange(original.height), np.full(added.height, NONE)])
        return Release.made(original, frame, rows, rng)

    def treat(self, treatment: Treatment) -> Treatment:
        if treatment.added:
            raise Undefined(f"{self.name} depends on the dummies of an earlier step")
        return replace(treatment, added=True)

    def lacking(self, sets: Matrix, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """(user, item) pairs of the dummies."""
        # Customers without a record have no invoice that could carry a dummy.
        active = np.flatnonzero(np.diff(sets.indptr))
        labels = np.full(sets.shape[0], NONE)
        labels[active] = self.labels(sets[active], rng)
        return _missing(sets, labels)


def dummy_records(
    original: History, users: Ints, items: Ints, realistic: bool, rng: np.random.Generator
) -> pl.DataFrame:
    """A record of each of these users and items, on an invoice that the user has."""
    host = random_record(original.user_codes, users, rng)
    model = random_record(item_codes(original), items, rng)
    frame = original.frame[host].with_columns(original.frame["item"].gather(model))
    for name in (name for name in ("price", "price_to", "quantity", "quantity_to") if name in frame.columns):
        values = original.frame[name].gather(model)
        if not realistic:
            plain = rng.integers(1, 10, frame.height) / 10 if name == "price" else np.ones(frame.height)
            values = pl.Series(name, plain).cast(values.dtype)
        frame = frame.with_columns(values)
    return frame


def _missing(sets: Matrix, labels: Ints) -> tuple[Ints, Ints]:
    """(user, item) pairs of the union of a user's cluster that the user lacks."""
    found: list[tuple[Ints, Ints]] = []
    for cluster in np.unique(labels[labels != NONE]):
        members: Ints = np.flatnonzero(labels == cluster).astype(np.int64)
        own = sets[members]
        union = np.unique(own.indices)
        has = np.zeros((members.size, union.size), dtype=np.bool_)
        rows = np.repeat(np.arange(members.size), np.diff(own.indptr))
        has[rows, np.searchsorted(union, own.indices)] = True
        lacking = np.nonzero(~has)
        found.append((members[lacking[0]], union[lacking[1]].astype(np.int64)))
    users, items = (np.concatenate(side) for side in zip(*found, strict=True))
    return users, items


def random_record(codes: Ints, wanted: Ints, rng: np.random.Generator) -> Ints:
    """A random record of each wanted user or item."""
    order = np.argsort(codes, kind="stable")
    first = np.searchsorted(codes[order], wanted, side="left")
    number = np.searchsorted(codes[order], wanted, side="right") - first
    chosen: Ints = order[first + rng.integers(0, number)]
    return chosen

"""Sensitive values by class, for l-diversity and t-closeness of a published table."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import Undefined
from icefire.core.values import Score
from icefire.frames import relational
from icefire.microdata.cells import as_text
from icefire.microdata.constraints import Counts
from icefire.microdata.data import Guess, Release, columns_or_all
from icefire.microdata.roles import Safety

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ByClass(Safety):
    """Base of the metrics that look at the sensitive values of every class and report the worst class."""

    sensitive: str | None = None

    @abstractmethod
    def by_class(self, counts: Counts, whole: Floats, ordered: bool) -> Floats: ...

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        published = release.published
        wanted = () if self.sensitive is None else (self.sensitive,)
        names = columns_or_all(wanted, published.sa, type(self).__name__)
        if not names:
            raise Undefined("no sensitive column was published")
        worst: dict[str, float] = {}
        for name in names:
            counts, whole, ordered = sensitive_counts(release, name)
            values = self.by_class(counts, whole, ordered).tolist()
            if not np.isfinite(value := self.scale.direction.worst(values)):
                raise Undefined(f"some class has too few values of {name!r} for this to be defined")
            worst[name] = value
        return self.score(self.scale.direction.worst(worst.values()), detail={"by column": worst})


def sensitive_counts(release: Release, name: str) -> tuple[Counts, Floats, bool]:
    """How often each sensitive value occurs in each class of equal QI; the whole table's distribution; whether the
    values have an order.

    The whole table is the original while the release holds none but its values, as the anonymizers promise t-closeness
    to it; otherwise (noise, averages) it is the release itself.
    """
    published, domain = release.published, release.original.domain(name)
    if published.qi and isinstance(published.native, pl.DataFrame):
        # Classes are numbered once for all sensitive columns.
        table = pl.DataFrame({"class": published.classes, name: published.column(name)})
        pairs = relational.value_counts(table, ["class"], name)
        classes = pairs["class"]
    else:
        pairs = relational.value_counts(published.native, published.qi, name)
        keys = [key for key in published.qi if key != name]
        classes = (
            pairs.select(pl.struct(keys).rank("dense") - 1).to_series() if keys else pl.zeros(pairs.height, eager=True)
        )
    numbers = classes.to_numpy().astype(np.int64)
    weights = pairs[relational.COUNT].to_numpy().astype(np.int64)
    known = set(domain.texts) | ({None} if domain.missing else set())
    if set(as_text(pairs[name]).unique()) <= known:
        codes, whole = domain.encode(pairs[name]), domain.counts.astype(np.float64)
        ordered = domain.ordinal
    else:
        ranks = pairs[name].rank("dense")
        codes = (ranks.fill_null(ranks.drop_nulls().n_unique() + 1) - 1).to_numpy().astype(np.int64)
        whole, ordered = np.bincount(codes, weights).astype(np.float64), published.is_numeric(name)
    return Counts.of_pairs(numbers, codes, weights, int(numbers.max()) + 1), whole / whole.sum(), ordered

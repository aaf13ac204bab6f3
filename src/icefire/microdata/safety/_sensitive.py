"""Sensitive values by class, for l-diversity, t-closeness and the like of a published table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import Undefined
from icefire.core.values import Score
from icefire.frames import relational
from icefire.microdata.cells import Codes, Domain, as_text
from icefire.microdata.constraints import Counts
from icefire.microdata.data import Guess, Microdata, Release, columns_or_all
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
            keys = [key for key in published.qi if key != name]
            # Parts of the table hold whole classes, so the worst of all parts is the worst of the table.
            if isinstance(published.native, pl.DataFrame):
                values = [_worst(self, *_counted(release, keys, name))]
            else:
                coding = Coding.of(release, name)
                values = relational.fold_classes(published.native, keys, name, partial(_worst_of_part, self, coding))
            if not np.isfinite(value := self.scale.direction.worst(values)):
                raise Undefined(f"some class has too few values of {name!r} for this to be defined")
            worst[name] = value
        return self.score(self.scale.direction.worst(worst.values()), detail={"by column": worst})


def _worst(metric: ByClass, coding: Coding, counts: Counts) -> float:
    values = metric.by_class(counts, coding.whole, coding.ordered)
    return metric.scale.direction.worst((float(values.min()), float(values.max())))


def _worst_of_part(metric: ByClass, coding: Coding, pairs: pl.DataFrame) -> float:
    return _worst(metric, coding, coding.counts(pairs))


_COUNTED: WeakKeyDictionary[Microdata, dict[str, tuple[Domain, Coding, Counts]]] = WeakKeyDictionary()
"""What was counted in a published table, because one metric after the other asks for it; with the original's column."""


def _counted(release: Release, keys: Sequence[str], name: str) -> tuple[Coding, Counts]:
    """The values of a sensitive column, and how often each occurs in each class."""
    known, domain = _COUNTED.setdefault(release.published, {}), release.original.domain(name)
    if name not in known or known[name][0] is not domain:
        coding = Coding.of(release, name)
        counts = coding.counts(relational.values_by_class(release.published.native, keys, name))
        known[name] = domain, coding, counts
    return known[name][1:]


@dataclass(frozen=True)
class Coding:
    """The published values of a sensitive column as codes, and what the classes are compared with.

    The whole table is the original while the release holds none but its values, as the anonymizers promise t-closeness
    to it; otherwise (noise, averages) it is the release itself.
    """

    values: pl.Series
    codes: Codes
    whole: Floats
    """The whole table's distribution, by code."""
    ordered: bool
    """Whether the values have an order."""

    @classmethod
    def of(cls, release: Release, name: str) -> Coding:
        published, domain = release.published, release.original.domain(name)
        counted = relational.collect(relational.count_by(published.native, [name]))
        values = counted[name]
        known = set(domain.texts) | ({None} if domain.missing else set())
        if set(as_text(values)) <= known:
            codes, whole = domain.encode(values), domain.counts.astype(np.float64)
            ordered = domain.ordinal
        else:
            ranks = values.rank("dense")
            codes = (ranks.fill_null(ranks.drop_nulls().n_unique() + 1) - 1).to_numpy().astype(np.int64)
            whole = np.bincount(codes, counted[relational.COUNT].to_numpy()).astype(np.float64)
            ordered = published.is_numeric(name)
        return cls(values, codes, whole / whole.sum(), ordered)

    def counts(self, pairs: pl.DataFrame) -> Counts:
        """How often each value occurs in each class, from columns CLASS, value and COUNT."""
        classes, values, counts = (pairs.to_series(place) for place in range(3))
        # Equal values have equal codes, and a join is faster than a search for each.
        coded = values.to_frame("value").join(
            pl.DataFrame({"value": self.values, "code": self.codes}),
            on="value",
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )
        numbers = classes.to_numpy().astype(np.int64)
        weights = counts.to_numpy().astype(np.int64)
        return Counts.of_pairs(numbers, coded["code"].to_numpy(), weights, int(numbers.max()) + 1)

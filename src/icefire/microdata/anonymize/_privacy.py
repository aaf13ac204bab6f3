"""Base of the k-anonymizers: the privacy they promise, and how a class is written."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError, ParameterError
from icefire.core.parameters import Above, AtLeast, Share
from icefire.frames.notation import set_text
from icefire.frames.remote import Recoding
from icefire.microdata.beliefs import value_groups
from icefire.microdata.cells import Codes, Domain
from icefire.microdata.constraints import Constraint, Diversity
from icefire.microdata.data import EngineRelease, Microdata, Release, columns_or_all
from icefire.microdata.hierarchy import ANYTHING, interval_text
from icefire.microdata.roles import Anonymizer

EVERY = "*"
"""Stands for all sensitive columns."""


@dataclass(frozen=True)
class PrivacyModel(Anonymizer):
    """Base of the k-anonymizers: k-anonymity, optionally with further models that look at a sensitive column."""

    k: Annotated[int, AtLeast(2)] = 5
    columns: tuple[str, ...] = ()
    sensitive: str | None = None
    diversity: Diversity | None = None
    l: Annotated[int, AtLeast(2)] = 2  # noqa: E741
    c: Annotated[float, Above(0)] = 1.0
    t: Annotated[float, Above(0)] | None = None
    order: Literal["auto", "ordered", "unordered"] = "auto"
    alpha: Share | None = None
    beta: Annotated[float, Above(0)] | None = None
    delta: Annotated[float, Above(0)] | None = None

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        return [cls(k=k) for k in (2, 5, 10, 25)]

    def unused(self) -> Collection[str]:
        return ("l", "c") if self.diversity is None else ()

    def quasi_identifiers(self, original: Microdata) -> tuple[str, ...]:
        """The columns to k-anonymize, once it is clear that it can be done at all."""
        names = columns_or_all(self.columns, original.qi, type(self).__name__)
        if not names:
            raise DataError(f"{type(self).__name__} needs at least one QI column; the schema names none")
        if original.height < self.k:
            raise ParameterError(
                f"The 'k' parameter of {type(self).__name__} must be at most the number of rows, {original.height}. "
                f"Got {self.k} instead."
            )
        return names

    def protected(self, original: Microdata) -> tuple[str, ...]:
        """The sensitive columns to protect; none if sizes matter alone."""
        bounds = {"diversity": self.diversity, "t": self.t, "alpha": self.alpha, "beta": self.beta, "delta": self.delta}
        given = [name for name, bound in bounds.items() if bound is not None]
        if not given:
            if self.sensitive is not None:
                raise ParameterError(
                    f"The 'sensitive' parameter of {type(self).__name__} needs 'diversity', 't', 'alpha', 'beta' or 'delta' "
                    "to say what to protect."
                )
            return ()
        if self.sensitive is None:
            raise ParameterError(
                f"The 'sensitive' parameter of {type(self).__name__} must name an SA column where {given[0]!r} is set."
            )
        if self.sensitive == EVERY and EVERY not in original.sa:
            if given != ["alpha"]:
                raise ParameterError(
                    f"The 'sensitive' parameter of {type(self).__name__} may be '*' where 'alpha' is set alone. Got "
                    f"{given[0]!r}."
                )
            return original.sa
        columns_or_all([self.sensitive], original.sa, type(self).__name__)
        return (self.sensitive,)

    def constraint(self, original: Microdata) -> Constraint:
        names = self.protected(original)
        if not names:
            return Constraint(self.k)
        if self.sensitive == EVERY and EVERY not in original.sa:
            assert self.alpha is not None
            parts = [_by_groups(original, name, self.k, self.alpha) for name in names]
            return replace(parts[0], others=tuple(parts[1:]))
        (name,) = names
        domain, values = original.domain(name), original.codes(name)
        ordered = domain.ordinal if self.order == "auto" else self.order == "ordered"
        whole = domain.counts / domain.counts.sum()
        shares = self.t, self.alpha, self.beta, self.delta
        return Constraint(self.k, values, whole, ordered, self.diversity, self.l, self.c, *shares)


def _by_groups(original: Microdata, name: str, k: int, alpha: float) -> Constraint:
    """No value (or tenth of an amount) has more than a share of a class, but those that have more of the whole table."""
    domain = original.domain(name)
    groups = value_groups(domain, original.is_numeric(name))
    sizes = np.bincount(groups, domain.counts)
    return Constraint(k, groups[original.codes(name)], sizes / sizes.sum(), alpha=alpha, exempt=alpha)


@dataclass(frozen=True)
class Recoder(PrivacyModel):
    """Base of the k-anonymizers that look at nothing but how often each combination of values occurs.

    Tables on an engine are recoded there: their distinct rows are fetched, and the new cells joined to all rows.
    """

    @abstractmethod
    def recode(self, names: Sequence[str], rows: Microdata, counts: Codes | None) -> Recoded:
        """New cells for the rows. With counts, a row stands for several."""

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        names = self.quasi_identifiers(original)
        if original.stays:
            return self._on_engine(original, names)
        found = self.recode(names, original, None)
        frame = original.frame.with_columns(**found.cells)
        kept = np.arange(original.height) if found.kept is None else np.flatnonzero(found.kept)
        frame = frame if found.kept is None else frame[kept]
        return Release.shuffled(original, frame, kept, rng, generalized=tuple(found.cells))

    def _on_engine(self, original: Microdata, names: Sequence[str]) -> EngineRelease:
        sensitive = self.protected(original)
        rows, counts = original.distinct([*names, *sensitive])
        found = self.recode(names, rows, counts)
        # Rows that differ in the sensitive value alone become the same.
        chosen = pl.Series(np.ones(rows.height, dtype=bool) if found.kept is None else found.kept)
        if sensitive:
            chosen &= rows.frame.select(pl.struct(names).is_first_distinct()).to_series()
        cells = pl.DataFrame(found.cells, height=rows.height).filter(chosen)
        recoding = Recoding(rows.frame.select(names).filter(chosen), cells)
        return EngineRelease.recoded(original, [recoding], tuple(found.cells))


@dataclass(frozen=True)
class Recoded:
    """The new cells of rows, by column, and which rows are kept; None if all are."""

    cells: Mapping[str, pl.Series]
    kept: NDArray[np.bool_] | None = None


def class_labels(domain: Domain, codes: Codes, starts: Codes) -> tuple[list[str | None], Codes]:
    """The distinct cells that cover each class in one column, and which of them each class gets.

    `codes` are the values of the classes' members, one class after the other; a class begins at each of `starts`.
    """
    if domain.levels is not None:
        # Only in the hierarchy's own order do the first and the last value of a class tell its lowest common label.
        order = domain.levels.order()
        place = np.empty(order.size, dtype=np.int64)
        place[order] = np.arange(order.size)
        return _labels_of_ranges(domain, place[codes], starts, order)
    if domain.ordinal:
        return _labels_of_ranges(domain, codes, starts, np.arange(len(domain.values)))
    sizes = np.diff(starts, append=codes.size)
    width = len(domain.values)
    pairs = _distinct(np.repeat(np.arange(starts.size), sizes) * width + codes, starts.size * width)
    members, ends = pairs % width, np.cumsum(np.bincount(pairs // width))
    labels: dict[bytes, tuple[int, str | None]] = {}
    label_of = np.empty(starts.size, dtype=np.int64)
    for number, inside in enumerate(np.split(members, ends[:-1].tolist())):
        if (key := inside.tobytes()) not in labels:
            labels[key] = len(labels), cell_label(domain, inside.tolist())
        label_of[number] = labels[key][0]
    return [label for _, label in labels.values()], label_of


def _distinct(numbers: Codes, below: int) -> Codes:
    """The distinct numbers, ascending."""
    if below > 16 * numbers.size:
        return np.unique(numbers)
    present = np.zeros(below, dtype=np.bool_)
    present[numbers] = True
    return np.flatnonzero(present)


def _labels_of_ranges(domain: Domain, places: Codes, starts: Codes, order: Codes) -> tuple[list[str | None], Codes]:
    return range_labels(domain, np.minimum.reduceat(places, starts), np.maximum.reduceat(places, starts), order)


def range_labels(domain: Domain, low: Codes, high: Codes, order: Codes) -> tuple[list[str | None], Codes]:
    """The distinct cells of ranges, given by their first and last place in an order, and which of them each range gets."""
    pairs, label_of = np.unique(low * order.size + high, return_inverse=True)
    ends = [(int(order[pair // order.size]), int(order[pair % order.size])) for pair in pairs]
    return [_range_label(domain, first, last) for first, last in ends], label_of


def set_label(domain: Domain, words: NDArray[np.uint64]) -> str | None:
    """A set of values, given by bits, as a cell."""
    bits = np.unpackbits(np.ascontiguousarray(words, dtype="<u8").view(np.uint8), bitorder="little")
    return cell_label(domain, np.flatnonzero(bits).tolist())


def cell_label(domain: Domain, members: Sequence[int]) -> str | None:
    """A set of values as a cell; a mixture of missing and present values, or all of them, is `*`."""
    if len(members) == 1:
        return None if domain.values[members[0]] is None else domain.texts[members[0]]
    if len(members) == len(domain.values) or any(domain.values[code] is None for code in members):
        return unambiguous(domain, ANYTHING)
    return unambiguous(domain, set_text([domain.texts[code] for code in members]))


def unambiguous(domain: Domain, label: str) -> str:
    """A label of several values, unless a single value is written the same way."""
    if label in domain.written:
        raise DataError(
            f"the column {domain.column!r} holds the value {label!r}, which in a release would stand for several values: "
            "rename it"
        )
    return label


def _range_label(domain: Domain, low: int, high: int) -> str | None:
    if low == high:
        return cell_label(domain, [low])
    if domain.values[low] is None or domain.values[high] is None:
        return unambiguous(domain, ANYTHING)
    if domain.levels is not None:
        return next(row[low] for row in domain.levels.labels if row[low] == row[high])
    if isinstance(domain.values[low], str):
        return cell_label(domain, range(low, high + 1))
    return interval_text(domain.values[low], domain.values[high])


def text_column(labels: Sequence[str | None], which: Codes) -> pl.Series:
    """A column of texts from few distinct ones."""
    return pl.Series(labels, dtype=pl.String)[which]

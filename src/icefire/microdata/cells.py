"""Generalized cells: the original values that a published cell may stand for, distances and information loss.

A cell is a value, an interval `[20..29]`, a set `{a|b}`, a label of the column's hierarchy, or `*` (any value). Distances
are measured from the midpoint of an interval, and averaged over the members of a set. A missing value is a value of its
own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.frames.notation import parse_set
from icefire.microdata.hierarchy import ANYTHING, Hierarchy, Levels, value_text

_NUMBER = r"-?(?:\d+(?:\.\d+)?)(?:[eE][+-]?\d+)?"
_INTERVAL = re.compile(rf"\[({_NUMBER})\.\.({_NUMBER})\]")

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
DEEPEST = 8
"""How deeply sets may lie within sets: each step that makes sets may add a level."""
_NO_CODES: Codes = np.array([], dtype=np.int64)


def parse_interval(text: str) -> tuple[float, float] | None:
    """The ends of an interval of numbers; None if the text is not an interval.

    >>> parse_interval("[20..29]"), parse_interval("20-29")
    ((20.0, 29.0), None)
    """
    found = _INTERVAL.fullmatch(text)
    if found is None:
        return None
    low, high = float(found[1]), float(found[2])
    return (low, high) if low <= high < np.inf else None


@dataclass(frozen=True)
class Domain:
    """The distinct values of an original column in order; the missing value, if any, comes last as None."""

    column: str
    ordinal: bool
    """Whether the values are numbers or ordered categories: then distances are differences of `positions`."""
    values: tuple[Any, ...]
    positions: Floats
    """Position of each value but the missing one: the number itself, or the rank of a category."""
    counts: Codes
    """Frequency of each value."""
    hierarchy: Hierarchy | None = None
    published: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Labels of a release that are not in the hierarchy, each with the cells it stands for."""

    @property
    def missing(self) -> bool:
        """Whether the column has missing values."""
        return bool(self.values) and self.values[-1] is None

    @cached_property
    def span(self) -> float:
        """Largest minus smallest position; 0 for a constant column."""
        return float(self.positions.max() - self.positions.min()) if self.positions.size else 0.0

    @cached_property
    def texts(self) -> list[str]:
        """The values as they are written in a published cell."""
        return [value_text(value) for value in self.values]

    @cached_property
    def written(self) -> frozenset[str]:
        """All texts that stand for a single value."""
        return frozenset(self.texts)

    @cached_property
    def levels(self) -> Levels | None:
        return None if self.hierarchy is None else self.hierarchy.over(self.column, self.values, self.counts.tolist())

    @cached_property
    def _code_of(self) -> dict[str, int]:
        return {text: code for code, text in enumerate(self.texts) if self.values[code] is not None}

    @cached_property
    def _labels(self) -> dict[str, Codes]:
        """The codes of the values below each label of the hierarchy."""
        found: dict[str, Codes] = {}
        for row in self.levels.labels[1:] if self.levels else ():
            labels, label_of = np.unique(np.array(row), return_inverse=True)
            order, ends = np.argsort(label_of, kind="stable"), np.cumsum(np.bincount(label_of))
            for label, codes in zip(labels.tolist(), np.split(order, ends[:-1]), strict=True):
                found.setdefault(label, codes)
        return found

    def encode(self, series: pl.Series) -> Codes:
        """The code of each element of the original column: its position in `values`."""
        return _encode(series, self.values)

    def members(self, text: str | None) -> Codes:
        """Codes of the original values that a published cell may stand for; empty if there are none."""
        if text is None:
            return np.array([len(self.values) - 1]) if self.missing else _NO_CODES
        if text in self._code_of:
            return np.array([self._code_of[text]], dtype=np.int64)
        if text == ANYTHING:
            return np.arange(len(self.values))
        if text in self.published:
            return np.unique(np.concatenate([self.members(cell) for cell in self.published[text]]))
        if text in self._labels:
            return self._labels[text]
        if (parts := self._parts(text)) is not None:
            return np.unique(np.concatenate([_NO_CODES, *map(self.members, parts)]))
        if (masked := self._masked(text)).size:
            return masked
        low, high = self.bounds(text)
        if np.isnan(low):
            return _NO_CODES
        return np.flatnonzero((self.positions >= low) & (self.positions <= high))

    def bounds(self, text: str | None) -> tuple[float, float]:
        """Smallest and largest position that a cell may stand for; NaN for a missing value or an unknown category."""
        if text is None:
            return np.nan, np.nan
        if text in self._code_of:
            position = float(self.positions[self._code_of[text]])
            return position, position
        if text == ANYTHING:
            return float(self.positions.min(initial=np.inf)), float(self.positions.max(initial=-np.inf))
        if text in self.published:
            return self._hull(self.published[text])
        if self.ordinal and (interval := parse_interval(text)):
            return interval
        if self.ordinal and not self._ranked and (number := _number(text)) is not None:
            return number, number
        if text in self._labels:
            inside = self.positions[[code for code in self._labels[text] if self.values[code] is not None]]
            # A label may stand for the missing value alone.
            return (float(inside.min()), float(inside.max())) if inside.size else (np.nan, np.nan)
        if (parts := self._parts(text)) is not None:
            return self._hull(parts)
        if (masked := self._masked(text)).size:
            return float(self.positions[masked].min()), float(self.positions[masked].max())
        return np.nan, np.nan

    def _parts(self, text: str) -> list[str] | None:
        """The members of a cell that is a set, and of the sets in it; None if it is none.

        Steps after one another make sets of sets. Of those that are deeper than DEEPEST the rest is left out.
        """
        if not self._is_set(text):
            return None
        parts, sets = [], [text]
        for _ in range(DEEPEST):
            inside = [(part, self._is_set(part)) for cell in sets for part in parse_set(cell) or ()]
            sets = [part for part, is_set in inside if is_set]
            parts += [part for part, is_set in inside if not is_set]
        return parts

    def _is_set(self, text: str) -> bool:
        return text[:1] == "{" and not self._is_named(text) and parse_set(text) is not None

    def _is_named(self, text: str) -> bool:
        """Whether a cell is a value or a label, whatever else it looks like."""
        return text in self._code_of or text in self.published or text in self._labels

    def _masked(self, text: str) -> Codes:
        """Codes of the values that match a mask such as 100**: the same length and the same prefix."""
        prefix = text.rstrip("*")
        if prefix == text:
            return _NO_CODES
        fits = [code for value, code in self._code_of.items() if len(value) == len(text) and value.startswith(prefix)]
        return np.array(fits, dtype=np.int64)

    def _hull(self, cells: Sequence[str]) -> tuple[float, float]:
        """Smallest and largest position of several cells, without those that cannot be parsed."""
        ends = [end for end in map(self.bounds, cells) if not np.isnan(end[0])]
        return (min(low for low, _ in ends), max(high for _, high in ends)) if ends else (np.nan, np.nan)

    @property
    def _ranked(self) -> bool:
        """Whether positions are ranks of categories rather than numbers."""
        return bool(self.values) and isinstance(self.values[0], str)

    def middles(self, text: str | None) -> list[float]:
        """The midpoint of a cell; if it is a set, the midpoint of each member."""
        parts = None if text is None else self._parts(text)
        if parts:
            return [middle for part in parts for middle in self.middles(part)]
        low, high = self.bounds(text)
        return [(low + high) / 2]

    def read(self, published: pl.Series) -> Cells:
        """The cells of a published column."""
        return Cells(self, published)


class Cells:
    """A published column, interpreted by the domain of the original column."""

    def __init__(self, domain: Domain, published: pl.Series) -> None:
        self.domain = domain
        self._series = published
        self._plain = domain.ordinal and published.dtype.is_numeric()

    @cached_property
    def _distinct(self) -> tuple[list[str | None], Codes]:
        texts = as_text(self._series)
        values = texts.unique().sort(nulls_last=True)
        return values.to_list(), _positions(texts, values.drop_nulls())

    @property
    def texts(self) -> list[str | None]:
        """The distinct cells as strings."""
        return self._distinct[0]

    @property
    def codes(self) -> Codes:
        """The cell of each row, as an index into the distinct cells."""
        return self._distinct[1]

    @cached_property
    def midpoints(self) -> Floats:
        """Position of each row's cell; NaN if it is missing. Only for ordinal columns."""
        if self._plain:
            return self._series.cast(pl.Float64).to_numpy().astype(np.float64)
        return np.array([np.mean(self.domain.middles(text)) for text in self.texts])[self.codes]

    @cached_property
    def members(self) -> list[Codes]:
        """For each distinct cell, the codes of the original values that lie in it."""
        return [self.domain.members(text) for text in self.texts]

    @cached_property
    def single(self) -> Codes | None:
        """The code of the original value that each row's cell stands for, -1 if there is none; None if some cells stand for
        several values."""
        plain = self.domain._code_of
        found = np.array([-1 if text is None else plain.get(text, -1) for text in self.texts], dtype=np.int64)
        for place in np.flatnonzero(found < 0).tolist():
            inside = self.domain.members(self.texts[place])
            if inside.size > 1:
                return None
            found[place] = inside[0] if inside.size else -1
        return found[self.codes]

    @cached_property
    def fits(self) -> NDArray[np.bool_]:
        """[distinct cell, original value]: whether the value lies in the cell."""
        table = np.zeros((len(self.texts), len(self.domain.values)), dtype=bool)
        for row, inside in enumerate(self.members):
            table[row, inside] = True
        return table

    @cached_property
    def membership(self) -> Floats:
        """[distinct cell, original value]: 1/size of the cell if the value lies in it, else 0."""
        return np.asarray(self.fits / np.maximum(self.fits.sum(axis=1, keepdims=True), 1), dtype=np.float64)

    def shares(self, original: Codes) -> Floats:
        """1/size of each row's cell if it holds the row's original value, else 0; without building `membership`."""
        sizes = np.array([inside.size for inside in self.members])
        width = len(self.domain.values)
        # Members are sorted within each cell, so the keys are sorted.
        keys = np.repeat(np.arange(sizes.size), sizes) * width + np.concatenate([*self.members, []]).astype(np.int64)
        wanted = self.codes * width + original
        place = np.minimum(np.searchsorted(keys, wanted), max(keys.size - 1, 0))
        found = keys[place] == wanted if keys.size else np.zeros(wanted.size, dtype=bool)
        return np.where(found, 1.0 / np.maximum(sizes, 1)[self.codes], 0.0)

    @cached_property
    def costs(self) -> Floats:
        """[distinct cell, original value]: 0 if the value lies in the cell; otherwise 1, or for ordinal columns the squared
        distance from the cell in standard deviations."""
        result: Floats = (~self.fits).astype(np.float64)
        if self.domain.ordinal and self.domain.positions.size:
            size = self.domain.positions.size
            weights = self.domain.counts[:size]
            mean = np.average(self.domain.positions, weights=weights)
            deviation = np.sqrt(np.average((self.domain.positions - mean) ** 2, weights=weights)) or 1.0
            for row, text in enumerate(self.texts):
                low, high = self.domain.bounds(text)
                if not np.isnan(low):
                    gap = np.maximum(np.maximum(low - self.domain.positions, self.domain.positions - high), 0.0)
                    result[row, :size] = (gap / deviation) ** 2
        return result

    def distances(self, original: Codes) -> Floats:
        """Distance of each row's cell from an original value, given by its code; between 0 and 1 within the domain."""
        if not self.domain.ordinal:
            return 1.0 - self.shares(original)
        if self.domain.span == 0:
            return np.zeros(original.size)
        positions = np.append(self.domain.positions, np.nan) if self.domain.missing else self.domain.positions
        true = positions[original]
        result = np.abs(self.midpoints - true)
        if not self._plain:
            for code, text in enumerate(self.texts):
                if len(middles := self.domain.middles(text)) > 1:
                    rows = self.codes == code
                    result[rows] = np.abs(true[rows, None] - np.array(middles)).mean(axis=1)
        result /= self.domain.span
        gaps = np.isnan(self.midpoints).astype(int) + np.isnan(true)
        return np.where(gaps == 2, 0.0, np.where(gaps == 1, 1.0, result))

    def losses(self) -> Floats:
        """LM (loss metric) of each row's cell: 0 for a single value, 1 for any value."""
        if self._plain:
            return np.zeros(len(self._series))
        return np.array([self._loss(text) for text in self.texts])[self.codes]

    def _loss(self, text: str | None) -> float:
        if text is None or text in self.domain._code_of:
            return 0.0
        if text == ANYTHING:
            return 1.0
        if self.domain.ordinal:
            low, high = self.domain.bounds(text)
            if np.isnan(low):
                return 1.0
            return 0.0 if self.domain.span == 0 else min(1.0, (high - low) / self.domain.span)
        size = self.domain.members(text).size
        # A cell that cannot be parsed holds no information.
        return 1.0 if size == 0 else (size - 1) / max(1, len(self.domain.values) - 1)


def as_text(series: pl.Series) -> pl.Series:
    """A column as strings, in the notation of published cells: 20.0 as 20."""
    if series.dtype == pl.String:
        return series
    if series.dtype.is_float():
        distinct = series.unique()
        return series.replace_strict(
            distinct,
            pl.Series([None if value is None else value_text(value) for value in distinct], dtype=pl.String),
            return_dtype=pl.String,
        )
    return series.cast(pl.String)


def _encode(series: pl.Series, values: tuple[Any, ...]) -> Codes:
    """Position of each element in `values`, where a None at the end stands for missing elements."""
    present = [value for value in values if value is not None]
    if series.dtype.is_numeric() and not any(isinstance(value, str) for value in present):
        whole = series.dtype.is_integer() and all(isinstance(value, int) for value in present)
        keys = np.asarray(present, dtype=np.int64 if whole else np.float64)
        numbers = series.cast(pl.Int64 if whole else pl.Float64)
        codes = np.where(
            series.is_null().to_numpy(), len(present), np.searchsorted(keys, numbers.fill_null(0).to_numpy())
        )
    else:
        codes = _positions(as_text(series), pl.Series([value_text(value) for value in present], dtype=pl.String))
    return np.asarray(codes, dtype=np.int64)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def _positions(texts: pl.Series, values: pl.Series) -> Codes:
    """Position of each text in `values`; one more where it is missing."""
    return np.asarray(texts.cast(pl.Enum(values)).to_physical().fill_null(values.len()).to_numpy(), dtype=np.int64)

"""Generalization hierarchies: the label of each value at each level.

Level 0 is the value itself, the last level is `*`. A hierarchy is given as a table, a mapping, interval widths or numbers
of leading characters to keep, or it is learned from the data; `Hierarchy.over` turns any of these into labels for the
values of a column.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import DataError, ParameterError
from icefire.frames.notation import set_text

ANYTHING = "*"
"""The cell that stands for any value."""
Value: TypeAlias = str | int | float | None
_CLOCK = r"^[0-2][0-9]:[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?$"
_DAY = r"(?:1[89]|20)[0-9]{2}[-/.](?:0[1-9]|1[0-2])[-/.](?:0[1-9]|[12][0-9]|3[01])"


def number_text(value: float) -> str:
    """A number as it is written in a published cell.

    >>> number_text(20.0), number_text(0.5)
    ('20', '0.5')
    """
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def value_text(value: Value) -> str:
    """A value as it is written in a published cell; a missing value is an empty string."""
    if value is None:
        return ""
    return number_text(value) if isinstance(value, float) else str(value)


def interval_text(low: float, high: float) -> str:
    """
    >>> interval_text(20, 29.5), interval_text(20, 20)
    ('[20..29.5]', '20')
    """
    return number_text(low) if low == high else f"[{number_text(low)}..{number_text(high)}]"


def date_hierarchy(values: pl.Series) -> Hierarchy | None:
    """Months, years and decades for dates, also as texts that begin with the year, and hours for times of day; else None.

    >>> date_hierarchy(pl.Series(["1980-01-31", "1975-10-02"])).digits, date_hierarchy(pl.Series(["31 January"]))
    ((7, 4, 3), None)
    """
    if values.dtype == pl.Date:
        return Hierarchy(digits=(7, 4, 3))
    if values.dtype == pl.Datetime:
        return Hierarchy(digits=(10, 7, 4, 3))
    if values.dtype == pl.Time:
        return Hierarchy(digits=(5, 2))
    if values.dtype == pl.String and len(values) and values.str.contains(_CLOCK).all():
        return Hierarchy(digits=(2,))
    if values.dtype != pl.String or not len(values) or not values.str.contains(f"^{_DAY}").all():
        return None
    return Hierarchy(digits=(7, 4, 3) if values.str.contains(f"^{_DAY}$").all() else (10, 7, 4, 3))


@dataclass(frozen=True)
class Levels:
    """A hierarchy over the values of a column: `labels[level][value]`, from the values themselves up to `*`."""

    labels: tuple[tuple[str, ...], ...]

    @property
    def height(self) -> int:
        return len(self.labels)

    def codes(self, level: int) -> tuple[NDArray[np.int64], list[str]]:
        """The class of each value at a level, and the labels of the classes."""
        names = list(dict.fromkeys(self.labels[level]))
        position = {name: index for index, name in enumerate(names)}
        return np.array([position[label] for label in self.labels[level]], dtype=np.int64), names

    def order(self) -> NDArray[np.int64]:
        """An order of the values in which every class of every level is contiguous."""
        ranks = [self.codes(level)[0] for level in range(self.height)]
        return np.lexsort(ranks)


@dataclass(frozen=True)
class Hierarchy:
    """The definition of a hierarchy, in one of four ways: exactly one of the first four fields is set."""

    table: Mapping[str, tuple[str, ...]] | None = None
    """The labels of each value from level 1 up; the last label, `*`, may be left out."""
    widths: tuple[float, ...] | None = None
    """Interval widths of numbers, ascending."""
    digits: tuple[int, ...] | None = None
    """Numbers of leading characters to keep, descending; the others become `*`."""
    learned: int | None = None
    """Number of levels between the values and `*`, which are learned from the frequencies of the values."""
    origin: float = 0.0
    """A boundary of the intervals of `widths`."""

    def __post_init__(self) -> None:
        given = [name for name in ("table", "widths", "digits", "learned") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ParameterError.of("Hierarchy", "table, widths, digits or learned", "given exactly once", given)
        if not math.isfinite(self.origin):
            raise ParameterError.of("Hierarchy", "origin", "a finite number", self.origin)
        if self.widths is not None:
            fine = bool(self.widths) and all(math.isfinite(w) and w > 0 for w in self.widths)
            if not fine or list(self.widths) != sorted(self.widths):
                raise ParameterError.of("Hierarchy", "widths", "ascending positive numbers", self.widths)
        if self.learned is not None and (isinstance(self.learned, bool) or not 1 <= self.learned <= 30):
            raise ParameterError.of("Hierarchy", "learned", "an integer from 1 to 30", self.learned)
        for small, large in pairwise(self.widths or ()):
            if not math.isclose(large / small, round(large / small)):
                raise ParameterError.of(
                    "Hierarchy", "widths", "multiples of each other, so that levels nest", self.widths
                )
        if self.digits is not None and (
            min(self.digits, default=-1) < 0 or list(self.digits) != sorted(self.digits, reverse=True)
        ):
            raise ParameterError.of("Hierarchy", "digits", "descending numbers of characters", self.digits)

    @classmethod
    def mapping(cls, groups: Mapping[str, str]) -> Hierarchy:
        """A hierarchy of one level: the group of each value."""
        return cls(table={str(value): (group,) for value, group in groups.items()})

    def over(self, column: str, values: Sequence[Value], counts: Sequence[int] | None = None) -> Levels:
        """The labels of the values of a column. `counts` are their frequencies, for a learned hierarchy."""
        if any(value is None for value in values):
            return self._with_missing(column, values, counts)
        texts = [value_text(value) for value in values]
        if self.table is not None:
            levels = self._from_table(column, texts)
        elif self.widths is not None:
            levels = [[self._bin(column, value, width) for value in values] for width in self.widths]
        elif self.digits is not None:
            levels = [[_keep(text, kept) for text in texts] for kept in self.digits]
        else:
            levels = _learn(values, texts, counts or [1] * len(texts), self.learned or 0)
        rows = [tuple(texts), *(tuple(level) for level in levels), (ANYTHING,) * len(texts)]
        _check_nested(column, rows)
        return Levels(tuple(row for i, row in enumerate(rows) if i == 0 or row != rows[i - 1]))

    def _with_missing(self, column: str, values: Sequence[Value], counts: Sequence[int] | None) -> Levels:
        """Levels in which a missing value is generalized to `*` only."""
        present = [i for i, value in enumerate(values) if value is not None]
        below = self.over(
            column, [values[i] for i in present], None if counts is None else [counts[i] for i in present]
        )
        rows = []
        for level in below.labels[:-1] or below.labels:
            row = [""] * len(values)
            for i, label in zip(present, level, strict=True):
                row[i] = label
            rows.append(tuple(row))
        return Levels((*rows, (ANYTHING,) * len(values)))

    def _from_table(self, column: str, texts: list[str]) -> list[list[str]]:
        assert self.table is not None
        height = max((len(labels) for labels in self.table.values()), default=0)
        for text in texts:
            if text not in self.table:
                raise DataError(
                    f"the value {text!r} of column {column!r} is missing from its hierarchy: add a row for it"
                )
        short = next((text for text in texts if len(self.table[text]) < height), None)
        if short is not None:
            raise DataError(
                f"the hierarchy of column {column!r} gives {short!r} {len(self.table[short])} labels, but others {height}"
            )
        return [[self.table[text][level] for text in texts] for level in range(height)]

    def _bin(self, column: str, value: Value, width: float) -> str:
        if not isinstance(value, int | float):
            raise DataError(f"column {column!r} has the value {value!r}; a hierarchy of interval widths needs numbers")
        # Decimal, because floats would put 0.9 into the wrong interval of width 0.3.
        step, origin = Decimal(str(width)), Decimal(str(self.origin))
        low = origin + ((Decimal(str(value)) - origin) / step).to_integral_value(ROUND_FLOOR) * step
        whole = isinstance(value, int) and step == step.to_integral_value() and low == low.to_integral_value()
        return interval_text(float(low), float(low + step - 1 if whole else low + step))


def _keep(text: str, kept: int) -> str:
    return text[:kept] + "*" * (len(text) - kept)


def _check_nested(column: str, rows: list[tuple[str, ...]]) -> None:
    """Raise DataError unless labels are unambiguous and the levels form a tree."""
    values = set(rows[0])
    below: dict[str, set[str]] = {}
    for row in rows[1:]:
        here: dict[str, set[str]] = {}
        for value, label in zip(rows[0], row, strict=True):
            here.setdefault(label, set()).add(value)
            if label != value and label in values:
                raise DataError(
                    f"the hierarchy of column {column!r} has the group {label!r} of {value!r}, which is also a value: rename it"
                )
        for label, members in here.items():
            if below.setdefault(label, members) != members:
                raise DataError(f"the hierarchy of column {column!r} uses the label {label!r} for two different groups")
    for level, (fine, coarse) in enumerate(pairwise(rows)):
        parent: dict[str, str] = {}
        for label, above in zip(fine, coarse, strict=True):
            if parent.setdefault(label, above) != above:
                raise DataError(
                    f"the hierarchy of column {column!r} is not a tree: {label!r} of level {level} lies in both "
                    f"{parent[label]!r} and {above!r}"
                )


def _learn(values: Sequence[Value], texts: list[str], counts: Sequence[int], height: int) -> list[list[str]]:
    """Merge neighbouring values into groups of about equal frequency, halving the number of groups at each level.

    Numbers keep their order and become intervals; other values are ordered by frequency and become sets.
    """
    numbers = {index: value for index, value in enumerate(values) if isinstance(value, int | float)}
    numeric = len(numbers) == len(values)
    if numeric:
        order = sorted(numbers, key=lambda i: numbers[i])
    else:
        order = sorted(range(len(values)), key=lambda i: (-counts[i], texts[i]))
    weight = np.array([counts[i] for i in order], dtype=np.float64)
    middle = (np.cumsum(weight) - weight / 2) / max(weight.sum(), 1)
    levels = []
    for level in range(height):
        parts = 2 ** (height - level)
        group = np.minimum((middle * parts).astype(int), parts - 1)
        labels = list(texts)
        for part in np.unique(group):
            members = [order[i] for i in np.flatnonzero(group == part)]
            if numeric:
                label = interval_text(min(numbers[i] for i in members), max(numbers[i] for i in members))
            else:
                label = set_text([texts[i] for i in members])
            for index in members:
                labels[index] = label
        levels.append(labels)
    return levels

"""Transition matrices of post-randomization: how likely each value becomes each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from icefire.core.errors import DataError
from icefire.frames.files import read_texts
from icefire.microdata.cells import Domain, Floats
from icefire.microdata.hierarchy import value_text

ROUNDING = 1e-5
"""How far a row may be from adding up to 1, since files hold few digits."""


@dataclass(frozen=True)
class Transitions:
    """A matrix with a row for each value, and the same values as columns."""

    values: tuple[str, ...]
    chances: Floats
    """[value, what it becomes]."""
    where: str

    @classmethod
    def of(cls, given: str | Mapping[str, object]) -> Transitions:
        """From a CSV file (a column of values, then a column for each value) or a table of rows; checked.

        >>> Transitions.of({"f": {"f": 0.9, "m": 0.1}, "m": {"m": 1}}).chances.tolist()
        [[0.9, 0.1], [0.0, 1.0]]
        """
        where = f"the matrix {given}" if isinstance(given, str) else "the matrix"
        rows = _read(Path(given), where) if isinstance(given, str) else _told(given, where)
        values = tuple(rows)
        chances = np.zeros((len(values), len(values)))
        for value, row in rows.items():
            for target, chance in row.items():
                if target not in rows:
                    raise DataError(f"{where}: {value!r} may become {target!r}, for which there is no row")
                chances[values.index(value), values.index(target)] = chance
            total = sum(row.values())
            if abs(total - 1.0) > ROUNDING:
                raise DataError(f"{where}: the row of {value!r} adds up to {total:.6g}, not to 1")
        return cls(values, chances / chances.sum(axis=1, keepdims=True), where)

    def over(self, domain: Domain) -> Floats:
        """[value of the column, what it becomes], where a missing value stays missing, as the last of both."""
        places = []
        for value, text in zip(domain.values, domain.texts, strict=True):
            if value is None:
                continue
            if text not in self.values:
                raise DataError(f"{self.where} has no row for the value {text!r} of column {domain.column!r}")
            places.append(self.values.index(text))
        size = len(self.values)
        table = np.zeros((len(domain.values), size + 1))
        table[: len(places), :size] = self.chances[places]
        if domain.missing:
            table[-1, size] = 1.0
        return table

    def invariant(self, shares: Floats) -> Floats:
        """The matrix followed by its inverse by Bayes' rule, so that values with these shares keep them in expectation.

        >>> matrix = Transitions.of({"f": {"f": 0.8, "m": 0.2}, "m": {"m": 1}})
        >>> (np.array([0.3, 0.7]) @ matrix.invariant(np.array([0.3, 0.7]))).round(6).tolist()
        [0.3, 0.7]
        """
        joint = shares[:, None] * self.chances
        reached = joint.sum(axis=0)
        back = np.where(reached > 0, joint / np.where(reached > 0, reached, 1.0), np.eye(len(shares)))
        return np.asarray(self.chances @ back.T)


def _read(path: Path, where: str) -> dict[str, dict[str, float]]:
    table = read_texts(path)
    header = table.columns[1:]
    rows: dict[str, dict[str, float]] = {}
    for line, (value, *cells) in enumerate(table.rows(), start=2):
        if value is None or str(value) in rows:
            raise DataError(f"{where}, line {line}: the value {value!r} is missing or listed twice")
        pairs = zip(header, cells, strict=True)
        rows[str(value)] = {name: _chance(cell, f"{where}, line {line}, column {name!r}") for name, cell in pairs}
    return rows


def _told(given: Mapping[str, object], where: str) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for value, row in given.items():
        if not isinstance(row, Mapping):
            raise DataError(f"{where}: the row of {value!r} must be a table such as {{f: 0.9, m: 0.1}}; got {row!r}")
        text = value_text(value)
        rows[text] = {value_text(t): _chance(c, f"{where}: row {text!r}, column {t!r}") for t, c in row.items()}
    if not rows:
        raise DataError(f"{where} has no rows: give one for each value")
    return rows


def _chance(cell: object, where: str) -> float:
    """A probability; an empty cell is 0."""
    try:
        chance = 0.0 if cell is None else float(str(cell))
    except ValueError:
        chance = np.nan
    if not 0 <= chance <= 1:
        raise DataError(f"{where}: {cell!r} is no probability between 0 and 1")
    return chance

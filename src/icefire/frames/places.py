"""Error messages that name the file, the line and the value."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import FileError, InputError


@dataclass(frozen=True)
class Place:
    """The source of a table, for error messages: a file, or any name for a table in memory."""

    name: str = "the table"
    first_line: int | None = None
    """Line of the first row in the file; None if the table has no lines."""

    def at(self, row: int) -> str:
        """
        >>> Place("visits.csv", first_line=2).at(0), Place().at(0)
        ('visits.csv, line 2', 'the table, row 1')
        """
        if self.first_line is None:
            return f"{self.name}, row {row + 1}"
        return f"{self.name}, line {row + self.first_line}"


@dataclass(frozen=True)
class Lines(Place):
    """Lines of a file of which some were left out, or put into another order."""

    rows: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """For each row of the table its row in the file."""

    @classmethod
    def of(cls, place: Place, rows: NDArray[np.int64]) -> Lines:
        """
        >>> Lines.of(Place("visits.csv", first_line=1), np.array([4, 2])).at(1)
        'visits.csv, line 3'
        """
        return cls(place.name, place.first_line, rows)

    def at(self, row: int) -> str:
        return super().at(int(self.rows[row]))


def reject_rows(
    bad: pl.Series,
    place: Place,
    problem: str,
    values: pl.Series | None = None,
    error: type[InputError] = FileError,
) -> None:
    """Raise an error that names the first row where `bad` is true; nulls in `bad` count as false.

    `{value}` in `problem` is replaced by the row's entry in `values`.

    >>> cells = pl.Series(["7", "x"])
    >>> reject_rows(cells == "x", Place("visits.csv", first_line=2), "{value!r} is not a region", cells)
    Traceback (most recent call last):
    icefire.core.errors.FileError: visits.csv, line 3: 'x' is not a region
    """
    rows = bad.fill_null(False).arg_true()
    if len(rows):
        value = None if values is None else values[rows[0]]
        raise error(f"{place.at(rows[0])}: {problem.format(value=value)}")

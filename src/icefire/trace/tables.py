"""Conversion of traces between files and memory.

A file has a line for each user and time, sorted by user and then by time; regions count from 1. A cell is a region, several
regions separated by blanks, or `*` if it is deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import FileError
from icefire.frames import files
from icefire.frames.places import Place, reject_rows
from icefire.trace.data import NOTHING, Cells, Ints

DELETED = "*"
"""A deleted cell."""
FIRST_LINE = 2


def read_dense(path: Path, names: Sequence[str]) -> tuple[pl.Series, Ints, pl.Series]:
    """Read traces: users, times, and cells as strings; FileError unless every user has every time, in order."""
    table = _table(path, names)
    users = table[names[0]].unique(maintain_order=True)
    numbers = table[names[1]].cast(pl.Int64, strict=False)
    reject_rows(numbers.is_null(), _place(path), "{value!r} is not a time: times are whole numbers", table[names[1]])
    times = np.unique(numbers.to_numpy())
    expected_users = users.gather(np.arange(table.height) // times.size % len(users))
    expected = times[np.arange(table.height) % times.size]
    wrong = np.flatnonzero((table[names[0]] != expected_users).to_numpy() | (numbers.to_numpy() != expected))
    whole = len(users) * times.size
    if wrong.size or table.height != whole:
        row = int(wrong[0]) if wrong.size else table.height - 1
        found = f"user {table[names[0]][row]} at time {numbers[row]}"
        raise FileError(
            f"{_place(path).at(row)}: expected user {expected_users[row]} at time {expected[row]}, found {found}. "
            f"{len(users):,} users and {times.size} times need {whole:,} lines by user and then by time; there are "
            f"{table.height:,}."
        )
    return users.cast(pl.String), times, table[names[2]]


def _table(path: Path, names: Sequence[str]) -> pl.DataFrame:
    table = files.read_texts(path)
    if table.columns != list(names):
        raise FileError(f"{path}: expected the columns {', '.join(names)}, found {', '.join(table.columns)}")
    return table.with_columns(pl.all().cast(pl.String).str.strip_chars())


def read_column(path: Path, name: str, height: int, what: str) -> pl.Series:
    """Read a file of one column with `height` rows; `what` names it in error messages."""
    table = _table(path, [name])
    if table.height != height:
        raise FileError(f"{path} has {table.height:,} lines below its header; {what} needs {height:,}")
    return table[name]


def guess_sheets(path: Path, users: str, traces: str) -> tuple[Path | None, Path | None]:
    """The file of users and the file of traces of a guess, by the beginnings of their names; one may be missing."""
    if path.name.startswith(traces):
        return None, path
    beside = path.with_name(path.name.replace(users, traces, 1))
    return path, beside if beside != path and beside.is_file() else None


def guess_files(folder: Path, users: str, traces: str) -> list[Path]:
    """A file of each guess in a folder: the one of users, or the one of traces if that is alone."""
    found = sorted(folder.glob(f"{users}*.csv"))
    paired = {guess_sheets(path, users, traces)[1] for path in found}
    return found + [path for path in sorted(folder.glob(f"{traces}*.csv")) if path not in paired]


def _place(path: Path) -> Place:
    return Place(str(path), FIRST_LINE)


def parse_regions(texts: pl.Series, regions: int, path: Path) -> NDArray[np.int32]:
    """Regions, counted from 0, from cells that hold a single region each."""
    numbers = texts.cast(pl.Int64, strict=False)
    bad = numbers.is_null() | ~numbers.is_between(1, regions)
    reject_rows(bad, _place(path), f"{{value!r}} is not a region 1..{regions}", texts)
    return (numbers.to_numpy() - 1).astype(np.int32)


def parse_users(texts: pl.Series, first: int, last: int, path: Path, problem: str) -> Ints:
    """Users by their positions, which count from 1 in files and from 0 in memory. `problem` as in `reject_rows`."""
    users = texts.cast(pl.Int64, strict=False)
    reject_rows(users.is_null() | ~users.is_between(first, last), _place(path), problem, texts)
    return users.to_numpy() - 1


def parse_cells(texts: pl.Series, shape: tuple[int, int], regions: int, path: Path) -> Cells:
    """Cells from strings. Each distinct string is parsed once."""
    reject_rows(texts.is_null(), _place(path), f"the cell is empty. Write {DELETED} for a deleted cell.")
    labels = texts.unique(maintain_order=True)
    codes = np.empty(len(labels), dtype=np.int32)
    starts, members = [0], []
    for place, label in enumerate(labels):
        words = label.split()
        if words == [DELETED]:
            codes[place] = NOTHING
            continue
        found = sorted({int(word) for word in words if word.isdecimal()})
        numeric = bool(words) and all(word.isdecimal() for word in words)
        if not numeric or not 1 <= found[0] <= found[-1] <= regions:
            row = int((texts == label).arg_true()[0])
            raise FileError(
                f"{_place(path).at(row)}: {label!r} is not a cell. Write a region 1..{regions}, several separated by "
                f"blanks, or {DELETED} alone for a deleted cell."
            )
        if len(found) == 1:
            codes[place] = found[0] - 1
        else:
            codes[place] = regions + len(starts) - 1
            members += [region - 1 for region in found]
            starts.append(len(members))
    order = texts.cast(pl.Enum(labels)).to_physical().to_numpy()
    return Cells(codes[order].reshape(shape), regions, np.array(starts), np.array(members, dtype=np.int64))


def render_cells(cells: Cells) -> pl.Series:
    """Cells as strings, by trace and then by time."""
    texts = [str(region + 1) for region in range(cells.regions)]
    for begin, end in zip(cells.starts[:-1], cells.starts[1:], strict=True):
        texts.append(" ".join(str(member + 1) for member in np.sort(cells.members[begin:end])))
    return pl.Series([*texts, DELETED]).gather(np.where(cells.codes == NOTHING, len(texts), cells.codes).ravel())


def dense_table(names: Sequence[str], users: pl.Series, times: Ints, cells: pl.Series) -> pl.DataFrame:
    """The table of traces to write to a file."""
    rows = np.repeat(np.arange(len(users)), times.size)
    return pl.DataFrame(
        [users.gather(rows).alias(names[0]), pl.Series(names[1], np.tile(times, len(users))), cells.alias(names[2])]
    )

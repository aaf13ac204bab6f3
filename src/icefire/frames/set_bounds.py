"""Bounds on the sets in the cells of tables that others send: a set of values costs more to measure than its bytes show."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import polars as pl

from icefire.core.errors import FileError

MOST_FAULTS = 20
_SET, _NESTED = r"(?s)^\s*\{.*\}\s*$", r"(?s)^\s*\{(.*[|;])?\s*\{"
_bounds: ContextVar[tuple[int | None, int | None]] = ContextVar("bounds", default=(None, None))


@contextmanager
def bounded_sets(size: int | None, total: int | None) -> Iterator[None]:
    """Refuse tables read meanwhile with a set of more than `size` values, or with distinct sets of more than `total`.

    None is no bound.
    """
    token = _bounds.set((size, total))
    try:
        yield
    finally:
        _bounds.reset(token)


def check_sets(where: object, table: pl.DataFrame, first_line: int) -> None:
    """FileError if sets of a table just read are larger than is allowed now, or hold sets."""
    most, room = _bounds.get()
    if most is None or room is None:
        return
    sets = [_sets(table[name]) for name, dtype in table.schema.items() if dtype == pl.String]
    listed = pl.concat(sets) if sets else pl.DataFrame()
    if listed.is_empty():
        return
    large = listed.filter((pl.col("size") > most) | pl.col("nested")).sort("row")
    faults = [
        f"{where}, line {row + first_line}, column {name!r}: {_fault(size, most, nested)}"
        for row, name, size, nested in large.head(MOST_FAULTS).iter_rows()
    ]
    if faults:
        raise FileError("\n".join(faults))
    total = int(listed["size"].sum())
    if total > room:
        raise FileError(
            f"{where}: its sets list {total:,} values, more than {room:,}: write large ones as intervals such as "
            "[10..20], or as *"
        )


def _fault(size: int, most: int, nested: bool) -> str:
    if nested:
        return "a set within a set means nothing: write one set, an interval such as [10..20], or *"
    return f"a set of {size:,} values, more than {most:,}: write an interval such as [10..20], or *"


def _sets(column: pl.Series) -> pl.DataFrame:
    """The distinct sets of a column: the first row of each, how many values it lists, and whether these hold a set."""
    cell = pl.col("cell")
    bars = pl.max_horizontal(cell.str.count_matches(mark, literal=True) for mark in "|;")
    return (
        pl.DataFrame({"cell": column})
        .with_row_index("row")
        .filter(cell.str.contains(_SET))
        .unique("cell", keep="first")
        .select(
            "row",
            pl.lit(column.name).alias("name"),
            (bars + 1).alias("size"),
            cell.str.contains(_NESTED).alias("nested"),
        )
    )

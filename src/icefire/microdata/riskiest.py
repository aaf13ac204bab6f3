"""The risk of every row of a table, and the riskiest rows with the reason: the columns that make them unique."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.microdata.cells import Codes, Floats, as_text
from icefire.microdata.data import Microdata
from icefire.microdata.minimal_uniques import Columns, MinimalUniques, minimal_uniques


def rows_alike(table: Microdata) -> Codes:
    """For each row, how many rows have the same QI. A missing value is a value."""
    if not table.qi:
        return np.full(table.height, table.height)
    return table.frame.select(pl.len().over(table.qi)).to_series().to_numpy().astype(np.int64)


def riskiest(table: Microdata, number: int = 100, size: int = 3, risks: Floats | None = None) -> pl.DataFrame:
    """The riskiest rows: columns row (from 1), risk, rows_alike, columns and reason.

    The risk is 1 / rows_alike, unless other risks are given, such as those of individual_risk. `columns` is the smallest set
    of QI that makes the row unique, and `reason` says which values these are; both are missing where it takes more than `size`
    columns, or where all QI together do not make the row unique. Of equal risks, rows that are unique on fewer columns come
    first.

    >>> from icefire.microdata.schema import Schema
    >>> frame = pl.DataFrame({"town": ["a", "b", "b", "c", "c"], "age": [30, 30, 40, 50, 50]})
    >>> riskiest(Microdata(frame, Schema(qi=["town", "age"])), number=4).select("row", "risk", "reason").rows()
    [(1, 1.0, 'town = a'), (3, 1.0, 'age = 40'), (2, 1.0, 'town = b, age = 30'), (4, 0.5, None)]
    """
    alike = rows_alike(table)
    risks = 1.0 / alike if risks is None else risks
    found = _minimal_uniques(table, size)
    keys = (-risks,) if found is None else (-found.scores, found.least, -risks)
    order = np.lexsort(keys)[:number]
    columns, reasons = _standing_out(table, order, found)
    return pl.DataFrame(
        {
            "row": order + 1,
            "risk": risks[order],
            "rows_alike": alike[order],
            "columns": pl.Series(columns, dtype=pl.List(pl.String)),
            "reason": pl.Series(reasons, dtype=pl.String),
        }
    )


def standing_out(table: Microdata, rows: Codes, size: int = 3) -> tuple[list[list[str] | None], list[str | None]]:
    """For some rows, the smallest set of at most `size` QI that makes each unique, and these values in words; else None."""
    return _standing_out(table, rows, _minimal_uniques(table, size))


def _standing_out(
    table: Microdata, rows: Codes, found: MinimalUniques | None
) -> tuple[list[list[str] | None], list[str | None]]:
    chosen = [None] * rows.size if found is None else [_first(sets) for sets in found.of_rows(rows)]
    names = [None if columns is None else [table.qi[place] for place in columns] for columns in chosen]
    texts = {name: as_text(table.frame[name][rows]) for name in table.qi}
    return names, [_reason(texts, at, of) for at, of in enumerate(names)]


def _minimal_uniques(table: Microdata, size: int) -> MinimalUniques | None:
    """The minimal sample uniques of at most so many columns, or of fewer if there are too many sets; None without QI."""
    codes = [table.codes(name) for name in table.qi]
    for largest in range(size if codes else 0, 0, -1):
        try:
            return minimal_uniques(codes, largest)
        except Undefined:
            continue
    return None


def _first(sets: Sequence[Columns]) -> Columns | None:
    return sets[0] if sets else None


def _reason(texts: dict[str, pl.Series], row: int, names: Sequence[str] | None) -> str | None:
    if names is None:
        return None
    return ", ".join(f"{name} = {'missing' if (text := texts[name][row]) is None else text}" for name in names)

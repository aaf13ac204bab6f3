"""Distinct rows with their counts are recoded as all rows are."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.errors import DataError
from icefire.microdata.anonymize._privacy import Recoded, Recoder
from icefire.microdata.anonymize.global_recode import GlobalRecode
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.schema import Column

QI = ["age", "job", "rank"]
COLUMNS = {"age": Column(hierarchy=Hierarchy(widths=(2, 4))), "rank": Column("ordered", order=("low", "mid", "high"))}
SCHEMA = Schema(QI, ["ill"], COLUMNS)
ROWS = st.lists(
    st.tuples(
        st.integers(0, 7) | st.none(),
        st.sampled_from(["a", "b", "c"]) | st.none(),
        st.sampled_from(["low", "mid", "high"]),
        st.sampled_from(["flu", "cold", "none"]),
    ),
    min_size=6,
    max_size=60,
)
STEPS = [
    Mondrian(k=2),
    Mondrian(k=3, sensitive="ill", diversity="entropy", l=2),
    Mondrian(k=2, sensitive="ill", t=0.5),
    GlobalRecode(k=3, suppression=0.3),
    GlobalRecode(k=2, sensitive="ill", diversity="recursive", l=2, c=3.0, suppression=0.5),
]


def recoded(step: Recoder, rows: Microdata, counts: np.ndarray | None) -> dict[tuple[object, ...], object] | None:
    """For each distinct row its new cells, and whether it is kept; None if the step cannot be made."""
    try:
        found: Recoded = step.recode(QI, rows, counts)
    except DataError:
        return None
    kept = np.ones(rows.height, dtype=bool) if found.kept is None else found.kept
    cells = rows.frame.select(QI).with_columns(**found.cells).rows()
    result: dict[tuple[object, ...], object] = {}
    for row, cell, keep in zip(rows.frame.select(QI).rows(), cells, kept.tolist(), strict=True):
        assert result.setdefault(row, (cell, keep)) == (cell, keep)
    return result


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.step())
@given(rows=ROWS)
def test_same_cells(step: Recoder, rows: list[tuple[object, ...]]) -> None:
    types = {"age": pl.Int64, "job": pl.String, "rank": pl.String, "ill": pl.String}
    table = Microdata(pl.DataFrame(rows, schema=types, orient="row"), SCHEMA)
    distinct, counts = table.distinct([*QI, *([] if step.sensitive is None else ["ill"])])
    assert distinct.height == len(set(rows) if step.sensitive else {row[:3] for row in rows})
    assert counts.sum() == table.height
    assert recoded(step, distinct, counts) == recoded(step, table, None)

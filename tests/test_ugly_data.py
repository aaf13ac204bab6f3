"""Whatever data look like: every attack and every metric ends with a number or a reason, and none ends the others."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icefire.history.data import History
from icefire.history.examples import example as purchases
from icefire.microdata.data import Microdata
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.schema import Column, Schema
from icefire.report.release import release_page
from icefire.synthetic.data import People
from icefire.synthetic.schema import Schema as PeopleSchema
from icefire.trace.data import Traces
from icefire.trace.grid import Grid
from ugly import COLUMNS, REGISTRY, column, judged

TABLES, HISTORIES, TRACES, MEMBERS = (REGISTRY.kind(name) for name in ("microdata", "history", "trace", "synthetic"))
STEPS = [
    [],
    ["mondrian(k=2)"],
    ["noise(scale=0.2)", "swap"],
    ["pram(keep=0.8)"],
    ["microaggregate(k=3)"],
    ["k_member(k=2)"],
    ["conceal(k=2)"],
    ["drop_rows(outliers=0.2)"],
    ["local_suppression(k=2)"],
    ["global_recode(k=2)"],
    ["resample"],
    ["top_bottom_code"],
    ["mondrian(k=2)", "noise(scale=0.1)"],
]
FEWER = settings().max_examples // 3


def table(names: dict[str, tuple[str, ...]], rows: int, missing: float, seed: int) -> Microdata:
    """A table with columns of these sorts in each role."""
    frame, roles = {}, {}
    for role, sorts in names.items():
        roles[role] = [f"{role}{place}" for place in range(len(sorts))]
        for place, sort in enumerate(sorts):
            frame[f"{role}{place}"] = column(sort, rows, missing, seed + len(frame))
    return Microdata(pl.DataFrame(frame), Schema(**roles))


@pytest.mark.parametrize("sort", COLUMNS)
@pytest.mark.parametrize("role", ["qi", "sa"])
def test_tables_of_one_column(sort: str, role: str) -> None:
    place = list(COLUMNS).index(sort)
    for rows in (1, 2, 30):
        one = {"qi": (), role: (sort,)}
        for steps in ([], STEPS[(place + rows) % len(STEPS)]):
            judged(TABLES, table(one, rows, 0.3 * (rows == 30), place), steps)


@settings(max_examples=FEWER)
@given(
    st.lists(st.sampled_from(list(COLUMNS)), max_size=3),
    st.lists(st.sampled_from(list(COLUMNS)), min_size=1, max_size=3),
    st.lists(st.sampled_from(list(COLUMNS)), max_size=1),
    st.sampled_from([1, 2, 3, 10, 40]),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from(STEPS),
    st.integers(0, 1000),
)
def test_tables_of_all_sorts(
    qi: list[str], sa: list[str], other: list[str], rows: int, missing: float, steps: list[str], seed: int
) -> None:
    judged(TABLES, table({"qi": tuple(qi), "sa": tuple(sa), "other": tuple(other)}, rows, missing, seed), steps)

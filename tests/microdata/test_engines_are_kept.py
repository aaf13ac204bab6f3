"""Amounts that were published as numbers are measured where they lie."""

from __future__ import annotations

import numpy as np
import polars as pl

from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.utility._amounts import as_numbers, sensitive_amounts

SCHEMA = Schema(qi=["sex"], sa=["pay", "rent"])
PEOPLE = Microdata(pl.DataFrame({"sex": ["f", "m"], "pay": [10, 30], "rent": [1, 2]}), SCHEMA)


def test_numbers_stay_on_their_engine() -> None:
    assert as_numbers(PEOPLE, PEOPLE, ["pay", "rent"]) is PEOPLE.native


def test_cells_count_at_their_midpoints() -> None:
    cells = Microdata(pl.DataFrame({"sex": ["f", "m"], "pay": ["[10..30]", None], "rent": [1, 2]}), SCHEMA)
    numbers = as_numbers(cells, PEOPLE, ["pay", "rent"])
    assert isinstance(numbers, pl.DataFrame)
    assert numbers["pay"].to_list() == [20.0, None]
    assert numbers["rent"].to_list() == [1, 2]


def test_amounts_that_were_dropped() -> None:
    dropped = Microdata(PEOPLE.frame.drop("rent"), Schema(qi=["sex"], sa=["pay"]))
    assert sensitive_amounts(PEOPLE, Release(PEOPLE, dropped, np.arange(2))) == (["pay", "rent"], ["pay"])

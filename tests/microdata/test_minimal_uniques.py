"""Minimal sample uniques against a direct search, and SUDA scores against worked examples."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.errors import Undefined
from icefire.microdata import minimal_uniques as module
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.minimal_uniques import minimal_uniques
from icefire.microdata.riskiest import riskiest, rows_alike
from icefire.microdata.safety.suda2 import Suda2
from scores import number

Table = list[tuple[int, ...]]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    width = draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    values = rng.integers(0, draw(st.integers(1, 5)), (draw(st.integers(1, 30)), width))
    return [tuple(row) for row in values.tolist()]


def searched(table: Table, size: int) -> dict[tuple[int, ...], list[int]]:
    """Every set of columns for every row."""

    def unique(row: tuple[int, ...], columns: tuple[int, ...]) -> bool:
        return sum(all(other[at] == row[at] for at in columns) for other in table) == 1

    found: dict[tuple[int, ...], list[int]] = {}
    for number_of_columns in range(1, size + 1):
        for columns in combinations(range(len(table[0])), number_of_columns):
            for place, row in enumerate(table):
                subsets = [subset for n in range(1, len(columns)) for subset in combinations(columns, n)]
                if unique(row, columns) and not any(unique(row, subset) for subset in subsets):
                    found.setdefault(columns, []).append(place)
    return found


@given(tables(), st.integers(1, 6))
def test_a_direct_search_finds_the_same(table: Table, size: int) -> None:
    codes = [np.array(column) for column in zip(*table, strict=True)]
    found = minimal_uniques(codes, size)
    expected = searched(table, min(size, len(codes)))
    assert {columns: sorted(rows.tolist()) for columns, rows in found.rows.items()} == expected
    # The product of ATT - i.
    largest = min(size, len(codes) - 1)
    scores = np.zeros(len(table))
    for columns, rows in expected.items():
        for row in rows:
            scores[row] += np.prod([len(codes) - i for i in range(len(columns), largest + 1)])
    assert found.scores == pytest.approx(scores)
    assert found.sizes.tolist() == [table.count(row) for row in table]
    everybody = np.arange(len(table))[::-1]
    listed = found.of_rows(everybody)
    for row, sets in zip(everybody, listed, strict=True):
        assert sets == [columns for columns, rows in expected.items() if row in rows]


@given(tables(), st.floats(0.001, 1.0))
def test_dis_suda_as_sdcmicro_computes_it(table: Table, fraction: float) -> None:
    codes = [np.array(column) for column in zip(*table, strict=True)]
    found = minimal_uniques(codes, len(codes))
    uniques, pairs = (sum(table.count(row) == times for row in table) for times in (1, 2))
    expected = []
    for score in found.scores:
        if score == 0:
            expected.append(0.0)
            continue
        dis = uniques * fraction / (uniques * fraction + pairs * (1 - fraction))
        power = 1 + (8 - len(codes)) / 20
        adjusted = sum(1 / other**power for other in found.scores if other > 0)
        expected.append(1 / (1 + (uniques / dis - uniques) / (score**power * adjusted)))
    assert found.dis_scores(fraction) == pytest.approx(expected)


def test_the_example_of_the_guide_to_sdcmicro() -> None:
    """Ten rows and four columns; sets of up to three columns. The scores of the guide."""
    rows = [
        ("urban", "f", "secondary incomplete", "employed"),
        ("urban", "f", "secondary incomplete", "employed"),
        ("urban", "f", "primary incomplete", "none"),
        ("urban", "m", "secondary complete", "employed"),
        ("rural", "f", "secondary complete", "unemployed"),
        ("urban", "m", "secondary complete", "employed"),
        ("urban", "f", "primary complete", "none"),
        ("urban", "m", "post-secondary", "unemployed"),
        ("urban", "f", "secondary incomplete", "none"),
        ("urban", "f", "secondary incomplete", "none"),
    ]
    names = ["residence", "sex", "school", "work"]
    people = Microdata(pl.DataFrame(rows, schema=names, orient="row"), Schema(qi=names))
    found = minimal_uniques([people.codes(name) for name in names], size=3)
    assert found.scores.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    # {rural}, {female, secondary complete}, {female, unemployed}, {secondary complete, unemployed}
    assert found.of_rows(np.array([4])) == [[(0,), (1, 2), (1, 3), (2, 3)]]
    score = Suda2().measure(Release(people, people, np.arange(10)))
    assert score.value == 0.4
    assert score.detail["minimal uniques by size"] == {"1": 4, "2": 5}
    assert number(score, "by column", "school") == (6 + 2 + 2 + 6 + 6) / 34


def test_missing_values_are_a_value() -> None:
    frame = pl.DataFrame({"a": [None, "x", "x", None, "y"], "b": [1, 1, 1, 2, 2]})
    people = Microdata(frame, Schema(qi=["a", "b"]))
    assert Suda2().measure(Release(people, people, np.arange(5))).value == 0.6


def test_too_many_sets_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WORK", 30)
    codes = [np.arange(10), np.arange(10)]
    with pytest.raises(Undefined, match="subsets of up to 3"):
        minimal_uniques([*codes, np.arange(10)], 3)
    assert minimal_uniques(codes, 2).scores.tolist() == [2.0] * 10


@given(tables(), st.integers(1, 4), st.booleans())
def test_the_riskiest_rows_and_their_reasons(table: Table, number_of_rows: int, given_risks: bool) -> None:
    frame = pl.DataFrame(table, schema=[f"c{at}" for at in range(len(table[0]))], orient="row")
    # Zero stands for a missing value.
    frame = frame.with_columns(pl.when(pl.all() != 0).then(pl.all()))
    people = Microdata(frame, Schema(qi=frame.columns))
    alike = [table.count(row) for row in table]
    assert rows_alike(people).tolist() == alike
    risks = np.random.default_rng(0).random(len(table)) if given_risks else 1.0 / np.array(alike)
    found = riskiest(people, number_of_rows, risks=risks if given_risks else None)
    assert found["risk"].to_list() == pytest.approx(sorted(risks, reverse=True)[:number_of_rows])
    expected = searched(table, min(3, len(table[0])))
    for row in found.rows(named=True):
        place = row["row"] - 1
        assert (row["risk"], row["rows_alike"]) == (risks[place], alike[place])
        first = next((columns for columns, rows in expected.items() if place in rows), None)
        assert row["columns"] == (None if first is None else [f"c{at}" for at in first])
        if first is not None:
            assert row["reason"] == ", ".join(f"c{at} = {table[place][at] or 'missing'}" for at in first)


def test_reasons_of_fewer_columns_where_there_are_too_many_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    people = Microdata(pl.DataFrame({"a": list("xxyyz"), "b": list("pqpqq")}), Schema(qi=["a", "b"]))
    assert riskiest(people)["reason"].null_count() == 0
    monkeypatch.setattr(module, "WORK", 10)
    assert riskiest(people)["reason"].to_list() == ["a = z", None, None, None, None]
    monkeypatch.setattr(module, "WORK", 0)
    assert riskiest(people)["reason"].null_count() == 5

"""Candidates, distances and matchings against plain loops."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from icefire.core.matching import one_to_one
from icefire.microdata import costs
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.attack._candidates import candidates
from icefire.microdata.attack.euclid import Euclid
from icefire.microdata.attack.id_sa import IdSa
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.distances import features
from icefire.microdata.linkage import Linkage


def people(seed: int, rows: int = 40) -> Microdata:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 6, rows),
            "job": pl.Series(rng.choice(["a", "b", "c", ""], rows)).replace("", None),
            "pay": rng.integers(0, 9, rows),
        }
    )
    return Microdata(frame, Schema(["age", "job"], ["pay"]))


def fitting(table: Microdata, published: Microdata) -> list[list[int]]:
    """The original rows that each published row may be, cell by cell."""
    codes = {name: table.codes(name).tolist() for name in table.qi}
    cells = {name: published.frame[name].cast(str).to_list() for name in table.qi}
    members = {name: [set(table.domain(name).members(cell)) for cell in cells[name]] for name in table.qi}
    return [
        [i for i in range(table.height) if all(codes[name][i] in members[name][j] for name in table.qi)]
        for j in range(published.height)
    ]


@given(st.integers(0, 10**6), st.booleans())
def test_candidates_and_id_sa(seed: int, generalize: bool) -> None:
    table = people(seed)
    rng = np.random.default_rng(seed)
    published = Mondrian(k=2).anonymize(table, rng).published if generalize else table.take(rng.permutation(30))
    found = candidates(published, table)
    guess = IdSa().attack(published, table, rng).rows
    pay = table.frame["pay"].to_numpy()
    for j, expected in enumerate(fitting(table, published)):
        c = found.class_of[j]
        assert sorted(found.rows[found.starts[c] : found.starts[c + 1]].tolist()) == expected
        gaps = [abs(pay[i] - published.frame["pay"][j]) for i in expected]
        assert guess[j] == expected[int(np.argmin(gaps))]


@given(st.integers(0, 10**6))
def test_distances_are_what_they_say(seed: int) -> None:
    table = people(seed)
    published = Mondrian(k=3).anonymize(table, np.random.default_rng(seed)).published
    distances = Linkage(features(published, table), np.random.default_rng(0))
    rows, originals = (np.random.default_rng(seed).integers(0, 40, 25) for _ in range(2))
    ours = distances.pairs(rows, originals)
    codes = {name: table.codes(name) for name in table.schema.names}
    cells = {name: published.frame[name].cast(str).to_list() for name in table.schema.names}
    for j, i, ours_ji in zip(rows, originals, ours, strict=True):
        expected = 0.0
        for name in table.schema.names:
            domain = table.domain(name)
            code, cell = codes[name][i], cells[name][j]
            if domain.ordinal:
                low, high = domain.bounds(cell)
                gap = max(low - domain.positions[code], domain.positions[code] - high, 0)
                expected += (gap / table.frame[name].std(ddof=0)) ** 2
            else:
                expected += code not in domain.members(cell)
        assert ours_ji == pytest.approx(expected, abs=1e-9)


def test_blocks_and_neighbours_agree_with_a_full_table(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    original = Microdata(pl.DataFrame(rng.normal(size=(5000, 3)), schema=["a", "b", "c"]), Schema([], ["a", "b", "c"]))
    published = original.take(rng.permutation(5000)[:50])
    full = Linkage(features(published, original), np.random.default_rng(1))
    matrix = np.stack([full.pairs(np.full(5000, j), np.arange(5000)) for j in range(50)])
    monkeypatch.setattr(costs, "BLOCK", 20_000)
    small = Linkage(features(published, original), np.random.default_rng(1))
    assert matrix[small.nearest()] == pytest.approx(matrix.min(axis=1), abs=1e-9)
    assert small.smallest() == pytest.approx(matrix.min(axis=1), abs=1e-9)
    near, cost = small.neighbours(40)
    assert cost == pytest.approx(np.sort(matrix, axis=1)[:, :40], abs=1e-9)
    assert np.take_along_axis(matrix, near, axis=1) == pytest.approx(cost, abs=1e-9)
    assert small.share_below(np.full(50, 1.0), np.arange(5000)) == pytest.approx((matrix < 1.0).mean(axis=1))


@given(st.integers(1, 25), st.integers(0, 10), st.integers(0, 10**6))
def test_assignment_with_all_candidates_is_optimal(height: int, more: int, seed: int) -> None:
    cost = np.random.default_rng(seed).random((height, height + more)).round(2)
    near = np.tile(np.arange(height + more), (height, 1))
    chosen = one_to_one(near, cost, height + more)
    assert len(set(chosen.tolist())) == height
    rows, columns = linear_sum_assignment(cost)
    assert cost[np.arange(height), chosen].sum() == pytest.approx(cost[rows, columns].sum(), abs=1e-6)


def test_who_finds_all_candidates_taken_keeps_the_nearest() -> None:
    near, cost = np.array([[0], [0], [0]]), np.array([[0.1], [0.0], [0.2]])
    assert one_to_one(near, cost, 3).tolist() == [0, 0, 0]


def test_raw_distances_of_the_thesis() -> None:
    """Chapter 8: the second published row is 50 from its own row and 203.96 from its neighbour."""
    columns = ["QI1", "QI2", "QI3", "SA1", "SA2"]
    schema = Schema(qi=columns[:3], sa=columns[3:])
    known = [(2, 1, 1, 150, 100), (2, 1, 1, 160, 300), (1, 1, 2, 350, 200), (1, 1, 2, 450, 500)]
    shown = [(2, 1, 1, 100, 100), (2, 1, 1, 110, 300), (1, 1, 2, 300, 200), (1, 1, 2, 400, 500)]
    original, published = (Microdata(pl.DataFrame(t, schema=columns, orient="row"), schema) for t in (known, shown))
    distances = Linkage(features(published, original, "raw"), np.random.default_rng(0))
    found = np.sqrt(distances.pairs(np.array([1, 1]), np.array([1, 0])))
    assert found == pytest.approx([50, 203.96], abs=0.005)
    assert Euclid(unit="raw").attack(published, original, np.random.default_rng(0)).rows.tolist() == [0, 1, 2, 3]

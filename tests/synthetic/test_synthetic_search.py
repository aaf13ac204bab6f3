"""Fast searches against slow, obvious ones."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.synthetic import _scan, _tree
from icefire.synthetic.data import Condition
from icefire.synthetic.encoding import copies, points
from icefire.synthetic.nearest import nearest
from icefire.synthetic.network import Network, fit, mutual_information
from icefire.synthetic.predicates import Cells


def table(rows: int, seed: int) -> pl.DataFrame:
    """Few values, so that there are many ties; some are missing."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "a": rng.integers(0, 6, rows),
            "b": rng.choice(["x", "y", "z"], rows),
            "c": rng.normal(size=rows).round(1),
            "d": rng.choice(["p", "q"], rows),
        }
    )
    return frame.with_columns(
        pl.when(pl.Series(rng.random(rows) < 0.1)).then(None).otherwise(pl.col(pl.Int64)).name.keep()
    )


def gower(left: tuple[object, ...], right: tuple[object, ...], ranges: list[float]) -> float:
    """The definition."""
    total = 0.0
    for a, b, width in zip(left, right, ranges, strict=True):
        if a is None or b is None:
            total += a is not b
        elif isinstance(a, str):
            total += a != b
        else:
            total += abs(a - b) / width  # type: ignore[operator]
    return total / len(left)


def test_nearest_rows_are_those_of_the_definition() -> None:
    tables = [table(40, 1), table(60, 2)]
    both = pl.concat(tables)
    ranges = [float(np.ptp(column.drop_nulls().to_numpy())) if column.dtype.is_numeric() else 1.0 for column in both]
    distances, rows = nearest(points(tables, both.columns), 3)
    for row, asked in enumerate(tables[0].rows()):
        expected = sorted(
            (round(gower(asked, other, ranges), 6), place) for place, other in enumerate(tables[1].rows())
        )[:3]
        assert distances[row].round(6).tolist() == [distance for distance, _ in expected]
        # Rounding may order ties otherwise.
        assert {round(gower(asked, tables[1].row(int(place)), ranges), 6) for place in rows[row]} == {
            d for d, _ in expected
        }


@pytest.mark.parametrize("number", [1, 4])
def test_the_tree_finds_the_same_rows_as_comparing_all(number: int) -> None:
    space = points([table(300, 3), table(700, 4)], ["a", "b", "c", "d"])
    distances, rows = nearest(space, number)
    found = _tree.search(space.tables[0], space.tables[1], space.categorical, number)
    assert np.array_equal(found[0] / 4, distances)
    assert np.array_equal(found[1], rows)


def test_a_short_table_has_fewer_neighbours() -> None:
    assert nearest(points([table(3, 1), table(2, 2)], ["a"]), 5)[1].shape == (3, 2)


def test_copies_are_counted_whatever_is_missing() -> None:
    first, second = table(80, 5), table(200, 6)
    expected = [second.rows().count(row) for row in first.rows()]
    assert copies(first, second).tolist() == expected


def _holds(row: dict[str, object], condition: Condition) -> bool:
    cell, value = row[condition.column], condition.value
    match condition.comparison:
        case "missing":
            return cell is None
        case "=":
            return cell is not None and cell == value
        case "<=":
            return cell is not None and cell <= value  # type: ignore[operator]
        case ">=":
            return cell is not None and cell >= value  # type: ignore[operator]


conditions = st.one_of(
    st.builds(Condition, st.just("a"), st.sampled_from(["=", "<=", ">="]), st.integers(0, 6).map(float)),
    st.builds(Condition, st.just("b"), st.just("="), st.sampled_from(["x", "y", "z", "unknown"])),
    st.builds(Condition, st.just("c"), st.sampled_from(["<=", ">="]), st.floats(-2, 2)),
    st.just(Condition("a", "missing")),
)


@given(st.lists(st.lists(conditions, min_size=1, max_size=3).map(tuple), min_size=1, max_size=8), st.integers(0, 5))
def test_predicates_are_fulfilled_by_those_of_the_definition(
    predicates: list[tuple[Condition, ...]], seed: int
) -> None:
    frame = table(25, seed)
    cells = Cells(frame)
    rows = frame.rows(named=True)
    alone = [[place for place, row in enumerate(rows) if all(_holds(row, c) for c in p)] for p in predicates]
    expected = [places[0] if len(places) == 1 else -1 for places in alone]
    read = cells.read(predicates)
    assert cells.alone(read).tolist() == expected
    fast = _scan.alone(cells.numbers, cells.order, *cells.ranges(read), *vars(read).values())
    assert fast.tolist() == expected


def test_predicates_are_read_and_written_back() -> None:
    cells = Cells(table(25, 1))
    said = ((Condition("b", "=", "x"), Condition("c", "<=", 0.5)), (Condition("a", "missing"),))
    assert cells.written(cells.read(said)) == said


def test_mutual_information_by_hand() -> None:
    joint = np.array([[3.0, 1.0], [1.0, 3.0]])
    expected = 6 / 8 * np.log((3 / 8) / (1 / 4)) + 2 / 8 * np.log((1 / 8) / (1 / 4))
    assert mutual_information(joint) == pytest.approx(expected)


def test_a_tree_of_columns_sums_to_one_and_draws_what_it_says() -> None:
    rng = np.random.default_rng(0)
    first = rng.integers(0, 3, 400)
    codes = np.stack([first, (first + (rng.random(400) < 0.2)) % 3, rng.integers(0, 2, 400)], axis=1).astype(np.int32)
    tree: Network = fit(codes, (3, 3, 2))
    assert tree.parents[1] == 0
    everything = np.array([(a, b, c) for a in range(3) for b in range(3) for c in range(2)], dtype=np.int32)
    assert np.exp(tree.log_likelihood(everything)).sum() == pytest.approx(1.0)
    drawn = tree.sample(40_000, rng)
    shares = np.array([(drawn == row).all(axis=1).mean() for row in everything])
    assert np.abs(shares - np.exp(tree.log_likelihood(everything))).max() < 0.01

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.errors import DataError, ParameterError, UnknownName
from icefire.frames.notation import parse_set, set_text
from icefire.microdata.cells import DEEPEST, parse_interval
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.hierarchy import Hierarchy, interval_text
from icefire.microdata.schema import Column


def domain(values: list[object], column: Column | None = None):  # type: ignore[no-untyped-def]
    table = Microdata(pl.DataFrame({"x": values}), Schema(["x"], columns={"x": column or Column()}))
    return table.domain("x")


def test_the_five_ways_to_write_a_hierarchy() -> None:
    assert Hierarchy(widths=(10, 20)).over("x", [3, 14, 27]).labels == (
        ("3", "14", "27"),
        ("[0..9]", "[10..19]", "[20..29]"),
        ("[0..19]", "[0..19]", "[20..39]"),
        ("*", "*", "*"),
    )
    assert Hierarchy(digits=(3, 1)).over("x", ["10055", "10165"]).labels[1:3] == (
        ("100**", "101**"),
        ("1****", "1****"),
    )
    assert Hierarchy.mapping({"a": "A", "b": "A"}).over("x", ["a", "b"]).labels == (("a", "b"), ("A", "A"), ("*", "*"))
    table = Hierarchy(table={"a": ("v", "all"), "b": ("k", "all")})
    assert table.over("x", ["a", "b"]).labels == (("a", "b"), ("v", "k"), ("all", "all"), ("*", "*"))
    learned = Hierarchy(learned=2).over("x", [1, 2, 3, 4, 5, 6, 7, 8], [1] * 8).labels
    assert learned[1] == ("[1..2]",) * 2 + ("[3..4]",) * 2 + ("[5..6]",) * 2 + ("[7..8]",) * 2
    assert learned[2] == ("[1..4]",) * 4 + ("[5..8]",) * 4
    assert Hierarchy(widths=(0.5,)).over("x", [0.2, 0.7]).labels[1] == ("[0..0.5]", "[0.5..1]")
    assert Hierarchy(learned=1).over("x", ["a", "b", "c"], [9, 1, 1]).labels[1] == ("a", "{b|c}", "{b|c}")


def test_what_is_no_hierarchy_is_refused() -> None:
    with pytest.raises(ParameterError, match="given exactly once"):
        Hierarchy()
    with pytest.raises(ParameterError, match="multiples of each other"):
        Hierarchy(widths=(5, 12))
    with pytest.raises(ParameterError, match="ascending positive"):
        Hierarchy(widths=(10, 5))
    with pytest.raises(ParameterError, match="descending"):
        Hierarchy(digits=(1, 3))
    with pytest.raises(DataError, match="'c' of column 'x' is missing from its hierarchy"):
        Hierarchy.mapping({"a": "A"}).over("x", ["c"])
    with pytest.raises(DataError, match="'G' of level 1 lies in both 'P' and 'Q'"):
        Hierarchy(table={"a": ("G", "P"), "b": ("G", "Q")}).over("x", ["a", "b"])
    with pytest.raises(DataError, match="interval widths needs numbers"):
        Hierarchy(widths=(5,)).over("x", ["a"])


@given(st.lists(st.text(min_size=1, max_size=5), min_size=2, max_size=5, unique=True))
def test_sets_survive_being_written(members: list[str]) -> None:
    assert parse_set(set_text(members)) == members


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
def test_intervals_survive_being_written(a: float, b: float) -> None:
    low, high = sorted((a, b))
    if low < high:
        assert parse_interval(interval_text(low, high)) == (low, high)


def test_cells_of_numbers() -> None:
    ages = domain([20, 30, 40, None])
    cells = ages.read(pl.Series(["30", "[20..30]", "{20|40}", "*", None, "33"]))
    assert cells.midpoints[:4].tolist() == [30, 25, 30, 30]
    assert np.isnan(cells.midpoints[4])
    assert cells.losses().tolist() == [0, 0.5, 1, 1, 0, 0]
    assert cells.distances(np.array([1, 0, 0, 2, 3, 3])).tolist() == [0, 0.25, 0.5, 0.5, 0, 1]
    assert ages.members("[25..45]").tolist() == [1, 2]
    assert ages.members("*").tolist() == [0, 1, 2, 3]
    assert ages.members(None).tolist() == [3]


@pytest.mark.parametrize("published", [[20, None, None, 40], ["20", None, None, "[40..40]"]])
def test_missing_on_one_side_is_as_far_as_can_be(published: list[object]) -> None:
    ages = domain([20, 30, 40, None])
    # Original values: 20, 20, missing, missing.
    cells = ages.read(pl.Series(published))
    assert cells.distances(np.array([0, 0, 3, 3])).tolist() == [0, 1, 0, 1]


def test_missing_categories() -> None:
    jobs = domain(["a", "b", None])
    assert jobs.read(pl.Series(["a", None, None, "b"])).distances(np.array([0, 0, 2, 2])).tolist() == [0, 1, 0, 1]


def test_a_constant_column_has_no_distances() -> None:
    assert domain([5, 5]).read(pl.Series([5, 9])).distances(np.array([0, 0])).tolist() == [0, 0]


def test_cells_of_categories() -> None:
    jobs = domain(["a", "b", "c", "d"], Column(hierarchy=Hierarchy.mapping({"a": "X", "b": "X", "c": "Y", "d": "Y"})))
    cells = jobs.read(pl.Series(["a", "X", "{b|c|d}", "*", "unheard"]))
    assert cells.losses().tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1, 1])
    assert cells.distances(np.array([0, 0, 0, 0, 0])).tolist() == [0, 0.5, 1, 0.75, 1]


def test_cells_of_ordered_categories() -> None:
    sizes = domain(["s", "l", "m"], Column("ordered", order=("s", "m", "l")))
    assert sizes.values == ("s", "m", "l")
    assert sizes.read(pl.Series(["l", "{s|m}"])).distances(np.array([0, 0])).tolist() == [1, 0.25]
    with pytest.raises(UnknownName, match="no value in the order of column 'x' 'xl'"):
        domain(["s", "xl"], Column("ordered", order=("s", "m", "l")))


def test_integer_codes_and_texts_are_the_same_category() -> None:
    codes = domain([1, 2, 2], Column("categorical"))
    assert codes.read(pl.Series(["2", "{1|2}"])).distances(np.array([1, 0])).tolist() == [0, 0.5]
    assert codes.read(pl.Series([2, 1])).distances(np.array([1, 0])).tolist() == [0, 0]


def test_values_that_look_like_cells_are_values_first() -> None:
    odd = domain(["{a|b}", "*", "a"])
    assert odd.members("{a|b}").size == 1
    assert odd.members("*").size == 1


def test_masks_and_labels_of_values_that_do_not_occur() -> None:
    sizes = Column("ordered", order=("s", "m", "l"), published={"small": ("xs", "s", "m"), "odd": ("xs",)})
    clothes = domain(["s", "m", "l"], sizes)
    assert clothes.bounds("small") == (0, 1)
    assert np.isnan(clothes.bounds("odd")[0])
    assert clothes.read(pl.Series(["small", "odd"])).losses().tolist() == [0.5, 1.0]
    codes = domain(["100", "105", "110", "99"])
    assert codes.members("10*").tolist() == [0, 1]
    assert codes.members("9*").tolist() == [3]
    assert codes.members("2**").size == 0


@pytest.mark.parametrize("values", [[1, 2, 3], ["a", "b", "c"]])
@pytest.mark.parametrize("depth", [1, 2, 20_000])
def test_sets_within_sets_are_read_down_to_a_depth(values: list[object], depth: int) -> None:
    cells, text = domain(values), str(values[0])
    nested = "{" * depth + text + "}" * depth
    readable = depth < DEEPEST
    assert cells.members("{" + nested + "|" + str(values[1]) + "}").tolist() == [0, 1][not readable :]
    assert cells.members(nested).tolist() == [0][not readable :]
    if isinstance(values[0], int):
        assert cells.bounds("{" + nested + "|2}") == (1.0 if readable else 2.0, 2.0)
        assert np.isnan(cells.middles("{" + nested + "}")).all() != readable


def test_a_value_in_braces_may_be_in_a_set() -> None:
    cells = domain(["{a}", "b", "c"])
    assert cells.members(set_text(["{a}", "b"])).tolist() == sorted(
        cells.members("{a}").tolist() + cells.members("b").tolist()
    )

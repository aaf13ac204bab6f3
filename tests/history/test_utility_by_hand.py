"""What a release of purchases is still worth: metrics worked out by hand, and when they have no value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest

from icefire.core.errors import ParameterError, Undefined
from icefire.history.anonymize.method1 import Method1
from icefire.history.data import NONE, History, Release
from icefire.history.examples import records
from icefire.history.safety.unique_item_sets import UniqueItemSets
from icefire.history.utility.association_rules import AssociationRules
from icefire.history.utility.basket_sizes import BasketSizes
from icefire.history.utility.cell_loss import UNITS, CellLoss, interval_loss
from icefire.history.utility.customer_price import CustomerPrice
from icefire.history.utility.dummy_share import DummyShare
from icefire.history.utility.item_similarity import ItemSimilarity
from icefire.history.utility.monthly_sales import MonthlySales
from icefire.history.utility.rfm import Rfm
from icefire.history.utility.rows_deleted import RowsDeleted
from icefire.history.utility.subset_price import SubsetPrice
from icefire.history.utility.top_items import TopItems


def released(before: History, lines: Sequence[str], pseudonyms: list[list[int]], rows: list[int]) -> Release:
    return Release(before, records(*lines), np.array(pseudonyms), np.array(rows))


def unchanged(before: History) -> Release:
    return Release.made(before, before.frame, np.arange(before.height), np.random.default_rng(0))


def with_master(before: History, **columns: list[str]) -> History:
    return History(before.frame, master=pl.DataFrame({"user": before.users, **columns}))


def with_invoices(before: History, invoices: list[str]) -> History:
    return before.with_frame(before.frame.with_columns(invoice=pl.Series(invoices)))


DAY = "2011-01-03"
PAIRS = records(
    *(f"{user} {DAY} {item}" for user, items in {"ann": "ab", "bob": "ab", "cid": "cd"}.items() for item in items)
)


def test_association_rules_prefer_pairs_in_more_baskets() -> None:
    # (a, b) is in two baskets, (c, d) in one. The release has (c, d) twice and (a, b) once.
    lines = [f"{user} {DAY} {item}" for user, items in {"1": "ab", "2": "cd", "3": "cd"}.items() for item in items]
    release = released(PAIRS, lines, [[0], [1], [2]], [0, 1, 2, 3, 4, 5])
    assert AssociationRules(number=1).measure(PAIRS, release).value == 1.0
    score = AssociationRules(number=2).measure(PAIRS, release)
    assert (score.value, score.detail["pairs"]) == (0.0, 2)
    with pytest.raises(ParameterError):
        AssociationRules(number=0)
    single = records(f"ann {DAY} tea", "ann 2011-01-04 cup")
    with pytest.raises(Undefined, match="no basket holds two items"):
        AssociationRules().measure(single, unchanged(single))


def test_an_item_bought_twice_in_a_basket_counts_once() -> None:
    before = records(*[f"ann {DAY} a"] * 3, f"ann {DAY} b", *(f"{user} {DAY} {item}" for user in "xy" for item in "cd"))
    release = unchanged(before)
    assert AssociationRules(number=1).measure(before, release).value == 0.0
    # (c, d) is the strongest, in two baskets; without y it is (a, b), which comes first by name.
    kept = np.flatnonzero(before.frame["user"].to_numpy() != "y")
    without = Release.made(before, before.frame[kept], kept, np.random.default_rng(0))
    assert AssociationRules(number=1).measure(before, without).value == 1.0


def test_baskets_are_invoices_where_there_are_several() -> None:
    before = with_invoices(records(*[f"ann {DAY} tea"] * 3), ["x", "x", "y"])
    # Two baskets of 2 and 1 records; by day there would be one of 3.
    kept = Release.made(before, before.frame[[0, 2]], np.array([0, 2]), np.random.default_rng(0))
    assert BasketSizes().measure(before, kept).value == 0.5
    assert BasketSizes().measure(before, unchanged(before)).value == 0.0


def test_basket_sizes_that_the_original_lacks() -> None:
    before = records(f"ann {DAY} tea", f"bob {DAY} tea")
    lines = [f"1 {DAY} tea", f"1 {DAY} cup", f"1 {DAY} pen", f"2 {DAY} tea"]
    # Sizes 1, 1 become 3, 1.
    assert BasketSizes().measure(before, released(before, lines, [[0], [1]], [0, NONE, NONE, 1])).value == 0.5


def test_dummies_and_deletions_are_counted_apart() -> None:
    before = records(f"ann {DAY} tea", f"ann {DAY} cup", f"bob {DAY} tea", f"bob {DAY} pen")
    lines = [f"1 {DAY} tea", f"2 {DAY} tea", f"2 {DAY} cup", f"2 {DAY} ink", f"2 {DAY} hat"]
    release = released(before, lines, [[0], [1]], [0, 2, NONE, NONE, NONE])
    score = DummyShare().measure(before, release)
    assert (score.value, score.detail["dummies"]) == (0.75, 3)
    deleted = RowsDeleted().measure(before, release)
    assert (deleted.value, deleted.detail["kept"]) == (0.5, 2)


def test_customer_price_weighs_customers_not_records() -> None:
    before = records(f"ann {DAY} tea 1", f"ann {DAY} tea 1", f"ann {DAY} tea 1", f"bob {DAY} cup 5", f"cid {DAY} pen 9")
    born = with_master(before, birth=["1971-01-01", "1979-01-01", "1980-01-01"], country=["jp", "jp", "jp"])
    # Customers of the 1970s pay (1 + 5) / 2 = 3 on average, those of the 1980s 9.
    lines = [f"1 {DAY} tea 1", f"1 {DAY} tea 1", f"1 {DAY} tea 1", f"2 {DAY} cup 7", f"3 {DAY} pen 9"]
    score = CustomerPrice().measure(born, released(born, lines, [[0], [1], [2]], [0, 1, 2, 3, 4]))
    assert (score.value, score.detail["cells"]) == (0.5, 2)
    lost = released(born, lines[:4], [[0], [1], [NONE]], [0, 1, 2, 3])
    score = CustomerPrice().measure(born, lost)
    assert (score.value, score.detail["cells"]) == (1.0, 1)
    with pytest.raises(Undefined, match="no master table with birth and country"):
        CustomerPrice().measure(before, unchanged(before))
    free = with_master(records(f"ann {DAY} tea"), birth=["1971"], country=["jp"])
    with pytest.raises(Undefined, match="no prices"):
        CustomerPrice().measure(free, unchanged(free))


def test_rfm_in_its_own_units_and_as_a_share() -> None:
    before = records("ann 2011-01-03 tea 2 5", "ann 2011-01-09 tea 2 5", "bob 2011-01-05 cup 4 1")
    born = with_master(before, birth=["1971", "1981"], country=["jp", "jp"])
    lines = ["1 2011-01-03 tea 2 5", "1 2011-01-03 tea 2 2", "2 2011-01-05 cup 4 1"]
    score = Rfm().measure(born, released(born, lines, [[0], [1]], [0, 1, 2]))
    # Ann: recency 0 -> 6, frequency 2 -> 1, monetary 20 -> 14. Bob stays at 4, 1, 4. Means before: 2, 1.5, 12.
    assert score.detail == {"recency": 3.0, "frequency": 0.5, "monetary": 3.0}
    assert score.value == pytest.approx((3 / 2 + 0.5 / 1.5 + 3 / 12) / 3)
    assert Rfm().measure(born, unchanged(born)).value == 0.0


def test_rfm_counts_invoices_where_there_are_several() -> None:
    before = with_invoices(records(*[f"ann {DAY} tea 2"] * 3), ["x", "x", "y"])
    born = with_master(before, birth=["1971"], country=["jp"])
    # Two invoices before, one after; by date it would be one and one. All other numbers: 6 -> 4 and 0 -> 0.
    kept = Release.made(born, born.frame[[0, 2]], np.array([0, 2]), np.random.default_rng(0))
    assert Rfm().measure(born, kept).detail == {"recency": 0.0, "frequency": 0.0, "monetary": 2.0}
    lost = Release.made(born, born.frame[[0, 1]], np.array([0, 1]), np.random.default_rng(0))
    assert Rfm().measure(born, lost).detail["frequency"] == 1.0


def test_item_similarity_by_cosines_over_customers() -> None:
    # Vectors over (ann, bob): tea (3, 4), cup (4, 3), hat (0, 1): cosines tea-cup 24/25, tea-hat 4/5, cup-hat 3/5.
    bought = {"ann": "tea " * 3 + "cup " * 4, "bob": "tea " * 4 + "cup " * 3 + "hat"}
    before = records(*(f"{user} {DAY} {item}" for user, items in bought.items() for item in items.split()))
    kept = np.flatnonzero(before.frame["item"].to_numpy() != "hat")
    without = Release.made(before, before.frame[kept], kept, np.random.default_rng(0))
    assert ItemSimilarity().measure(before, without).value == pytest.approx((0.8 + 0.6) / 3)
    assert ItemSimilarity(number=2).measure(before, without).value == pytest.approx(0.0)
    single = records(f"ann {DAY} tea")
    with pytest.raises(Undefined, match="only one item"):
        ItemSimilarity().measure(single, unchanged(single))


def test_monthly_sales_by_period() -> None:
    before = records("ann 2011-01-03 tea 2 5", "ann 2011-02-03 tea 3 4", "ann 2011-03-03 tea 0 4")
    lines = ["1 2011-01-03 tea 2 6", "1 2011-03-03 tea 1 4"]
    score = MonthlySales().measure(before, released(before, lines, [[0, NONE, 0]], [0, 2]))
    # January 10 -> 12, February 12 -> 0; nothing was sold in March, so it has no relative error.
    assert score.by_column() == {"2011-01": pytest.approx(0.2), "2011-02": 1.0}
    assert score.value == pytest.approx(0.6)
    free = records("ann 2011-01-03 tea 0 5")
    with pytest.raises(Undefined, match="nothing was sold"):
        MonthlySales().measure(free, unchanged(free))


def test_monthly_sales_count_records_where_there_are_no_prices() -> None:
    before = records("ann 2011-01-03 tea", "ann 2011-01-04 tea", "ann 2011-02-03 tea", "ann 2011-02-04 tea")
    lines = ["1 2011-01-03 tea", "1 2011-02-03 tea", "1 2011-02-04 tea"]
    assert MonthlySales().measure(before, released(before, lines, [[0, 0]], [0, 2, 3])).value == 0.25


def test_subset_price_by_attribute() -> None:
    before = records(f"ann {DAY} tea 10", f"bob {DAY} cup 4", f"cid {DAY} pen 6")
    people = with_master(before, country=["jp", "fr", "fr"], sex=["f", "m", "f"])
    lines = [f"1 {DAY} tea 5", f"2 {DAY} cup 4", f"3 {DAY} pen 6"]
    score = SubsetPrice().measure(people, released(people, lines, [[0], [1], [2]], [0, 1, 2]))
    # Country: jp 10 -> 5, fr 5 -> 5. Sex: f 8 -> 5.5, m 4 -> 4.
    assert score.by_column() == {"country": 0.25, "sex": pytest.approx((2.5 / 8) / 2)}
    assert score.value == pytest.approx((0.25 + 2.5 / 16) / 2)
    lost = SubsetPrice().measure(people, released(people, lines[1:], [[NONE], [0], [1]], [1, 2]))
    assert lost.by_column()["country"] == 0.5
    with pytest.raises(Undefined, match="no master table"):
        SubsetPrice().measure(before, unchanged(before))
    free = with_master(records(f"ann {DAY} tea 0"), country=["jp"])
    with pytest.raises(Undefined, match="all prices are 0"):
        SubsetPrice().measure(free, unchanged(free))


def test_top_items_by_records_and_then_by_name() -> None:
    before = records(*[f"ann {DAY} cup"] * 2, *[f"ann {DAY} tea"] * 2, f"ann {DAY} ink")
    lines = [f"1 {DAY} cup", f"1 {DAY} tea", f"1 {DAY} tea", f"1 {DAY} ink"]
    release = released(before, lines, [[0]], [0, 2, 3, 4])
    # Of equals the first by name counts: cup before, tea after.
    score = TopItems(number=1, by="records").measure(before, release)
    assert (score.value, score.detail["lost"]) == (1.0, 1)
    assert TopItems(number=2, by="records").measure(before, release).value == 0.0
    with pytest.raises(Undefined, match="these records have no price and no quantity"):
        TopItems().measure(before, release)


def test_top_items_by_sales_and_by_quantity() -> None:
    before = records(f"ann {DAY} cup 10 1", f"ann {DAY} tea 2 4", f"ann {DAY} ink 1 5")
    # Sales 10, 8, 5 become 1, 8, 5; quantities 1, 4, 5 stay.
    release = released(before, [f"1 {DAY} cup 1 1", f"1 {DAY} tea 2 4", f"1 {DAY} ink 1 5"], [[0]], [0, 1, 2])
    assert [TopItems(number=2, by=by).measure(before, release).value for by in ("sales", "quantity")] == [0.5, 0.0]


def test_top_items_of_the_paper_do_not_change(contest: History) -> None:
    """Table 3 of the paper: U4 is constant, however many dummies of prices below 1 and quantity 1 there are."""
    for clusters in (50, 200):
        release = Method1(clusters=clusters, dummies="published").anonymize(contest, np.random.default_rng(1))
        assert TopItems(number=50).measure(contest, release).value == 0
        assert TopItems(number=50, by="records").measure(contest, release).value > 0


def test_unique_item_sets_see_items_not_records() -> None:
    before = records(f"ann {DAY} tea", f"ann {DAY} tea", f"bob {DAY} tea", f"cid {DAY} tea", f"cid {DAY} cup")
    score = UniqueItemSets().measure(unchanged(before))
    assert score.value == pytest.approx(1 / 3)
    assert score.detail == {"unique": 1, "pseudonyms": 3, "smallest class": 1}


def test_item_sets_of_three_two_and_one_pseudonyms() -> None:
    names = ["tea"] * 3 + ["cup"] * 2 + ["mug"]
    log = records(*(f"u{number} 2011-01-0{number + 1} {item}" for number, item in enumerate(names)))
    score = UniqueItemSets().measure(unchanged(log))
    assert score.value == 1 / 6
    assert score.detail == {"unique": 1, "pseudonyms": 6, "smallest class": 1}


def test_cell_loss_of_a_column_with_gaps() -> None:
    """Prices 1, 3 and a gap: their deviation is 1, whatever the gap; 3 becomes [2..4]."""
    original = records("ann 2011-01-03 tea 1 1", "bob 2011-01-04 tea 3 1", "cid 2011-01-05 tea 9 1")
    gap = original.frame.with_columns(price=pl.Series([1.0, 3.0, None]))
    shown = gap.with_columns(price=pl.Series([1.0, 2.0, None]), price_to=pl.Series([1.0, 4.0, None]))
    release = Release(History(gap), History(shown), np.array([[0], [1], [2]]), np.arange(3))
    unit = UNITS["price"]
    expected = ((1 + 1 + 2 * unit) / (2 * (2 + unit) * 1)) / 3
    assert CellLoss().measure(release.original, release).by_column()["price"] == pytest.approx(expected)


def test_a_changed_constant_has_no_loss() -> None:
    with pytest.raises(Undefined, match="one value only has been changed"):
        interval_loss(np.array([5.0, 5.0]), np.array([4.0, 5.0]), np.array([4.0, 5.0]), 1.0, 0.0)
    assert interval_loss(np.array([5.0]), np.array([5.0]), np.array([5.0]), 1.0, 0.0).tolist() == [0.0]
    assert interval_loss(np.array([5.0]), np.array([4.0]), np.array([4.0]), 1.0, 1.0).tolist() == [1.0]

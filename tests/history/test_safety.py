"""The metrics of re-identification, by hand and by brute force."""

from __future__ import annotations

from datetime import date

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.errors import DataError
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.history.data import NONE, Guess, History, Release
from icefire.history.examples import example
from icefire.history.safety.cells import Cells
from icefire.history.safety.existing_month_matching import ExistingMonthMatching
from icefire.history.safety.extended_month_matching import ExtendedMonthMatching
from icefire.history.safety.graded_matching import GradedMatching
from icefire.history.safety.identification_test import IdentificationTest, _by_logarithms, least_unsafe
from icefire.history.safety.month_matching import MonthMatching
from icefire.history.safety.re_identification import ReIdentification
from icefire.history.safety.user_matching import UserMatching


def release_of(table: list[list[str | None]]) -> Release:
    """One record for every pseudonym of the table: customers c0, c1, ... by month."""
    rows = [
        {"user": f"c{i}", "date": date(2011, month + 1, 5), "item": "x", "name": name}
        for i, line in enumerate(table)
        for month, name in enumerate(line)
        if name is not None
    ]
    users = pl.Series([f"c{i}" for i in range(len(table))])
    frame = pl.DataFrame(rows)
    # A month in which nobody buys still is a month.
    ends = pl.DataFrame({"user": "c0", "date": [date(2011, 1, 1), date(2011, len(table[0]), 1)], "item": "x"})
    periods = History(pl.concat([frame.drop("name"), ends])).periods
    original = History(frame.drop("name"), periods=periods, users=users)
    published = History(frame.with_columns(user="name").drop("name"), periods=periods)
    codes = {name: code for code, name in enumerate(published.users)}
    pseudonyms = np.array([[NONE if n is None else codes[n] for n in line] for line in table])
    return Release(original, published, pseudonyms, np.arange(frame.height))


def guess_of(release: Release, table: list[list[str | None]]) -> Guess:
    codes = {name: code for code, name in enumerate(release.published.users)}
    answers = np.array([[NONE if n is None else codes[n] for n in line] for line in table])
    return Guess.of_table(answers, len(release.published.users))


# Customer 0 is found in every month, customer 1 in January only, customer 2 buys in March only.
TRUTH: list[list[str | None]] = [["a", "b", "c"], ["d", "e", None], [None, None, "f"]]
ANSWER: list[list[str | None]] = [["a", "b", "c"], ["d", "b", None], [None, "e", "f"]]


def test_the_metrics_by_hand() -> None:
    release = release_of(TRUTH)
    guess = guess_of(release, ANSWER)
    # 9 cells: right are a b c, d, DEL of customer 1 in March, DEL of customer 2 in January, f: 7. DEL in F: 3.
    assert Cells().measure(release, guess).value == 7 / 9
    assert MonthMatching().measure(release, guess).value == (7 - 3) / (9 - 3)
    # Existing cells: a b c d f of a b c d e f.
    assert ExistingMonthMatching().measure(release, guess).value == 5 / 6
    assert UserMatching().measure(release, guess).value == 1 / 3
    # MM(1) = (3 - 1) / (3 - 1), MM(2) = (4 - 2) / (6 - 2), MM(3) = 4 / 6.
    score = ExtendedMonthMatching().measure(release, guess)
    assert score.detail["curve"] == [1.0, 0.5, 4 / 6]
    assert (score.value, score.detail["at"]) == (1.0, "2011-01")
    # Owners: a c d f are named rightly. b is claimed by customers 0 and 1, and goes to the later one; e to customer 2.
    assert ReIdentification().measure(release, guess).found == 4


def test_a_wrong_guess_where_there_is_nobody_lowers_mm_but_not_the_share_of_existing_pseudonyms() -> None:
    release = release_of([["a", None], ["b", "c"]])
    silent, loud = guess_of(release, [["a", None], ["b", None]]), guess_of(release, [["a", "c"], ["b", None]])
    assert MonthMatching().measure(release, silent).value == 2 / 3
    assert MonthMatching().measure(release, loud).value == 1 / 3
    assert ExistingMonthMatching().measure(release, loud).value == 2 / 3


def test_mm_is_never_negative() -> None:
    release = release_of([["a", None], [None, "b"]])
    wrong = guess_of(release, [[None, "b"], ["a", None]])
    assert MonthMatching().measure(release, wrong).value == 0


def test_grades() -> None:
    release = release_of([["a"], ["b"], ["c"], ["d"]])
    ranked = np.array([[[0, 1, 2]], [[0, 1, 2]], [[0, 1, 2]], [[0, 1, 2]]])
    guess = Guess.of_table(ranked[:, :, 0], 4, ranked)
    assert GradedMatching().measure(release, guess).value == pytest.approx((1 + 2 / 3 + 1 / 3) / 4)


def test_the_limit_of_2018() -> None:
    assert [least_unsafe(n) for n in (1, 100, 1000)] == [2, 65, 612]
    assert [_by_logarithms(n) for n in (1, 7, 100, 1000)] == [least_unsafe(n) for n in (1, 7, 100, 1000)]
    release = release_of([[f"p{i}"] for i in range(100)])
    truth = Guess(release.pseudonyms, release.owners.max(axis=1))
    score = IdentificationTest().measure(release, truth)
    assert score.value == 100 / 65
    assert score.detail["flagged"]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[list[str | None]], list[list[str | None]]]:
    users, periods = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    names = [[f"{i}{month}" for month in range(periods)] for i in range(users)]
    truth = [[n if draw(st.booleans()) else None for n in line] for line in names]
    if not any(n for line in truth for n in line):
        truth[0][0] = names[0][0]
    published = [n for line in truth for n in line if n is not None]
    answer = [[draw(st.sampled_from([None, *published])) for _ in line] for line in truth]
    return truth, answer


@given(tables())
def test_the_metrics_agree_with_the_formulas(pair: tuple[list[list[str | None]], list[list[str | None]]]) -> None:
    truth, answer = pair
    release = release_of(truth)
    guess = guess_of(release, answer)
    n, d = len(truth), len(truth[0])

    def mm(until: int) -> float | None:
        cells = [(truth[i][month], answer[i][month]) for i in range(n) for month in range(until)]
        match = sum(own == named for own, named in cells)
        gone = sum(own is None for own, _ in cells)
        return max((match - gone) / (until * n - gone), 0) if until * n > gone else None

    curve = [mm(until) for until in range(1, d + 1)]
    assert ExtendedMonthMatching().measure(release, guess).detail["curve"] == pytest.approx(curve)
    emm = ExtendedMonthMatching().measure(release, guess).value
    assert emm == pytest.approx(max(c for c in curve if c is not None))
    assert MonthMatching().measure(release, guess).value == pytest.approx(curve[-1])
    assert emm >= MonthMatching().measure(release, guess).value
    assert ExistingMonthMatching().measure(release, guess).value >= MonthMatching().measure(release, guess).value
    assert UserMatching().measure(release, guess).value == pytest.approx(
        sum(truth[i] == answer[i] for i in range(n)) / n
    )


def test_a_release_must_hang_together() -> None:
    release = release_of(TRUTH)
    twice = release.pseudonyms.copy()
    twice[1, 0] = twice[0, 0]
    with pytest.raises(DataError, match="'a' stands for two customers in 2011-01: 'c0' and 'c1'"):
        Release(release.original, release.published, twice, release.rows)
    absent = release.pseudonyms.copy()
    absent[2, 0] = absent[0, 1]
    with pytest.raises(DataError, match="gives 'b' to 'c2' in 2011-01, where it has no record: write DEL there"):
        Release(release.original, release.published, absent, release.rows)
    lost = release.pseudonyms.copy()
    lost[0, 0] = NONE
    with pytest.raises(DataError, match="'a' has records in 2011-01 but no customer"):
        Release(release.original, release.published, lost, release.rows)


def lied(release: Release, users: np.ndarray) -> np.ndarray:
    """The pseudonym table in which some users have handed their pseudonyms round, where they all have one."""
    table = release.pseudonyms.copy()
    for period in range(table.shape[1]):
        there = users[table[users, period] != NONE]
        table[there, period] = table[np.roll(there, 1), period]
    return table


@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
@pytest.mark.parametrize(
    "steps",
    [
        [],
        ["noise(price=0.3, quantity=0.5)"],
        ["delete_records(share=0.5)"],
        ["generalize(item=2, date=period)"],
        ["pseudonyms"],
    ],
    ids=" ".join,
)
def test_a_false_pseudonym_table_is_refused(steps: list[str], share: float) -> None:
    registry = Registry()
    original = example(40, 8)
    pipeline = Pipeline(tuple(registry.make("history", "anonymize", step) for step in steps))
    release = pipeline.anonymize(original, np.random.default_rng(1))
    users = np.random.default_rng(2).permutation(40)[: max(2, round(share * 40))]
    with pytest.raises(DataError, match=r"published record \d+ was made from a record of 'c\d+' and stands under"):
        Release(original, release.published, lied(release, users), release.rows)


@pytest.mark.parametrize(
    "step",
    [
        "noise(price=0.5)",
        "delete_records(share=0.9, rarest=true)",
        "generalize(item=1, date=week)",
        "shift_dates(days=9)",
        "pseudonyms",
        "union_clusters(clusters=8)",
        "method2(clusters=8)",
        "conceal(k=3)",
    ],
)
def test_an_honest_table_agrees_with_its_records(step: str) -> None:
    original = example(40, 8)
    release = Pipeline((Registry().make("history", "anonymize", step),)).anonymize(original, np.random.default_rng(3))
    Release(original, release.published, release.pseudonyms, release.rows)

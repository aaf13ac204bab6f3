"""Releases of which some months are hidden wholly, and recipients who use some months only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
import polars as pl

from icefire.core.parameters import AtLeast
from icefire.core.seeds import generator
from icefire.history.data import Guess, History, Release
from icefire.history.safety.extended_month_matching import ExtendedMonthMatching
from icefire.history.safety.month_matching import MonthMatching
from icefire.history.safety.user_matching import UserMatching
from icefire.history.safety.window_matching import WindowMatching
from icefire.study.measure import Measure, Setting, Value

MONTHS, CUSTOMERS = 12, 10


@dataclass(frozen=True)
class HiddenMonths(Measure):
    """UM, MM, EMM and the largest MM of a window, for an attacker who is right in open months and wrong in hidden ones.

    Without data, ten customers who buy in each of twelve months.

    Parameters:
        hidden: which months.
        window: adjacent months that a recipient uses.
    """

    kinds: ClassVar[tuple[str, ...]] = ("history",)

    hidden: Literal["none", "first", "all but last"]
    window: Annotated[int, AtLeast(1)] = 12

    def measure(self, setting: Setting) -> Iterator[Value]:
        original = _every_month() if setting.data is None else setting.data
        rng = generator(setting.seed, "pseudonyms")
        release = Release.made(original, original.frame, np.arange(original.height), rng, window=1)
        truth = release.pseudonyms
        periods = np.arange(truth.shape[1])
        covered = {
            "none": np.zeros(periods.size, dtype=np.bool_),
            "first": periods == 0,
            "all but last": periods < periods.size - 1,
        }[self.hidden]
        # Another customer's pseudonym of the same month, where there is one: wrong, and never a DEL that is right.
        wrong = np.where(truth == -1, -1, _others(truth))
        guess = Guess.of_table(np.where(covered[None, :], wrong, truth), len(release.published.users))
        for metric in (UserMatching(), MonthMatching(), ExtendedMonthMatching(), WindowMatching(self.window)):
            yield Value(metric.name, metric.measure(release, guess).value)


def _others(truth: np.ndarray) -> np.ndarray:
    """[customer, month]: the pseudonym of the next customer who has one in that month."""
    found = truth.copy()
    for month in range(truth.shape[1]):
        there = np.flatnonzero(truth[:, month] != -1)
        found[there, month] = np.roll(truth[there, month], 1)
    return found


def _every_month() -> History:
    months = pl.date_range(pl.date(2011, 1, 3), pl.date(2011, MONTHS, 3), "1mo", eager=True)
    users = [f"c{number}" for number in range(CUSTOMERS)]
    frame = pl.DataFrame({"date": months}).join(pl.DataFrame({"user": users}), how="cross")
    return History(frame.with_columns(item=pl.lit("tea")))

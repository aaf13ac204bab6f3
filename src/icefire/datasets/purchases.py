"""Synthetic purchases of a wholesale shop in one year."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.parameters import AtLeast, Share
from icefire.history.data import History
from icefire.history.roles import Dataset

Ints = NDArray[np.int64]
FIRST_DAY = 14_944
"""2010-12-01, in days since 1970."""
DAYS = 374
SEASON = (0.85, 0.8, 0.75, 0.9, 0.8, 0.95, 0.95, 0.9, 0.95, 1.25, 1.5, 1.9, 1.0)
WEEKDAY = (1.0, 1.1, 1.3, 1.5, 1.3, 0.0, 0.6)
QUANTITIES = (12, 6, 1, 2, 24, 4, 10, 3, 8, 48, 20, 16, 25, 5, 36, 72, 96, 144)
ODDS = (22, 12, 10, 9, 8.5, 7.5, 7, 5, 4.5, 2, 2, 1.5, 1.5, 1.5, 1.5, 1, 1, 0.8)
CATEGORIES = ("22", "23", "21", "20", "84", "85", "47", "16", "82", "37", "15", "71", "90", "79", "35", "17")
CATEGORY_ODDS = (40, 18, 18, 6, 4, 3, 2, 1.5, 1.5, 1, 1, 1, 1, 1, 0.5, 0.5)
COUNTRIES = ("France", "Germany", "United Kingdom", "Spain", "Belgium", "Portugal", "Italy", "Norway", "Finland")
COUNTRY_ODDS = (22, 21, 9, 8, 6, 5, 4, 4, 4)


@dataclass(frozen=True)
class Purchases(Dataset):
    """Synthetic purchases of wholesale customers over a year, with baskets, repeated purchases, seasonality and heavy tails.

    The defaults resemble the data of PWSCUP 2016: 400 customers, about 38,000 records on about 1,760 invoices, about 2,780
    distinct items, 65 distinct items per customer, and a mean Jaccard similarity of 0.03 between two customers.

    Parameters:
        n: number of customers.
        items: number of items in the catalogue.
        repeat: how often a purchase repeats an earlier one of the same customer.

    Example:
        >>> import numpy as np
        >>> log = Purchases(n=50, items=100).generate(np.random.default_rng(0))
        >>> len(log.users), log.frame["item"].n_unique() <= 100, str(log.frame["date"].min() or "")[:4]
        (50, True, '2010')
    """

    n: Annotated[int, AtLeast(1)] = 400
    items: Annotated[int, AtLeast(2)] = 2900
    repeat: Share = 0.18

    def generate(self, rng: np.random.Generator) -> History:
        invoices = np.maximum(1, np.floor(rng.lognormal(0.97, 1.12, self.n))).astype(np.int64)
        customer = np.repeat(np.arange(self.n), invoices)
        day = self._days(customer, rng)
        order = np.lexsort((day, customer))
        customer, day = customer[order], day[order]
        habit = rng.lognormal(0.0, 0.45, self.n)
        size = np.maximum(1, np.round(habit[customer] * rng.lognormal(2.75, 0.65, customer.size))).astype(np.int64)
        size = np.minimum(size, 250)
        invoice = np.repeat(np.arange(customer.size), size)
        user = customer[invoice]
        item = self._items(user, rng)
        frame = self._frame(user, invoice, day[invoice], item, rng)
        return History(frame, master=self._master(rng))

    def _days(self, customer: Ints, rng: np.random.Generator) -> Ints:
        """The day of each invoice: a working day, more often before Christmas."""
        days = np.arange(DAYS)
        month = np.minimum((days / 30.5).astype(np.int64), len(SEASON) - 1)
        # The first day was a Wednesday.
        odds = np.array(SEASON)[month] * np.array(WEEKDAY)[(days + 2) % 7]
        return np.searchsorted(np.cumsum(odds) / odds.sum(), rng.random(customer.size), side="right")

    def _items(self, user: Ints, rng: np.random.Generator) -> Ints:
        """The item of each record: drawn by popularity, or repeated from an earlier record of the customer."""
        popularity = (np.arange(self.items) + 22.0) ** -1.01
        cumulative = np.cumsum(popularity)
        item = np.searchsorted(cumulative / cumulative[-1], rng.random(user.size), side="right")
        first = np.searchsorted(user, user, side="left")
        before = np.arange(user.size) - first
        again = (rng.random(user.size) < self.repeat * 2 * before / (before + 60.0)) & (before > 0)
        source = np.arange(user.size)
        source[again] = first[again] + (rng.random(int(again.sum())) * before[again]).astype(np.int64)
        # Follow repeats of repeats back to the first purchase.
        while True:
            further = source[source]
            if np.array_equal(further, source):
                return np.asarray(item[source])
            source = further

    def _frame(self, user: Ints, invoice: Ints, day: Ints, item: Ints, rng: np.random.Generator) -> pl.DataFrame:
        price = np.maximum(0.04, rng.lognormal(0.55, 0.95, self.items)).round(2)
        discount = np.where(rng.random(user.size) < 0.12, 0.85, 1.0)
        pack = rng.choice(QUANTITIES, self.items, p=np.array(ODDS) / sum(ODDS))
        drawn = rng.choice(QUANTITIES, user.size, p=np.array(ODDS) / sum(ODDS))
        bulk = np.where(rng.random(user.size) < 0.01, rng.integers(2, 20, user.size), 1)
        quantity = np.where(rng.random(user.size) < 0.55, pack[item], drawn) * bulk
        category = rng.choice(CATEGORIES, self.items, p=np.array(CATEGORY_ODDS) / sum(CATEGORY_ODDS))
        number = rng.permutation(self.items)
        width = max(3, len(str(self.items - 1)))
        labels = [f"{head}{tail:0{width}}" for head, tail in zip(category, number, strict=True)]
        hour = rng.integers(8, 18, int(invoice.max()) + 1)
        minute = rng.integers(0, 60, hour.size)
        times = [f"{h}:{m:02}" for h, m in zip(hour, minute, strict=True)]
        numbers = 500_000 + rng.permutation(hour.size)
        order = np.lexsort((invoice, day))
        columns = {
            "user": (self._first_id + user[order]).astype(str),
            "invoice": numbers[invoice[order]].astype(str),
            "date": pl.Series((FIRST_DAY + day[order]).astype(np.int32)).cast(pl.Date),
            "time": pl.Series(times).gather(invoice[order]),
            "item": pl.Series(labels).gather(item[order]),
            "price": np.maximum(0.01, (price[item[order]] * discount[order]).round(2)),
            "quantity": quantity[order],
        }
        return pl.DataFrame(columns)

    @property
    def _first_id(self) -> int:
        """The first customer id, so that all ids have the same number of digits."""
        return 100_000 if self.n < 900_000 else 10_000_000

    def _master(self, rng: np.random.Generator) -> pl.DataFrame:
        return pl.DataFrame(
            {
                "user": (self._first_id + np.arange(self.n)).astype(str),
                "sex": rng.choice(["f", "m"], self.n),
                "birth": [f"{year}-01-01" for year in rng.integers(1940, 1995, self.n)],
                "country": rng.choice(COUNTRIES, self.n, p=np.array(COUNTRY_ODDS) / sum(COUNTRY_ODDS)),
            }
        )

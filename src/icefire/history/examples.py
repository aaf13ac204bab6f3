"""Histories for docstring examples and for the conformance suite."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.core.examples import Examples
from icefire.core.roles import Method
from icefire.frames.places import Place
from icefire.history.anonymize.publish_master import PublishMaster
from icefire.history.data import NONE, Guess, History, Release
from icefire.history.roles import Anonymizer
from icefire.history.schema import COLUMNS, Schema
from icefire.history.tables import parse_records
from icefire.history.treatment import Treatment


def example(users: int = 30, records: int = 8, columns: tuple[str, ...] = COLUMNS, seed: int = 0) -> History:
    """Purchases of three months; people have favourite items, and some months without a purchase."""
    rng = np.random.default_rng(seed)
    user = np.repeat(np.arange(users), records)
    favourite = rng.integers(0, 60, (users, 6))
    item = favourite[user, rng.integers(0, 6, user.size)]
    visit = rng.integers(0, 90, (users, 3))[user, rng.integers(0, 3, user.size)]
    price = rng.lognormal(1, 0.6, 60).round(2) + 0.05
    frame = pl.DataFrame(
        {
            "user": [f"c{number:03}" for number in user],
            "invoice": [f"{number}-{day}" for number, day in zip(user, visit, strict=True)],
            "date": [date(2011, 1, 1) + timedelta(days=int(day)) for day in visit],
            "time": [f"{hour}:00" for hour in 9 + visit % 8],
            "item": [f"{number // 10 + 10}{number % 10:02}" for number in item],
            "price": price[item].round(2),
            "quantity": rng.integers(1, 40, user.size),
        }
    ).select(columns)
    rows = np.random.default_rng(seed + 1).permutation(frame.height)
    ids = [f"c{number:03}" for number in range(users)]
    births = [f"19{rng.integers(40, 99)}-01-01" for _ in ids]
    master = pl.DataFrame({"user": ids, "birth": births, "country": rng.choice(["jp", "fr"], users)})
    return History(frame[rows], master=master)


def records(*lines: str) -> History:
    """A history with one record a line: user, date, item and, where given, price and quantity, as in a file.

    >>> records("ann 2011-01-03 tea 2.50 1", "bob 2011-01-04 {cup|mug} [4..5] 2").frame["price_to"].to_list()
    [2.5, 5.0]
    """
    cells = [line.split() for line in lines]
    names = ["user", "date", "item", "price", "quantity"][: len(cells[0])]
    return History(parse_records(pl.DataFrame(cells, schema=names, orient="row"), Schema(), Place()))


class HistoryExamples(Examples[History, History, Release, Guess]):
    """Histories with all columns, with as few as possible, and of a single record."""

    original_type, release_type, guess_type = History, Release, Guess
    last_step = "Release.made"

    def originals(self) -> dict[str, History]:
        bare = example(columns=("user", "date", "item"))
        return {"plain": example(), "with few columns": bare, "of one record": example(1, 1)}

    def large(self) -> History:
        return example(200)

    def honest_release(self, original: History) -> Release:
        rng = np.random.default_rng(1)
        # Files of 2018 have no master table.
        return (
            original.pseudonymized(rng, None) if original.master is None else PublishMaster().anonymize(original, rng)
        )

    def truth(self, release: Release, judged: type = object) -> Guess:
        return Guess(release.pseudonyms, release.owners.max(axis=1))

    def content(self, data: History) -> object:
        return data.frame.columns, data.frame.rows(), data.users.to_list()

    def release_content(self, release: Release) -> object:
        # Some files are sorted.
        order = np.argsort(release.rows)
        published = release.published.frame[order].rows(), release.published.users.to_list()
        return published, release.pseudonyms.tolist(), release.rows[order].tolist()

    def nameless_content(self, release: Release) -> object:
        order = np.lexsort((release.published.frame["item"].to_numpy(), release.record_owners, release.rows))
        frame = release.published.frame[order]
        names = [name for name in ("user", "invoice") if name in frame.columns]
        numbered = frame.with_columns(pl.int_range(pl.len()).first().over(name).alias(name) for name in names)
        return numbered.rows(), release.rows[order].tolist()

    def check_likelihood(self, method: Method) -> None:
        if not isinstance(method, Anonymizer):
            return
        original = self.originals()["plain"]
        try:
            stated = method.treat(Treatment.none(original))
        except Undefined:
            return
        release = method.anonymize(original, np.random.default_rng(6))
        kept = release.rows[release.rows != NONE]
        assert abs(stated.kept.sum() - kept.size) < 1, (
            f"{method.name} states that it keeps {stated.kept.sum():.1f} records, and keeps {kept.size}"
        )
        assert (stated.kept[kept] > 0).all(), f"{method.name} keeps records of which it states that it deletes them"
        if not stated.added:
            assert kept.size == release.rows.size, f"{method.name} does not state that it adds dummies"
        before, after = (
            side.frame[rows]
            for side, rows in ((original, kept), (release.published, np.flatnonzero(release.rows != NONE)))
        )
        told = {*stated.noise, *(["date"] if stated.shift else [])}
        for name in ("date", "price", "quantity"):
            generalized = name not in after.columns or f"{name}_to" in after.columns
            assert name in told or generalized or before[name].equals(after[name]), (
                f"{method.name} does not state how it changes the {name}"
            )

    def guess_content(self, guess: Guess) -> object:
        return guess.table.tolist(), guess.owners.tolist()

    def check_release(self, method: Method, original: History, release: Release) -> None:
        published = release.published
        kept = set(published.users) & set(original.users)
        assert not kept, f"{method.name} publishes original ids: {sorted(kept)[:3]}"
        if original.has("invoice") and published.has("invoice") and original.frame["invoice"].n_unique() > 1:
            kept = set(published.frame["invoice"]) & set(original.frame["invoice"])
            assert not kept, f"{method.name} publishes original invoice numbers: {sorted(kept)[:3]}"
        real = release.rows != NONE
        same = original.period_codes[release.rows[real]] == published.period_codes[real]
        assert same.all(), f"{method.name} moves records to another period"

    def check_guess(self, method: Method, release: Release, guess: Guess) -> None:
        guess.check(release.published, release.original)

    def order(self, release: Release) -> float:
        rows = release.rows[release.rows != NONE]
        return abs(float(np.corrcoef(np.arange(rows.size), rows)[0, 1]))

    def hits(self, release: Release, guess: Guess) -> float:
        there = release.pseudonyms != NONE
        return float((guess.table == release.pseudonyms)[there].mean())

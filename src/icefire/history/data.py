"""Records of what people bought or did, what is released of them, and guesses at the secret."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.budget import Asked
from icefire.core.errors import DataError, Undefined
from icefire.core.seeds import chosen_people
from icefire.frames.engines import Lazy, lazy
from icefire.frames.notation import parse_set
from icefire.frames.places import Place, reject_rows
from icefire.frames.remote import ROW
from icefire.history.naming import fresh_invoices, fresh_names
from icefire.history.periods import Periods
from icefire.history.records import check_values, typed_records
from icefire.history.schema import Schema
from icefire.history.sets import set_labels

Ints = NDArray[np.int64]
NONE = -1
"""No pseudonym (DEL), no original record (a dummy), no answer."""
UNPUBLISHED = -2
"""A pseudonym in a guess that was never published: an answer that is wrong everywhere, also where DEL is right."""
MOST_PERIODS = 4_000
USER, PERIOD = "__user", "__period"
"""Columns with the codes of a record's user and period."""


@dataclass(frozen=True)
class Holders:
    """Who may own each record: pairs of a record and a user. A set of users shares a record out evenly."""

    records: Ints
    users: Ints
    weights: NDArray[np.float64]


class History:
    """A table of records: user, date and item, and if there are any invoice, time, price and quantity.

    In a release, `date_to`, `price_to` and `quantity_to` may hold the far end of an interval, an item may be a set `{a|b}` or
    a beginning `22*`, and a record may stand under a set of pseudonyms `{1|2}`, of which one is its own.

    >>> from datetime import date
    >>> log = History(pl.DataFrame({"user": ["ann", "bob"], "date": [date(2011, 1, 3)] * 2, "item": ["tea", "cup"]}))
    >>> log.users.to_list(), log.periods.labels
    (['ann', 'bob'], ('2011-01',))
    """

    on_engine: ClassVar[bool] = False
    """Whether the records stay on DuckDB or Spark."""

    def __init__(
        self,
        frame: pl.DataFrame,
        schema: Schema | None = None,
        *,
        periods: Periods | None = None,
        users: pl.Series | None = None,
        master: pl.DataFrame | None = None,
        complete: bool = True,
        written: pl.DataFrame | None = None,
        place: Place | None = None,
    ) -> None:
        place = place or Place("the records")
        self.schema = schema or Schema()
        self.frame = typed_records(frame, place)
        self.master = master
        """What is known of each user. Of a release, what is published of it (M' of 2016)."""
        self.complete = complete
        """Whether these are all records of the users, or only what somebody happens to know of them."""
        self.written = written
        """The cells as texts, as a file had them, where that matters."""
        self.places: Ints | None = None
        """Of what somebody knows: the records of the whole history that these are, where that was not lost."""
        if frame.height == 0 and (periods is None or users is None):
            raise DataError(f"{place.name} has 0 records: there is nobody to protect or to find")
        self.periods = periods or Periods.covering(self.schema.periods, self.frame["date"])
        if len(self.periods) > MOST_PERIODS:
            raise DataError(
                f"{place.name} spans {len(self.periods):,} periods, {self.periods.labels[0]} to {self.periods.labels[-1]}: "
                "mend the dates, or choose longer periods in the schema"
            )
        if users is None:
            users = _names(self.frame["user"]) if master is None else master["user"]
        self.users = users.rename("user")
        self._check(place)

    def _check(self, place: Place) -> None:
        """Raise DataError unless every record is complete, of a known user and within the periods."""
        check_values(self.frame, place)
        frame = self.frame
        unknown = np.isin(np.arange(self.height), self.holders.records[self.holders.users == NONE])
        problem = "the customer {value!r} is not among the known ones (master table)"
        reject_rows(pl.Series(unknown), place, problem, frame["user"], DataError)
        labels = self.periods.labels
        reach = labels[0] if len(labels) == 1 else f"{labels[0]} to {labels[-1]}"
        outside = pl.Series(self.period_codes == NONE)
        reject_rows(outside, place, f"the date {{value}} is outside the periods {reach}", frame["date"], DataError)
        if "date_to" in frame.columns:
            ends = self.periods.codes(frame["date_to"].fill_null(strategy="zero"))
            crossing = pl.Series(ends != self.period_codes) & frame["date_to"].is_not_null()
            problem = "the dates of one record lie in two periods (up to {value})"
            reject_rows(crossing, place, problem, frame["date_to"], DataError)

    @property
    def height(self) -> int:
        return self.frame.height

    @cached_property
    def user_codes(self) -> Ints:
        """Whose record it is, as a position among the users."""
        if self.shared.any():
            raise DataError(
                "some records stand under several pseudonyms, so they are nobody's for certain: conceal has to be the last step"
            )
        return self.holders.users

    @cached_property
    def shared(self) -> NDArray[np.bool_]:
        """Which records stand under several pseudonyms."""
        return np.asarray(_sets(self.frame["user"]).to_numpy(), dtype=np.bool_)

    @cached_property
    def holders(self) -> Holders:
        """Who may own which record; NONE for a name that is not among the users."""
        names = self.frame["user"]
        owners = names.cast(pl.Enum(self.users), strict=False).to_physical().cast(pl.Int64).fill_null(NONE).to_numpy()
        if not self.shared.any():
            return Holders(np.arange(self.height), owners.astype(np.int64), np.ones(self.height))
        place = {name: code for code, name in enumerate(self.users)}
        labels = names.unique().sort()
        listed = [[place.get(name, NONE) for name in parse_set(label) or [label]] for label in labels]
        sizes = np.array([len(names) for names in listed])
        starts, flat = np.cumsum(sizes) - sizes, np.array([code for names in listed for code in names], dtype=np.int64)
        label_of = names.cast(pl.Enum(labels)).to_physical().to_numpy().astype(np.int64)
        label_of, count = np.where(self.shared, label_of, 0), np.where(self.shared, sizes[label_of], 1)
        records = np.repeat(np.arange(self.height), count)
        within = np.arange(records.size) - np.repeat(np.cumsum(count) - count, count)
        users = np.where(
            self.shared[records], flat[starts[label_of][records] + within * self.shared[records]], owners[records]
        )
        return Holders(records, users, 1.0 / count[records])

    @cached_property
    def period_codes(self) -> Ints:
        return self.periods.codes(self.frame["date"])

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Which user has a record in which period."""
        found = np.zeros((len(self.users), len(self.periods)), dtype=np.bool_)
        found[self.holders.users, self.period_codes[self.holders.records]] = True
        return found

    def sums(self, name: str | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """[user, period]: the number of records, of those that have an amount in a column if one is named, and its sum."""
        holders = self.holders
        key = holders.users * len(self.periods) + self.period_codes[holders.records]
        amount = (np.ones(self.height) if name is None else self.middle(name))[holders.records]
        known = ~np.isnan(amount)
        size = len(self.users) * len(self.periods)
        count = np.bincount(key[known], holders.weights[known], minlength=size).astype(np.float64)
        total = np.bincount(key[known], (amount * holders.weights)[known], minlength=size).astype(np.float64)
        return count.reshape(len(self.users), -1), total.reshape(len(self.users), -1)

    def keyed(self, columns: Sequence[str], characters: int | None, written: bool) -> Lazy:
        """Some cells of each record, as texts of a file or as values, with the codes of its user and period and its place: the
        given columns, USER, PERIOD, ROW. Items are cut to their first characters."""
        cells = (self.texts() if written else self.frame).select(columns)
        if "item" in columns and characters is not None:
            cells = cells.with_columns(pl.col("item").str.head(characters))
        holders = self.holders
        codes = pl.DataFrame({USER: holders.users, PERIOD: self.period_codes[holders.records]})
        return lazy(pl.concat([cells[holders.records], codes], how="horizontal").with_row_index(ROW).lazy())

    def pseudonymized(self, rng: np.random.Generator, window: int | None) -> Release:
        """These records under fresh pseudonyms, which change every `window` periods."""
        return Release.made(self, self.frame, np.arange(self.height), rng, window)

    def middle(self, name: str) -> NDArray[np.float64]:
        """Amounts; of an interval, its middle by ratio, since amounts are skewed."""
        low = self.frame[name].to_numpy().astype(np.float64)
        if f"{name}_to" not in self.frame.columns:
            return low
        high = self.frame[f"{name}_to"].to_numpy().astype(np.float64)
        return np.where(np.isnan(high), low, np.where(low > 0, np.sqrt(low * high), (low + high) / 2))

    def has(self, *columns: str) -> bool:
        return all(column in self.frame.columns for column in columns)

    def with_frame(self, frame: pl.DataFrame) -> History:
        """Other records of the same users in the same periods."""
        return self._like(frame, self.periods, self.complete, None)

    def with_master(self, master: pl.DataFrame) -> History:
        """The same records with another master table."""
        made = copy(self)
        made.master = master
        return made

    def only(self, kept: NDArray[np.bool_], complete: bool, periods: Periods | None = None) -> History:
        """Some of the records."""
        mask = pl.Series(kept)
        written = None if self.written is None else self.written.filter(mask)
        return self._like(self.frame.filter(mask), periods or self.periods, complete, written)

    def _like(self, frame: pl.DataFrame, periods: Periods, complete: bool, written: pl.DataFrame | None) -> History:
        return History(
            frame,
            self.schema,
            periods=periods,
            users=self.users,
            master=self.master,
            complete=complete,
            written=written,
        )

    @property
    def people(self) -> int:
        return len(self.users)

    @property
    def knowledge(self) -> History:
        """What the maximum-knowledge attacker holds: the records themselves."""
        return self

    def sample(self, people: int, rng: np.random.Generator) -> History:
        return self.of_users(chosen_people(self.people, people, rng))

    def summary(self) -> dict[str, int]:
        return {"people": self.people, "records": self.height, "periods": len(self.periods)}

    def begin(self, rng: np.random.Generator) -> tuple[Release, np.random.Generator]:
        # The same seed must not give the same pseudonyms to the releases of two months.
        labels = zlib.crc32(repr((self.periods.labels, self.height)).encode())
        rng = np.random.default_rng([int(rng.integers(1 << 62)), labels])
        return self.pseudonymized(rng, None), rng

    def of_users(self, users: Ints) -> History:
        """Some users alone."""
        chosen = np.zeros(len(self.users), dtype=np.bool_)
        chosen[users] = True
        mask = pl.Series(chosen[self.user_codes])
        return History(
            self.frame.filter(mask),
            self.schema,
            periods=self.periods,
            users=self.users.gather(users),
            master=None if self.master is None else self.master[users],
            complete=self.complete,
            written=None if self.written is None else self.written.filter(mask),
        )

    def until(self, period: int) -> History:
        """The records of the periods before this one, as they were known then."""
        return self.only(self.period_codes < period, self.complete, self.periods.slice(0, period))

    def texts(self) -> pl.DataFrame:
        """The cells as texts: as a file had them, or as the contest of 2017 would write them."""
        if self.written is not None:
            return self.written
        date = pl.col("date").dt.strftime("%Y/%-m/%-d")
        rest = [pl.col(name).cast(pl.String) for name in self.frame.columns if name != "date"]
        return self.frame.select(date, *rest)

    def __repr__(self) -> str:
        return f"History({self.height:,} records of {len(self.users):,} users in {len(self.periods)} periods)"


def _sets(names: pl.Series) -> pl.Series:
    # An id in braces is no set.
    return names.str.contains(r"^\{.*\|.*\}$").fill_null(False)


def _names(column: pl.Series) -> pl.Series:
    """The names that stand there, alone or in sets."""
    labels = column.unique()
    listed = [name for label in labels.filter(_sets(labels)) for name in parse_set(label) or []]
    single = labels.filter(~_sets(labels))
    return pl.concat([single, pl.Series(column.name, listed, dtype=pl.String)]).unique().sort()


def sole_pseudonyms(pseudonyms: Ints) -> Ints | None:
    """The one pseudonym of each user, NONE for those who have none; None if some have several."""
    last = pseudonyms.max(axis=1)
    first = np.where(pseudonyms == NONE, last[:, None], pseudonyms).min(axis=1)
    return last if (first == last).all() else None


def renamed_master(master: pl.DataFrame, users: pl.Series, place: Ints, names: pl.Series) -> pl.DataFrame:
    """A master table of those who have a name, under it and in its order; `place` is each user's position among the names."""
    kept = np.flatnonzero(place != NONE)
    fresh = pl.DataFrame({"user": users.gather(kept), "name": names.gather(place[kept])})
    found = master.join(fresh, on="user").with_columns(user="name").drop("name")
    return found.sort("user")


@dataclass(frozen=True)
class Release:
    """Published records, and the secret that links them back.

    `pseudonyms[i, l]` is the pseudonym of user i in period l, as a position among the published users, or NONE where
    the user has no record there. `rows[j]` is the original record that published record j was made from, or NONE for a
    dummy.

    In a `loose` release users may share a pseudonym (which was accepted in 2017) or have several in a period (2018);
    `pseudonyms` then holds the first of them. Metrics that need the one pseudonym of a user, or the one user behind a
    pseudonym, are undefined where there is none.
    """

    original: History = field(repr=False)
    published: History
    pseudonyms: Ints = field(repr=False)
    rows: Ints = field(repr=False)
    loose: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "pseudonyms", np.asarray(self.pseudonyms, dtype=np.int64))
        object.__setattr__(self, "rows", np.asarray(self.rows, dtype=np.int64))
        shape = (len(self.original.users), len(self.original.periods))
        if self.pseudonyms.shape != shape:
            raise DataError(f"the pseudonym table has the shape {self.pseudonyms.shape}, not {shape} (users, periods)")
        if self.rows.shape != (self.published.height,):
            raise DataError(f"the row map has {self.rows.size} entries for {self.published.height} published records")
        if self.rows.size and not (self.rows.min() >= NONE and self.rows.max() < self.original.height):
            raise DataError(f"the row map points outside the {self.original.height} original records")
        made = self.rows[self.rows != NONE]
        if np.unique(made).size < made.size:
            raise DataError("the row map names one original record for two published ones")
        if not self.loose:
            self._check_owners()
            self._check_records()

    def _check_records(self) -> None:
        """A record that was made from one of a user's stands under a pseudonym of that user: the two secrets must agree."""
        made = np.flatnonzero(self.rows != NONE)
        owners = self.original.user_codes[self.rows[made]]
        expected = np.full(self.published.height, NONE)
        expected[made] = self.pseudonyms[owners, self.published.period_codes[made]]
        holders = self.published.holders
        right = np.zeros(self.published.height, dtype=np.bool_)
        right[holders.records[(holders.users == expected[holders.records]) & (holders.users != NONE)]] = True
        wrong = np.flatnonzero(~right[made])
        if wrong.size:
            record = int(made[wrong[0]])
            owner, period = int(owners[wrong[0]]), int(self.published.period_codes[record])
            own = self.pseudonyms[owner, period]
            told = "DEL" if own == NONE else repr(self.published.users[int(own)])
            raise DataError(
                f"published record {record + 1} was made from a record of {self.original.users[owner]!r} and stands under "
                f"{self.published.frame['user'][record]!r}, but the pseudonym table gives that customer {told} in "
                f"{self.original.periods.labels[period]} ({wrong.size:,} such records)"
            )

    def _check_owners(self) -> None:
        """Every pseudonym of a period stands for one user, and every published record has an owner."""
        owner = self.owners
        users, periods = np.nonzero(self.pseudonyms != NONE)
        chosen = self.pseudonyms[users, periods]
        twice = np.flatnonzero(owner[chosen, periods] != users)
        names, ids, labels = self.published.users, self.original.users, self.original.periods.labels
        if twice.size:
            at = twice[0]
            other = owner[chosen[at], periods[at]]
            raise DataError(
                f"the pseudonym {names[int(chosen[at])]!r} stands for two customers in {labels[periods[at]]}: "
                f"{ids[int(users[at])]!r} and {ids[int(other)]!r}"
            )
        strangers = np.argwhere(self.published.present & (owner == NONE))
        if strangers.size:
            name, label = names[int(strangers[0][0])], labels[strangers[0][1]]
            raise DataError(f"the pseudonym {name!r} has records in {label} but no customer in the pseudonym table")
        absent = np.flatnonzero(~self.published.present[chosen, periods])
        if absent.size:
            name, label = names[int(chosen[absent[0]])], labels[periods[absent[0]]]
            raise DataError(
                f"the pseudonym table gives {name!r} to {ids[int(users[absent[0]])]!r} in {label}, where it has no record: "
                "write DEL there"
            )

    @cached_property
    def owners(self) -> Ints:
        """[pseudonym, period]: the user behind it, NONE where there is none."""
        if self.loose:
            pairs = self.published.user_codes, self.record_owners
            return self._sole(*pairs, len(self.published.users), "a pseudonym stands for several customers in a period")
        found = np.full((len(self.published.users), len(self.original.periods)), NONE, dtype=np.int64)
        users, periods = np.nonzero(self.pseudonyms != NONE)
        found[self.pseudonyms[users, periods], periods] = users
        return found

    @cached_property
    def table(self) -> Ints:
        """`pseudonyms`; Undefined if they are not all that the users have."""
        if self.loose:
            pairs = self.record_owners, self.published.user_codes
            self._sole(*pairs, len(self.original.users), "a customer has several pseudonyms in a period")
        return self.pseudonyms

    def _sole(self, left: Ints, right: Ints, size: int, problem: str) -> Ints:
        """[left, period]: the only partner, NONE where there is none; Undefined if there are several."""
        triples = np.unique(np.stack([left, self.published.period_codes, right]), axis=1)
        if (np.diff(triples[:2], axis=1) == 0).all(axis=0).any():
            raise Undefined(problem)
        found = np.full((size, len(self.original.periods)), NONE, dtype=np.int64)
        found[triples[0], triples[1]] = triples[2]
        return found

    @cached_property
    def first_owners(self) -> Ints:
        """[pseudonym]: the first user under it, in the order of the original records if the release is loose, else of the
        periods; NONE if there is none."""
        if not self.loose:
            return np.asarray(self.owners[np.arange(len(self.owners)), (self.owners != NONE).argmax(axis=1)])
        found = np.full(len(self.published.users), NONE, dtype=np.int64)
        backwards = np.argsort(-self.rows, kind="stable")
        found[self.published.user_codes[backwards]] = self.record_owners[backwards]
        return found

    @cached_property
    def record_owners(self) -> Ints:
        """The user behind each published record: of its original one, or by the pseudonym of a dummy."""
        kept = self.rows != NONE
        found = np.where(kept, self.original.user_codes[np.where(kept, self.rows, 0)], NONE)
        if not kept.all():
            found[~kept] = self.owners[self.published.user_codes[~kept], self.published.period_codes[~kept]]
        return found

    @classmethod
    def made(
        cls, original: History, frame: pl.DataFrame, rows: Ints, rng: np.random.Generator, window: int | None = None
    ) -> Release:
        """A release that gives nothing away by its form: every anonymizer ends with this.

        The frame still holds the original users. They get fresh pseudonyms, one for all time or a new one every
        `window` periods; invoices get fresh numbers, and records a random order.
        """
        order = rng.permutation(frame.height)
        frame, rows = frame[order], np.asarray(rows, dtype=np.int64)[order]
        working = original.with_frame(frame)
        holders = working.holders
        users, periods = holders.users, working.period_codes[holders.records]
        epochs = np.zeros_like(periods) if window is None else periods // window
        key, inverse = np.unique(users * (len(original.periods) + 1) + epochs, return_inverse=True)
        names = fresh_names(len(key), original.users, rng)
        frame = frame.with_columns(user=set_labels(holders.records, pl.Series(names[inverse], dtype=pl.String)))
        if "invoice" in frame.columns:
            frame = frame.with_columns(invoice=fresh_invoices(frame, rng))
        published = History(frame, original.schema, periods=original.periods)
        pseudonyms = np.full((len(original.users), len(original.periods)), NONE, dtype=np.int64)
        place = pl.Series(names).cast(pl.Enum(published.users)).to_physical().to_numpy().astype(np.int64)
        pseudonyms[users, periods] = place[inverse]
        return cls(original, published, pseudonyms, rows)

    @property
    def working(self) -> History:
        """The published records; a step that publishes the master table finds it there under their pseudonyms."""
        master, sole = self.original.master, sole_pseudonyms(self.pseudonyms)
        if self.published.master is not None or master is None or sole is None:
            return self.published
        return self.published.with_master(renamed_master(master, self.original.users, sole, self.published.users))

    def finished(self, rng: np.random.Generator) -> Release:
        return self.renamed(rng)

    def reshuffled(self, rng: np.random.Generator) -> Release:
        return self.reordered(rng).renamed(rng)

    def then(self, step: Release) -> Release:
        """This release, anonymized once more."""
        periods = np.arange(len(self.original.periods))
        again = step.pseudonyms[self.pseudonyms, periods]
        pseudonyms = np.where(self.pseudonyms == NONE, NONE, again)
        rows = np.where(step.rows == NONE, NONE, self.rows[step.rows])
        published = step.published
        if self.published.master is not None and published.master is None:
            sole = sole_pseudonyms(step.pseudonyms)
            if sole is None:
                raise DataError("publish_master has to come after the step that gives customers several pseudonyms")
            master = renamed_master(self.published.master, self.published.users, sole, published.users)
            published = published.with_master(master)
        return Release(self.original, published, pseudonyms, rows, self.loose or step.loose)

    def reordered(self, rng: np.random.Generator) -> Release:
        """The same release in a random order that does not depend on this one, with fresh invoice numbers."""
        frame = self.published.frame
        texts = frame.drop("user", "invoice", strict=False).select(
            pl.concat_str(pl.all().cast(pl.String).fill_null(""), separator="\x1f")
        )
        # Dummies have no original record to be sorted by.
        order = np.lexsort((texts.to_series().rank("dense").to_numpy(), self.record_owners, self.rows))
        order = order[rng.permutation(frame.height)]
        frame = frame[order]
        if "invoice" in frame.columns:
            frame = frame.with_columns(invoice=fresh_invoices(frame, rng))
        return replace(self, published=self.published.with_frame(frame), rows=self.rows[order])

    def renamed(self, rng: np.random.Generator) -> Release:
        """The same release under fresh pseudonyms, none of which is an original id."""
        names = pl.Series(fresh_names(len(self.published.users), self.original.users, rng), dtype=pl.String)
        holders = self.published.holders
        frame = self.published.frame.with_columns(user=set_labels(holders.records, names.gather(holders.users)))
        published = History(frame, self.published.schema, periods=self.published.periods)
        place = names.cast(pl.Enum(published.users)).to_physical().to_numpy().astype(np.int64)
        pseudonyms = np.where(self.pseudonyms == NONE, NONE, place[self.pseudonyms])
        if self.published.master is not None:
            master = renamed_master(self.published.master, self.published.users, place, published.users)
            published = published.with_master(master)
        return Release(self.original, published, pseudonyms, self.rows, self.loose)

    def until(self, period: int) -> Release:
        """What had been released before this period."""
        kept = self.published.period_codes < period
        published = self.published.only(kept, True, self.original.periods.slice(0, period))
        before = self.original.period_codes < period
        place = np.where(before, np.cumsum(before) - 1, NONE)
        rows = self.rows[kept]
        rows = np.where(rows == NONE, NONE, place[rows])
        return replace(
            self,
            original=self.original.until(period),
            published=published,
            pseudonyms=self.pseudonyms[:, :period],
            rows=rows,
        )


@dataclass(frozen=True)
class Claims:
    """Whose each published record is said to be, and how sure the attacker is of it."""

    owners: Ints = field(repr=False)
    """[published record]: a user, NONE where the attacker has no idea."""
    confidence: NDArray[np.float64] = field(repr=False)
    knowledge: History = field(repr=False)
    """The records that the attacker knew."""


@dataclass(frozen=True)
class Guess:
    """An attacker's answer, on two sheets.

    `table[i, l]`: the pseudonym of user i in period l, NONE or UNPUBLISHED (the contest of 2017). `owners[j]`: the user behind
    pseudonym j (the contest of 2016, where several pseudonyms may be given to one user). `ranked[i, l]` may hold further
    pseudonyms, the best first. Where a search among everybody takes too long for all, some users (of the first sheet) and some
    pseudonyms (of the second) were `asked` for, and the other answers mean nothing. `claims` names the owners of single
    records, which a file of guesses does not hold.
    """

    table: Ints = field(repr=False)
    owners: Ints = field(repr=False)
    ranked: Ints | None = field(default=None, repr=False)
    asked: Asked | None = field(default=None, repr=False)
    claims: Claims | None = field(default=None, repr=False)

    @classmethod
    def of_table(cls, table: Ints, pseudonyms: int, ranked: Ints | None = None, asked: Ints | None = None) -> Guess:
        """An answer on the first sheet, of all or of the asked users; on the second, each pseudonym goes to the user who names
        it most often, which nobody knows where only some were asked."""
        if asked is not None:
            return cls(table, np.full(pseudonyms, NONE), ranked, Asked(np.zeros(0, dtype=np.int64), asked))
        users, _ = np.nonzero(table >= 0)
        pairs, counts = np.unique(np.stack([table[table >= 0], users]), axis=1, return_counts=True)
        owners = np.full(pseudonyms, NONE, dtype=np.int64)
        order = np.argsort(counts, kind="stable")
        owners[pairs[0][order]] = pairs[1][order]
        return cls(table, owners, ranked)

    def check(self, published: History, knowledge: History) -> None:
        """Raise DataError unless the answer has the shape of the question."""
        shape = (len(knowledge.users), len(knowledge.periods))
        if self.table.shape != shape:
            raise DataError(f"the guess has the shape {self.table.shape}, not {shape} (users, periods)")
        if self.owners.shape != (len(published.users),):
            raise DataError(f"the guess names {self.owners.size} owners for {len(published.users)} pseudonyms")
        if self.claims is not None and self.claims.owners.shape != (published.height,):
            raise DataError(
                f"the guess names {self.claims.owners.size} owners for {published.height} published records"
            )
        sheets = (self.table, UNPUBLISHED, len(published.users), "pseudonym"), (self.owners, NONE, shape[0], "user")
        for values, least, end, what in sheets:
            if values.size and not (values.min() >= least and values.max() < end):
                raise DataError(f"the guess names a {what} that does not exist")

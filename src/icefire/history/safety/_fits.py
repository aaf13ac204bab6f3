"""How well published records fit each customer: a cheap likelihood, whose parameters are learned without the secret."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import logsumexp

from icefire.frames.ragged import concatenated_ranges, offsets
from icefire.history.attack._amounts import Amounts
from icefire.history.data import History, Ints
from icefire.history.facets import aligned_items, interval_ends

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
SPREADS = (0.001, 0.03, 0.1, 0.3, 1.0, 3.0)
"""Standard deviations of the logarithm of amounts."""
DAYS = (0.1, 2.0, 8.0, 30.0)
"""Standard deviations of dates in days."""
DUMMIES = (0.02, 0.2, 0.6, 0.95)
"""Shares of dummies among the records of a pseudonym."""
LEARNED, ROUNDS = 200_000, 10
"""Number of pairs of records from which weights are learned, and of rounds of expectation maximization."""
MOST, PORTION = 24_000_000, 200_000
"""About how many pairs of records are compared, and how many at a time."""
ENOUGH = 200
"""About how many records of a pseudonym in a period are looked at."""
ITEMS = 100
"""Number of distinct items from which on they can be sampled."""
TABLE = 4_000_000
"""Largest number of pairs of a published and a known amount that are computed beforehand."""
RARE = 0.01
"""Weights below this are left out."""


class Fits:
    """Likelihood of published records given the customer behind them, relative to a record drawn from the crowd.

    A record of a pseudonym is one of the customer's, changed, or a dummy. Amounts and dates were moved by one of several
    standard deviations, times are right or arbitrary. How often each is the case is learned from all records, regardless of
    pseudonyms. The share of dummies is unknown for each pair of a pseudonym and a customer.
    """

    def __init__(self, published: History, known: History, rng: np.random.Generator) -> None:
        self.published, self.known, self.rng = published, known, rng
        side, self.items = aligned_items(published.frame["item"], known.frame["item"])
        self.counts = np.bincount(side.records, minlength=published.height)
        self.begin, self.tokens = offsets(self.counts), side.codes
        self.labels = published.frame["item"].rank("dense").to_numpy().astype(np.int64) - 1
        self.item_chances = rng.random(int(self.labels.max(initial=-1)) + 1)
        self.amounts = {
            name: Amounts.of(published, known, name)
            for name in ("price", "quantity")
            if published.has(name) and known.has(name)
        }
        self.days = (*interval_ends(published.frame, "date"), interval_ends(known.frame, "date")[0])
        self.times = _times(published, known)
        sizes = {**dict.fromkeys(self.amounts, len(SPREADS)), "date": len(DAYS)}
        if self.times is not None:
            sizes["time"] = 2
        self.weights = {name: np.full(size, 1.0 / size) for name, size in sizes.items()}
        self._learn()
        self.tables = {name: self._table(name) for name in self.amounts}

    def scores(self, period: int, pseudonyms: Ints, users: Ints, halves: Flags) -> Floats:
        """[share of dummies, half, pseudonym, user]: log-likelihood ratios of the records of a period.

        `halves` says for each holder of a published record in which half of the pseudonym's records it is.
        """
        holders = self.published.holders
        inside = np.isin(holders.users, pseudonyms) & (self.published.period_codes[holders.records] == period)
        entries = np.flatnonzero(inside)
        known = np.flatnonzero((self.known.period_codes == period) & np.isin(self.known.user_codes, users))
        if not entries.size or not known.size:
            return np.zeros((len(DUMMIES), 2, pseudonyms.size, users.size))
        # Records of an invoice share date and time, and those of a customer a shift: together they say it once.
        number = np.bincount(holders.users[entries], minlength=len(self.published.users))
        share = np.zeros(self.published.height)
        share[holders.records[entries]] = 1.0 / number[holders.users[entries]]
        entries = entries[self._chances(holders.records[entries]) < ENOUGH / number[holders.users[entries]]]
        return self._explained(entries, known, pseudonyms, users, halves, share)

    def _explained(
        self, entries: Ints, known: Ints, pseudonyms: Ints, users: Ints, halves: Flags, share: Floats
    ) -> Floats:
        """How well the records of each user explain those of each pseudonym."""
        made = np.zeros((len(DUMMIES), 2, pseudonyms.size, users.size))
        user = np.searchsorted(users, self.known.user_codes[known])
        size = np.maximum(np.bincount(user, minlength=users.size), 1)
        records = self.published.holders.records[entries]
        part = MOST / len(self.known.periods) / max(int(self._load(records, known).sum()), 1)
        entries = entries[self._chances(records) < part]
        for chosen in self._portions(entries, known):
            records = self.published.holders.records[chosen]
            rows, columns = self._compatible(records, known)
            likelihood = np.exp(self._logs(records[rows], known[columns], share))
            table = np.bincount(rows * users.size + user[columns], likelihood, minlength=chosen.size * users.size)
            table = table.reshape(chosen.size, users.size)
            crowd = table.sum(axis=1, keepdims=True) / known.size
            ratio = np.divide(table, crowd * size, out=np.ones_like(table), where=crowd > 0)
            group = np.searchsorted(pseudonyms, self.published.holders.users[chosen]) + pseudonyms.size * halves[chosen]
            listed = np.rint(1.0 / self.published.holders.weights[chosen]).astype(np.int64)
            # A record that lists several pseudonyms is looked at under each, and counts once in all.
            shape = 2 * pseudonyms.size, group.size
            gather = sparse.csr_array((1.0 / listed, (group, np.arange(group.size))), shape=shape)
            for number, dummies in enumerate(DUMMIES):
                odds = _shared(dummies + (1.0 - dummies) * ratio, listed)
                made[number] += (gather @ np.log(odds)).reshape(2, pseudonyms.size, users.size)
        return made

    def _learn(self) -> None:
        """Learn the weights by expectation maximization, from pairs of published and known records of compatible items."""
        pairs: list[tuple[Ints, Ints]] = []
        for period in range(len(self.known.periods)):
            records = self.rng.permutation(np.flatnonzero(self.published.period_codes == period))
            inside = np.flatnonzero(self.known.period_codes == period)
            load = np.cumsum(self._load(records, inside))
            records = records[load <= max(LEARNED / len(self.known.periods), load[:1].sum())]
            rows, columns = self._compatible(records, inside)
            pairs.append((records[rows], inside[columns]))
        published, known = (np.concatenate(side) for side in zip(*pairs, strict=True))
        if not published.size:
            return
        _, record = np.unique(published, return_inverse=True)
        parts = {name: self._parts(name, published, known) for name in self.weights}
        for _ in range(ROUNDS):
            each = {name: np.maximum(part @ self.weights[name], 1e-300) for name, part in parts.items()}
            logs = np.sum([np.log(one) for one in each.values()], axis=0)
            joint = np.exp(logs - logs.max())
            joint /= np.maximum(np.bincount(record, joint), 1e-300)[record]
            for name, part in parts.items():
                expected = (joint / each[name]) @ part * self.weights[name] + 0.5
                self.weights[name] = expected / expected.sum()

    def _parts(self, name: str, published: Ints, known: Ints) -> Floats:
        """[pair, component]: the probability of the published cell given the known one."""
        if name == "date":
            low, high, day = (side[at] for side, at in zip(self.days, (published, published, known), strict=True))
            distance = np.maximum(np.maximum(low - day, day - high), 0.0)
            return np.stack([np.exp(-0.5 * (distance / s) ** 2) / max(1.0, 2.5 * s) for s in DAYS], axis=1)
        if name == "time":
            assert self.times is not None, "there is a weight for it"
            shown, theirs, share = self.times
            return np.stack([shown[published] == theirs[known], share[shown[published]]], axis=1).astype(np.float64)
        amounts = self.amounts[name]
        cells, values = amounts.published[published], amounts.known[known]
        return np.exp(np.stack([amounts.log_likelihood(cells, values, s) for s in SPREADS], axis=1))

    def _logs(self, published: Ints, known: Ints, share: Floats) -> Floats:
        """The log-likelihood of each pair of records; `share` says how much date and time of a published record count."""
        logs = np.zeros(published.size)
        for name, weights in self.weights.items():
            table = self.tables.get(name)
            if table is not None:
                amounts = self.amounts[name]
                logs += table[amounts.published[published], amounts.known[known]]
                continue
            log = np.log(np.maximum(self._parts(name, published, known) @ weights, 1e-300))
            logs += log * share[published] if name in ("date", "time") else log
        return logs

    def _table(self, name: str) -> Floats | None:
        """[published amount, known amount]: the log-likelihood of all pairs; None if they are too many."""
        amounts = self.amounts[name]
        if amounts.low.size * amounts.values.size > TABLE:
            return None
        made = np.zeros((amounts.low.size, amounts.values.size))
        for spread, weight in zip(SPREADS, self.weights[name], strict=True):
            if weight > RARE:
                made += weight * np.exp(amounts.table(spread))
        return np.log(np.maximum(made, 1e-30))

    def _compatible(self, records: Ints, known: Ints) -> tuple[Ints, Ints]:
        """Pairs of a published and a known record with compatible items, as positions; a deleted item fits all."""
        items = self.items[known]
        order = np.argsort(items, kind="stable")
        shown = self.tokens[concatenated_ranges(self.begin[records], self.counts[records])]
        record = np.repeat(np.arange(records.size), self.counts[records])
        first, end = (np.searchsorted(items[order], shown, side=side) for side in ("left", "right"))
        rows, columns = np.repeat(record, end - first), order[concatenated_ranges(first, end - first)]
        open_ = np.flatnonzero(self.counts[records] == 0)
        rows = np.concatenate([rows, np.repeat(open_, known.size)])
        return rows, np.concatenate([columns, np.tile(np.arange(known.size), open_.size)])

    def _load(self, records: Ints, known: Ints) -> Ints:
        """The number of known records with a compatible item, of each published record."""
        frequency = np.bincount(self.items[known], minlength=1 + int(self.tokens.max(initial=0)))
        before = np.append(0, np.cumsum(frequency[self.tokens]))
        load = before[self.begin[records] + self.counts[records]] - before[self.begin[records]]
        return np.where(self.counts[records] == 0, known.size, load)

    def _chances(self, records: Ints) -> Floats:
        """A random number for each record to draw a sample by.

        It is one for all records of an item, so that pseudonyms with the same items keep the same ones; records of items that
        are too coarse for that have their own.
        """
        if self.item_chances.size < ITEMS:
            return self.rng.random(records.size)
        return self.item_chances[self.labels[records]]

    def _portions(self, entries: Ints, known: Ints) -> Iterator[Ints]:
        """Holders of records in portions that fit into memory."""
        portion = np.cumsum(self._load(self.published.holders.records[entries], known)) // PORTION
        for number in np.unique(portion):
            yield entries[portion == number]


def _shared(odds: Floats, listed: Ints) -> Floats:
    """[record, user]: odds of records that list several pseudonyms, if the other owners fit as well as the best users do."""
    made = odds.copy()
    for size in np.unique(listed[listed > 1]).tolist():
        some, best = odds[listed == size], min(size, odds.shape[1])
        others = np.partition(some, -best, axis=1)[:, -best:].mean(axis=1, keepdims=True)
        made[listed == size] = some + (size - 1) * others
    return made


def integrated(scores: Floats) -> Floats:
    """Log-likelihood ratios over all shares of dummies, which are the first axis and equally likely."""
    return np.asarray(logsumexp(scores, axis=0) - np.log(len(DUMMIES)))


def _times(published: History, known: History) -> tuple[Ints, Ints, Floats] | None:
    """Codes of the times of both sides and the share of each; None if a side has none."""
    if not (published.has("time") and known.has("time")):
        return None
    shown, theirs = (side.frame["time"].fill_null("") for side in (published, known))
    if shown.str.ends_with(":00").all():
        theirs = theirs.str.replace(r":.*", ":00")
    codes = pl.concat([shown, theirs]).rank("dense").to_numpy().astype(np.int64) - 1
    share = np.asarray(np.bincount(codes[: len(shown)], minlength=int(codes.max()) + 1) / len(shown))
    return codes[: len(shown)], codes[len(shown) :], share

"""Likelihood of published records given known ones. Noise, shifts and deletion are learned from the release itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import TooLarge
from icefire.frames.ragged import concatenated_ranges, offsets
from icefire.history.attack._amounts import Amounts
from icefire.history.attack._matchings import NEVER, Floats, Pairs, matchings, partners, starts
from icefire.history.data import History, Ints
from icefire.history.facets import Facets, aligned_items, interval_ends

Flags = NDArray[np.bool_]
MOST = 30_000_000
"""Largest number of pairs of a published and a known record of compatible items in a period."""
PORTION = 1_000_000
"""About how many of them are compared at a time."""
SPREAD, DUMMIES, DATE_HITS, TIME_HITS = 0.5, 0.003, 0.9, 0.8
"""Beliefs to begin with."""
ROUGH, FINE, FINAL = 4, 12, 20
"""Rounds of belief propagation: while all pairs of people are compared, while only hopeful ones are, and for the scores."""
CLASSES = 20
"""Classes of items by popularity; each has its own share of deleted records."""
WINDOW = 5
"""Number of days over which the distribution of shifts is smoothed."""
LONGEST = 62
"""Largest shift of dates in days."""
NEGLIGIBLE = 12.0
"""Pairs of records whose log odds are lower than those of a dummy by this much are left out."""
HOPELESS = 1e-9
"""Pairs of people that are less probable than this are not compared again."""


@dataclass
class Beliefs:
    """What the release is thought to have done to the records."""

    kept: Floats
    """Probability of each known record to be published."""
    dummies: float
    """Share of published records that come from no known record."""
    spreads: dict[str, float]
    """Standard deviation of the logarithm of prices and quantities."""
    hits: dict[str, float]
    """Probability that a time is right, and that a date has the shift of its month."""
    shifts: Floats
    """Probability of each number of days by which all dates of a customer in a period are moved."""


@dataclass
class Tally:
    """Expected counts, summed over all periods, from which beliefs are learned."""

    kept: Floats
    shifts: Floats
    entries: int = 0
    dummies: float = 0.0
    amounts: dict[str, list[tuple[Ints, Ints, Floats]]] = field(default_factory=dict)
    hits: dict[str, list[float]] = field(default_factory=dict)


def _smooth(shifts: Floats) -> Floats:
    """Probabilities from counts of shifts: alike in both directions and for similar numbers of days, except for 0 days."""
    middle = shifts.size // 2
    if middle < WINDOW:
        return np.asarray(shifts / shifts.sum())
    others = np.delete((shifts + shifts[::-1]) / 2, middle)
    others = np.convolve(others, np.ones(WINDOW) / WINDOW, mode="same")
    made = np.insert(others, middle, shifts[middle])
    return np.asarray(made / made.sum())


@dataclass(frozen=True)
class Part:
    """The records of one period, sorted by people and invoices."""

    period: int
    published: Ints
    weights: Floats
    """Probability of a published record to belong to this pseudonym, where it lists several."""
    known: Ints
    pseudonyms: Ints
    users: Ints
    pairs: Pairs
    """Pairs of a published and a known record with compatible items, in groups by invoice."""
    owners: tuple[Ints, Ints]
    """The pseudonym and the user of each invoice, as positions among those of the period."""
    foreign: Flags
    """Known records of other periods: all that is known of customers without one of this period."""

    @cached_property
    def row_owner(self) -> Ints:
        return self.owners[0][self.pairs.row_groups]

    @cached_property
    def column_owner(self) -> Ints:
        return self.owners[1][self.pairs.column_groups]


@dataclass(frozen=True)
class Hosts:
    """Log odds of a published record to be a dummy, by its host: those of the customer, and of the invoice among the
    customer's. They are relative to the odds of a dummy that are alike for all."""

    customers: Floats
    """[published record, customer]"""
    invoices: Floats
    """Of each known invoice."""

    def of_pairs(self, part: Part, pairs: Pairs) -> Floats:
        """For each pair of records: the odds of the published one to be a dummy on the invoice of the known one."""
        invoice = part.pairs.column_groups[pairs.columns]
        return self.customers[pairs.rows, part.column_owner[pairs.columns]] + self.invoices[invoice]

    def of_invoices(self, part: Part, outer: Pairs) -> Floats:
        """For each pair of invoices: how likely dummies choose this one of the customer's."""
        number = np.bincount(part.pairs.row_groups)[outer.rows]
        return number * self.invoices[outer.columns] - self._any(part)[outer.rows, part.owners[1][outer.columns]]

    def of_people(self, part: Part) -> Floats:
        """[pseudonym, customer]: the odds that all records are dummies."""
        added = np.add.reduceat(self.customers, starts(part.pairs.row_groups), axis=0) + self._any(part)
        return np.add.reduceat(added, starts(part.owners[0]), axis=0)

    def _any(self, part: Part) -> Floats:
        """[published invoice, customer]: log odds that all its records chose the same invoice, whichever that is."""
        number = np.bincount(part.pairs.row_groups)[:, None]
        begin = starts(part.owners[1])
        # Many records choose the largest invoice, so its odds are taken out of the sum.
        largest = np.maximum.reduceat(self.invoices, begin)
        rest = np.exp(number * (self.invoices - largest[part.owners[1]])[None, :])
        return np.asarray(number * largest[None, :] + np.log(np.add.reduceat(rest, begin, axis=1)))


@dataclass(frozen=True)
class _DailySums:
    """The odds of the pairs of a published record and the records of a user on a day, of those that have compatible items."""

    odds: Floats
    rows: Ints
    days: Ints
    starts: Ints
    """Where the days of another record or user begin."""
    owners: Ints
    """The pair of people of each record and user, as one number."""
    base: Ints
    """The pseudonym of each published record."""

    @classmethod
    def of(cls, part: Part, pairs: Pairs, log_odds: Floats, day_of: Ints, days: int) -> _DailySums:
        users = part.users.size
        keys = (pairs.rows * users + part.column_owner[pairs.columns]) * days + day_of[pairs.columns]
        distinct, place = np.unique(keys, return_inverse=True)
        odds = np.bincount(place, np.exp(np.minimum(log_odds, 300.0)), minlength=distinct.size)
        both, day = np.divmod(distinct, days)
        rows, user = np.divmod(both, users)
        begin = starts(both)
        owners = part.row_owner[rows[begin]] * users + user[begin]
        return cls(odds.astype(np.float64), rows, day, begin, owners, part.row_owner)

    def by_people(self, factors: Floats, spare: Floats, shape: tuple[int, int]) -> Floats:
        """[pseudonym, user]: the sum over records of the log of the sum over days of odds times [record, day] factors, or
        of the odds of a dummy."""
        alone = np.bincount(self.base, spare, minlength=shape[0])
        found: Floats = np.repeat(alone, shape[1])
        if self.starts.size:
            rows = self.rows[self.starts]
            sums = np.add.reduceat(self.odds * factors[self.rows, self.days], self.starts) + np.exp(spare[rows])
            found += np.bincount(self.owners, np.log(sums) - spare[rows], minlength=found.size)
        return found.reshape(shape)


class RecordFacets(Facets):
    """Records of both sides, and the log-likelihood ratio of each pair of a pseudonym and a user in each period."""

    def __init__(
        self, published: History, knowledge: History, *, drop_dummies: bool, rounds: int, invoices: bool, habits: bool
    ) -> None:
        super().__init__(published, knowledge, drop_dummies)
        self.rounds, self.habits = rounds, habits
        self.invoices = invoices and published.has("invoice") and knowledge.has("invoice")
        self.amounts = {
            name: Amounts.of(published, knowledge, name)
            for name in ("price", "quantity")
            if published.has(name) and knowledge.has(name)
        }
        self.days = [side.frame["date"].to_physical().to_numpy().astype(np.int64) for side in (published, knowledge)]
        self.last_days = interval_ends(published.frame, "date")[1].astype(np.int64)
        self.typical = published.holders.records.size / max(int(published.present.sum()), 1)
        longest = int(np.diff(np.asarray(published.periods.starts)).max())
        self.reach = 0 if (self.last_days > self.days[0]).any() else min(longest - 1, LONGEST)
        """Largest shift of dates that is looked for; generalized dates hardly show one."""

    @cached_property
    def times(self) -> tuple[Ints, Ints, Floats] | None:
        """Codes of the times of both sides, and the share of each; None if a side has none."""
        if not (self.published.has("time") and self.knowledge.has("time")):
            return None
        shown, known = (side.frame["time"].fill_null("") for side in (self.published, self.knowledge))
        if shown.str.ends_with(":00").all():
            known = known.str.replace(r":.*", ":00")
        codes = pl.concat([shown, known]).rank("dense").to_numpy().astype(np.int64) - 1
        share = np.asarray((np.bincount(codes) + 0.5) / (codes.size + 1.0), dtype=np.float64)
        return codes[: len(shown)], codes[len(shown) :], share

    @cached_property
    def popularity(self) -> Ints:
        """The class of each known record by how many customers have its item, since rare items may be deleted first."""
        buyers = self.knowledge.frame.select(pl.col("user").n_unique().over("item")).to_series().to_numpy()
        edges = np.unique(np.quantile(buyers, np.arange(1, CLASSES) / CLASSES))
        return np.searchsorted(edges, buyers, side="left").astype(np.int64)

    @cached_property
    def scores(self) -> dict[int, tuple[Ints, Ints, Floats]]:
        """By period: the pseudonyms, the users, and the log-likelihood ratio of each pair of them."""
        beliefs = self._first()
        found: dict[int, list[tuple[Ints, Ints, Floats]]] = {}
        hopeful: dict[int, Flags] = {}
        for left_over in reversed(range(self.rounds)):
            tally = Tally(np.zeros(self.knowledge.height), np.zeros(2 * self.reach + 1)) if left_over else None
            tables = {name: amounts.table(beliefs.spreads[name]) for name, amounts in self.amounts.items()}
            for number, part in enumerate(self._parts()):
                scores, hopeful[number] = self._compared(part, beliefs, tables, hopeful.get(number), tally)
                if tally is None:
                    found.setdefault(part.period, []).append((part.pseudonyms, part.users, scores))
            if tally is not None:
                beliefs = self._learned(tally)
        return {
            period: (
                np.concatenate([names for names, _, _ in parts]),
                parts[0][1],
                np.vstack([part for *_, part in parts]),
            )
            for period, parts in found.items()
        }

    def _parts(self) -> Iterator[Part]:
        """The records of each period; of large periods, those of some pseudonyms at a time."""
        published, knowledge, holders = self.published, self.knowledge, self.published.holders
        seen = knowledge.present.any(axis=1)
        for period in range(len(knowledge.periods)):
            inside = np.flatnonzero((published.period_codes == period)[holders.records] & self.kept[holders.records])
            here = knowledge.period_codes == period
            if self.habits:
                here = here | (seen & ~knowledge.present[:, period])[knowledge.user_codes]
            known = np.flatnonzero(here)
            if not inside.size or not known.size:
                continue
            known, users, column_groups, column_owner = _grouped(
                known, knowledge.user_codes[known], self._invoices[1][known]
            )
            foreign = knowledge.period_codes[known] != period
            for entries in self._portions(inside, known, period):
                invoices = self._invoices[0][holders.records[entries]]
                rows, pseudonyms, row_groups, row_owner = _grouped(entries, holders.users[entries], invoices)
                records, weights = holders.records[rows], holders.weights[rows]
                pairs = Pairs(*self._compatible(records, known), row_groups, column_groups)
                owners = row_owner, column_owner
                yield Part(period, records, weights, known, pseudonyms, users, pairs, owners, foreign)

    def record_pairs(self, periods: Ints) -> float:
        """How many pairs of a published and a known record of one of these periods have compatible items."""
        _, counts, tokens, item_of = self._item_tokens
        width = 1 + int(max(tokens.max(initial=0), item_of.max(initial=0)))
        total = 0.0
        for period in periods:
            shown = tokens[np.repeat(self.published.period_codes == period, counts)]
            known = item_of[self.knowledge.period_codes == period]
            total += float(np.dot(*(np.bincount(side, minlength=width).astype(np.float64) for side in (shown, known))))
        return total

    def _portions(self, entries: Ints, known: Ints, period: int) -> list[Ints]:
        """Published records in portions of whole pseudonyms, none of which has many more pairs than fit into memory."""
        begin, counts, tokens, item_of = self._item_tokens
        records = self.published.holders.records[entries]
        frequency = np.bincount(item_of[known], minlength=1 + int(tokens.max(initial=0)))
        before = np.append(0, np.cumsum(frequency[tokens]))
        load = before[begin[records] + counts[records]] - before[begin[records]]
        if load.sum() > MOST:
            raise TooLarge(
                f"{load.sum():,} pairs of records of {self.knowledge.periods.labels[period]} have compatible items, "
                "too many to compare: sample people, or choose shorter periods in the schema"
            )
        _, owner = np.unique(self.published.holders.users[entries], return_inverse=True)
        portion = (np.cumsum(np.bincount(owner, load)) // PORTION)[owner]
        return [entries[portion == number] for number in np.unique(portion)]

    @cached_property
    def _item_tokens(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Where the items of each published record begin, their number, all of them, and the item of each known record."""
        side, known = aligned_items(self.published.frame["item"], self.knowledge.frame["item"])
        counts = np.bincount(side.records, minlength=self.published.height)
        return offsets(counts), counts, side.codes, known

    def _compatible(self, records: Ints, known: Ints) -> tuple[Ints, Ints]:
        """Pairs of a published and a known record with compatible items, as positions, sorted."""
        begin, counts, tokens, item_of = self._item_tokens
        items = item_of[known]
        order = np.argsort(items, kind="stable")
        shown = tokens[concatenated_ranges(begin[records], counts[records])]
        first, end = (np.searchsorted(items[order], shown, side=side) for side in ("left", "right"))
        rows = np.repeat(np.repeat(np.arange(records.size), counts[records]), end - first)
        columns = order[concatenated_ranges(first, end - first)]
        if counts[records].max(initial=0) > 1:
            keys = np.unique(rows * known.size + columns)
            rows, columns = np.divmod(keys, known.size)
        return rows, columns

    @cached_property
    def _invoices(self) -> tuple[Ints, Ints]:
        """The invoice of each record of both sides as a code; 0 for all where invoices do not count."""
        return self._invoices_of(self.published), self._invoices_of(self.knowledge)

    def _invoices_of(self, history: History) -> Ints:
        if not self.invoices:
            return np.zeros(history.height, dtype=np.int64)
        return history.frame["invoice"].rank("dense").fill_null(0).to_numpy().astype(np.int64)

    def _first(self) -> Beliefs:
        """Beliefs to begin with: moderate noise, dates as they are or moved, and as many records deleted as are missing."""
        rate = min(max(self.published.height / max(self.knowledge.height, 1), 0.02), 0.95)
        shifts = np.full(2 * self.reach + 1, 0.5 / (2 * self.reach + 1))
        shifts[self.reach] += 0.5
        return Beliefs(
            np.full(self.knowledge.height, rate),
            DUMMIES,
            dict.fromkeys(self.amounts, SPREAD),
            {"date": DATE_HITS, "time": TIME_HITS},
            shifts,
        )

    def _learned(self, tally: Tally) -> Beliefs:
        """The beliefs under which the expected counts are likeliest, with a little added so that nothing is ruled out."""
        number = np.bincount(self.popularity)
        kept = (np.bincount(self.popularity, tally.kept, minlength=number.size) + 0.2) / (number + 0.4)
        spreads = {}
        for name, amounts in self.amounts.items():
            counts = tally.amounts.get(name, [])
            joined = [np.concatenate(side) for side in zip(*counts, strict=True)]
            spreads[name] = amounts.likeliest(*joined) if joined else SPREAD
        return Beliefs(
            np.clip(kept, 0.001, 0.995)[self.popularity],
            (tally.dummies + 0.5) / (tally.entries + 1.0),
            spreads,
            {name: (right + 1.0) / (total + 2.0) for name, (right, total) in tally.hits.items()},
            _smooth(tally.shifts + 0.2),
        )

    def _compared(
        self, part: Part, beliefs: Beliefs, tables: dict[str, Floats], before: Flags | None, tally: Tally | None
    ) -> tuple[Floats, Flags]:
        """[pseudonym, user]: the log-likelihood ratio of every pair of a period, and whether it is worth comparing again."""
        chosen = np.ones(part.pairs.rows.size, dtype=np.bool_)
        if before is not None:
            chosen = before[part.row_owner[part.pairs.rows], part.column_owner[part.pairs.columns]]
        pairs = part.pairs.only(chosen)
        spare = np.log((beliefs.dummies * part.weights + 1.0 - part.weights) * self.typical)
        log_odds, crowd = self._log_odds(part, pairs, beliefs, tables)
        hosts = self._hosts(part, tables, crowd, spare)
        if hosts is not None:
            log_odds -= hosts.of_pairs(part, pairs)
        moved, prior, dated = self._dated(part, pairs, log_odds, spare, beliefs)
        log_odds += dated[0]
        chosen = log_odds > spare[pairs.rows] - NEGLIGIBLE
        pairs, log_odds, right = pairs.only(chosen), log_odds[chosen], dated[1][chosen]
        rounds = FINAL if tally is None else ROUGH if before is None else FINE
        inner, chance = matchings(pairs, log_odds, spare, rounds)
        lost: Floats = np.bincount(pairs.row_groups, spare).astype(np.float64)
        outer = pairs.groups()
        # The matching in which all records of an invoice are dummies counts as the invoice being unmatched.
        gain = np.maximum(inner[outer.rows, outer.columns] - lost[outer.rows], 1e-9)
        outer = Pairs(outer.rows, outer.columns, *part.owners)
        odds: Floats = lost[outer.rows] + gain + np.log1p(-np.exp(-gain))
        if hosts is not None:
            odds += hosts.of_invoices(part, outer)
        scores, outer_chance = matchings(outer, odds, lost, rounds)
        scores += prior
        if hosts is not None:
            scores += hosts.of_people(part)
        if tally is None:
            return scores, scores > -np.inf
        people = partners(scores, np.bincount(part.owners[0], lost).astype(np.float64))
        by_invoice = np.zeros(inner.shape)
        by_invoice[outer.rows, outer.columns] = outer_chance
        weights = chance * by_invoice[pairs.row_groups[pairs.rows], pairs.column_groups[pairs.columns]]
        weights *= people[part.row_owner[pairs.rows], part.column_owner[pairs.columns]]
        tally.shifts += np.bincount(moved.ravel(), people.ravel(), minlength=tally.shifts.size)
        self._note(part, tally, pairs, weights, right)
        return scores, people > HOPELESS

    def _hosts(self, part: Part, tables: dict[str, Floats], crowd: Floats, spare: Floats) -> Hosts | None:
        """How likely the records of each customer are to host each published record as a dummy, if that is known."""
        return None

    def _log_odds(self, part: Part, pairs: Pairs, beliefs: Beliefs, tables: dict[str, Floats]) -> tuple[Floats, Floats]:
        """How much likelier than a known record of anybody each known record is to have become the published one, and the log
        likelihood of the published one, given a known record of anybody."""
        published, known = part.published[pairs.rows], part.known[pairs.columns]
        logs = np.zeros(pairs.rows.size)
        for name, amounts in self.amounts.items():
            logs += tables[name][amounts.published[published], amounts.known[known]]
        if self.times is not None:
            shown, theirs, share = self.times
            hit = beliefs.hits["time"]
            logs += np.log(hit * (shown[published] == theirs[known]) + (1.0 - hit) * share[shown[published]])
        total = np.bincount(pairs.rows, np.exp(logs), minlength=part.published.size) / part.known.size
        crowd: Floats = np.log(np.maximum(total, 1e-300))
        logs -= crowd[pairs.rows]
        logs += np.log(beliefs.kept / (1.0 - beliefs.kept))[known] + np.log(part.weights)[pairs.rows]
        return logs, crowd

    def _dated(
        self, part: Part, pairs: Pairs, log_odds: Floats, spare: Floats, beliefs: Beliefs
    ) -> tuple[Ints, Floats, tuple[Floats, Flags]]:
        """The likeliest shift of each pair of people and its log probability; the log-likelihood ratio of the dates of each
        pair of records, and whether they agree."""
        hit, reach = beliefs.hits["date"], self.reach
        first, end = self.knowledge.periods.bounds(np.array([part.period]))
        # Records of other periods have no day.
        day = np.where(part.foreign, first - 1, self.days[1][part.known])
        days, day_of = np.unique(day, return_inverse=True)
        dated, number = days >= first[0], np.bincount(day_of)
        shown, last = (side[part.published][:, None] for side in (self.days[0], self.last_days))
        shape = part.pseudonyms.size, part.users.size
        at = pairs.rows, day_of[pairs.columns]
        if not reach:
            inside = (shown <= days) & (days <= last) | ~dated
            chance = np.maximum((inside @ number)[:, None] / number.sum(), NEVER)
            ratio = np.log(np.maximum(hit * inside / chance + 1.0 - hit, NEVER))
            return np.zeros(shape, dtype=np.int64), np.zeros(shape), (ratio[at], inside[at])
        # A shifted date stays within its period, so the ends of the period collect all longer shifts.
        below = np.append(0.0, np.cumsum(beliefs.shifts))
        shortest = np.where(shown <= first, 0, np.clip(shown - days + reach, 0, below.size - 1))
        longest = np.where(last >= end, below.size - 1, np.clip(last - days + reach + 1, 0, below.size - 1))
        marginal = np.where(dated, below[longest] - below[shortest], 0.0)
        crowd = np.maximum((marginal @ number)[:, None] / max(float(number[dated].sum()), 1.0), 1e-4)
        loose = np.where(dated, (1.0 - hit) * marginal / crowd, 1.0)
        sums = _DailySums.of(part, pairs, log_odds, day_of, days.size)
        best, moved, added = np.full(shape, -np.inf), np.zeros(shape, dtype=np.int64), np.full(shape, -np.inf)
        for shift in np.flatnonzero(beliefs.shifts > 1e-3 * beliefs.shifts.max()):
            moved_days = np.clip(days + shift - reach, first, end)
            there = (shown <= moved_days) & (moved_days <= last) & dated
            value = sums.by_people(loose + hit * there / crowd, spare, shape) + np.log(beliefs.shifts[shift])
            moved = np.where(value > best, shift, moved)
            best, added = np.maximum(value, best), np.logaddexp(added, value)
        shifted = moved[part.row_owner[pairs.rows], part.column_owner[pairs.columns]]
        moved_days = np.clip(days[at[1]] + shifted - reach, first, end)
        target = (shown[pairs.rows, 0] <= moved_days) & (moved_days <= last[pairs.rows, 0])
        gain = hit * (target & dated[at[1]]) / crowd[pairs.rows, 0]
        ratio = np.log(np.maximum(loose[at] + gain, NEVER))
        return moved, added - best + np.log(beliefs.shifts[moved]), (ratio, target)

    def _note(self, part: Part, tally: Tally, pairs: Pairs, weights: Floats, right: Flags) -> None:
        """Add the expected counts of a period."""
        tally.entries += part.published.size
        tally.dummies += float(part.published.size - weights.sum())
        tally.kept += np.bincount(part.known[pairs.columns], weights, minlength=tally.kept.size)
        clear = weights > 1e-3
        published, known, weight = part.published[pairs.rows[clear]], part.known[pairs.columns[clear]], weights[clear]
        for name, amounts in self.amounts.items():
            entry = amounts.published[published], amounts.known[known], weight
            tally.amounts.setdefault(name, []).append(entry)
        checks = {"date": right[clear]}
        if self.times is not None:
            checks["time"] = self.times[0][published] == self.times[1][known]
        for name, flags in checks.items():
            count = tally.hits.setdefault(name, [0.0, 0.0])
            count[0] += float(weight @ flags)
            count[1] += float(weight.sum())


def _grouped(chosen: Ints, people: Ints, invoices: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Entries sorted by user and invoice, their users, the invoice of each entry and the user of each invoice."""
    order = np.lexsort((invoices, people))
    people, invoices = people[order], invoices[order]
    begin = starts(people, invoices)
    group = np.repeat(np.arange(begin.size), np.diff(np.append(begin, people.size)))
    names, owner = np.unique(people[begin], return_inverse=True)
    return chosen[order], names, group, owner

"""k-concealment of records, with the pseudonym."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from icefire.concealment.draws import drawn_of
from icefire.core.errors import DataError
from icefire.core.matching import full_matching
from icefire.core.parameters import AtLeast
from icefire.history.data import History, Ints, Release
from icefire.history.records import SPANS
from icefire.history.roles import Anonymizer
from icefire.history.sets import set_labels

Floats = NDArray[np.float64]
UNMATCHED = 1.0
"""What a record without a counterpart adds to the distance of two customers; two records differ by 1 at most."""
LISTED = 0.5
"""What another pseudonym on a record costs, by the same measure."""
USED = 1_000.0
COMPARED = 150
"""Up to this many customers are compared in all pairs; beyond it, each with the likeliest only."""


@dataclass(frozen=True)
class Conceal(Anonymizer):
    """k-concealment: each customer may have k pseudonyms in each period, and each record be behind k published ones.

    No record is added or deleted. Similar customers are joined by k - 1 exchanges of pseudonyms, and for each of them all
    records find a place: under the customer's other pseudonym where there is one, else wherever it is cheapest, and there that
    pseudonym is listed, too. A record is published as intervals and sets that hold all records it takes in, under the set of
    pseudonyms it may have. Which of the k assignments of pseudonyms is true is drawn at the end, for each group of customers
    that can be exchanged on its own, so that how the cells were made does not tell. Invoices and times are dropped, since
    they would tell which records belong together. Pseudonyms change with the period: longer ones (`periods` in the schema)
    keep people together.

    Parameters:
        k: how many pseudonyms each customer may have.
        candidates: how many records of another customer are considered for every record; time grows with it.
        randomized: draw which assignment is true, so that each of a customer's k pseudonyms has a chance of exactly 1/k.
            Without it a published record belongs to the customer it was built around, and `replay` finds everybody.

    Example:
        Ann and bob buy tea and a cup of about the same price, cid and dan a desk: two pairs that can be exchanged.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea 4", "bob 2011-01-03 cup 5", "cid 2011-01-30 desk 90", "dan 2011-01-30 desk 99")
        >>> cells = Conceal(k=2).anonymize(log, np.random.default_rng(0)).published.frame
        >>> sorted(cells["item"]), sorted(cells["price"]), sorted(cells["price_to"])
        (['desk', 'desk', '{cup|tea}', '{cup|tea}'], [4.0, 4.0, 90.0, 90.0], [5.0, 5.0, 99.0, 99.0])

    Reference:
        Tassa, Mazza, Gionis: k-Concealment: an alternative model of k-type anonymity. 2012; for histories, with sets of
        pseudonyms, a doctoral thesis on partial knowledge.
    """

    k: Annotated[int, AtLeast(2)] = 2
    candidates: Annotated[int, AtLeast(1)] = 10
    randomized: bool = True
    earlier: ClassVar[Mapping[str, object]] = {"randomized": False}
    aliases: ClassVar[tuple[str, ...]] = ("k-concealment",)

    @classmethod
    def variants(cls, original: History) -> list[Self]:
        return [cls(k=k) for k in (2, 3, 5)]

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        return self.repeated(original, rng)[0]

    def repeated(self, original: History, rng: np.random.Generator) -> tuple[Release, sparse.csr_array]:
        """A release, and [pseudonym, customer]: the chance that the customer had of being drawn for the pseudonym, for
        attackers who know the method."""
        spans = [name for name in SPANS if original.has(name)]
        for name in spans:
            if f"{name}_to" in original.frame.columns:
                raise DataError(f"the {name} is generalized already: conceal works on exact records, alone")
        taken: list[tuple[Ints, Ints]] = []
        listed: list[tuple[Ints, Ints]] = []
        truth = np.arange(original.height)
        drawable: list[tuple[Ints, Ints]] = []
        periods = len(original.periods)
        for period, label in enumerate(original.periods.labels):
            rows = np.flatnonzero(original.period_codes == period)
            if rows.size == 0:
                continue
            number = np.unique(original.user_codes[rows]).size
            if number < self.k:
                raise DataError(
                    f"{number} customers have records in {label}, too few for {self.k} pseudonyms each: lower k, or "
                    "choose longer periods in the schema"
                )
            # Ties are resolved by position, so positions must not follow the file.
            rows = rng.permutation(rows)
            part = _Period(original, rows, self.candidates)
            held, names, worlds = part.concealed(self.k)
            taken.append((rows[held[0]], rows[held[1]]))
            world = part.drawn(worlds, rng) if self.randomized else worlds[0]
            behind = np.argsort(world)
            truth[rows] = rows[behind[: rows.size]]
            holder = part.users[behind[rows.size :] - rows.size]
            listed.append((rows[names[0]], holder[names[1]]))
            known = worlds[:, rows.size :] - rows.size if self.randomized else np.arange(number)[None]
            drawable.append((holder[known.ravel()] * periods + period, np.tile(part.users, len(known))))
        frame = _closed(original, spans, *_joined(taken))
        records, users = _joined(listed)
        frame = frame.with_columns(user=set_labels(records, original.users.gather(users)))
        release = Release.made(original, frame, truth, rng, window=1)
        places, people = _joined(drawable)
        pairs = release.pseudonyms.ravel()[places], people
        shape = len(release.published.users), len(original.users)
        chances = sparse.csr_array((np.full(people.size, 1.0), pairs), shape=shape)
        return release, sparse.csr_array(chances / chances.sum(axis=1)[:, None])


def _joined(pairs: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    return np.concatenate([first for first, _ in pairs]), np.concatenate([second for _, second in pairs])


def _closed(original: History, spans: list[str], published: Ints, records: Ints) -> pl.DataFrame:
    """The cells of each published record: the least that hold the records it takes in."""
    columns = [set_labels(published, original.frame["item"].gather(records)).alias("item")]
    held = pl.DataFrame({"to": published}).with_columns(original.frame.select(spans)[records])
    ends = [pl.col(name).min() for name in spans] + [pl.col(name).max().name.suffix("_to") for name in spans]
    gaps = [pl.col(name).is_null().any().name.suffix("_gap") for name in spans]
    found = held.group_by("to").agg(*ends, *gaps).sort("to")
    for name in spans:
        # A cell that holds a missing value and a present one is published as missing.
        cells = [
            pl.when(pl.col(f"{name}_gap")).then(None).otherwise(pl.col(end)).alias(end) for end in (name, f"{name}_to")
        ]
        columns += found.select(cells).get_columns()
    return pl.DataFrame(columns)


class _Period:
    """The records of one period, by their places, and the people they belong to."""

    def __init__(self, original: History, rows: Ints, candidates: int) -> None:
        self.users, self.owner = np.unique(original.user_codes[rows], return_inverse=True)
        self.sizes = np.bincount(self.owner)
        order = np.argsort(self.owner, kind="stable")
        self.mine = np.split(order, np.cumsum(self.sizes)[:-1])
        frame = original.frame[rows]
        self.items = frame["item"].rank("dense").to_numpy().astype(np.int64)
        self.numbers = [_scaled(frame[name], name) for name in SPANS if original.has(name)]
        self.candidates = candidates

    def gaps(self, left: Ints, right: Ints) -> Floats:
        """[record, record]: how much a cell that holds both would lose, from 0 to 1, mean over columns."""
        total = (self.items[left, None] != self.items[right]).astype(np.float64)
        for numbers in self.numbers:
            gap = np.abs(numbers[left, None] - numbers[right])
            absent = np.isnan(numbers)
            gap[absent[left, None] & absent[right]] = 0.0
            total += np.nan_to_num(gap, nan=1.0)
        return np.asarray(total / (1 + len(self.numbers)))

    def concealed(self, k: int) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints], Ints]:
        """Pairs of a published record and a record it holds, pairs of a published record and a customer whose pseudonym it
        lists, and k worlds, the first of which leaves everything in its place.

        A world is the published record of each record, followed by the pseudonym of each customer, which is named by the
        customer it was made for and counted on from the records.
        """
        size, everyone = self.owner.size, self.sizes.size
        exchanges = self._exchanges(k)
        records = np.arange(size)
        holds = [records * np.int64(size) + records]
        worlds = [np.arange(size + everyone)]
        lists = records * np.int64(everyone) + self.owner
        for exchange in exchanges:
            begin, end, cost = self._edges(exchange)
            key = begin * np.int64(size) + end
            pseudonym = exchange[self.owner]
            fresh = ~np.isin(end * np.int64(everyone) + pseudonym[begin], lists)
            again = np.isin(key, np.concatenate(holds))
            place = full_matching(begin, end, cost + LISTED * fresh + USED * again, (size, size))
            holds.append(records * np.int64(size) + place)
            worlds.append(np.concatenate([place, size + exchange]))
            lists = np.union1d(lists, place * np.int64(everyone) + pseudonym)
        pairs, also = self._repaired(np.unique(np.concatenate(holds)), exchanges, k)
        lists = np.union1d(lists, also)
        return (pairs % size, pairs // size), (lists // everyone, lists % everyone), np.stack(worlds)

    def drawn(self, worlds: Ints, rng: np.random.Generator) -> Ints:
        """A world at random: a customer's records and pseudonym are taken from the same one."""
        return drawn_of(worlds, rng, (np.arange(self.owner.size), self.owner.size + self.owner))

    def _exchanges(self, k: int) -> list[Ints]:
        """k - 1 exchanges of all pseudonyms, each of least cost, in which no customer keeps a pseudonym or gets one twice:
        complete k-concealment of people. Customers exchange in pairs where possible, so that many assignments are possible
        and a leaked link gives away few people."""
        cost = self._distances()
        everyone = np.arange(self.sizes.size)
        far = USED * (1.0 + cost.max())
        cost[everyone, everyone] = far
        found = []
        for _ in range(k - 1):
            found.append(_paired(linear_sum_assignment(cost)[1], cost, far))
            cost[everyone, found[-1]] = far
        return found

    def _distances(self) -> Floats:
        """[customer, customer]: the cost of exchanging their records."""
        everyone = self.sizes.size
        incidence = sparse.csr_array((np.ones(self.owner.size), (self.owner, self.items)))
        incidence.data[:] = np.minimum(incidence.data, 1.0)
        fewer = np.minimum(self.sizes[:, None], self.sizes)
        extra = UNMATCHED * np.abs(self.sizes[:, None] - self.sizes)
        other = np.maximum(fewer - np.asarray((incidence @ incidence.T).todense()), 0.0)
        rough = extra + other / (1 + len(self.numbers))
        cost: Floats = extra + fewer.astype(np.float64)
        np.fill_diagonal(rough, np.inf)
        near = np.argsort(rough, axis=1, kind="stable")[
            :, : everyone - 1 if everyone <= COMPARED else 2 * self.candidates
        ]
        for user, partners in enumerate(near):
            for partner in partners[partners > user] if everyone <= COMPARED else partners:
                gaps = self.gaps(self.mine[user], self.mine[partner])
                value = extra[user, partner] + gaps[linear_sum_assignment(gaps)].sum()
                cost[user, partner] = cost[partner, user] = value
        return cost

    def _edges(self, exchange: Ints) -> tuple[Ints, Ints, Floats]:
        """Pairs of a record and a published record that may take it in, within each ring of exchanged pseudonyms."""
        pairs = {(user, other) for ring in _rings(exchange) for user in ring for other in ring}
        found: list[tuple[Ints, Ints, Floats]] = []
        for user, other in sorted(pairs):
            ours, theirs = self.mine[user], self.mine[other]
            gaps = self.gaps(ours, theirs)
            number = min(self.candidates + (user == other), theirs.size)
            near = np.argpartition(gaps, number - 1, axis=1)[:, :number]
            rows = np.repeat(np.arange(ours.size), number)
            # The best assignment as well, so that a full matching does not depend on the nearest records alone.
            best = linear_sum_assignment(gaps if user != other else gaps + USED * np.eye(ours.size))
            every = np.unique(np.concatenate([rows, best[0]]) * theirs.size + np.concatenate([near.ravel(), best[1]]))
            rows, columns = every // theirs.size, every % theirs.size
            found.append((ours[rows], theirs[columns], gaps[rows, columns]))
        records = np.arange(self.owner.size)
        own = np.concatenate([begin for begin, _, _ in found]) == np.concatenate([end for _, end, _ in found])
        begin, end, cost = (np.concatenate(side)[~own] for side in zip(*found, strict=True))
        # A record may always keep its own place, so that there is a full matching.
        return np.concatenate([begin, records]), np.concatenate([end, records]), np.append(cost, np.zeros(records.size))

    def _repaired(self, holds: Ints, exchanges: list[Ints], k: int) -> tuple[Ints, Ints]:
        """Add places for records that found the same place twice: an exchange with another record of the customer, or of
        a joined customer, where both published records then list both pseudonyms."""
        size, everyone = self.owner.size, self.sizes.size
        number = np.bincount(holds // size, minlength=size)
        more, lists = [holds], [np.empty(0, dtype=np.int64)]
        for record in np.flatnonzero(number < k):
            user = self.owner[record]
            joined = [user, *(exchange[user] for exchange in exchanges)]
            others = np.concatenate([self.mine[customer] for customer in joined])
            others = others[~np.isin(record * np.int64(size) + others, holds)]
            cost = self.gaps(np.array([record]), others)[0] + 2 * LISTED * (self.owner[others] != user)
            chosen = others[np.argsort(cost, kind="stable")[: k - number[record]]]
            more += [record * np.int64(size) + chosen, chosen * np.int64(size) + record]
            lists += [record * np.int64(everyone) + self.owner[chosen], chosen * np.int64(everyone) + user]
        return np.unique(np.concatenate(more)), np.unique(np.concatenate(lists))


def _rings(exchange: Ints) -> list[list[int]]:
    """The cycles of an exchange: each customer gets the pseudonym of the next."""
    found, left = [], set(range(exchange.size))
    while left:
        ring = [min(left)]
        while int(exchange[ring[-1]]) != ring[0]:
            ring.append(int(exchange[ring[-1]]))
        left -= set(ring)
        found.append(ring)
    return found


def _paired(exchange: Ints, cost: Floats, far: float) -> Ints:
    """A similar exchange in pairs, or the same exchange where too many pairs were used before.

    Neighbours in a ring become pairs, then those who are left over; pairs change partners as long as that lowers the cost.
    A single customer who remains joins a pair as a ring of three.
    """
    cut = [ring[: len(ring) // 2 * 2] for ring in _rings(exchange)]
    left = [ring[-1] for ring in _rings(exchange) if len(ring) % 2]
    alone = left.pop() if len(left) % 2 else None
    pairs = np.array([*(customer for ring in cut for customer in ring), *left], dtype=np.int64).reshape(-1, 2)
    both = cost + cost.T
    while len(pairs) > 1:
        first, second = pairs.T
        kept = both[first, second]
        gain = kept[:, None] + kept - both[np.ix_(first, first)] - both[np.ix_(second, second)]
        crossed = kept[:, None] + kept - both[np.ix_(first, second)] - both[np.ix_(second, first)]
        for table in (gain, crossed):
            np.fill_diagonal(table, 0.0)
        best = max(gain.max(), crossed.max())
        if best <= 1e-9:
            break
        table, other = (gain, 0) if gain.max() >= crossed.max() else (crossed, 1)
        pair, partner = np.unravel_index(table.argmax(), table.shape)
        pairs[pair, 1], pairs[partner, other] = pairs[partner, other], pairs[pair, 1]
    made = exchange.copy()
    made[pairs[:, 0]], made[pairs[:, 1]] = pairs[:, 1], pairs[:, 0]
    if alone is not None:
        ends = np.vstack([pairs, pairs[:, ::-1]])
        price = cost[ends[:, 0], ends[:, 1]] + cost[ends[:, 1], alone] + cost[alone, ends[:, 0]]
        left_end, right_end = ends[price.argmin()]
        made[[left_end, right_end, alone]] = right_end, alone, left_end
    return made if cost[np.arange(made.size), made].max() < far else exchange


def _scaled(column: pl.Series, name: str) -> Floats:
    """Numbers from 0 to 1; amounts by ratio, since they are skewed. Missing ones are nan."""
    numbers = column.to_physical().to_numpy().astype(np.float64)
    if name != "date":
        numbers = np.log1p(numbers)
    if np.isnan(numbers).all():
        return numbers
    low, high = np.nanmin(numbers), np.nanmax(numbers)
    return np.asarray((numbers - low) / (high - low if high > low else 1.0))

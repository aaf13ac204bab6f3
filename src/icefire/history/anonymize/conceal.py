"""k-concealment of records, with the pseudonym."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linear_sum_assignment

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
"""So many customers are compared one and all; of more, everybody with the likeliest."""


@dataclass(frozen=True)
class Conceal(Anonymizer):
    """k-concealment: each customer may have k pseudonyms in each period, and each record be behind k published ones.

    No record is added or deleted. Similar customers are joined by k - 1 exchanges of pseudonyms, and for each of them all
    records find a place: under the customer's other pseudonym where there is one, else wherever it is cheapest, and there that
    pseudonym is listed, too. A record is published as intervals and sets that hold all records it takes in, under the set of
    pseudonyms it may have. Invoices and times are dropped, since they would tell which records belong together. Pseudonyms
    change with the period: longer ones (`periods` in the schema) keep people together.

    Parameters:
        k: how many pseudonyms each customer may have.
        candidates: how many records of another customer are considered for every record; time grows with it.

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
    aliases: ClassVar[tuple[str, ...]] = ("k-concealment",)

    @classmethod
    def variants(cls, original: History) -> list[Self]:
        return [cls(k=k) for k in (2, 3, 5)]

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        spans = [name for name in SPANS if original.has(name)]
        for name in spans:
            if f"{name}_to" in original.frame.columns:
                raise DataError(f"the {name} is generalized already: conceal works on exact records, alone")
        taken: list[tuple[Ints, Ints]] = []
        listed: list[tuple[Ints, Ints]] = []
        for period, label in enumerate(original.periods.labels):
            rows = np.flatnonzero(original.period_codes == period)
            if rows.size == 0:
                continue
            people = np.unique(original.user_codes[rows]).size
            if people < self.k:
                raise DataError(
                    f"{people} customers have records in {label}, so nobody can have {self.k} pseudonyms there: lower k, or "
                    "choose longer periods in the schema"
                )
            # Ties go to whoever comes first, so nobody may stand in a telling order.
            rows = rng.permutation(rows)
            part = _Period(original, rows, self.candidates)
            held, names = part.concealed(self.k)
            taken.append((rows[held[0]], rows[held[1]]))
            listed.append((rows[names[0]], part.users[names[1]]))
        frame = _closed(original, spans, *_joined(taken))
        records, users = _joined(listed)
        frame = frame.with_columns(user=set_labels(records, original.users.gather(users)))
        return Release.made(original, frame, np.arange(original.height), rng, window=1)


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
        # Something and nothing together can only be called nothing.
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

    def gaps(self, one: Ints, other: Ints) -> Floats:
        """[record, record]: how much a cell that holds both would lose, from 0 to 1, mean over columns."""
        total = (self.items[one, None] != self.items[other]).astype(np.float64)
        for numbers in self.numbers:
            gap = np.abs(numbers[one, None] - numbers[other])
            absent = np.isnan(numbers)
            gap[absent[one, None] & absent[other]] = 0.0
            total += np.nan_to_num(gap, nan=1.0)
        return np.asarray(total / (1 + len(self.numbers)))

    def concealed(self, k: int) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        """Pairs of a published record and a record it holds, and of a published record and a customer whose pseudonym it
        lists; each published record first with its own."""
        size, everyone = self.owner.size, self.sizes.size
        exchanges = self._exchanges(k)
        records = np.arange(size)
        holds = [records * np.int64(size) + records]
        lists = records * np.int64(everyone) + self.owner
        for exchange in exchanges:
            begin, end, cost = self._edges(exchange)
            key = begin * np.int64(size) + end
            pseudonym = exchange[self.owner]
            fresh = ~np.isin(end * np.int64(everyone) + pseudonym[begin], lists)
            again = np.isin(key, np.concatenate(holds))
            place = full_matching(begin, end, cost + LISTED * fresh + USED * again, (size, size))
            holds.append(records * np.int64(size) + place)
            lists = np.union1d(lists, place * np.int64(everyone) + pseudonym)
        pairs, also = self._repaired(np.unique(np.concatenate(holds)), exchanges, k)
        lists = np.union1d(lists, also)
        return (pairs % size, pairs // size), (lists // everyone, lists % everyone)

    def _exchanges(self, k: int) -> list[Ints]:
        """k - 1 ways to exchange all pseudonyms, at least cost one after the other, in which nobody keeps one or gets one
        twice: complete k-concealment of people. Two exchange with each other wherever that can be, so that many worlds are
        possible and one leaked link gives away few people."""
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
        """[customer, customer]: what it costs to take the records of one for those of the other."""
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
        """Pairs of a record and a published one that may take it in: of those who exchange pseudonyms with one another."""
        pairs = {(user, other) for ring in _rings(exchange) for user in ring for other in ring}
        found: list[tuple[Ints, Ints, Floats]] = []
        for user, other in sorted(pairs):
            ours, theirs = self.mine[user], self.mine[other]
            gaps = self.gaps(ours, theirs)
            number = min(self.candidates + (user == other), theirs.size)
            near = np.argpartition(gaps, number - 1, axis=1)[:, :number]
            rows = np.repeat(np.arange(ours.size), number)
            # The best exchange of all records, so that the nearest ones are not everybody's only choice.
            best = linear_sum_assignment(gaps if user != other else gaps + USED * np.eye(ours.size))
            every = np.unique(np.concatenate([rows, best[0]]) * theirs.size + np.concatenate([near.ravel(), best[1]]))
            rows, columns = every // theirs.size, every % theirs.size
            found.append((ours[rows], theirs[columns], gaps[rows, columns]))
        records = np.arange(self.owner.size)
        own = np.concatenate([begin for begin, _, _ in found]) == np.concatenate([end for _, end, _ in found])
        begin, end, cost = (np.concatenate([one[side] for one in found])[~own] for side in range(3))
        # Its own place is always free for a record, so that there always is a solution.
        return np.concatenate([begin, records]), np.concatenate([end, records]), np.append(cost, np.zeros(records.size))

    def _repaired(self, holds: Ints, exchanges: list[Ints], k: int) -> tuple[Ints, Ints]:
        """Records that found the same place twice change it with others, person by person: with their own, or of people
        joined with theirs, where both published records then list both pseudonyms."""
        size, everyone = self.owner.size, self.sizes.size
        number = np.bincount(holds // size, minlength=size)
        more, lists = [holds], [np.empty(0, dtype=np.int64)]
        for record in np.flatnonzero(number < k):
            user = self.owner[record]
            joined = [user, *(exchange[user] for exchange in exchanges)]
            others = np.concatenate([self.mine[one] for one in joined])
            others = others[~np.isin(record * np.int64(size) + others, holds)]
            cost = self.gaps(np.array([record]), others)[0] + 2 * LISTED * (self.owner[others] != user)
            chosen = others[np.argsort(cost, kind="stable")[: k - number[record]]]
            more += [record * np.int64(size) + chosen, chosen * np.int64(size) + record]
            lists += [record * np.int64(everyone) + self.owner[chosen], chosen * np.int64(everyone) + user]
        return np.unique(np.concatenate(more)), np.unique(np.concatenate(lists))


def _rings(exchange: Ints) -> list[list[int]]:
    """Who exchanges with whom: each gets the pseudonym of the next."""
    found, left = [], set(range(exchange.size))
    while left:
        ring = [min(left)]
        while int(exchange[ring[-1]]) != ring[0]:
            ring.append(int(exchange[ring[-1]]))
        left -= set(ring)
        found.append(ring)
    return found


def _paired(exchange: Ints, cost: Floats, far: float) -> Ints:
    """A similar exchange between two and two, or the same where too many pairs were used before.

    Neighbours in a ring become pairs, those who are left over, too, and pairs change partners as long as that helps. One who
    remains makes a pair a ring of three.
    """
    cut = [ring[: len(ring) // 2 * 2] for ring in _rings(exchange)]
    left = [ring[-1] for ring in _rings(exchange) if len(ring) % 2]
    alone = left.pop() if len(left) % 2 else None
    pairs = np.array([*(one for ring in cut for one in ring), *left], dtype=np.int64).reshape(-1, 2)
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
        one, two = np.unravel_index(table.argmax(), table.shape)
        pairs[one, 1], pairs[two, other] = pairs[two, other], pairs[one, 1]
    made = exchange.copy()
    made[pairs[:, 0]], made[pairs[:, 1]] = pairs[:, 1], pairs[:, 0]
    if alone is not None:
        ends = np.vstack([pairs, pairs[:, ::-1]])
        price = cost[ends[:, 0], ends[:, 1]] + cost[ends[:, 1], alone] + cost[alone, ends[:, 0]]
        one, two = ends[price.argmin()]
        made[[one, two, alone]] = two, alone, one
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

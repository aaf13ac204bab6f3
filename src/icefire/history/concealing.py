"""Verification of k-concealment of histories, at the level of customers and at the level of records.

A *world* assigns to each customer of a period a pseudonym, and to each record a published record that covers it and lists
the pseudonym of its customer. The truth is a world. A pseudonym is a match of a customer if some world assigns it, and a match
is counted only if a complete world with it was found. Matches of records are counted in two ways: at the level of records
alone, as in the thesis, and in worlds, which gives smaller numbers, because all records of a customer have to move to the
same pseudonym.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import breadth_first_order, maximum_bipartite_matching

from icefire.concealment.graph import Graph, covers
from icefire.concealment.worlds import balanced, effective_matches
from icefire.core.errors import DataError, TooLarge
from icefire.frames.notation import parse_set
from icefire.frames.ragged import concatenated_ranges
from icefire.history.data import NONE, History, Ints, Release
from icefire.history.facets import interval_ends
from icefire.history.records import SPANS
from icefire.history.sets import beginning

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]
MOST = 100_000_000
"""Largest estimated number of pairs of a record and a published record that covers it."""
TABLE = 1_000_000_000
"""Largest table of the values in each distinct cell."""
CENTRE = 2.0
"""Log odds of being the centre that a record gains by each other one that shares a second published record with it."""
ROUNDS = 20
"""Rounds of Sinkhorn's scaling."""
BASES = 8
"""Worlds from which others are searched for, beside the truth."""
PATIENCE = 5
"""Rounds without a new match after which the search goes on pair by pair."""


@dataclass(frozen=True)
class Hidden:
    """The matches of customers and of records in a release."""

    people: Ints = field(repr=False)
    """Number of matching pseudonyms, for each customer and period with records."""
    candidates: Ints = field(repr=False)
    """Number of pseudonyms with room for all records of the customer, regardless of the other customers."""
    records: Ints = field(repr=False)
    """Number of matches of each record, at the level of records: published records of its customer's pseudonyms."""
    together: Ints = field(repr=False)
    """Number of matches of each record in worlds, where all records of a customer have the same pseudonym."""
    neighbours: Ints = field(repr=False)
    """Number of published records that cover each record."""
    shared: float
    """Share of published records with several pseudonyms."""
    effective: Floats = field(repr=False)
    """Effective number of customers behind each pseudonym if all assignments of matching pseudonyms are equally likely."""
    where: tuple[Ints, Ints] = field(repr=False)
    """The customer and the period of each entry of `people`."""

    @property
    def k(self) -> int:
        """The largest k for which the release is k-concealed, at both levels."""
        return int(min(self.people.min(), self.records.min()))

    def as_dict(self) -> dict[str, float]:
        return {
            "pseudonyms, least": int(self.people.min()),
            "pseudonyms, mean": float(self.people.mean()),
            "effective customers of a pseudonym, all assignments equally likely, least": float(self.effective.min()),
            "effective customers of a pseudonym, all assignments equally likely, mean": float(self.effective.mean()),
            "pseudonyms with room, least": int(self.candidates.min()),
            "records, least": int(self.records.min()),
            "records, mean": float(self.records.mean()),
            "records in worlds, least": int(self.together.min()),
            "records in worlds, mean": float(self.together.mean()),
            "records that cover, least": int(self.neighbours.min()),
            "under several pseudonyms": self.shared,
        }


def hidden(release: Release, rng: np.random.Generator) -> Hidden:
    """Verify a release; DataError if it does more than generalize."""
    original, published = release.original, release.published
    if not np.array_equal(np.sort(release.rows), np.arange(original.height)):
        raise DataError(
            f"{published.height:,} published records of {original.height:,}, {int((release.rows == NONE).sum()):,} of them "
            "dummies: k-concealment needs a release with every record exactly once"
        )
    edges = covering(original, published)
    _check_truth(release, edges)
    people, candidates = np.zeros((2, *release.pseudonyms.shape), dtype=np.int64)
    records, together = np.zeros((2, original.height), dtype=np.int64)
    worth = []
    for period in range(len(original.periods)):
        inside = np.flatnonzero(original.period_codes == period)
        if inside.size == 0:
            continue
        part = _Period(release, edges, period, inside)
        part.search(rng)
        people[part.users, period] = part.confirmed.sum(axis=1)
        worth.append(effective_matches(Graph.of_edges(sparse.csr_array(part.confirmed.astype(np.int8)))))
        candidates[part.users, period] = part.possible.sum(axis=1)
        records[inside], together[inside] = part.matches(), part.matches_in_worlds()
    users, periods = np.nonzero(original.present)
    return Hidden(
        people[users, periods],
        candidates[users, periods],
        records,
        together,
        np.diff(edges.indptr),
        float(published.shared.mean()),
        np.concatenate(worth),
        (users, periods),
    )


def covering(original: History, published: History) -> sparse.csr_array:
    """[record, published record]: whether the published record covers the record in all published columns."""
    names = [
        name for name in ("date", "item", "price", "quantity", "time") if original.has(name) and published.has(name)
    ]
    columns = [_column(original, published, name) for name in names]
    pairs = float(original.height) * published.height
    for values, cells, fits in columns:
        number = fits.astype(np.float32) @ np.bincount(values, minlength=fits.shape[1]).astype(np.float32)
        pairs *= float(number[cells].mean()) / original.height
    if pairs > MOST:
        raise TooLarge(
            f"about {pairs:,.0f} pairs of a record and a published record that covers it are too many to verify"
        )
    distinct, value_of = np.unique(np.stack([values for values, _, _ in columns], axis=1), axis=0, return_inverse=True)
    boxes, box_of = np.unique(np.stack([cells for _, cells, _ in columns], axis=1), axis=0, return_inverse=True)
    found = covers(distinct, boxes, [fits for _, _, fits in columns])
    return sparse.csr_array(found[value_of.ravel()][:, box_of.ravel()])


def centred(edges: sparse.csr_array) -> sparse.csr_array:
    """[record, published record]: how likely the record is the one that the published record was built around.

    Published record 0 covers all three records, 1 covers records 0 and 1, and 2 covers 0 and 2. Record 0 is the centre of
    0: it shares a second one with both others, records 1 and 2 with one other each.

    >>> edges = sparse.csr_array(np.array([[1, 1, 1], [1, 1, 0], [1, 0, 1]]))
    >>> np.log(centred(edges).toarray()[:, 0]).tolist()
    [0.0, -2.0, -2.0]
    """
    covers = sparse.csr_array(edges.astype(np.float64))
    covers.data[:] = 1.0
    common = (covers @ covers.T).tocoo()
    twice = (common.data >= 2.0) & (common.row != common.col)
    again = sparse.csr_array((np.ones(int(twice.sum())), (common.row[twice], common.col[twice])), shape=common.shape)
    rows = np.repeat(np.arange(covers.shape[0]), np.diff(covers.indptr))
    number = np.asarray((again @ covers).todense())[rows, covers.indices]
    others = np.bincount(covers.indices, minlength=covers.shape[1])[covers.indices] - 1.0
    covers.data = np.exp(CENTRE * (number - others))
    return covers


def _column(original: History, published: History, name: str) -> tuple[Ints, Ints, Flags]:
    """The value of each record and the cell of each published record as codes, and [cell, value]: whether they fit."""
    column, cells = original.frame[name], published.frame[name]
    domain = column.unique().sort(nulls_last=True)
    values = column.rank("dense").fill_null(len(domain)).to_numpy().astype(np.int64) - 1
    codes, fits = _intervals(published, name, domain) if name in SPANS else _labels(cells, name, domain)
    # An empty cell stands for the missing value if the release has as many as the original, otherwise for any value.
    same = cells.null_count() == column.null_count()
    empty = domain.is_null().to_numpy() if same else np.ones(len(domain), dtype=np.bool_)
    return values, codes, np.vstack([fits.reshape(-1, len(domain)), empty])


def _intervals(published: History, name: str, domain: pl.Series) -> tuple[Ints, Flags]:
    low, high = interval_ends(published.frame, name)
    present = ~np.isnan(low)
    intervals, index = np.unique(np.stack([low, high])[:, present], axis=1, return_inverse=True)
    codes = np.full(low.size, intervals.shape[1], dtype=np.int64)
    codes[present] = index.ravel()
    numbers = domain.to_physical().to_numpy().astype(np.float64)
    return codes, (intervals[0][:, None] <= numbers) & (numbers <= intervals[1][:, None])


def _labels(cells: pl.Series, name: str, domain: pl.Series) -> tuple[Ints, Flags]:
    labels = cells.drop_nulls().unique().sort()
    codes = cells.cast(pl.Enum(labels)).to_physical().cast(pl.Int64).fill_null(len(labels))
    if len(labels) * len(domain) > TABLE:
        raise TooLarge(
            f"{len(labels):,} distinct cells and {len(domain):,} values of the column {name!r} are too many to compare"
        )
    fits = _item_fits(labels.to_list(), domain) if name == "item" else labels.to_numpy()[:, None] == domain.to_numpy()
    return codes.to_numpy().astype(np.int64), fits


def _item_fits(labels: list[str], domain: pl.Series) -> Flags:
    """[label, item]: whether a published item may stand for the item."""
    items = domain.to_list()
    code_of = {item: code for code, item in enumerate(items)}
    fits = np.zeros((len(labels), len(items)), dtype=np.bool_)
    for row, label in enumerate(labels):
        prefix = beginning(label)
        if label in code_of:
            fits[row, code_of[label]] = True
        elif prefix is not None:
            fits[row, [code for item, code in code_of.items() if item.startswith(prefix)]] = True
        else:
            fits[row, [code_of[member] for member in parse_set(label) or [] if member in code_of]] = True
    return fits


def _check_truth(release: Release, edges: sparse.csr_array) -> None:
    """Raise DataError unless the secret of the release is a world."""
    keys = np.repeat(np.arange(edges.shape[0]), np.diff(edges.indptr)) * np.int64(edges.shape[1]) + edges.indices
    own = release.rows * np.int64(edges.shape[1]) + np.arange(release.rows.size)
    wrong = np.flatnonzero(~np.isin(own, keys))
    if wrong.size:
        row = int(release.rows[wrong[0]])
        raise DataError(
            f"published record {wrong[0] + 1} does not cover the original record {row + 1} it was made from "
            f"({wrong.size:,} in all): either the row map is wrong, or the release does more than generalize"
        )
    original, holders = release.original, release.published.holders
    true = release.pseudonyms[original.user_codes, original.period_codes][release.rows]
    listed = np.zeros(release.rows.size, dtype=np.bool_)
    listed[holders.records[holders.users == true[holders.records]]] = True
    if not listed.all():
        at = int(np.flatnonzero(~listed)[0])
        raise DataError(
            f"published record {at + 1} has the pseudonyms {release.published.frame['user'][at]!r}, and that of its "
            "customer is not among them: add it"
        )


class _Period:
    """The customers, pseudonyms, records and published records of a period, and the worlds found so far."""

    def __init__(self, release: Release, edges: sparse.csr_array, period: int, inside: Ints) -> None:
        original, published = release.original, release.published
        self.users, owner = np.unique(original.user_codes[inside], return_inverse=True)
        self.owner = owner
        released = np.flatnonzero(published.period_codes == period)
        order = np.empty(original.height, dtype=np.int64)
        order[inside] = np.arange(inside.size)
        # Published records are put in the order of their original records, so that the identity is the truth.
        truth = order[release.rows[released]]
        released = released[np.argsort(truth)]
        self.edges = sparse.csr_array(edges[inside][:, released])
        self.edges.sort_indices()
        self.rows = np.repeat(np.arange(inside.size), np.diff(self.edges.indptr))
        place = np.full(len(published.users), NONE, dtype=np.int64)
        place[release.pseudonyms[self.users, period]] = np.arange(self.users.size)
        self.listed = np.zeros((inside.size, self.users.size), dtype=np.bool_)
        """[published record, pseudonym]: whether it is listed; pseudonyms in the order of their customers."""
        at = np.full(published.height, NONE, dtype=np.int64)
        at[released] = np.arange(released.size)
        holders = published.holders
        here = at[holders.records] != NONE
        self.listed[at[holders.records[here]], place[holders.users[here]]] = True
        self.seen = np.zeros(self.edges.nnz, dtype=np.bool_)
        """Edges of the worlds found so far."""
        self.confirmed = np.zeros((self.users.size, self.users.size), dtype=np.bool_)
        """[customer, pseudonym]: whether a world with this assignment was found."""
        self.base = np.arange(self.users.size)
        """The pseudonyms in the order of the customers who have them in the world that is searched from; first the truth."""
        self.worlds: list[Ints] = []
        """Worlds found so far, by the pseudonym's place in the truth."""

    @cached_property
    def possible(self) -> Flags:
        """[customer, pseudonym]: whether the records of the customer fit under the pseudonym.

        Each record needs a published record of its own that lists the pseudonym, and each published record that lists no
        other pseudonym needs a record.
        """
        count = self.users.size
        sizes = np.bincount(self.owner, minlength=count)
        listed = sparse.csr_array(self.listed).astype(np.int64)
        alone = self.listed & (self.listed.sum(axis=1) == 1)[:, None]
        fits = (self.edges.astype(np.int64) @ listed).sign()
        member = sparse.csr_array((np.ones(self.owner.size, dtype=np.int64), (self.owner, np.arange(self.owner.size))))
        reached = np.asarray((member @ fits).todense()) == sizes[:, None]
        reached &= (sizes[:, None] <= self.listed.sum(axis=0)) & (sizes[:, None] >= alone.sum(axis=0))
        found = np.zeros((count, count), dtype=np.bool_)
        records_of = [np.flatnonzero(self.owner == user) for user in range(count)]
        for user, pseudonym in np.argwhere(reached):
            under = np.flatnonzero(self.listed[:, pseudonym])
            block = sparse.csr_array(self.edges[records_of[user]][:, under])
            certain = alone[under, pseudonym]
            found[user, pseudonym] = _matches_all_rows(block) and _matches_all_rows(
                sparse.csr_array(block[:, certain].T)
            )
        return found

    @cached_property
    def islands(self) -> Ints:
        """[customer]: the same number for customers who may come to share pseudonyms or published records in some world.

        No edge of a world leads from one island to another, so that each can be searched alone.
        """
        used = self._listed_with(self.possible)
        users, pseudonyms = np.nonzero(self.possible)
        left = np.concatenate([users, self.owner[self.rows[used]]])
        # In the order of the truth, published record j is that of record j.
        right = np.concatenate([pseudonyms, self.owner[self.edges.indices[used]]])
        graph = sparse.csr_array((np.ones(left.size, dtype=np.int8), (left, right)), shape=self.possible.shape)
        return np.asarray(sparse.csgraph.connected_components(graph, directed=False)[1], dtype=np.int64)

    def search(self, rng: np.random.Generator) -> None:
        """Search for worlds around the truth, around the world in which every record is at the centre of its cells, and
        around some of the worlds found."""
        assert self.try_world(np.arange(self.users.size)), "the truth is a world"
        self._search(rng)
        for number in range(BASES):
            fewer = self.matches_in_worlds() < self.confirmed.sum(axis=1)[self.owner]
            if not fewer.any() and not (self.possible & ~self.confirmed).any():
                return
            base = (
                self._centres() if number == 0 else np.argsort(self.base)[self.worlds[rng.integers(len(self.worlds))]]
            )
            if self.try_world(base):
                self.base, self.listed = self.base[base], self.listed[:, base]
                self.possible, self.confirmed = self.possible[:, base], self.confirmed[:, base]
                self._search(rng)

    def _centres(self) -> Ints:
        """The pseudonyms whose published records are built around those of each customer, by how their cells overlap."""
        plan = balanced(centred(self.edges), ROUNDS)[0]
        weights = sparse.csr_array(self.listed / self.listed.sum(axis=1, keepdims=True))
        scores = np.zeros(self.possible.shape)
        np.add.at(scores, self.owner, np.log(np.asarray((plan @ weights).todense()) + 1e-6))
        return linear_sum_assignment(np.where(self.possible, -scores, 1e6))[1]

    def _search(self, rng: np.random.Generator) -> None:
        """Search for worlds until every possible pair is confirmed or no further world is found."""
        identity = np.arange(self.users.size)
        failed = np.zeros(self.possible.shape)
        idle = 0
        while idle < PATIENCE and (self.possible & ~self.confirmed).any():
            cost = rng.random(failed.shape) + 10.0 * self.confirmed + 3.0 * failed
            world = linear_sum_assignment(np.where(self.possible, cost, 1e6))[1]
            idle = 0 if self._try_cycles(world) else idle + 1
            failed[identity, world] += ~self.confirmed[identity, world]
        for user, pseudonym in np.argwhere(self.possible & ~self.confirmed):
            for world in self._exchanges(int(user), int(pseudonym)):
                if self.confirmed[user, pseudonym] or self.try_world(world):
                    break
        # Further worlds may add matches to records that have fewer than their customer has pseudonyms.
        goal = self.confirmed.sum(axis=1)
        for user in np.unique(self.owner[self.matches_in_worlds() < goal[self.owner]]):
            for pseudonym in np.flatnonzero(self.possible[user] & (identity != user)):
                for world in self._exchanges(int(user), int(pseudonym)):
                    self.try_world(world)

    def _try_cycles(self, world: Ints) -> bool:
        """Try a world and, if it fails, each of its cycles alone; whether that confirms any new pair."""
        before = int(self.confirmed.sum())
        if not self.try_world(world):
            identity = np.arange(world.size)
            graph = sparse.csr_array((np.ones(world.size), (identity, world)), shape=(world.size, world.size))
            cycle = sparse.csgraph.connected_components(graph, directed=False)[1]
            for number in np.unique(cycle[world != identity]):
                part = np.where(cycle == number, world, identity)
                if (~self.confirmed[identity, part]).any() and (part != world).any():
                    self.try_world(part)
        return int(self.confirmed.sum()) > before

    def _exchanges(self, user: int, pseudonym: int) -> Iterator[Ints]:
        """Cyclic exchanges that give the customer this pseudonym: all of two or three customers, else a shortest one."""
        middle = np.flatnonzero(self.possible[pseudonym] & self.possible[:, user])
        paths = [[int(third)] for third in middle if third not in (user, pseudonym)]
        if self.possible[pseudonym, user]:
            paths.insert(0, [])
        if not paths:
            order, before = breadth_first_order(sparse.csr_array(self.possible.astype(np.int8)), pseudonym)
            if user not in order:
                return
            paths = [[]]
            while before[(paths[0] or [user])[0]] != pseudonym:
                paths[0].insert(0, int(before[(paths[0] or [user])[0]]))
        for path in paths:
            world = np.arange(self.users.size)
            world[[user, pseudonym, *path]] = [pseudonym, *path, user]
            yield world

    def try_world(self, world: Ints) -> bool:
        """Whether an assignment of pseudonyms extends to all records; if so, its matches are noted."""
        records = self._around(world)
        begins = self.edges.indptr[records]
        edges = concatenated_ranges(begins, self.edges.indptr[records + 1] - begins)
        edges = edges[self.listed[self.edges.indices[edges], world[self.owner[self.rows[edges]]]]]
        rows, columns = (np.searchsorted(records, side[edges]) for side in (self.rows, self.edges.indices))
        shape = records.size, records.size
        graph = sparse.csr_array((np.ones(edges.size, dtype=np.int8), (rows, columns)), shape)
        partner = maximum_bipartite_matching(sparse.csr_matrix(graph), perm_type="row")
        if (partner < 0).any():
            return False
        left, right = Graph.of_edges(graph, partner.astype(np.int64)).components
        self.seen[edges[left[rows] == right[columns]]] = True
        if not self.confirmed[np.arange(world.size), world].all():
            self.worlds.append(self.base[world])
        self.confirmed[np.arange(world.size), world] = True
        return True

    def _around(self, world: Ints) -> Ints:
        """The records of the islands on which somebody changes pseudonyms; all if nobody does."""
        moved = np.flatnonzero(world != np.arange(world.size))
        if not moved.size:
            return np.arange(self.owner.size)
        order, begins = self._by_island
        islands = np.unique(self.islands[moved])
        return np.sort(order[concatenated_ranges(begins[islands], begins[islands + 1] - begins[islands])])

    @cached_property
    def _by_island(self) -> tuple[Ints, Ints]:
        """The records in the order of their islands, and where each island begins."""
        islands = self.islands[self.owner]
        return np.argsort(islands, kind="stable"), np.concatenate([[0], np.cumsum(np.bincount(islands))])

    def _subgraph(self, allowed: Flags) -> sparse.csr_array:
        """The graph of the allowed edges."""
        counts = np.bincount(self.rows[allowed], minlength=self.owner.size)
        begins = np.concatenate([[0], np.cumsum(counts)])
        columns = self.edges.indices[allowed]
        return sparse.csr_array((np.ones(columns.size, dtype=np.int8), columns, begins), shape=self.edges.shape)

    def matches(self) -> Ints:
        """Number of matches of each record, at the level of records alone."""
        graph = self._subgraph(self._listed_with(self.confirmed))
        return Graph.of_edges(graph, np.arange(self.owner.size)).matches()[0]

    def _listed_with(self, pairs: Flags) -> Flags:
        """[edge]: whether the published record lists a pseudonym that the customer of the record has in some pair."""
        listed, pseudonyms = (sparse.csr_array(side).astype(np.int64) for side in (self.listed, pairs.T))
        return np.asarray((listed @ pseudonyms)[self.edges.indices, self.owner[self.rows]]).ravel() > 0

    def matches_in_worlds(self) -> Ints:
        """Number of matches of each record in the worlds found so far."""
        return np.bincount(self.rows[self.seen], minlength=self.owner.size)


def _matches_all_rows(block: sparse.csr_array) -> bool:
    """Whether a bipartite graph has a matching of all its rows."""
    if block.shape[0] > block.shape[1]:
        return False
    return bool((maximum_bipartite_matching(sparse.csr_matrix(block), perm_type="column") >= 0).all())

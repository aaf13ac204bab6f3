"""Who may be behind which pseudonym, and which record behind which published one, if both have to fit together.

A *world* gives everybody of a period one pseudonym and every record one published record that covers it and that lists its
customer's pseudonym. The truth is a world. A pseudonym may be a customer's only where some world has it so, and what is counted
here was seen in a world that was found in full. Records are counted twice: each level by itself, as the thesis does, and by
worlds, which is less, since whoever tells apart the records of a pseudonym has to tell apart people as well.
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
from icefire.core.errors import DataError, Undefined
from icefire.history.data import NONE, History, Ints, Release
from icefire.history.records import SPANS
from icefire.history.sets import beginning, members

Flags = NDArray[np.bool_]
MOST = 100_000_000
"""Pairs of a record and a published one that covers it, as far as they can be estimated beforehand."""
TABLE = 1_000_000_000
"""Entries of a table of which value lies in which cell."""
PATIENCE = 5
"""Rounds without news after which worlds are sought edge by edge."""


@dataclass(frozen=True)
class Hidden:
    """What a release conceals, at both levels."""

    people: Ints = field(repr=False)
    """How many pseudonyms each customer may have, by customer and period."""
    candidates: Ints = field(repr=False)
    """How many would have room for the customer's records, whether or not that leaves room for everybody else's."""
    records: Ints = field(repr=False)
    """How many published records each record may be behind: of pseudonyms that its customer may have."""
    together: Ints = field(repr=False)
    """The same in worlds, where all records of a customer stand under one pseudonym."""
    neighbours: Ints = field(repr=False)
    """How many cover it."""
    shared: float
    """The share of published records that stand under several pseudonyms."""
    where: tuple[Ints, Ints] = field(repr=False)
    """The customer and the period of each entry of `people`."""

    @property
    def k(self) -> int:
        """The release is k-concealed for this k, level by level."""
        return int(min(self.people.min(), self.records.min()))

    def as_dict(self) -> dict[str, float]:
        return {
            "pseudonyms, least": int(self.people.min()),
            "pseudonyms, mean": float(self.people.mean()),
            "pseudonyms with room, least": int(self.candidates.min()),
            "records, least": int(self.records.min()),
            "records, mean": float(self.records.mean()),
            "records in worlds, least": int(self.together.min()),
            "records in worlds, mean": float(self.together.mean()),
            "records that cover, least": int(self.neighbours.min()),
            "under several pseudonyms": self.shared,
        }


def hidden(release: Release, rng: np.random.Generator) -> Hidden:
    """Verify a release; DataError where it does more than generalize."""
    original, published = release.original, release.published
    if not np.array_equal(np.sort(release.rows), np.arange(original.height)):
        raise DataError(
            f"{published.height:,} published records of {original.height:,}, {int((release.rows == NONE).sum()):,} of them "
            "dummies: concealment is about releases that hold every record once"
        )
    edges = covering(original, published)
    _check_truth(release, edges)
    people, candidates = np.zeros((2, *release.pseudonyms.shape), dtype=np.int64)
    records, together = np.zeros((2, original.height), dtype=np.int64)
    for period in range(len(original.periods)):
        inside = np.flatnonzero(original.period_codes == period)
        if inside.size == 0:
            continue
        part = _Period(release, edges, period, inside)
        part.search(rng)
        people[part.users, period] = part.confirmed.sum(axis=1)
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
        (users, periods),
    )


def covering(original: History, published: History) -> sparse.csr_array:
    """[record, published record]: which published record covers which, by all columns that were published."""
    names = [
        name for name in ("date", "item", "price", "quantity", "time") if original.has(name) and published.has(name)
    ]
    columns = [_column(original, published, name) for name in names]
    pairs = float(original.height) * published.height
    for values, cells, fits in columns:
        number = fits.astype(np.float32) @ np.bincount(values, minlength=fits.shape[1]).astype(np.float32)
        pairs *= float(number[cells].mean()) / original.height
    if pairs > MOST:
        raise Undefined(f"about {pairs:,.0f} pairs of a record and one that covers it are too many to look at")
    distinct, value_of = np.unique(np.stack([values for values, _, _ in columns], axis=1), axis=0, return_inverse=True)
    boxes, box_of = np.unique(np.stack([cells for _, cells, _ in columns], axis=1), axis=0, return_inverse=True)
    found = covers(distinct, boxes, [fits for _, _, fits in columns])
    return sparse.csr_array(found[value_of.ravel()][:, box_of.ravel()])


def _column(original: History, published: History, name: str) -> tuple[Ints, Ints, Flags]:
    """The value of each record, the cell of each published one, and which value lies in which distinct cell."""
    column, cells = original.frame[name], published.frame[name]
    domain = column.unique().sort(nulls_last=True)
    values = column.rank("dense").fill_null(len(domain)).to_numpy().astype(np.int64) - 1
    codes, fits = _ranges(published, name, domain) if name in SPANS else _texts(cells, name, domain)
    # An empty cell is a value if as many were empty before, else it tells nothing.
    same = cells.null_count() == column.null_count()
    empty = domain.is_null().to_numpy() if same else np.ones(len(domain), dtype=np.bool_)
    return values, codes, np.vstack([fits.reshape(-1, len(domain)), empty])


def _ranges(published: History, name: str, domain: pl.Series) -> tuple[Ints, Flags]:
    low = published.frame[name].to_physical().to_numpy().astype(np.float64)
    high = low
    if f"{name}_to" in published.frame.columns:
        high = published.frame[f"{name}_to"].to_physical().to_numpy().astype(np.float64)
        high = np.where(np.isnan(high), low, high)
    there = ~np.isnan(low)
    spans, which = np.unique(np.stack([low, high])[:, there], axis=1, return_inverse=True)
    codes = np.full(low.size, spans.shape[1], dtype=np.int64)
    codes[there] = which.ravel()
    numbers = domain.to_physical().to_numpy().astype(np.float64)
    return codes, (spans[0][:, None] <= numbers) & (numbers <= spans[1][:, None])


def _texts(cells: pl.Series, name: str, domain: pl.Series) -> tuple[Ints, Flags]:
    labels = cells.drop_nulls().unique().sort()
    codes = cells.cast(pl.Enum(labels)).to_physical().cast(pl.Int64).fill_null(len(labels))
    if len(labels) * len(domain) > TABLE:
        raise Undefined(
            f"{len(labels):,} different cells of the column {name!r} for {len(domain):,} values are too many to compare"
        )
    fits = _sets(labels.to_list(), domain) if name == "item" else labels.to_numpy()[:, None] == domain.to_numpy()
    return codes.to_numpy().astype(np.int64), fits


def _sets(labels: list[str], domain: pl.Series) -> Flags:
    """[label, item]: what each published item may stand for."""
    items = domain.to_list()
    place = {item: code for code, item in enumerate(items)}
    fits = np.zeros((len(labels), len(items)), dtype=np.bool_)
    for row, label in enumerate(labels):
        start = beginning(label)
        if label in place:
            fits[row, place[label]] = True
        elif start is not None:
            fits[row, [code for item, code in place.items() if item.startswith(start)]] = True
        else:
            fits[row, [place[member] for member in members(label) or [] if member in place]] = True
    return fits


def _check_truth(release: Release, edges: sparse.csr_array) -> None:
    keys = np.repeat(np.arange(edges.shape[0]), np.diff(edges.indptr)) * np.int64(edges.shape[1]) + edges.indices
    own = release.rows * np.int64(edges.shape[1]) + np.arange(release.rows.size)
    outside = np.flatnonzero(~np.isin(own, keys))
    if outside.size:
        row = int(release.rows[outside[0]])
        raise DataError(
            f"published record {outside[0] + 1} does not cover original record {row + 1} it was made from "
            f"({outside.size:,} in all): either the row map is wrong, or the release does not merely generalize"
        )
    original, holders = release.original, release.published.holders
    true = release.pseudonyms[original.user_codes, original.period_codes][release.rows]
    listed = np.zeros(release.rows.size, dtype=np.bool_)
    listed[holders.records[holders.users == true[holders.records]]] = True
    if not listed.all():
        at = int(np.flatnonzero(~listed)[0])
        raise DataError(
            f"published record {at + 1} stands under {release.published.frame['user'][at]!r}, where the pseudonym of its "
            "customer is not among them: it belongs to nobody who could own it"
        )


class _Period:
    """One period: its people, their pseudonyms, their records and the published ones."""

    def __init__(self, release: Release, edges: sparse.csr_array, period: int, inside: Ints) -> None:
        original, published = release.original, release.published
        self.users, owner = np.unique(original.user_codes[inside], return_inverse=True)
        self.owner = owner
        released = np.flatnonzero(published.period_codes == period)
        order = np.empty(original.height, dtype=np.int64)
        order[inside] = np.arange(inside.size)
        # Published records in the order of the originals they were made from: identity is the truth.
        truth = order[release.rows[released]]
        released = released[np.argsort(truth)]
        self.edges = sparse.csr_array(edges[inside][:, released])
        self.edges.sort_indices()
        self.rows = np.repeat(np.arange(inside.size), np.diff(self.edges.indptr))
        place = np.full(len(published.users), NONE, dtype=np.int64)
        place[release.pseudonyms[self.users, period]] = np.arange(self.users.size)
        self.listed = np.zeros((inside.size, self.users.size), dtype=np.bool_)
        """[published record, pseudonym]: pseudonyms in the order of their customers."""
        at = np.full(published.height, NONE, dtype=np.int64)
        at[released] = np.arange(released.size)
        holders = published.holders
        here = at[holders.records] != NONE
        self.listed[at[holders.records[here]], place[holders.users[here]]] = True
        self.seen = np.zeros(self.edges.nnz, dtype=np.bool_)
        """Edges that some world has."""
        self.confirmed = np.zeros((self.users.size, self.users.size), dtype=np.bool_)

    @cached_property
    def possible(self) -> Flags:
        """[customer, pseudonym]: the pseudonym has room for all records of the customer, and they for all that it alone has."""
        everyone = self.users.size
        sizes = np.bincount(self.owner, minlength=everyone)
        listed = sparse.csr_array(self.listed.astype(np.int64))
        alone = self.listed & (self.listed.sum(axis=1) == 1)[:, None]
        fits = (self.edges.astype(np.int64) @ listed).sign()
        member = sparse.csr_array((np.ones(self.owner.size, dtype=np.int64), (self.owner, np.arange(self.owner.size))))
        reached = np.asarray((member @ fits).todense()) == sizes[:, None]
        reached &= (sizes[:, None] <= self.listed.sum(axis=0)) & (sizes[:, None] >= alone.sum(axis=0))
        found = np.zeros((everyone, everyone), dtype=np.bool_)
        mine = [np.flatnonzero(self.owner == user) for user in range(everyone)]
        for user, pseudonym in np.argwhere(reached):
            under = np.flatnonzero(self.listed[:, pseudonym])
            block = sparse.csr_array(self.edges[mine[user]][:, under])
            certain = alone[under, pseudonym]
            found[user, pseudonym] = _full(block) and _full(sparse.csr_array(block[:, certain].T))
        return found

    def search(self, rng: np.random.Generator) -> None:
        """Look for worlds until every possible pair was seen in one, or no more come to light."""
        everyone = np.arange(self.users.size)
        assert self.try_world(everyone), "the truth is a world"
        failed = np.zeros(self.possible.shape)
        idle = 0
        while idle < PATIENCE and (self.possible & ~self.confirmed).any():
            cost = rng.random(failed.shape) + 10.0 * self.confirmed + 3.0 * failed
            world = linear_sum_assignment(np.where(self.possible, cost, 1e6))[1]
            news = self._try(world)
            idle = 0 if news else idle + 1
            failed[everyone, world] += ~self.confirmed[everyone, world]
        for user, pseudonym in np.argwhere(self.possible & ~self.confirmed):
            for ring in self._rings(int(user), int(pseudonym)):
                if self.confirmed[user, pseudonym] or self.try_world(ring):
                    break
        # The first world that was found for a pair may not be the only one.
        goal = self.confirmed.sum(axis=1)
        for user in np.unique(self.owner[self.matches_in_worlds() < goal[self.owner]]):
            for pseudonym in np.flatnonzero(self.possible[user] & (everyone != user)):
                for ring in self._rings(int(user), int(pseudonym)):
                    self.try_world(ring)

    def _try(self, world: Ints) -> bool:
        """Whether the world, or one of its cycles alone, brings something new."""
        before = int(self.confirmed.sum())
        if not self.try_world(world):
            everyone = np.arange(world.size)
            graph = sparse.csr_array((np.ones(world.size), (everyone, world)), shape=(world.size, world.size))
            cycle = sparse.csgraph.connected_components(graph, directed=False)[1]
            for number in np.unique(cycle[world != everyone]):
                part = np.where(cycle == number, world, everyone)
                if (~self.confirmed[everyone, part]).any() and (part != world).any():
                    self.try_world(part)
        return int(self.confirmed.sum()) > before

    def _rings(self, user: int, pseudonym: int) -> Iterator[Ints]:
        """Exchanges of pseudonyms in which the customer gets this one: all of two and of three, and one of the shortest."""
        middle = np.flatnonzero(self.possible[pseudonym] & self.possible[:, user])
        paths = [[int(one)] for one in middle if one not in (user, pseudonym)]
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
        """Whether the records fit, too, if everybody has this pseudonym; if so, all that is seen in it is noted."""
        allowed = self.listed[self.edges.indices, world[self.owner[self.rows]]]
        graph = self._only(allowed)
        partner = maximum_bipartite_matching(sparse.csr_matrix(graph), perm_type="row")
        if (partner < 0).any():
            return False
        left, right = Graph.of_edges(graph, partner.astype(np.int64)).components
        self.seen[np.flatnonzero(allowed)[left[self.rows[allowed]] == right[graph.indices]]] = True
        self.confirmed[np.arange(world.size), world] = True
        return True

    def _only(self, allowed: Flags) -> sparse.csr_array:
        """Some of the edges."""
        counts = np.bincount(self.rows[allowed], minlength=self.owner.size)
        begins = np.concatenate([[0], np.cumsum(counts)])
        columns = self.edges.indices[allowed]
        return sparse.csr_array((np.ones(columns.size, dtype=np.int8), columns, begins), shape=self.edges.shape)

    def matches(self) -> Ints:
        """Of each record, at the level of records alone."""
        fits = (self.listed.astype(np.float32) @ self.confirmed.T.astype(np.float32)) > 0
        graph = self._only(fits[self.edges.indices, self.owner[self.rows]])
        return Graph.of_edges(graph, np.arange(self.owner.size)).matches()[0]

    def matches_in_worlds(self) -> Ints:
        return np.bincount(self.rows[self.seen], minlength=self.owner.size)


def _full(block: sparse.csr_array) -> bool:
    """Whether every row finds a column of its own."""
    if block.shape[0] > block.shape[1]:
        return False
    return bool((maximum_bipartite_matching(sparse.csr_matrix(block), perm_type="column") >= 0).all())

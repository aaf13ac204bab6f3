"""Dummy records for clusters searched for the fewest dummies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np
from scipy import sparse

from icefire.core.errors import InputError, Undefined
from icefire.core.parameters import AtLeast
from icefire.core.seeds import generator
from icefire.history.anonymize._clusters import Matrix, item_codes, item_sets, require_clusters
from icefire.history.anonymize._dummies import ClusterDummies
from icefire.history.data import Ints
from icefire.history.treatment import Dummies, Treatment

BATCH = 1_500
REPETITIONS = 10
"""How often an attacker who knows the method repeats the search on the known records."""


@dataclass(frozen=True)
class UnionClusters(ClusterDummies):
    """Dummy records for clusters of a least size that were searched for the fewest dummies.

    Begins with customers in order of how many items they have, so that heavy buyers share a cluster, and then moves and
    swaps customers as long as that saves dummies. The saving of every move and swap is computed exactly. Large populations
    are searched in batches of clusters.

    Parameters:
        clusters, dummies: as for Method 1.
        least_size: least number of customers in a cluster; customers / clusters, rounded down, if left out.
        rounds: how often a large population is searched.

    Example:
        The best pairs are {tea}, {tea, cup} and {pen}, {pen, ink}: one dummy each.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> log = records(
        ...     "ann 2011-01-03 tea", "bob 2011-01-03 tea", "bob 2011-01-03 cup",
        ...     "cid 2011-01-03 pen", "dan 2011-01-03 pen", "dan 2011-01-03 ink",
        ... )
        >>> release = UnionClusters(clusters=2).anonymize(log, np.random.default_rng(0))
        >>> sorted(release.published.frame["item"])
        ['cup', 'cup', 'ink', 'ink', 'pen', 'pen', 'tea', 'tea']
    """

    least_size: Annotated[int, AtLeast(1)] | None = None
    rounds: Annotated[int, AtLeast(1)] = 3
    aliases: ClassVar[tuple[str, ...]] = ("union clusters",)

    def labels(self, sets: Matrix, rng: np.random.Generator) -> Ints:
        users = sets.shape[0]
        least = users // self.clusters if self.least_size is None else self.least_size
        require_clusters("UnionClusters", users, self.clusters, least)
        labels = np.empty(users, dtype=np.int64)
        order = np.argsort(-np.diff(sets.indptr), kind="stable")
        labels[order] = np.minimum(np.arange(users) // least, self.clusters - 1)
        for _ in range(1 if users <= BATCH else self.rounds):
            for batch in _batches(labels, self.clusters, rng):
                labels[batch] = _searched(sets, labels, batch, least)
        return labels

    def treat(self, treatment: Treatment) -> Treatment:
        """The search ends at about the same clusters whatever the seed, so whoever knows the records can repeat it."""
        records, rng = treatment.records, generator(0, "dummies", self.step())
        treatment = super().treat(treatment)
        rates = Matrix(item_sets(records).shape)
        for _ in range(REPETITIONS):
            sets = item_sets(records, rng.random(records.height) < treatment.kept)
            # Ties depend on the order of customers, which pseudonyms hide.
            order = rng.permutation(sets.shape[0])
            try:
                users, items = self.lacking(sets[order], rng)
            except InputError as error:
                raise Undefined(f"{self.name} cannot be repeated: {error}") from error
            rates = rates + Matrix((np.full(users.size, 1.0 / REPETITIONS), (order[users], items)), shape=sets.shape)
        return replace(treatment, dummies=Dummies(rates.tocsr(), records.user_codes, item_codes(records)))


def _batches(labels: Ints, clusters: int, rng: np.random.Generator) -> list[Ints]:
    """Whole clusters at random, together about BATCH customers; of a very large cluster, some members at a time."""
    order = np.lexsort((rng.random(labels.size), rng.permutation(clusters)[labels]))
    if labels.size > BATCH and np.bincount(labels).max() > BATCH // 4:
        order = rng.permutation(labels.size)
    ends = np.searchsorted(np.arange(0, labels.size, BATCH), np.arange(labels.size), side="right")
    if labels.size > BATCH and np.bincount(labels).max() <= BATCH // 4:
        # A batch ends with a cluster.
        starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
        ends = ends[starts][np.searchsorted(starts, np.arange(labels.size), side="right") - 1]
    return [order[ends == part] for part in np.unique(ends)]


def _searched(sets: Matrix, clusters_of: Ints, batch: Ints, least_size: int) -> Ints:
    """Local search: in each step all savings are computed and the best ones made, each cluster changing once.

    Members of the clusters who are not in the batch stay where they are.
    """
    names, labels = np.unique(clusters_of[batch], return_inverse=True)
    inside = np.zeros(clusters_of.size, dtype=np.bool_)
    inside[batch] = True
    rest = np.flatnonzero(~inside & np.isin(clusters_of, names))
    used = np.unique(sets[np.concatenate([batch, rest])].indices)
    own = sets[batch][:, used].toarray().astype(np.float32)
    member = sparse.csr_array(
        (np.ones(rest.size), (np.searchsorted(names, clusters_of[rest]), np.arange(rest.size))), (names.size, rest.size)
    )
    held = (member @ sets[rest][:, used]).toarray().astype(np.float32)
    fixed = np.asarray(member.sum(axis=1), dtype=np.float32).ravel()
    while _Savings.of(own, labels, names.size, least_size, held, fixed).apply(labels):
        pass
    return names[labels]


@dataclass(frozen=True)
class _Savings:
    swaps: np.ndarray
    moves: np.ndarray

    @classmethod
    def of(
        cls,
        own: np.ndarray,
        labels: Ints,
        clusters: int,
        least_size: int,
        held: np.ndarray | float = 0.0,
        fixed: np.ndarray | float = 0.0,
    ) -> _Savings:
        """What every swap of two customers and every move to another cluster would add to the dummies.

        `held` and `fixed`: how many members who are not to be moved have each item, and how many there are.
        """
        users = labels.size
        member = np.zeros((clusters, users), dtype=np.float32)
        member[labels, np.arange(users)] = 1.0
        holders = member @ own + held
        union = (holders > 0).astype(np.float32)
        size, width = member.sum(axis=1) + fixed, union.sum(axis=1)
        # Items that only this customer brings into the cluster.
        alone = own * (holders[labels] == 1)
        lost = alone.sum(axis=1)
        fresh = own.sum(axis=1)[:, None] - own @ union.T
        # If j replaces i, the union loses what only i had and j lacks, and gains what is new of j.
        replaced = size[labels][:, None] * (fresh[:, labels].T + (own @ alone.T).T - lost[:, None])
        swaps = replaced + replaced.T
        swaps[labels[:, None] == labels[None, :]] = 0.0
        leave = (size[labels] - 1) * (width[labels] - lost) - size[labels] * width[labels]
        enter = (size + 1)[None, :] * (width[None, :] + fresh) - (size * width)[None, :]
        moves = leave[:, None] + enter
        moves[size[labels] <= least_size] = 0.0
        moves[np.arange(users), labels] = 0.0
        return cls(swaps, moves)

    def apply(self, labels: Ints) -> bool:
        """Make the best changes, each cluster taking part in one of them."""
        swaps, moves = np.argwhere(np.triu(self.swaps) < -0.5), np.argwhere(self.moves < -0.5)
        gain = np.concatenate([self.swaps[tuple(swaps.T)], self.moves[tuple(moves.T)]])
        touched: set[int] = set()
        for change in np.argsort(gain, kind="stable"):
            if change < len(swaps):
                user, other = swaps[change]
                target = int(labels[other])
            else:
                user, target = moves[change - len(swaps)]
                other = None
            source = int(labels[user])
            if source in touched or int(target) in touched:
                continue
            touched |= {source, int(target)}
            labels[user] = target
            if other is not None:
                labels[other] = source
        return bool(touched)

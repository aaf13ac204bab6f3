"""Clusters of customers who are to look alike, and the number of dummies they need."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.errors import ParameterError
from icefire.core.similarity import rarity, row_sums, scaled, unit_rows
from icefire.history.data import History, Ints

Matrix = sparse.csr_array
Floats = NDArray[np.float64]


def item_codes(history: History) -> Ints:
    """The item of each record as a number."""
    codes: Ints = history.frame["item"].rank("dense").to_numpy().astype(np.int64) - 1
    return codes


def item_sets(history: History, records: NDArray[np.bool_] | None = None) -> Matrix:
    """[user, item]: 1 where the user has the item, in all or in some of the records."""
    codes = item_codes(history)
    chosen = np.stack([history.user_codes, codes])
    pairs = np.unique(chosen if records is None else chosen[:, records], axis=1)
    shape = (len(history.users), int(codes.max()) + 1)
    return sparse.csr_array((np.ones(pairs.shape[1]), (pairs[0], pairs[1])), shape=shape)


def require_clusters(owner: str, users: int, clusters: int, least_size: int = 1) -> None:
    if not 1 <= clusters <= users:
        raise ParameterError.of(owner, "clusters", f"between 1 and the {users} customers", clusters)
    if least_size * clusters > users:
        largest = users // clusters
        raise ParameterError.of(
            owner, "least_size", f"at most {largest} with {clusters} clusters of {users} customers", least_size
        )


def cosine_clusters(sets: Matrix, clusters: int, rng: np.random.Generator) -> Ints:
    """Method 1: k-means by cosine of TF-IDF vectors, beginning with random customers as centres."""
    users = sets.shape[0]
    weights = scaled(sets, rarity(sets))
    weights.data /= np.repeat(row_sums(sets), np.diff(sets.indptr))
    weights = unit_rows(weights)
    centres = weights[rng.choice(users, clusters, replace=False)]
    labels = np.full(users, -1)
    for _ in range(100):
        nearest = _nearest(weights, centres)
        if np.array_equal(nearest, labels):
            break
        labels = nearest
        centres = _centres(weights, labels, clusters, rng)
    return labels


def _nearest(weights: Matrix, centres: Matrix) -> Ints:
    step = max(1, 4_000_000 // centres.shape[0])
    found = [
        np.asarray((weights[begin : begin + step] @ centres.T).todense()).argmax(axis=1)
        for begin in range(0, weights.shape[0], step)
    ]
    return np.concatenate(found)


def _centres(weights: Matrix, labels: Ints, clusters: int, rng: np.random.Generator) -> Matrix:
    """Unit vectors in the direction of each cluster's mean; an empty cluster begins again at a random customer."""
    users = weights.shape[0]
    centres = cluster_sums(weights, labels, clusters)
    empty = np.bincount(labels, minlength=clusters) == 0
    if empty.any():
        fresh = np.where(empty, rng.integers(0, users, clusters), 0)
        centres = centres + weights[fresh].multiply(empty[:, None]).tocsr()
    return unit_rows(centres)


def cluster_sums(vectors: Matrix, labels: Ints, clusters: int) -> Matrix:
    """[cluster, item]: the sum of the vectors of its customers."""
    users = labels.size
    member = sparse.csr_array((np.ones(users), (labels, np.arange(users))), shape=(clusters, users))
    return Matrix(member @ vectors)


def filled_up(sets: Matrix, labels: Ints, clusters: int, least_size: int) -> Ints:
    """Method 2: while a cluster is too small, it takes from the largest one the customer most similar to a member."""
    labels = labels.copy()
    sizes = np.bincount(labels, minlength=clusters)
    totals = row_sums(sets)
    for cluster in np.flatnonzero(sizes < least_size):
        while sizes[cluster] < least_size:
            largest = int(sizes.argmax())
            own, others = np.flatnonzero(labels == cluster), np.flatnonzero(labels == largest)
            moved = others[0]
            if own.size:
                common = np.asarray((sets[own] @ sets[others].T).todense())
                jaccard = common / (totals[own, None] + totals[None, others] - common)
                moved = others[jaccard.max(axis=0).argmax()]
            labels[moved] = cluster
            sizes[cluster] += 1
            sizes[largest] -= 1
    return labels


def union_cost(sets: Matrix, labels: Ints) -> int:
    """Dummy records that make the customers of every cluster look alike: sum of size * |union| - |own|."""
    clusters = int(labels.max()) + 1
    unions = np.diff(cluster_sums(sets, labels, clusters).indptr)
    return int((np.bincount(labels, minlength=clusters) * unions).sum() - sets.nnz)

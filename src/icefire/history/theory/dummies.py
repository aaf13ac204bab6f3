"""Expected number of dummy records that make the customers of a cluster look alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from icefire.core.errors import ParameterError

Floats = NDArray[np.float64]


def expected_dummies(users: int, records: float, items: int, clusters: float) -> float:
    """E(dm) = n l [(1-1/l)^(m/n) - (1-1/l)^(m/c)]: equally likely items, equally many records for each user.

    >>> round(expected_dummies(400, 38_000, 2_700, 50), 1)
    227658.4
    """
    _check(users, clusters)
    keep = np.log1p(-1 / items)
    return float(users * items * (np.exp(keep * records / users) - np.exp(keep * records / clusters)))


def expected_dummies_by_item(users: int, records: float, clusters: float, popularity: ArrayLike) -> float:
    """E2 = n sum_j [(1-p_j)^(m/n) - (1-p_j)^(m/c)]: items with probabilities p_j."""
    _check(users, clusters)
    keep = np.log1p(-_shares(popularity))
    return float(users * (np.exp(keep * records / users) - np.exp(keep * records / clusters)).sum())


def expected_dummies_by_item_and_user(clusters: float, popularity: ArrayLike, records_of_users: ArrayLike) -> float:
    """E3 = n sum_j [1-(1-p_j)^(m/c)] - sum_i sum_j [1-(1-p_j)^(b_i)]: items and users as they are."""
    counts = np.asarray(records_of_users, dtype=np.float64)
    _check(counts.size, clusters)
    keep = np.log1p(-_shares(popularity))
    union = counts.size * (1 - np.exp(keep * counts.sum() / clusters)).sum()
    own = sum(
        times * (1 - np.exp(keep * b)).sum() for b, times in zip(*np.unique(counts, return_counts=True), strict=True)
    )
    return float(union - own)


def expected_dummies_by_user(items: int, clusters: float, records_of_users: ArrayLike) -> float:
    """E4 = l sum_i [(1-1/l)^(b_i) - (1-1/l)^(m/c)]: equally likely items, users with b_i records."""
    counts = np.asarray(records_of_users, dtype=np.float64)
    _check(counts.size, clusters)
    keep = np.log1p(-1 / items)
    return float(items * (np.exp(keep * counts) - np.exp(keep * counts.sum() / clusters)).sum())


def records_of_most_dummies(users: int, items: int, clusters: int) -> int:
    """The number of records m at which E(dm) is largest.

    >>> records_of_most_dummies(400, 100, 20), records_of_most_dummies(400, 1000, 20)
    (6275, 63037)
    """
    _check(users, clusters)
    if clusters == users:
        return 0
    # The derivative vanishes where (1/n) q^(m/n) = (1/c) q^(m/c), with q = 1 - 1/l.
    top = float(np.log(users / clusters) / (-np.log1p(-1 / items) * (1 / clusters - 1 / users)))
    return max((int(top), int(top) + 1), key=lambda m: expected_dummies(users, m, items, clusters))


def dummies_of_clustering(clusters: Sequence[Sequence[set[str]]]) -> int:
    """Exact count for given clusters of item sets: sum of s_i |I(U_i)| minus the sum of |I(u)|.

    >>> dummies_of_clustering([[{"A"}, {"A", "B"}], [{"C"}, {"C", "D"}, {"C", "E"}],
    ...                        [{"F", "G"}, {"F", "H"}, {"F", "I"}, {"F", "J"}]])
    17
    """
    return sum(len(cluster) * len(set().union(*cluster)) - sum(len(items) for items in cluster) for cluster in clusters)


def _shares(popularity: ArrayLike) -> Floats:
    values = np.asarray(popularity, dtype=np.float64)
    if values.min(initial=1.0) <= 0:
        raise ParameterError.of("theory", "popularity", "positive numbers, one for each item", values.min())
    return np.asarray(values / values.sum())


def _check(users: int, clusters: float) -> None:
    if not 1 <= clusters <= users:
        raise ParameterError.of("theory", "clusters", f"a number from 1 to the number of users, {users}", clusters)

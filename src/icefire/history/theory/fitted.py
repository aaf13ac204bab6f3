"""The models of dummy records with the numbers of a history at hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icefire.history.data import History
from icefire.history.theory.dummies import (
    expected_dummies,
    expected_dummies_by_item,
    expected_dummies_by_item_and_user,
    expected_dummies_by_user,
)


@dataclass(frozen=True)
class Fitted:
    """How often each item occurs (p_j), and how many records each customer has (b_i)."""

    popularity: NDArray[np.int64]
    records_of_users: NDArray[np.int64]

    @classmethod
    def of(cls, history: History) -> Fitted:
        """Customers without a record cannot carry dummies, and are left out."""
        counts = np.bincount(history.user_codes)
        return cls(history.frame["item"].value_counts()["count"].to_numpy().astype(np.int64), counts[counts > 0])

    @property
    def users(self) -> int:
        return self.records_of_users.size

    @property
    def records(self) -> int:
        return int(self.records_of_users.sum())

    @property
    def items(self) -> int:
        return self.popularity.size

    def dummies(self, clusters: float) -> dict[str, float]:
        """E to E4: with equally likely items and equal customers, and without the first, both, or the second assumption.

        >>> one_item = Fitted(np.array([2, 2]), np.array([2, 2]))
        >>> [round(value, 3) for value in one_item.dummies(1).values()]
        [0.75, 0.75, 0.75, 0.75]
        """
        return {
            "E": expected_dummies(self.users, self.records, self.items, clusters),
            "E2": expected_dummies_by_item(self.users, self.records, clusters, self.popularity),
            "E3": expected_dummies_by_item_and_user(clusters, self.popularity, self.records_of_users),
            "E4": expected_dummies_by_user(self.items, clusters, self.records_of_users),
        }

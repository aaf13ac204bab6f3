"""The best number of clusters: few dummies against little re-identification."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icefire.core.errors import ParameterError


@dataclass(frozen=True)
class OverlapModel:
    """Customers have b items each, and any two share h = 2 b mu / (1 + mu) of them, mu being their mean Jaccard.

    With clusters of n/c customers, E(dm) = -h n^3 / (2 c^2) + (b + h/2) n^2 / c - b n. The model holds while the last
    customer of a cluster still adds something, a_1 = b - h (n/c - 1) >= 0.
    """

    users: int
    items: float
    jaccard: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.items) and self.items > 0):
            raise ParameterError.of("OverlapModel", "items", "a number above 0", self.items)
        if not 0 <= self.jaccard <= 1:
            raise ParameterError.of("OverlapModel", "jaccard", "a number between 0 and 1", self.jaccard)

    @property
    def shared(self) -> float:
        """h: items that two customers have in common."""
        return 2 * self.items * self.jaccard / (1 + self.jaccard)

    def dummies(self, clusters: float) -> float:
        """E(dm), the expected number of dummies."""
        return float(self._dummies(np.array([clusters]))[0])

    def _dummies(self, clusters: NDArray[np.number]) -> NDArray[np.float64]:
        n, b, h = self.users, self.items, self.shared
        return np.asarray(-h * n**3 / (2 * clusters**2) + (b + h / 2) * n**2 / clusters - b * n)

    @property
    def fewest_clusters(self) -> int:
        """The smallest number of clusters for which the model holds.

        >>> OverlapModel(400, 65, 0.03).fewest_clusters
        23
        """
        if self.shared == 0:
            return 1
        return int(np.ceil(self.users / (self.items / self.shared + 1)))

    @property
    def alpha(self) -> float:
        """1 / (the most dummies over all valid numbers of clusters)."""
        return float(1 / np.max(self._dummies(self._valid)))

    @property
    def _valid(self) -> NDArray[np.int64]:
        """Numbers of clusters for which the model holds."""
        return np.arange(self.fewest_clusters, self.users + 1)

    def objective(self, clusters: float) -> float:
        """(alpha E(dm) + c/n) / 2: the contest's mean of loss and risk."""
        return (self.alpha * self.dummies(clusters) + clusters / self.users) / 2

    def best_clusters(self) -> int:
        """The number of clusters of least objective.

        >>> OverlapModel(400, 65, 0.03).best_clusters(), OverlapModel(4000, 65, 0.03).best_clusters()
        (130, 1296)
        """
        if self.users < 2:
            raise ParameterError.of("OverlapModel", "users", "an integer of at least 2", self.users)
        objective = self.alpha * self._dummies(self._valid) + self._valid / self.users
        return int(self._valid[np.argmin(objective)])

    def best_clusters_closed_form(self) -> int:
        """sqrt(alpha (b + h/2) n^3), which keeps only the leading term of E(dm).

        >>> OverlapModel(400, 65, 0.03).best_clusters_closed_form(), OverlapModel(4000, 65, 0.03).best_clusters_closed_form()
        (143, 1427)
        """
        best = round(float(np.sqrt(self.alpha * (self.items + self.shared / 2) * self.users**3)))
        return min(best, self.users)

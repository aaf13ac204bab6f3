"""Method 1: k-means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.history.anonymize._clusters import Matrix, cosine_clusters, require_clusters
from icefire.history.anonymize._dummies import ClusterDummies
from icefire.history.data import Ints


@dataclass(frozen=True)
class Method1(ClusterDummies):
    """Dummy records for clusters by k-means: cosine of TF-IDF weighted item sets, of any size.

    Reference: Harada, Ito, Kikuchi 2017, Algorithms 2 and 3.

    >>> Method1(clusters=50).step()
    'method1(clusters=50)'
    """

    aliases: ClassVar[tuple[str, ...]] = ("Method 1",)

    def labels(self, sets: Matrix, rng: np.random.Generator) -> Ints:
        require_clusters("Method1", sets.shape[0], self.clusters)
        return cosine_clusters(sets, self.clusters, rng)

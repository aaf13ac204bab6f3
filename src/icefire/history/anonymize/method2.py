"""Method 2: k-means with a least size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.parameters import AtLeast
from icefire.history.anonymize._clusters import Matrix, cosine_clusters, filled_up, require_clusters
from icefire.history.anonymize._dummies import ClusterDummies
from icefire.history.data import Ints


@dataclass(frozen=True)
class Method2(ClusterDummies):
    """Dummy records for clusters of a least size: Method 1, then small clusters take similar customers from the largest.

    Without `least_size` it is as large as it can be, customers / clusters rounded down, which needs fewest dummies.

    Reference: Harada, Ito, Kikuchi 2017, Algorithm 4.
    """

    least_size: Annotated[int, AtLeast(1)] | None = None
    aliases: ClassVar[tuple[str, ...]] = ("Method 2",)

    def labels(self, sets: Matrix, rng: np.random.Generator) -> Ints:
        least = sets.shape[0] // self.clusters if self.least_size is None else self.least_size
        require_clusters("Method2", sets.shape[0], self.clusters, least)
        return filled_up(sets, cosine_clusters(sets, self.clusters, rng), self.clusters, least)

"""Method 2: dummy records for clusters of a least size."""

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

    Parameters:
        clusters, dummies: as for Method 1.
        least_size: least number of customers in a cluster; customers / clusters, rounded down, if left out, which needs the
            fewest dummies.

    Example:
        k-means puts dan alone. He takes in a customer of the largest cluster, and they get each other's item.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> log = records("ann 2011-01-03 tea", "bob 2011-01-03 tea", "cid 2011-01-03 tea", "dan 2011-01-03 pen")
        >>> release = Method2(clusters=2).anonymize(log, np.random.default_rng(0))
        >>> sorted(release.published.frame["item"])
        ['pen', 'pen', 'tea', 'tea', 'tea', 'tea']

    Reference:
        Harada, Ito, Kikuchi 2017, Algorithm 4.
    """

    least_size: Annotated[int, AtLeast(1)] | None = None
    aliases: ClassVar[tuple[str, ...]] = ("Method 2",)

    def labels(self, sets: Matrix, rng: np.random.Generator) -> Ints:
        least = sets.shape[0] // self.clusters if self.least_size is None else self.least_size
        require_clusters("Method2", sets.shape[0], self.clusters, least)
        return filled_up(sets, cosine_clusters(sets, self.clusters, rng), self.clusters, least)

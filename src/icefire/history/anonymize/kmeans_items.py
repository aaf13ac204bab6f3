"""Dummy records for clusters by plain k-means, the baseline of Methods 1 and 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from icefire.core.similarity import row_sums
from icefire.history.anonymize._clusters import Floats, Matrix, cluster_sums, require_clusters
from icefire.history.anonymize._dummies import ClusterDummies
from icefire.history.data import Ints

ROUNDS = 100


@dataclass(frozen=True)
class KmeansItems(ClusterDummies):
    """Dummy records for clusters by k-means on the Jaccard or Euclidean distance of item sets, without weights.

    The baseline of the paper. The Jaccard distance of a set to the mean of a cluster is 1 - sum of minima / sum of maxima.

    Parameters:
        clusters, dummies: as for Method 1.
        distance: "jaccard", or "euclid" between vectors of zeros and ones, which puts nearly everybody into one cluster and
            leaves heavy buyers alone.

    Example:
        One cluster has {tea} and {tea, cup}, the other {pen} and {pen, ink}: one dummy each.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> log = records(
        ...     "ann 2011-01-03 tea", "bob 2011-01-03 tea", "bob 2011-01-03 cup",
        ...     "cid 2011-01-03 pen", "dan 2011-01-03 pen", "dan 2011-01-03 ink",
        ... )
        >>> release = KmeansItems(clusters=2).anonymize(log, np.random.default_rng(0))
        >>> sorted(release.published.frame["item"])
        ['cup', 'cup', 'ink', 'ink', 'pen', 'pen', 'tea', 'tea']

    Reference:
        Harada, Ito, Kikuchi 2017, section 3.2 and figure 3.
    """

    distance: Literal["jaccard", "euclid"] = "jaccard"

    def labels(self, sets: Matrix, rng: np.random.Generator) -> Ints:
        users = sets.shape[0]
        require_clusters("KmeansItems", users, self.clusters)
        centres = sets[rng.choice(users, self.clusters, replace=False)]
        labels = np.full(users, -1)
        for _ in range(ROUNDS):
            nearest = self._gaps(sets, centres).argmin(axis=1)
            if np.array_equal(nearest, labels):
                break
            labels = nearest
            sizes = np.bincount(labels, minlength=self.clusters)
            centres = cluster_sums(sets, labels, self.clusters)
            centres.data /= np.repeat(np.maximum(sizes, 1), np.diff(centres.indptr))
            # An empty cluster begins again at a random customer.
            fresh = rng.integers(0, users, self.clusters)
            centres = centres + sets[fresh].multiply((sizes == 0)[:, None]).tocsr()
        return labels

    def _gaps(self, sets: Matrix, centres: Matrix) -> Floats:
        """[customer, cluster]: the distance, or what orders clusters the same way."""
        common = np.asarray((sets @ centres.T).todense())
        if self.distance == "euclid":
            return np.asarray(row_sums(centres.multiply(centres).tocsr())[None, :] - 2 * common)
        # The smaller of a 0 or 1 and a mean is their product.
        return np.asarray(1 - common / (row_sums(sets)[:, None] + row_sums(centres)[None, :] - common))

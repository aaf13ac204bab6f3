"""Method 1: dummy records for k-means clusters."""

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

    Each customer of a cluster gets the items that others of the cluster have, so that all look alike.

    Parameters:
        clusters: how many clusters; the item sets then identify about clusters / customers of them.
        dummies: "realistic" draws price and quantity from the item's own records; "published" is as in the paper (price 0.1
            to 0.9, quantity 1), and easy to tell apart.

    Example:
        One cluster has {tea} and {tea, cup}, the other {pen} and {pen, ink}: one dummy each.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> log = records(
        ...     "ann 2011-01-03 tea", "bob 2011-01-03 tea", "bob 2011-01-03 cup",
        ...     "cid 2011-01-03 pen", "dan 2011-01-03 pen", "dan 2011-01-03 ink",
        ... )
        >>> release = Method1(clusters=2).anonymize(log, np.random.default_rng(0))
        >>> sorted(release.published.frame["item"])
        ['cup', 'cup', 'ink', 'ink', 'pen', 'pen', 'tea', 'tea']

    Reference:
        Harada, Ito, Kikuchi 2017, Algorithms 2 and 3.
    """

    aliases: ClassVar[tuple[str, ...]] = ("Method 1",)

    def labels(self, sets: Matrix, rng: np.random.Generator) -> Ints:
        require_clusters("Method1", sets.shape[0], self.clusters)
        return cosine_clusters(sets, self.clusters, rng)

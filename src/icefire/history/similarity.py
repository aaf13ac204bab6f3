"""Similarity of customers by what they bought."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icefire.history.anonymize._clusters import item_sets
from icefire.history.data import History

Floats = NDArray[np.float64]


def pair_similarities(history: History) -> tuple[Floats, Floats]:
    """The Jaccard similarity of any two customers' item sets, and the number of items that they share.

    >>> from icefire.history.examples import records
    >>> pair_similarities(records("ann 2011-01-03 tea", "ann 2011-01-03 cup", "bob 2011-01-04 cup"))
    (array([0.5]), array([1.]))
    """
    sets = item_sets(history)
    common = np.asarray((sets @ sets.T).todense())
    totals = common.diagonal()
    jaccard = common / np.maximum(totals[:, None] + totals[None, :] - common, 1.0)
    pairs = np.triu_indices(len(totals), 1)
    return jaccard[pairs], common[pairs]

"""Item similarity of PWSCUP 2016."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import polars as pl
from scipy import sparse

from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.history.data import History, Release
from icefire.history.roles import Utility
from icefire.history.utility.top_items import most_records


@dataclass(frozen=True)
class ItemSimilarity(Utility):
    """Item similarity: cosines of the top items' records by customer; mean absolute difference over pairs of items.

    Parameters:
        number: how many of the items with most records are compared.

    Example:
        Tea is bought by (ann, bob) = (1, 1) times and the cup (1, 0) times: cosine 0.7071. Under the release it is 1.

        >>> from icefire.history.data import Release
        >>> from icefire.history.examples import records
        >>> before = records("ann 2011-01-03 tea", "bob 2011-01-04 tea", "ann 2011-01-05 cup")
        >>> after = records("1 2011-01-03 tea", "1 2011-01-05 cup")
        >>> round(ItemSimilarity().measure(before, Release(before, after, [[0], [-1]], [0, 2])).value, 4)
        0.2929

    Reference:
        Rules of PWSCUP 2016, as far as they survive.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    number: Annotated[int, AtLeast(2)] = 100
    aliases: ClassVar[tuple[str, ...]] = ("item similarity",)

    def measure(self, original: History, release: Release) -> Score:
        items = most_records(original, self.number)
        if len(items) < 2:
            raise Undefined("there is only one item")
        before, after = (_cosines(history, items) for history in (original, release.published))
        pairs = np.triu_indices(len(items), 1)
        return self.score(float(np.abs(before - after)[pairs].mean()))


def _cosines(history: History, items: pl.Series) -> np.ndarray:
    codes = history.frame["item"].cast(pl.Enum(items), strict=False).to_physical().cast(pl.Int64)
    known = codes.is_not_null().to_numpy()
    holders = history.holders
    held = known[holders.records]
    rows, columns = codes.to_numpy()[holders.records[held]].astype(np.int64), holders.users[held]
    counts = sparse.csr_array((holders.weights[held], (rows, columns)), shape=(len(items), len(history.users)))
    product = np.asarray((counts @ counts.T).todense())
    length = np.sqrt(np.where(product.diagonal() > 0, product.diagonal(), 1.0))
    return np.asarray(product / length[:, None] / length[None, :])

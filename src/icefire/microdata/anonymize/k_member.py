"""k-anonymity by k-member clustering."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.concealment.pool import Pool
from icefire.concealment.space import Boxes, Space, taken
from icefire.core.errors import ParameterError
from icefire.microdata.anonymize._privacy import PrivacyModel
from icefire.microdata.concealing import rendered, space_of
from icefire.microdata.data import Microdata, Release


@dataclass(frozen=True)
class KMember(PrivacyModel):
    """k-member clustering: clusters of k rows, each row joining where the cluster's cells grow least.

    A cluster begins with the row farthest from the one before; rows that are left over join the cluster that grows least.

    Parameters:
        k: least number of rows in a cluster.
        columns: the QI columns to recode; all of them if left out.
        sensitive, diversity, l, c, t, order, alpha, beta, delta: not available here; use Mondrian to protect sensitive values.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"age": [20, 21, 60, 61], "pay": [1, 2, 3, 4]}), Schema(qi=["age"], sa=["pay"]))
        >>> sorted(KMember(k=2).anonymize(people, np.random.default_rng(0)).published.frame["age"])
        ['[20..21]', '[20..21]', '[60..61]', '[60..61]']

    Reference:
        Byun, Kamra, Bertino, Li: Efficient k-anonymization using clustering techniques. DASFAA 2007.
    """

    aliases: ClassVar[tuple[str, ...]] = ("k-member",)

    def minutes(self, people: int) -> float:
        return (1.0 + self.k / 25) / 6 * math.pow(people / 32_000, 1.4)

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        names = self.quasi_identifiers(original)
        if not self.constraint(original).only_sizes:
            raise ParameterError("KMember makes clusters by size alone: use mondrian for l-diversity and t-closeness")
        space = space_of(original, names)
        boxes = _clustered(space, self.k, rng)
        frame = original.frame.with_columns(**rendered(original, names, space, boxes))
        return Release.shuffled(original, frame, np.arange(original.height), rng, generalized=names)


def _clustered(space: Space, k: int, rng: np.random.Generator) -> Boxes:
    """[row]: the box of its cluster."""
    order = rng.permutation(space.size)
    # Ties are resolved by position, so positions must not follow the file.
    space = Space([column.take(order) for column in space.columns])
    pool = Pool(space)
    cluster = np.empty(space.size, dtype=np.int64)
    heads: list[Boxes] = []
    seed = 0
    while pool.size >= k:
        seed = pool.farthest(seed)
        box, row = space.single(np.array([seed])), seed
        for _ in range(k - 1):
            cluster[row] = len(heads)
            pool.take(row)
            row = pool.cheapest(box, seed)
            box = space.joined(box, np.array([row]))
        cluster[row] = len(heads)
        pool.take(row)
        heads.append(box)
    boxes: Boxes = tuple(
        tuple(np.concatenate(parts) for parts in zip(*cells, strict=True)) for cells in zip(*heads, strict=True)
    )
    for row in pool.rows:
        wider = space.joined(boxes, np.full(len(heads), row))
        best = int((space.loss(wider) - space.loss(boxes)).argmin())
        cluster[row] = best
        boxes = tuple(
            tuple(_changed(part, best, new) for part, new in zip(cells, others, strict=True))
            for cells, others in zip(boxes, taken(wider, np.array([best])), strict=True)
        )
    return taken(boxes, cluster[np.argsort(order)])


def _changed(part: np.ndarray, place: int, new: np.ndarray) -> np.ndarray:
    changed = part.copy()
    changed[place] = new[0]
    return changed

"""The cost of k-concealment as the thesis counts it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.concealment.graph import MOST
from icefire.core.errors import Undefined
from icefire.core.values import ERROR, Scale, Score
from icefire.microdata.concealing import graph_of_release, space_of
from icefire.microdata.data import Microdata, Release
from icefire.microdata.roles import Utility


@dataclass(frozen=True)
class ConcealmentCost(Utility):
    """Cost of a design of k-concealment: the sum of the distances of its edges, which join rows with people they may belong to.

    The distance of two people is the loss of the smallest cells that hold both, 0 to 1 in each quasi-identifier. The detail has
    the number of edges and their mean. For releases that generalize.

    Example:
        Ages 10, 20, 40 and 50 of both sexes, joined in a ring 1-2-3-4: each row may belong to its own person at distance 0 and
        to the next one.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"age": [10, 20, 40, 50]}), Schema(qi=["age"]))
        >>> cells = Microdata(pl.DataFrame({"age": ["[10..20]", "[10..20]", "[40..50]", "[40..50]"]}), Schema(qi=["age"]))
        >>> ConcealmentCost().measure(people, Release(people, cells, np.arange(4))).detail
        {'edges': 8, 'mean': 0.125}

    Reference:
        Ito, doctoral thesis, chapter 10.
    """

    scale: ClassVar[Scale] = ERROR

    def measure(self, original: Microdata, release: Release) -> Score:
        graph = graph_of_release(release)
        names = tuple(name for name in original.qi if name in release.published.qi)
        if graph.matches()[0].sum() > MOST:
            raise Undefined(f"more than {MOST:,} pairs of a person and a row are possible")
        edges = graph.worlds().tocoo()
        people, rows = edges.coords
        distance = space_of(original, names).pair_loss(people.astype(np.int64), release.rows[rows])
        total = float(distance.sum())
        return self.score(total, detail={"edges": int(edges.nnz), "mean": total / edges.nnz})

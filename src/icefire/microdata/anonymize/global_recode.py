"""k-anonymity by one level of generalization per column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
import polars as pl

from icefire.core.errors import DataError
from icefire.core.memory_bound import GIGABYTE, allowed, machine
from icefire.core.parameters import Share
from icefire.microdata.anonymize._privacy import Recoded, Recoder, text_column, unambiguous
from icefire.microdata.cells import Codes, Domain
from icefire.microdata.data import Microdata
from icefire.microdata.hierarchy import ANYTHING, Levels
from icefire.microdata.lattice import Ladder, Lattice

NODE = 40
"""Bytes that the search takes for each combination of levels."""


@dataclass(frozen=True)
class GlobalRecode(Recoder):
    """Choose one level of each column's hierarchy for the whole table, and drop the rows that stay too rare.

    The combination of levels is the one of least loss (LM, a dropped row counting 1) among all that satisfy the
    privacy model and drop no more than the allowed share of rows: the true optimum, not a heuristic. Columns count by their
    importance in the schema. A column without a hierarchy is either kept or becomes `*`.

    Parameters:
        k: least number of rows in a class.
        columns: the QI columns to recode; all of them if left out.
        sensitive, diversity, l, c, t, order, alpha, beta, delta: as for Mondrian.
        suppression: largest share of rows that may be dropped.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> from icefire.microdata.schema import Column
        >>> from icefire.microdata.hierarchy import Hierarchy
        >>> by_ten = {"age": Column(hierarchy=Hierarchy(widths=(10,)))}
        >>> people = Microdata(pl.DataFrame({"age": [21, 25, 31, 39], "pay": [1, 2, 3, 4]}), Schema(["age"], ["pay"], by_ten))
        >>> release = GlobalRecode(k=2).anonymize(people, np.random.default_rng(0))
        >>> sorted(release.published.frame["age"])
        ['[20..29]', '[20..29]', '[30..39]', '[30..39]']

    Reference:
        Samarati: Protecting respondents' identities in microdata release. TKDE 2001; Kohlmayer et al.: Flash. 2012.
    """

    deterministic: ClassVar[bool] = True
    suppression: Share = 0.0

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        # The search through the lattice is slow.
        return [cls()]

    def recode(self, names: Sequence[str], rows: Microdata, counts: Codes | None) -> Recoded:
        levels = {name: _levels(rows.domain(name)) for name in names}
        codes = {name: rows.codes(name) for name in names}
        ladders = [
            _ladder(rows.domain(name), levels[name], codes[name], rows.schema.column(name).importance) for name in names
        ]
        # Few of the levels of a suggested schema differ, and each doubles the search.
        kept = [_distinct(ladder) for ladder in ladders]
        _require_room(list(map(len, kept)))
        ladders = [_only(ladder, chosen) for ladder, chosen in zip(ladders, kept, strict=True)]
        best = Lattice(ladders, self.constraint(rows), self.suppression, counts).best()
        if best is None:
            raise DataError(
                f"GlobalRecode cannot reach this: no combination of levels satisfies it with at most "
                f"{self.suppression:.0%} of the rows dropped. Raise 'suppression' or ask for less."
            )
        if not best.kept.any():
            raise DataError("GlobalRecode would drop every row: lower k or refine the hierarchies")
        recoded = {}
        for name, place, chosen in zip(names, best.node, kept, strict=True):
            if place > 0:
                labels = [label or None for label in levels[name].labels[chosen[place]]]
                recoded[name] = text_column(labels, codes[name])
        return Recoded(recoded, best.kept)


def _levels(domain: Domain) -> Levels:
    if domain.levels is not None:
        return domain.levels
    return Levels((tuple(domain.texts), (unambiguous(domain, ANYTHING),) * len(domain.values)))


def _ladder(domain: Domain, levels: Levels, codes: Codes, importance: float) -> Ladder:
    classes, losses = [], []
    for level in range(levels.height):
        classes.append(levels.codes(level)[0])
        cells = pl.Series([label or None for label in levels.labels[level]], dtype=pl.String)
        losses.append(domain.read(cells).losses())
    return Ladder(codes, tuple(classes), tuple(losses), importance)


def _distinct(ladder: Ladder) -> list[int]:
    """The levels without those that tell the same values apart as a finer one and lose no less, which are never better.

    Intervals wider than the range of all values are such levels.
    """
    kept = [0]
    for level in range(1, len(ladder.classes)):
        same = np.array_equal(ladder.classes[level], ladder.classes[kept[-1]])
        if not same or (ladder.losses[level] < ladder.losses[kept[-1]]).any():
            kept.append(level)
    return kept


def _only(ladder: Ladder, levels: Sequence[int]) -> Ladder:
    return replace(
        ladder,
        classes=tuple(ladder.classes[level] for level in levels),
        losses=tuple(ladder.losses[level] for level in levels),
    )


def _require_room(heights: Sequence[int]) -> None:
    """Raise DataError if all combinations of levels take more memory than there is."""
    room, nodes = allowed() or (machine() or 0) // 2, math.prod(heights)
    if room and nodes * NODE > room:
        raise DataError(
            f"GlobalRecode would look at {nodes:,} combinations of levels of {len(heights)} columns, which takes "
            f"{nodes * NODE / GIGABYTE:,.0f} GB of memory: name fewer 'columns', give them fewer levels, or use mondrian"
        )

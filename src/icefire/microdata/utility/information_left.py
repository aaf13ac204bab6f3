"""Share of the information of each column that is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import narwhals as nw
import numpy as np
import polars as pl

from icefire.core.documents import Json
from icefire.core.errors import Undefined
from icefire.core.seeds import generator
from icefire.core.values import GOOD_SHARE, Scale, Score
from icefire.frames import engines, relational
from icefire.microdata.cells import Cells, Codes
from icefire.microdata.data import Microdata, Release
from icefire.microdata.roles import Utility

VALUE, CELL = "__value", "__cell"
"""Columns with an original value, and with the published cell that was made of it."""
BINS = 20
"""Numbers with more values than this are compared by as many intervals of equal frequency."""
MAX_ROWS = 200_000
"""Rows beyond which a sample of this size is compared."""
LOST = 0.01
"""A column of which less is left counts as lost."""


@dataclass(frozen=True)
class InformationLeft(Utility):
    """How much of what each column says of a person is left in its published cells, on average.

        I(X; Y) - I0
        ------------     X original value, Y published cell of the same row,
         H(X) - I0       I0 what is left in Y after its cells were shuffled

    I is mutual information and H entropy; I0 takes away what small groups seem to say by chance.
    A column that is not published, or is `*` everywhere, has 0 left, and so have people without a
    row. Numbers are compared by 20 intervals of equal frequency. Columns count by their importance
    in the schema; the detail has each of them, and names those that are lost.

    Example:
        Ages in pairs say one bit of the two that four ages say; the town is gone.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> schema = Schema(qi=["age", "town"])
        >>> ages, towns = [20, 21, 30, 31] * 500, ["a", "b"] * 1000
        >>> people = Microdata(pl.DataFrame({"age": ages, "town": towns}), schema)
        >>> cells = people.frame.with_columns(
        ...     age=pl.when(pl.col("age") < 25).then(pl.lit("[20..21]")).otherwise(pl.lit("[30..31]")),
        ...     town=pl.lit("*"),
        ... )
        >>> release = Release(people, Microdata(cells, schema), np.arange(2000))
        >>> score = InformationLeft().measure(people, release)
        >>> {name: round(share, 2) for name, share in score.detail["by column"].items()}
        {'age': 0.5, 'town': 0.0}
        >>> score.detail["lost"]
        ['town']

    Reference:
        Vinh, Epps, Bailey: Information theoretic measures for clusterings comparison. JMLR 11, 2010.
    """

    scale: ClassVar[Scale] = GOOD_SHARE

    def measure(self, original: Microdata, release: Release) -> Score:
        by_column = {}
        for name in original.schema.published:
            share = _share_left(original, release, name)
            if share is not None:
                by_column[name] = share
        if not by_column:
            raise Undefined("every column holds the same value in all rows")
        lost: list[Json] = [name for name, share in by_column.items() if share < LOST]
        weights = original.schema.importance(list(by_column))
        mean = float(np.average(list(by_column.values()), weights=weights))
        return self.score(mean, detail={"by column": by_column, "lost": lost})


def _share_left(original: Microdata, release: Release, name: str) -> float | None:
    """Of a column; None if it is the same in all rows, and says nothing."""
    if len(original.domain(name).values) < 2:
        return None
    if name not in release.published.schema.names:
        return 0.0
    values, cells, counts = _count_pairs(original, release, name)
    coverage = np.unique(release.rows).size / original.height
    return coverage * adjusted_information(values, cells, counts)


def _count_pairs(original: Microdata, release: Release, name: str) -> tuple[Codes, Codes, Codes]:
    """The classes of value and cell that occur together, and in how many rows."""
    domain = original.domain(name)
    if release.can_meet:
        beside = engines.lazy(release.beside({VALUE: name}))
        pairs = beside.select(VALUE, nw.col(name).alias(CELL))
        # Engines send groups in any order, and a sample depends on it.
        table = relational.collect(relational.count_by(pairs, [VALUE, CELL])).sort(VALUE, CELL)
        counts = table[relational.COUNT].to_numpy().astype(np.int64)
        values, cells = domain.encode(table[VALUE]), domain.read(table[CELL])
    else:
        counts = np.ones(release.rows.size, dtype=np.int64)
        values, cells = original.codes(name)[release.rows], release.cells(name)
    cuts = _cut_points(original, name)
    if cuts is None:
        return values, cells.codes, counts
    classes = np.searchsorted(cuts, domain.positions, side="right")
    # A missing value is a class of its own.
    by_value = np.append(classes, cuts.size + 1)
    return by_value[values], _classes_of_cells(cells, cuts), counts


def _cut_points(original: Microdata, name: str) -> np.ndarray | None:
    """Where the intervals of equal frequency of a number begin; None if it is compared value by value."""
    domain = original.domain(name)
    if not original.is_numeric(name) or domain.positions.size <= BINS:
        return None
    ranks = domain.counts[: domain.positions.size].cumsum()
    places = np.searchsorted(ranks, ranks[-1] * np.arange(1, BINS) / BINS)
    return np.unique(domain.positions[places])


def _classes_of_cells(cells: Cells, cuts: np.ndarray) -> Codes:
    """Published numbers by the intervals of the original; intervals and sets are labels."""
    plain = np.array([cells.domain.bounds(text) for text in cells.texts]).reshape(-1, 2)
    single = plain[:, 0] == plain[:, 1]
    labels = np.arange(plain.shape[0]) + cuts.size + 2
    labels[single] = np.searchsorted(cuts, plain[single, 0], side="right")
    return np.asarray(labels[cells.codes], dtype=np.int64)


def adjusted_information(values: Codes, cells: Codes, counts: Codes) -> float:
    """The share of the entropy of the values that the cells tell, beyond what they tell by chance.

    >>> values = np.arange(4).repeat(500)
    >>> one = np.ones(2000, dtype=np.int64)
    >>> round(adjusted_information(values, values // 2, one), 2), adjusted_information(values, one, one)
    (0.5, 0.0)
    """
    rng = generator(0, "information left")
    if counts.sum() > MAX_ROWS:
        counts = rng.multivariate_hypergeometric(counts, MAX_ROWS, method="marginals")
    values, cells = (np.repeat(codes, counts) for codes in (values, cells))
    entropy = _entropy(values)
    by_chance = _information(values, rng.permutation(cells))
    if entropy - by_chance <= 1e-9 * max(entropy, 1.0):
        # Every value is another: what is left cannot be told from chance, unless nothing was changed.
        return float(np.unique(cells).size == np.unique(values).size == values.size)
    share = (_information(values, cells) - by_chance) / (entropy - by_chance)
    return float(np.clip(share, 0.0, 1.0))


def _information(values: Codes, cells: Codes) -> float:
    pairs = values * (int(cells.max(initial=0)) + 1) + cells
    return _entropy(values) + _entropy(cells) - _entropy(pairs)


def _entropy(codes: Codes) -> float:
    # Sums of floats depend on their order.
    counts = np.sort(pl.Series(codes).value_counts()["count"].to_numpy())
    shares = counts / counts.sum()
    return float(-(shares * np.log(shares)).sum())

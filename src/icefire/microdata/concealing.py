"""k-concealment of microdata: from tables to boxes and graphs, and back."""

from __future__ import annotations

import numpy as np
import polars as pl

from icefire.concealment.graph import Graph
from icefire.concealment.space import Boxes, Classes, Column, Ints, Ranged, Sets, Space
from icefire.core.errors import DataError, Undefined
from icefire.microdata.anonymize._privacy import range_labels, set_label, text_column
from icefire.microdata.cells import Codes, Domain
from icefire.microdata.data import Microdata, Release
from icefire.microdata.hierarchy import Levels


def space_of(original: Microdata, names: tuple[str, ...]) -> Space:
    """The space of the given columns, which count by their importance."""
    importance = original.schema.importance(names)
    weights = importance * (importance.size / importance.sum())
    return Space(
        [
            _column(original.domain(name), original.codes(name), float(weight))
            for name, weight in zip(names, weights, strict=True)
        ]
    )


def order_of(domain: Domain) -> Codes | None:
    """The order of values in which cells are ranges; None if cells are sets."""
    if domain.levels is not None:
        return domain.levels.order()
    return np.arange(len(domain.values)) if domain.ordinal else None


def _column(domain: Domain, codes: Codes, weight: float) -> Column:
    order = order_of(domain)
    size = len(domain.values)
    if order is None:
        return Sets(codes, domain.counts, domain.missing, weight=weight)
    place = np.empty(size, dtype=np.int64)
    place[order] = np.arange(size)
    if domain.levels is not None:
        places = weight * np.arange(size) / max(1, size - 1)
        return Ranged(
            place[codes], places, domain.counts[order], _classes(domain, domain.levels, weight), weight=weight
        )
    # The missing value has no position: a range that includes it is the range of all values.
    scaled = (domain.positions - domain.positions.min(initial=np.inf)) / (domain.span or 1.0)
    scaled = np.append(scaled, 0.0) if domain.missing else scaled
    return Ranged(place[codes], weight * scaled, domain.counts, missing=domain.missing, weight=weight)


def _classes(domain: Domain, levels: Levels, weight: float) -> Classes:
    """The classes of the hierarchy, with the losses of their labels, so that they agree with the utility metric."""
    order = levels.order()
    alone = np.arange(order.size)
    labels, first, last, losses = [alone], [alone], [alone], [np.zeros(order.size)]
    for level in range(1, levels.height):
        classes, names = levels.codes(level)
        begins = np.diff(classes[order], prepend=-1) != 0
        numbers, starts = np.cumsum(begins) - 1, np.flatnonzero(begins)
        labels.append(numbers)
        first.append(starts[numbers])
        last.append((np.append(starts[1:], order.size) - 1)[numbers])
        losses.append(weight * domain.read(pl.Series(names, dtype=pl.String)).losses()[classes[order]])
    return Classes(np.stack(labels), np.stack(first), np.stack(last), np.stack(losses))


def rendered(original: Microdata, names: tuple[str, ...], space: Space, boxes: Boxes) -> dict[str, pl.Series]:
    """The boxes as published columns."""
    found = {}
    for name, column, cells in zip(names, space.columns, boxes, strict=True):
        domain = original.domain(name)
        if isinstance(column, Ranged):
            order = order_of(domain)
            assert order is not None
            low, high = (end.astype(np.int64) for end in cells)
            labels, label_of = range_labels(domain, low, high, order)
        else:
            words, label_of = np.unique(np.stack(cells, axis=1), axis=0, return_inverse=True)
            labels, label_of = [set_label(domain, row) for row in words], label_of.ravel()
        found[name] = text_column(labels, label_of)
    return found


def graph_of(original: Microdata, published: Microdata, owners: Ints | None = None, matched: bool = True) -> Graph:
    """The graph of a release, given its row map; without one, any perfect matching is used, if it has to be `matched`."""
    names = [name for name in original.qi if name in published.qi]
    if not names:
        raise Undefined("the release has no QI columns: every row covers every record")
    cells = [published.cells(name, original.domain(name)) for name in names]
    values = np.stack([original.codes(name) for name in names], axis=1)
    codes = np.stack([column.codes for column in cells], axis=1)
    for name, column in zip(names, cells, strict=True):
        empty = ~np.asarray(column.fits.any(axis=1))
        rows = np.flatnonzero(empty[column.codes])
        if rows.size:
            text = column.texts[column.codes[rows[0]]]
            raise DataError(
                f"published row {rows[0] + 1}: {text!r} in column {name!r} stands for no value of the original: "
                "k-concealment needs a release that generalizes values and does not change them"
            )
    return Graph.of_cells(values, codes, [column.fits for column in cells], owners, matched)


def graph_of_release(release: Release) -> Graph:
    """The graph of a release by its secret row map; Undefined if the release does more than generalize."""
    if not np.array_equal(np.sort(release.rows), np.arange(release.original.height)):
        raise Undefined("the release does not hold every record exactly once: matches are not defined")
    try:
        return graph_of(release.original, release.published, release.rows)
    except DataError as error:
        raise Undefined(str(error)) from error

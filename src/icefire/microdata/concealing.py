"""Microdata as boxes and graphs of k-concealment."""

from __future__ import annotations

import numpy as np
import polars as pl

from icefire.concealment.graph import Graph
from icefire.concealment.space import Boxes, Column, Floats, Ints, Ranged, Sets, Space
from icefire.core.errors import DataError, Undefined
from icefire.microdata.anonymize._privacy import range_labels, set_label, text_column
from icefire.microdata.cells import Codes, Domain
from icefire.microdata.data import Microdata, Release

LARGEST = 2_000
"""Values up to which ranges are closed by a table of all pairs."""


def space_of(original: Microdata, names: tuple[str, ...]) -> Space:
    """The records' values in these columns."""
    return Space([_column(original.domain(name), original.codes(name)) for name in names])


def order_of(domain: Domain) -> Codes | None:
    """The order in which cells are ranges, or None where they are sets."""
    if domain.levels is not None:
        return domain.levels.order()
    return np.arange(len(domain.values)) if domain.ordinal else None


def _column(domain: Domain, codes: Codes) -> Column:
    order = order_of(domain)
    size = len(domain.values)
    if order is None or (size > LARGEST and (domain.missing or domain.levels)):
        return Sets(codes, domain.counts, domain.missing)
    place = np.empty(size, dtype=np.int64)
    place[order] = np.arange(size)
    positions = np.append(domain.positions, np.nan) if domain.missing else domain.positions
    closing = _closing(domain, order, positions) if domain.levels is not None or domain.missing else None
    return Ranged(place[codes], positions[order], domain.counts[order], closing)


def _closing(domain: Domain, order: Codes, positions: Floats) -> tuple[Ints, Ints, Floats]:
    """Ranges that a hierarchy or a missing value widens."""
    size = order.size
    low, high = np.minimum(*np.indices((size, size))), np.maximum(*np.indices((size, size)))
    if domain.levels is not None:
        done = np.eye(size, dtype=np.bool_)
        for level in range(1, domain.levels.height):
            classes = domain.levels.codes(level)[0][order]
            numbers = np.concatenate([[0], np.cumsum(classes[1:] != classes[:-1])])
            first = np.searchsorted(numbers, np.arange(numbers[-1] + 1))
            last = np.append(first[1:], size) - 1
            same = (numbers[:, None] == numbers) & ~done
            low, high = np.where(same, first[numbers][:, None], low), np.where(same, last[numbers][:, None], high)
            done |= same
    else:
        mixed = (low != high) & (high == size - 1)
        low, high = np.where(mixed, 0, low), np.where(mixed, size - 1, high)
    if domain.ordinal and domain.levels is None:
        gaps = positions[high] - positions[low]
        loss = np.where(low == high, 0.0, np.where(np.isnan(gaps), 1.0, gaps / (domain.span or 1.0)))
    else:
        loss = (high - low) / max(1, size - 1)
    return low.astype(np.int64), high.astype(np.int64), np.asarray(loss, dtype=np.float64)


def rendered(original: Microdata, names: tuple[str, ...], space: Space, boxes: Boxes) -> dict[str, pl.Series]:
    """The cells of each column, as they are published."""
    found = {}
    for name, column, cells in zip(names, space.columns, boxes, strict=True):
        domain = original.domain(name)
        if isinstance(column, Ranged):
            order = order_of(domain)
            assert order is not None
            labels, label_of = range_labels(domain, cells[0], cells[1], order)
        else:
            words, label_of = np.unique(np.stack(cells, axis=1), axis=0, return_inverse=True)
            labels, label_of = [set_label(domain, row) for row in words], label_of.ravel()
        found[name] = text_column(labels, label_of)
    return found


def graph_of(original: Microdata, published: Microdata, owners: Ints | None = None) -> Graph:
    """The graph of a release: by its row map, or by any perfect matching if that is not known."""
    names = [name for name in original.qi if name in published.qi]
    if not names:
        raise Undefined("the release has no QI columns: everybody fits everything")
    cells = [original.domain(name).read(published.frame[name]) for name in names]
    values = np.stack([original.codes(name) for name in names], axis=1)
    codes = np.stack([column.codes for column in cells], axis=1)
    for name, column in zip(names, cells, strict=True):
        readable = np.asarray(column.fits.any(axis=1))
        unread = np.flatnonzero(~readable[column.codes])
        if unread.size:
            text = column.texts[column.codes[unread[0]]]
            raise DataError(
                f"published row {unread[0] + 1}: {text!r} in column {name!r} stands for no value of the original: "
                "concealment needs releases that generalize and do not alter"
            )
    return Graph.of_cells(values, codes, [column.fits for column in cells], owners)


def graph_of_release(release: Release) -> Graph:
    """The same by the secret row map; Undefined where the release is not of this form."""
    if not np.array_equal(np.sort(release.rows), np.arange(release.original.height)):
        raise Undefined("the release does not hold everybody once: matches are not defined")
    try:
        return graph_of(release.original, release.published, release.rows)
    except DataError as error:
        raise Undefined(str(error)) from error

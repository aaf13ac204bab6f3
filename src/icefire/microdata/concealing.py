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
from icefire.microdata.hierarchy import Levels

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
    if order is None:
        return Sets(codes, domain.counts, domain.missing)
    if domain.levels is not None and size > LARGEST:
        raise DataError(
            f"the column {domain.column!r} has a hierarchy over {size:,} values; concealment takes up to {LARGEST:,}: "
            "generalize it first, or drop the hierarchy"
        )
    place = np.empty(size, dtype=np.int64)
    place[order] = np.arange(size)
    if domain.levels is not None:
        return Ranged(
            place[codes], np.arange(size) / max(1, size - 1), domain.counts[order], _closing(domain, domain.levels)
        )
    # A missing value has no position; a range that reaches it tells nothing.
    positions = np.append(domain.positions, 0.0) if domain.missing else domain.positions
    scaled = (
        (positions - domain.positions.min(initial=np.inf)) / (domain.span or 1.0)
        if domain.positions.size
        else positions
    )
    return Ranged(place[codes], scaled, domain.counts, missing=domain.missing)


def _closing(domain: Domain, levels: Levels) -> tuple[Ints, Ints, Floats]:
    """[first, last]: the ends and the loss of the smallest class of the hierarchy that holds both."""
    order = levels.order()
    size = order.size
    low, high = np.minimum(*np.indices((size, size))), np.maximum(*np.indices((size, size)))
    done = np.eye(size, dtype=np.bool_)
    for level in range(1, levels.height):
        classes = levels.codes(level)[0][order]
        numbers = np.concatenate([[0], np.cumsum(classes[1:] != classes[:-1])])
        first = np.searchsorted(numbers, np.arange(numbers[-1] + 1))
        last = np.append(first[1:], size) - 1
        same = (numbers[:, None] == numbers) & ~done
        low, high = np.where(same, first[numbers][:, None], low), np.where(same, last[numbers][:, None], high)
        done |= same
    # The loss is that of the label, as the metric has it.
    labels, label_of = range_labels(domain, low.ravel(), high.ravel(), order)
    loss = domain.read(pl.Series(labels, dtype=pl.String)).losses()
    return low.astype(np.int64), high.astype(np.int64), loss[label_of].reshape(size, size)


def rendered(original: Microdata, names: tuple[str, ...], space: Space, boxes: Boxes) -> dict[str, pl.Series]:
    """The cells of each column, as they are published."""
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

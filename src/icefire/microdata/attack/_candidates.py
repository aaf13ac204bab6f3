"""Which original rows a published row can have been made from, going by its QI cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icefire.microdata.data import Microdata
from icefire.microdata.partition import group_equal

CELLS = 1 << 25
"""Comparisons held in memory at a time."""

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Candidates:
    """Published rows fall into classes of equal cells; class i may be rows[starts[i]:starts[i + 1]] of the original."""

    class_of: Ints
    starts: Ints
    rows: Ints

    @property
    def counts(self) -> Ints:
        return np.diff(self.starts)


def candidates(published: Microdata, knowledge: Microdata) -> Candidates:
    """Original rows whose every QI value lies in the published row's cell."""
    names = [name for name in knowledge.qi if name in published.schema.names]
    if not names:
        everyone = np.arange(knowledge.height)
        return Candidates(np.zeros(published.height, dtype=np.int64), np.array([0, everyone.size]), everyone)
    columns = [knowledge.domain(name).read(published.frame[name]) for name in names]
    codes = [knowledge.codes(name) for name in names]
    if all(inside.size == 1 for cells in columns for inside in cells.members):
        return _exact([np.concatenate(cells.members)[cells.codes] for cells in columns], codes)
    fits = [cells.fits for cells in columns]
    first, _, class_of = group_equal([cells.codes for cells in columns])
    stand_in, sizes, group_of = group_equal(codes)
    cell_of = [cells.codes[first] for cells in columns]
    value_of = [code[stand_in] for code in codes]
    step = max(1, CELLS // stand_in.size)
    pairs = []
    for begin in range(0, first.size, step):
        possible = np.ones((min(step, first.size - begin), stand_in.size), dtype=bool)
        for fit, cell, value in zip(fits, cell_of, value_of, strict=True):
            possible &= fit[:, value][cell[begin : begin + step]]
        found = np.nonzero(possible)
        pairs.append((found[0] + begin, found[1]))
    classes = np.concatenate([pair[0] for pair in pairs])
    groups = np.concatenate([pair[1] for pair in pairs])
    return _expand(class_of, classes, groups, sizes, group_of, first.size)


def _exact(published: list[Ints], original: list[Ints]) -> Candidates:
    """Where every cell is a single value: rows with equal values."""
    both = [np.concatenate(pair) for pair in zip(published, original, strict=True)]
    _, sizes, group = group_equal(both)
    height = published[0].size
    rows = np.argsort(group[height:], kind="stable")
    counts = np.bincount(group[height:], minlength=sizes.size)
    return Candidates(group[:height], np.concatenate([[0], np.cumsum(counts)]), rows)


def _expand(class_of: Ints, classes: Ints, groups: Ints, sizes: Ints, group_of: Ints, number: int) -> Candidates:
    """From (class, group of equal rows) pairs to rows."""
    members = np.argsort(group_of, kind="stable")
    begins = np.cumsum(sizes) - sizes
    many = sizes[groups]
    offset = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    rows = members[np.repeat(begins[groups], many) + offset]
    counts = np.bincount(classes, many, number).astype(np.int64)
    return Candidates(class_of, np.concatenate([[0], np.cumsum(counts)]), rows)

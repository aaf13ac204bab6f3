"""Which original rows a published row can have been made from, going by its QI cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icefire.concealment.trie import Trie
from icefire.microdata.data import Microdata
from icefire.microdata.partition import group_equal

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
    columns = [published.cells(name, knowledge.domain(name)) for name in names]
    codes = [knowledge.codes(name) for name in names]
    if all(inside.size == 1 for cells in columns for inside in cells.members):
        return _exact([np.concatenate(cells.members)[cells.codes] for cells in columns], codes)
    first, _, class_of = group_equal([cells.codes for cells in columns])
    stand_in, sizes, group_of = group_equal(codes)
    misfits = [(~cells.fits).astype(np.float64) for cells in columns]
    trie = Trie([code[stand_in] for code in codes], [cells.codes[first] for cells in columns], misfits)
    found = list(trie.within(np.arange(first.size), np.zeros(first.size)))
    classes, groups = (np.concatenate(parts) for parts in zip(*((n.boxes, n.records) for n in found), strict=True))
    order = np.lexsort((groups, classes))
    return _expand(class_of, classes[order], groups[order], sizes, group_of, first.size)


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

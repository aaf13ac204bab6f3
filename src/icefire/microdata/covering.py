"""Which people the cells of published rows cover, counted without listing all pairs of rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icefire.concealment.trie import Trie
from icefire.core.errors import Undefined
from icefire.microdata.cells import Cells
from icefire.microdata.data import Microdata
from icefire.microdata.partition import group_equal

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
PAIRS = 200_000_000
"""Most pairs of a class of published rows and a group of equal people that a metric looks at."""


@dataclass(frozen=True)
class Covering:
    """Published rows of equal cells form a class, people of equal values a group."""

    class_of: Ints
    """The class of each published row; of each distinct one, if the table is on an engine."""
    sizes: Ints
    """How many published rows each class has."""
    group_of: Ints
    """The group of each person; of each distinct one, if the table is on an engine."""
    people: Ints
    """How many people each group has."""
    trie: Trie | None
    """None if every cell is a single value: then class i covers group i."""

    def pairs(self, limit: float = math.inf) -> Iterator[tuple[Ints, Ints]]:
        """In parts, the classes and groups where every value lies in the class' cell; Undefined if there are too many."""
        if self.trie is None:
            some = np.flatnonzero((self.sizes > 0) & (self.people > 0))
            yield some, some
            return
        total = 0
        for part in self.trie.within(np.arange(self.sizes.size), np.zeros(self.sizes.size)):
            total += part.boxes.size
            if total > limit:
                raise Undefined(
                    f"the cells are so coarse that there are more than {limit:,} pairs of a class and people whom it covers"
                )
            yield part.boxes, part.records

    def people_by_class(self) -> Ints:
        """How many people each class covers."""
        found = np.zeros(self.sizes.size)
        for classes, groups in self.pairs(PAIRS):
            found += np.bincount(classes, self.people[groups], found.size)
        return found.astype(np.int64)


def covering(published: Microdata, people: Microdata, rows: Ints | None = None, *, by_row: bool = False) -> Covering:
    """Published rows by their QI cells, and people, or some rows of them, by their values in these columns.

    With `by_row`, or for some rows, every row has its class on engines, too.
    """
    names = [name for name in people.qi if name in published.schema.names]
    if not names:
        raise Undefined("no quasi-identifier was published: every row covers everybody")
    rows_each = people_each = None
    if not by_row and rows is None:
        published, rows_each = published.distinct_or_all(names)
        people, people_each = people.distinct_or_all(names)
    columns = [published.cells(name, people.domain(name)) for name in names]
    codes = [people.codes(name) if rows is None else people.codes(name)[rows] for name in names]
    plain = [all(inside.size <= 1 for inside in cells.members) for cells in columns]
    if all(plain):
        return _equal([_single(cells) for cells in columns], codes, rows_each, people_each)
    first, sizes, class_of = group_equal([cells.codes for cells in columns])
    stand_in, number, group_of = group_equal(codes)
    if rows_each is not None:
        sizes = _summed(class_of, rows_each, sizes.size)
    if people_each is not None:
        number = _summed(group_of, people_each, number.size)
    # Of single values no table of all cells and values is needed.
    shown = [_single(cells) if single else cells.codes for cells, single in zip(columns, plain, strict=True)]
    misfits: list[Floats | float] = [
        1.0 if single else (~cells.fits).astype(np.float64) for cells, single in zip(columns, plain, strict=True)
    ]
    trie = Trie([code[stand_in] for code in codes], [cell[first] for cell in shown], misfits)
    return Covering(class_of, sizes, group_of, number, trie)


def _summed(of: Ints, each: Ints | None, size: int) -> Ints:
    """How many rows have each number, if a row stands for so many."""
    return np.bincount(of, each, size).astype(np.int64)


def _single(cells: Cells) -> Ints:
    """The value of each row's cell; a number of its own for each cell that stands for none."""
    values = [inside[0] if inside.size else len(cells.domain.values) + at for at, inside in enumerate(cells.members)]
    return np.array(values, dtype=np.int64)[cells.codes]


def _equal(published: list[Ints], people: list[Ints], rows_each: Ints | None, people_each: Ints | None) -> Covering:
    """Where every cell is a single value: classes and groups are numbered alike."""
    both = [np.concatenate(pair) for pair in zip(published, people, strict=True)]
    _, sizes, number = group_equal(both)
    height = published[0].size
    class_of, group_of = number[:height], number[height:]
    rows, persons = _summed(class_of, rows_each, sizes.size), _summed(group_of, people_each, sizes.size)
    return Covering(class_of, rows, group_of, persons, None)

r"""Which rows of a release are whose, if others of the same people are known: one weight for each way to fit them all.

    h = (g, a, b_1, ..., b_m)       person g fits row a, and row b_i of release i, which has the same key as a
    P(h) = x_g y_a prod_i z_{b_i}   with  sum_{h: a} P = 1,  sum_{h: g} P <= 1,  sum_{h: b_i} P <= 1

This is the distribution of largest entropy in which every row is one person's and nobody has two rows of a release. The
factors are found by iterative proportional fitting. Equal people form a group, equal rows a class, so that all factors
count with the sizes of groups and classes. Where as many people are known as each release has rows, all sums are 1.

Reference: Ganta, Kasiviswanathan, Smith: Composition attacks and auxiliary information in data privacy. KDD 2008, for the
intersection. Sinkhorn, Knopp: Concerning nonnegative matrices and doubly stochastic matrices. 1967, for the fitting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.errors import OutOfBudget
from icefire.frames.ragged import concatenated_ranges, offsets
from icefire.microdata.beliefs import Candidates
from icefire.microdata.composition import Composed
from icefire.microdata.covering import PAIRS, covering
from icefire.microdata.data import Microdata
from icefire.microdata.partition import group_equal

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
NONE = -1
PART, MOST = 4_000_000, 12_000_000
"""Combinations that are looked at together, and most that may be left of all."""
WORK, ROUNDS, CLOSE = 300_000_000, 500, 1e-3
"""Combinations in all rounds together, most rounds, and the change from which on there is no other."""
CHANGED = 0.5
"""Share of the people whom no row fits above which columns were changed."""


@dataclass(frozen=True)
class _Fits:
    """Which classes of rows of a release fit which groups of people, sorted by group. No classes if none was meant to."""

    groups: Ints
    classes: Ints
    class_of: Ints

    def of(self, begin: int, end: int) -> tuple[Ints, Ints]:
        """The pairs of some groups."""
        part = slice(*np.searchsorted(self.groups, [begin, end]))
        return self.groups[part], self.classes[part]


@dataclass(frozen=True)
class _Rows:
    """The rows of a release that differ in nothing that matters: classes of cells, split by key."""

    fits: _Fits
    split_of: Ints
    """[row]: its part."""
    sizes: Ints
    order: Ints
    """The parts by class."""
    starts: Ints
    """[class]: where its parts begin in the order."""

    @classmethod
    def of(cls, fits: _Fits, keys: Sequence[Ints]) -> _Rows:
        first, sizes, split_of = group_equal([fits.class_of, *keys])
        classes = fits.class_of[first]
        order = np.argsort(classes, kind="stable")
        number = int(fits.class_of.max(initial=-1)) + 1
        return cls(fits, split_of, sizes, order, np.searchsorted(classes[order], np.arange(number + 1)))

    def count(self, begin: int, end: int) -> int:
        """How many pairs of a group and a part there are."""
        classes = self.fits.of(begin, end)[1]
        return int((self.starts[classes + 1] - self.starts[classes]).sum())

    def pairs(self, begin: int, end: int) -> tuple[Ints, Ints]:
        """Groups and the parts that fit them."""
        groups, classes = self.fits.of(begin, end)
        counts = self.starts[classes + 1] - self.starts[classes]
        return np.repeat(groups, counts), self.order[concatenated_ranges(self.starts[classes], counts)]


def joint_candidates(published: Microdata, knowledge: Microdata) -> Candidates:
    """How likely each published row is that of each person, as all releases have it together."""
    return knowledge.once(published, joint_candidates, lambda: _candidates(published, knowledge))


def _candidates(published: Microdata, knowledge: Microdata) -> Candidates:
    linked = published.others if isinstance(published, Composed) else ()
    tables = [published, *(other.table for other in linked)]
    names = [name for name in knowledge.schema.names if any(name in table.schema.names for table in tables)]
    stand_in, sizes, group_of = group_equal([knowledge.codes(name) for name in names])
    fits, set_of = _merged([_fits(table, knowledge, names, stand_in, sizes) for table in tables], sizes.size)
    sizes, group_of = np.bincount(set_of, sizes).astype(np.int64), set_of[group_of]
    main = _Rows.of(fits[0], [other.keys for other in linked])
    others = [_Rows.of(fit, [other.other_keys]) for fit, other in zip(fits[1:], linked, strict=True)]
    other_keys = [_of_parts(rows, other.other_keys) for rows, other in zip(others, linked, strict=True)]
    keys = [_of_parts(main, np.where(np.isin(other.keys, other.other_keys), other.keys, NONE)) for other in linked]
    sides = _combinations(main, list(zip(others, other_keys, strict=True)), keys, sizes.size)
    whole = published.height == knowledge.height
    limits = [(sizes, whole), (main.sizes, True)]
    limits += [(rows.sizes, whole and rows.split_of.size == published.height) for rows in others]
    mass = _fitted(sides, limits)
    places = sides[0], sides[1]
    weights = sparse.csr_array((mass / (sizes[sides[0]] * main.sizes[sides[1]]), places), (sizes.size, main.sizes.size))
    weights.sum_duplicates()
    return Candidates(weights, group_of, main.split_of)


def _of_parts(rows: _Rows, keys: Ints) -> Ints:
    """[part]: the key of its rows."""
    found = np.zeros(rows.sizes.size, dtype=np.int64)
    found[rows.split_of] = keys
    return found


def _merged(fits: Sequence[_Fits], number: int) -> tuple[list[_Fits], Ints]:
    """The same for sets of groups that the same classes of all releases fit, and the set of each group."""
    rng = np.random.default_rng(0)
    sums = np.zeros((len(fits), number), dtype=np.uint64)
    for total, fit in zip(sums, fits, strict=True):
        # Sums of random marks: two sets of classes have the same one by no chance that matters.
        marks = rng.integers(0, 1 << 63, int(fit.class_of.max(initial=0)) + 1, dtype=np.uint64)
        np.add.at(total, fit.groups, marks[fit.classes])
    _, first, set_of = np.unique(sums, axis=1, return_index=True, return_inverse=True)
    set_of = set_of.ravel()
    one_each = np.zeros(number, dtype=np.bool_)
    one_each[first] = True
    merged = []
    for fit in fits:
        kept = one_each[fit.groups]
        groups, classes = set_of[fit.groups[kept]], fit.classes[kept]
        order = np.lexsort((classes, groups))
        merged.append(_Fits(groups[order], classes[order], fit.class_of))
    return merged, set_of


def _fits(table: Microdata, knowledge: Microdata, names: Sequence[str], stand_in: Ints, sizes: Ints) -> _Fits:
    """Who fits by all known columns or, where these were changed, by the quasi-identifiers alone."""
    known = [name for name in names if name in table.schema.names and _readable(table, knowledge, name)]
    quasi = [name for name in known if name in knowledge.qi]
    for chosen in dict.fromkeys((tuple(known), tuple(quasi))):
        if not chosen:
            continue
        covered = covering(table, knowledge.with_quasi_identifiers(chosen), stand_in)
        classes, groups = (np.concatenate(parts) for parts in zip(*covered.pairs(PAIRS), strict=True))
        # Groups by the columns of this table, and of each those by all columns.
        members = np.argsort(covered.group_of, kind="stable")
        counts = np.bincount(covered.group_of, minlength=covered.people.size)
        many = counts[groups]
        everyone = members[concatenated_ranges(offsets(counts)[groups], many)]
        classes = np.repeat(classes, many)
        fitting = np.zeros(sizes.size, dtype=np.bool_)
        fitting[everyone] = True
        if sizes[fitting].sum() >= CHANGED * sizes.sum():
            return _Fits(everyone, classes, covered.class_of)
    nobody = np.zeros(0, dtype=np.int64)
    return _Fits(nobody, nobody, np.zeros(table.height, dtype=np.int64))


def _readable(table: Microdata, knowledge: Microdata, name: str) -> bool:
    """Whether the cells of a column stand for values of most people at all."""
    domain = knowledge.domain(name)
    members = table.cells(name, domain).members
    inside = np.unique(np.concatenate([*members, np.zeros(0, dtype=np.int64)]).astype(np.int64))
    return bool(domain.counts[inside].sum() >= CHANGED * domain.counts.sum())


def _combinations(main: _Rows, others: Sequence[tuple[_Rows, Ints]], keys: Sequence[Ints], groups: int) -> list[Ints]:
    """All ways to fit: groups, parts of the release, and parts of each other one (NONE if that says nothing)."""
    found = list[list[Ints]]()
    total = 0
    for begin, end in _parts([main, *(rows for rows, _ in others)], groups):
        sides = list(main.pairs(begin, end))
        for (rows, other_keys), key in zip(others, keys, strict=True):
            sides = _joined(sides, rows.pairs(begin, end), other_keys, key)
        found.append(sides)
        total += sides[0].size
        if total > MOST:
            raise OutOfBudget("the releases leave too many ways in which people fit rows: name fewer of them")
    sides = [np.concatenate(parts) for parts in zip(*found, strict=True)]
    # Whom the other releases leave nobody for is not in them.
    missing = np.ones(main.sizes.size, dtype=np.bool_)
    missing[sides[1]] = False
    if missing.any():
        alone = list[tuple[Ints, Ints]]()
        for begin, end in _parts([main], groups):
            pairs = main.pairs(begin, end)
            alone.append((pairs[0][missing[pairs[1]]], pairs[1][missing[pairs[1]]]))
        more = [np.concatenate(parts) for parts in zip(*alone, strict=True)]
        nothing = np.full(more[0].size, NONE)
        sides = [np.concatenate(parts) for parts in zip(sides, [*more, *(nothing for _ in others)], strict=True)]
    return sides


def _parts(tables: Sequence[_Rows], groups: int) -> list[tuple[int, int]]:
    """Ranges of groups with not too many pairs each."""
    parts, begin = list[tuple[int, int]](), 0
    while begin < groups:
        end = groups
        while end > begin + 1 and max(table.count(begin, end) for table in tables) > PART:
            end = (begin + end + 1) // 2
        parts.append((begin, end))
        begin = end
    return parts


def _joined(sides: list[Ints], pairs: tuple[Ints, Ints], other_keys: Ints, keys: Ints) -> list[Ints]:
    """The combinations with each part of another release that fits the same group and has the same key."""
    groups, parts = pairs
    wanted = keys[sides[1]]
    width = int(max(other_keys.max(initial=0), keys.max(initial=0))) + 1
    marks = groups * width + other_keys[parts]
    order = np.argsort(marks, kind="stable")
    marks, parts = marks[order], parts[order]
    mark = sides[0] * width + wanted
    low, high = (np.searchsorted(marks, mark, side=side) for side in ("left", "right"))
    present = np.unique(groups)
    silent = (wanted == NONE) | ~np.isin(sides[0], present)
    counts = np.where(silent, 1, high - low)
    taken = np.repeat(np.arange(mark.size), counts)
    place = concatenated_ranges(low, counts)
    chosen = parts[np.minimum(place, parts.size - 1)] if parts.size else np.full(place.size, NONE)
    return [*(side[taken] for side in sides), np.where(silent[taken], NONE, chosen)]


def _fitted(sides: Sequence[Ints], limits: Sequence[tuple[Ints, bool]]) -> Floats:
    """The mass of each combination. Limits are the sizes of each side, and whether they have to be reached."""
    mass = np.ones(sides[0].size)
    factors = [np.ones(sizes.size) for sizes, _ in limits]
    for side, (sizes, _) in zip(sides, limits, strict=True):
        mass *= np.where(side == NONE, 1, sizes[side])
    # Rows last: each of them is somebody's, whatever does not fit.
    turns = [place for place in range(len(sides)) if place != 1] + [1]
    for _ in range(int(np.clip(WORK // max(1, mass.size), 5, ROUNDS))):
        change = 0.0
        for turn in turns:
            side, (sizes, reached), factor = sides[turn], limits[turn], factors[turn]
            there = side != NONE
            total = np.bincount(side[there], mass[there], sizes.size)
            wanted = np.divide(sizes, total, out=np.ones(sizes.size), where=total > 0)
            if not reached:
                wanted = np.minimum(factor * wanted, 1.0) / factor
            some = total > 0
            change = max(change, float(np.abs(wanted[some] - 1.0).max(initial=0.0)))
            factor *= wanted
            mass[there] *= wanted[side[there]]
        if change < CLOSE:
            break
    return mass

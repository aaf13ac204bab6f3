r"""What several releases of the same people say together.

    key(r)        = the cells of r in the columns that both releases publish alike
    partners(r)   = {s : key(s) = key(r), and the cells of r and s intersect in every column}
    cell'(r, c)   = cell(r, c) & cell(s, c)        where all partners s of r have the same cell in c

Which columns did not change is not known, but shows: the key is grown column by column as long as it tells more rows of the
one release which rows of the other are theirs,

    told(S)       = sum_k min(n(k), m(k)) log(M / m(k)),

where n(k) and m(k) rows have key k on the columns S and M is the size of the other release. Keys that rows share with those of
others by coincidence do not count. If every row has a partner, the partner of a row that has no other is nobody else's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.errors import Undefined
from icefire.frames.ragged import concatenated_ranges, offsets
from icefire.microdata.anonymize._privacy import cell_label
from icefire.microdata.cells import Cells, Domain, as_text
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.hierarchy import ANYTHING, interval_text
from icefire.microdata.partition import group_equal

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
GAIN = 1.01
"""How many times more a further column must tell to become a part of the key."""
ERRORS = 5.0
"""Standard errors by which a key must be found more often than by chance: some columns are tried."""
LEAST = 0.05
"""Smallest share of the people in both releases that is told from coincidence."""
PAIRS, LARGEST = 4_000_000, 10_000
"""Most pairs of rows with equal keys that are compared cell by cell; most pairs with one key."""
CONTRADICTED = 0.05
"""Share of linked rows with different values from which on a column was changed at random."""
TABLE = 25_000_000
"""Most pairs of distinct cells of a column that are compared."""


@dataclass(frozen=True)
class Linked:
    """Another release, and the rows of it that may be those of this one: rows with the same key."""

    table: Microdata
    keys: Ints
    """The key of each row of this release."""
    other_keys: Ints
    """The key of each row of the other release."""


class Composed(Microdata):
    """A published table with cells as fine as other releases make them, and these releases."""

    others: tuple[Linked, ...]
    copies: Mapping[str, str]
    """Columns of other releases whose cells contradict these, each with its name in the original."""
    randomized: tuple[str, ...]
    """Categories of linked rows that contradict each other."""

    @classmethod
    def of(
        cls, table: Microdata, others: Sequence[Linked], copies: Mapping[str, str], randomized: Sequence[str]
    ) -> Composed:
        composed = cls(table.frame, table.schema, table.where)
        composed.others, composed.copies, composed.randomized = tuple(others), dict(copies), tuple(randomized)
        return composed


def with_copies(table: Microdata, copies: Mapping[str, str]) -> Microdata:
    """A table with further quasi-identifiers that repeat columns, as far as it has these."""
    known = {copy: name for copy, name in copies.items() if name in table.schema.names}
    if not known:
        return table
    frame = table.frame.with_columns(pl.col(name).alias(copy) for copy, name in known.items())
    return Microdata(frame, _schema_with(table.schema, known), table.where)


def _schema_with(schema: Schema, copies: Mapping[str, str]) -> Schema:
    columns = {copy: schema.column(name) for copy, name in copies.items() if name in schema.columns}
    return replace(schema, qi=(*schema.qi, *copies), columns={**schema.columns, **columns})


def combine(release: Release, others: Sequence[Microdata]) -> Release:
    """The release as somebody sees it who holds others of the same people as well. Nothing but their cells is looked at."""
    published, linked, copies = release.published, list[Linked](), dict[str, str]()
    randomized = dict[str, None]()
    for number, other in enumerate(others, start=2):
        link, pairs = _link(release.original, published, other)
        contradicting = _contradicting(release.original, published, other, pairs)
        published, copied = _narrowed(release.original, published, other, pairs, contradicting, number)
        copies |= copied
        randomized |= dict.fromkeys(contradicting)
        linked.append(link)
    composed = Composed.of(published, linked, copies, list(randomized))
    return Release(with_copies(release.original, copies), composed, release.rows)


@dataclass(frozen=True)
class _Pairs:
    """Rows of two releases that may be the same person's, sorted by the row of the first."""

    rows: Ints
    others: Ints


def _link(original: Microdata, published: Microdata, other: Microdata) -> tuple[Linked, _Pairs]:
    shared = [name for name in published.schema.published if name in other.schema.names]
    columns = [codes for name in shared if (codes := _key_codes(original, published, other, name)) is not None]
    mine, theirs = published.pseudonyms, other.pseudonyms
    if mine is not None and theirs is not None:
        columns += [_numbered(mine[name], theirs[name]) for name in mine.columns if name in theirs.columns]
    if not shared and not columns:
        raise Undefined(f"{other.where} shares no column with the release")
    keys, other_keys = _grown_key(columns, published.height, other.height)
    pairs = _compatible(original, published, other, shared, _pairs_of(keys, other_keys))
    pairs = _propagated(pairs, published.height, other.height)
    return Linked(other, *_refined(keys, other_keys, pairs)), pairs


def _key_codes(original: Microdata, published: Microdata, other: Microdata, name: str) -> tuple[Ints, Ints] | None:
    """A column of both releases, with the same number for the same cell. None if it cannot be a part of a key: classes
    generalize quasi-identifiers, so that a person has different cells, and different people have the same."""
    if name in original.qi:
        domain = original.domain(name)
        singles = published.cells(name, domain).single, other.cells(name, domain).single
        return None if singles[0] is None or singles[1] is None else (singles[0] + 1, singles[1] + 1)
    return _numbered(published.column(name), other.column(name))


def _numbered(here: pl.Series, there: pl.Series) -> tuple[Ints, Ints]:
    """The same number for the same cell."""
    both = pl.concat([_comparable(here), _comparable(there)]).rank("dense").fill_null(0).to_numpy().astype(np.int64)
    return both[: len(here)], both[len(here) :]


def _comparable(column: pl.Series) -> pl.Series:
    """Cells as texts: the same number is the same text, whatever type it has."""
    if column.dtype.is_numeric():
        column = column.cast(pl.Float64)
    return as_text(column)


def _grown_key(columns: Sequence[tuple[Ints, Ints]], height: int, width: int) -> tuple[Ints, Ints]:
    """The key that tells most."""
    best, told = (np.zeros(height, dtype=np.int64), np.zeros(width, dtype=np.int64)), 0.0
    left = list(columns)
    while left:
        tried = [_joined(best, column) for column in left]
        scores = [_told(*key) for key in tried]
        place = int(np.argmax(scores))
        if scores[place] <= max(GAIN * told, told + 1e-9):
            break
        best, told = tried[place], scores[place]
        del left[place]
    return best


def _joined(key: tuple[Ints, Ints], column: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    number = group_equal([np.concatenate(key), np.concatenate(column)])[2]
    return number[: key[0].size], number[key[0].size :]


def _told(keys: Ints, others: Ints) -> float:
    """What a key tells of which rows belong together, in nats; 0 if rows have it in common by coincidence."""
    size = int(max(keys.max(initial=0), others.max(initial=0))) + 1
    here, there = np.bincount(keys, minlength=size), np.bincount(others, minlength=size)
    common = np.minimum(here, there)
    if common.sum() < min(keys.size, others.size) and not _is_telling(here, there):
        return 0.0
    return float((common * np.log(others.size / np.maximum(there, 1))).sum())


def _is_telling(here: Ints, there: Ints) -> bool:
    """Whether more rows have a key of the other release than would if that held other people of the same population.

    Then a row would find its key there as often as it finds it in another row of its own release. Where p is the share of
    the people who are in both, found = p + (1 - p) chance.
    """
    number = here.sum()
    found = here[there > 0].sum() / number
    chance = here[here > 1].sum() / number * min(1.0, there.sum() / number)
    beyond = found - chance
    error = float(np.sqrt(chance * (1.0 - chance) / number))
    if chance >= 1.0 or beyond <= max(ERRORS * error, LEAST):
        return False
    return bool(beyond / (1.0 - chance) >= found / 2)


def _pairs_of(keys: Ints, others: Ints) -> _Pairs:
    """The pairs of rows with the same key, where these are not too many."""
    size = int(max(keys.max(initial=0), others.max(initial=0))) + 1
    here, there = np.bincount(keys, minlength=size), np.bincount(others, minlength=size)
    number = here * there
    # Keys of few rows first: they tell most.
    order = np.argsort(number, kind="stable")
    kept = np.zeros(size, dtype=np.bool_)
    kept[order] = (np.cumsum(number[order]) <= PAIRS) & (number[order] <= LARGEST)
    rows = np.flatnonzero(kept[keys])
    counts = there[keys[rows]]
    members = np.argsort(others, kind="stable")
    return _Pairs(np.repeat(rows, counts), members[concatenated_ranges(offsets(there)[keys[rows]], counts)])


def _compatible(
    original: Microdata, published: Microdata, other: Microdata, names: Sequence[str], pairs: _Pairs
) -> _Pairs:
    """The pairs whose generalized cells intersect."""
    for name in names:
        if name not in original.qi:
            continue
        domain = original.domain(name)
        here, there = published.cells(name, domain), other.cells(name, domain)
        meet = _meeting(domain, here, there)
        if meet is not None:
            kept = meet[here.codes[pairs.rows], there.codes[pairs.others]]
            # A column that was changed at random says nothing about who belongs together.
            if _share(pairs.rows[kept], published.height) >= 0.9 * _share(pairs.rows, published.height):
                pairs = _Pairs(pairs.rows[kept], pairs.others[kept])
    return pairs


def _share(rows: Ints, height: int) -> float:
    """Share of the rows that have a partner."""
    return np.unique(rows).size / height


def _meeting(domain: Domain, here: Cells, there: Cells) -> Flags | None:
    """[cell, other cell]: whether they have a value in common; None if there are too many cells."""
    if len(here.texts) * len(there.texts) > TABLE or len(domain.values) * len(here.texts) > TABLE:
        return None
    return np.asarray(here.fits.astype(np.float32) @ there.fits.astype(np.float32).T > 0)


def _propagated(pairs: _Pairs, height: int, width: int) -> _Pairs:
    """Each row belongs to one row of the other release at most: who has a single partner takes it from the rest."""
    everybody_here, everybody_there = (
        np.unique(side).size == size for side, size in ((pairs.rows, height), (pairs.others, width))
    )
    while True:
        here, there = np.bincount(pairs.rows, minlength=height), np.bincount(pairs.others, minlength=width)
        kept = np.ones(pairs.rows.size, dtype=np.bool_)
        if everybody_here:
            only = here[pairs.rows] == 1
            taken = np.zeros(width, dtype=np.bool_)
            taken[pairs.others[only]] = True
            kept &= only | ~taken[pairs.others]
        if everybody_there:
            only = there[pairs.others] == 1
            taken = np.zeros(height, dtype=np.bool_)
            taken[pairs.rows[only]] = True
            kept &= only | ~taken[pairs.rows]
        if kept.all():
            return pairs
        pairs = _Pairs(pairs.rows[kept], pairs.others[kept])


def _refined(keys: Ints, others: Ints, pairs: _Pairs) -> tuple[Ints, Ints]:
    """The keys, with one of their own for rows that have no partner but each other."""
    here, there = (
        np.bincount(side, minlength=size) for side, size in ((pairs.rows, keys.size), (pairs.others, others.size))
    )
    alone = (here[pairs.rows] == 1) & (there[pairs.others] == 1)
    first = int(max(keys.max(initial=0), others.max(initial=0))) + 1
    keys, others = keys.copy(), others.copy()
    keys[pairs.rows[alone]] = others[pairs.others[alone]] = first + np.arange(int(alone.sum()))
    return keys, others


def _narrowed(
    original: Microdata, published: Microdata, other: Microdata, pairs: _Pairs, contradicting: set[str], number: int
) -> tuple[Microdata, dict[str, str]]:
    """The cells of the release as the partners of its rows allow them; columns of the other release are added.

    Quasi-identifiers that were changed at random are kept from both.
    """
    frame, columns, copies = published.frame, list[pl.Series](), dict[str, str]()
    for name in other.schema.published:
        if name not in original.schema.names or not pairs.rows.size:
            continue
        rows, partners = _agreeing(other, name, pairs)
        theirs = other.column(name)[partners]
        if name not in published.schema.names:
            columns.append(_placed(theirs, rows, published.height))
        elif name in original.qi and name in contradicting:
            copy = f"{name} ({number})"
            copies[copy] = name
            columns.append(_placed(theirs.rename(copy), rows, published.height))
        else:
            columns.append(_intersected(original, published.column(name), rows, theirs))
    frame = frame.with_columns(columns)
    roles, shown = original.schema.restricted(frame.columns), published.schema
    earlier = {copy: copy for copy in shown.qi if copy not in original.schema.names}
    schema = replace(roles, qi=(*roles.qi, *earlier), columns=shown.columns, unnamed=())
    schema = _schema_with(schema, copies)
    narrowed = Microdata(frame, schema, published.where)
    narrowed.pseudonyms = published.pseudonyms
    return narrowed, copies


def _contradicting(original: Microdata, published: Microdata, other: Microdata, pairs: _Pairs) -> set[str]:
    """The columns in which single values of linked rows often differ: they were changed at random, each by itself.

    Sensitive amounts are averaged instead.
    """
    found = set[str]()
    for name in other.schema.published:
        if (
            name not in published.schema.names
            or not pairs.rows.size
            or (name in original.numeric and name not in original.qi)
        ):
            continue
        rows, partners = _agreeing(other, name, pairs)
        domain = original.domain(name)
        here, there = published.cells(name, domain).single, domain.read(other.column(name)[partners]).single
        if here is not None and there is not None and rows.size and (here[rows] != there).mean() > CONTRADICTED:
            found.add(name)
    return found


def _agreeing(other: Microdata, name: str, pairs: _Pairs) -> tuple[Ints, Ints]:
    """Rows all of whose partners have the same cell in a column, and one of these."""
    codes = _cell_codes(other.column(name))[pairs.others]
    starts = np.flatnonzero(np.diff(pairs.rows, prepend=-1))
    same = np.minimum.reduceat(codes, starts) == np.maximum.reduceat(codes, starts)
    return pairs.rows[starts[same]], pairs.others[starts[same]]


def _cell_codes(column: pl.Series) -> Ints:
    return as_text(column).rank("dense").fill_null(0).to_numpy().astype(np.int64)


def _placed(values: pl.Series, rows: Ints, height: int) -> pl.Series:
    """A column that the other release alone has; `*` where nobody is known to be the partner."""
    if rows.size == height:
        return values
    texts = np.full(height, ANYTHING, dtype=object)
    texts[rows] = as_text(values).to_list()
    return pl.Series(values.name, texts.tolist(), dtype=pl.String)


def _intersected(original: Microdata, column: pl.Series, rows: Ints, theirs: pl.Series) -> pl.Series:
    """A column whose cells in some rows are what they have in common with other cells.

    Amounts that differ were changed at random: their mean is nearer to what they were.
    """
    domain = original.domain(column.name)
    if column.dtype.is_numeric() and theirs.dtype.is_numeric() and original.is_numeric(column.name):
        here, there = (values.cast(pl.Float64).to_numpy() for values in (column[rows], theirs))
        apart = ~np.isclose(here, there, rtol=1e-12, atol=0.0) & ~np.isnan(here) & ~np.isnan(there)
        if not apart.any():
            return column
        means = column.cast(pl.Float64).to_numpy().copy()
        means[rows[apart]] = (here[apart] + there[apart]) / 2
        return pl.Series(column.name, means).fill_nan(None)
    if column.dtype.is_numeric():
        return column
    texts = as_text(column)
    both = pl.DataFrame({"here": texts[rows], "there": as_text(theirs)})
    pairs = both.unique()
    meet = _Meet(domain)
    cells = pairs.with_columns(pl.Series("both", [meet(*pair) for pair in pairs.rows()], dtype=pl.String))
    found = both.join(cells, on=["here", "there"], how="left", nulls_equal=True, maintain_order="left")["both"]
    return texts.scatter(rows, found).rename(column.name)


class _Meet:
    """What two cells of a column have in common, as a cell; the first one if that is nothing."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        self.members: dict[str | None, Ints] = {}

    def __call__(self, here: str | None, there: str | None) -> str | None:
        if here == there or there == ANYTHING or here is None:
            return here
        if here == ANYTHING:
            return there
        mine, theirs = (self._members(cell) for cell in (here, there))
        if mine.size <= 1:
            return here
        common = np.intersect1d(mine, theirs, assume_unique=True)
        if common.size in (0, mine.size):
            return here
        if common.size == theirs.size:
            return there
        if common.size > 1 and self.domain.ordinal:
            ends = self.domain.bounds(here), self.domain.bounds(there)
            low, high = max(end[0] for end in ends), min(end[1] for end in ends)
            inside = np.flatnonzero((self.domain.positions >= low) & (self.domain.positions <= high))
            if np.array_equal(inside, common) and not isinstance(self.domain.values[0], str):
                return interval_text(low, high)
        return cell_label(self.domain, common.tolist())

    def _members(self, cell: str | None) -> Ints:
        if cell not in self.members:
            self.members[cell] = self.domain.members(cell)
        return self.members[cell]

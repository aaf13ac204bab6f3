"""What published and known records have in common: each seen through one facet (items, dates, item with price ...)
as numbers that are equal where they may be the same thing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from icefire.history.data import History, Holders, Ints
from icefire.history.records import SPANS
from icefire.history.sets import beginning, members

Matrix = sparse.csr_array
UNKNOWN = -1


@dataclass(frozen=True)
class Side:
    """Records of one side as (row number, token) with a weight; a set of items becomes several tokens."""

    records: Ints
    weights: NDArray[np.float64]
    codes: Ints


class Facets:
    """Published and known records side by side. Generalized cells are read as what they may stand for."""

    def __init__(self, published: History, knowledge: History, drop_dummies: bool = False) -> None:
        self.published, self.knowledge = published, knowledge
        self.kept = np.ones(published.height, dtype=np.bool_)
        if drop_dummies:
            self.kept = ~suspicious(published, knowledge)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns that can be compared."""
        both = [name for name in ("item", *SPANS, "time") if self.published.has(name) and self.knowledge.has(name)]
        return tuple(name for name in both if name == "item" or self._plain(name) is not None)

    @cached_property
    def _items(self) -> tuple[Side, Ints]:
        ours, theirs = self.published.frame["item"], self.knowledge.frame["item"]
        return aligned_items(ours, theirs)

    def _plain(self, name: str) -> tuple[Ints, Ints] | None:
        """One code for each record of both sides, or None where the cells of the release overlap."""
        if name not in self._codes:
            self._codes[name] = _codes(self.published.frame, self.knowledge.frame, name)
        return self._codes[name]

    @cached_property
    def _codes(self) -> dict[str, tuple[Ints, Ints] | None]:
        return {}

    def tokens(self, columns: tuple[str, ...]) -> tuple[Side, Ints]:
        """Tokens of some columns together: of the published side, and of each known record."""
        if columns not in self._tokens:
            self._tokens[columns] = self._made(columns)
        return self._tokens[columns]

    @cached_property
    def _tokens(self) -> dict[tuple[str, ...], tuple[Side, Ints]]:
        return {}

    def _made(self, columns: tuple[str, ...]) -> tuple[Side, Ints]:
        side, known = self._items if "item" in columns else (_whole(self.published.height), None)
        ours: list[Ints] = [] if known is None else [side.codes]
        theirs: list[Ints] = [] if known is None else [known]
        for name in columns:
            if name != "item":
                pair = self._plain(name)
                assert pair is not None, f"the facet {name} was not checked"
                ours.append(pair[0][side.records])
                theirs.append(pair[1])
        first, second = _together(ours, theirs)
        return Side(side.records, side.weights, first), second

    def profiles(self, columns: tuple[str, ...], periods: Ints | None = None) -> tuple[Matrix, Matrix]:
        """(pseudonyms x tokens, users x tokens): how often each occurs, within some periods.

        A user of whom nothing is known in these periods is left empty.
        """
        side, known = self.tokens(columns)
        records, holders = _held(self.published, side.records)
        side = Side(side.records[records], side.weights[records] * holders.weights, side.codes[records])
        ours, theirs = self.kept[side.records] & (side.codes != UNKNOWN), known != UNKNOWN
        if periods is not None:
            ours &= np.isin(self.published.period_codes, periods)[side.records]
            theirs &= np.isin(self.knowledge.period_codes, periods)
        width = 1 + max(side.codes.max(initial=0), known.max(initial=0))
        left = _matrix(
            holders.users[ours],
            side.codes[ours],
            side.weights[ours],
            (len(self.published.users), width),
        )
        right = _matrix(
            self.knowledge.user_codes[theirs],
            known[theirs],
            np.ones(int(theirs.sum())),
            (len(self.knowledge.users), width),
        )
        return left, right


def _held(history: History, records: Ints) -> tuple[Ints, Holders]:
    """Which of these each pair of a record and somebody who may own it belongs to, and the pairs."""
    holders = history.holders
    if not history.shared.any():
        everything = np.arange(records.size)
        return everything, Holders(records, holders.users[records], np.ones(records.size))
    count = np.bincount(holders.records, minlength=history.height)
    start = np.cumsum(count) - count
    times = count[records]
    place = np.repeat(np.arange(records.size), times)
    within = np.arange(place.size) - np.repeat(np.cumsum(times) - times, times)
    pair = start[records][place] + within
    return place, Holders(records[place], holders.users[pair], holders.weights[pair])


def suspicious(published: History, knowledge: History) -> NDArray[np.bool_]:
    """Published records whose pair of item and price never occurs in what is known: dummies, or changed records."""
    columns = [name for name in ("item", "price") if published.has(name) and knowledge.has(name)]
    genuine = knowledge.frame.select(columns).unique()
    marked = published.frame.select(columns).join(
        genuine.with_columns(genuine=True), on=columns, how="left", maintain_order="left", nulls_equal=True
    )
    return marked["genuine"].is_null().to_numpy()


def _matrix(rows: Ints, columns: Ints, weights: NDArray[np.float64], shape: tuple[int, int]) -> Matrix:
    matrix = sparse.csr_array((weights, (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    matrix.sort_indices()
    return matrix


def _whole(height: int) -> Side:
    return Side(np.arange(height), np.ones(height), np.zeros(height, dtype=np.int64))


def aligned_items(ours: pl.Series, theirs: pl.Series) -> tuple[Side, Ints]:
    """Items of both sides as numbers: what was cut short on one side is cut on the other, and what may stand for several
    known items becomes all of them."""
    published, known = ours.unique().sort(), theirs.unique().sort()
    width = min((w for w in (truncation(known), truncation(published)) if w is not None), default=None)
    plain = set(known)
    texts = {label: _cut(label, width) for label in known}
    listed = [_stands_for(label, plain, texts, width) for label in published]
    names = sorted({*texts.values(), *(name for names in listed for name in names)})
    number = {name: code for code, name in enumerate(names)}
    codes = theirs.cast(pl.Enum(known)).to_physical().to_numpy()
    of_known = np.array([number[texts[label]] for label in known], dtype=np.int64)[codes]
    sizes = np.array([len(names) for names in listed], dtype=np.int64)
    flat = np.array([number[name] for names in listed for name in names], dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    labels = ours.cast(pl.Enum(published)).to_physical().to_numpy()
    count = sizes[labels]
    records = np.repeat(np.arange(labels.size), count)
    within = np.arange(records.size) - np.repeat(np.cumsum(count) - count, count)
    weights = np.repeat(1.0 / np.maximum(count, 1), count)
    return Side(records, weights, flat[starts[labels][records] + within]), of_known


def truncation(labels: pl.Series) -> int | None:
    """How many characters are known of items, if all were cut to that length; None if they were not, or not all."""
    masked = labels.filter(labels.str.ends_with("*") & ~labels.str.starts_with("{"))
    if not len(masked):
        return None
    width = int(masked.str.len_chars().to_numpy().max()) - 1
    rest = labels.filter(~labels.str.ends_with("*") & ~labels.str.starts_with("{"))
    return width if width and bool((rest.str.len_chars() <= width).all()) else None


def _cut(label: str, width: int | None) -> str:
    start = beginning(label)
    if width is None:
        return label
    return (label if start is None else start)[:width]


def _stands_for(label: str, plain: set[str], texts: dict[str, str], width: int | None) -> list[str]:
    """The names that a published label may stand for; a label that is an item itself stands for that one."""
    if label in plain:
        return [texts[label]]
    listed, start = members(label), beginning(label)
    if listed is not None:
        return sorted({_cut(member, width) for member in listed})
    if start is None or (width is not None and len(start) >= width):
        return [_cut(label, width)]
    return sorted({name for name in texts.values() if name.startswith(start)})


def _codes(ours: pl.DataFrame, theirs: pl.DataFrame, name: str) -> tuple[Ints, Ints] | None:
    if f"{name}_to" not in ours.columns:
        ranks = pl.concat([ours[name], theirs[name]]).rank("dense").fill_null(0).to_numpy().astype(np.int64) - 1
        return ranks[: ours.height], ranks[ours.height :]
    low = ours[name].to_physical().to_numpy().astype(np.float64)
    high = ours[f"{name}_to"].to_physical().to_numpy().astype(np.float64)
    high = np.where(np.isnan(high), low, high)
    spans, codes = np.unique(np.stack([low, high]), axis=1, return_inverse=True)
    if (spans[0][1:] <= spans[1][:-1]).any():
        return None
    known = theirs[name].to_physical().to_numpy().astype(np.float64)
    place = np.searchsorted(spans[0], known, side="right") - 1
    inside = (place >= 0) & (known <= spans[1][place])
    return codes.ravel().astype(np.int64), np.where(inside, place, UNKNOWN)


def _together(ours: list[Ints], theirs: list[Ints]) -> tuple[Ints, Ints]:
    """One code for several."""
    if len(ours) == 1:
        return ours[0], theirs[0]
    size = ours[0].size
    columns = [np.concatenate(pair) for pair in zip(ours, theirs, strict=True)]
    unknown = np.any([column == UNKNOWN for column in columns], axis=0)
    key = np.zeros(columns[0].size, dtype=np.int64)
    for column in columns:
        _, key = np.unique(key * (int(column.max(initial=0)) + 2) + column + 1, return_inverse=True)
    key = np.where(unknown, UNKNOWN, key)
    return key[:size], key[size:]

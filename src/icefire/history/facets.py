"""Tokens of published and known records for record linkage.

A facet is a column or a combination of columns (items, dates, item with price, ...). In each facet, records are encoded as
integer tokens, which are equal if the cells may stand for the same value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.budget import Asked
from icefire.frames.notation import parse_set
from icefire.frames.ragged import concatenated_ranges, offsets
from icefire.history.data import History, Holders, Ints
from icefire.history.engine import EngineHistory
from icefire.history.records import SPANS
from icefire.history.sets import beginning

Matrix = sparse.csr_array
UNKNOWN = -1
"""The token of a cell that corresponds to nothing on the other side."""


@dataclass(frozen=True)
class Side:
    """The tokens of published records: (record, token) pairs with weights. A set of items has several tokens."""

    records: Ints
    weights: NDArray[np.float64]
    codes: Ints


class Facets:
    """Tokens of published and of known records. A generalized cell has the tokens of all values it may stand for."""

    asked: Asked | None = None
    """Whom to look for; None if everybody."""

    def __init__(self, published: History, knowledge: History, drop_dummies: bool = False) -> None:
        self.published, self.knowledge = published, knowledge
        self.kept = np.ones(published.height, dtype=np.bool_)
        if drop_dummies:
            self.kept = ~suspicious(published, knowledge)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns in which both sides can be compared."""
        both = [name for name in ("item", *SPANS, "time") if self.published.has(name) and self.knowledge.has(name)]
        return tuple(name for name in both if name == "item" or self._plain(name) is not None)

    @cached_property
    def _items(self) -> tuple[Side, Ints]:
        return aligned_items(self.published.frame["item"], self.knowledge.frame["item"])

    def _plain(self, name: str) -> tuple[Ints, Ints] | None:
        """The code of each record on both sides; None if intervals of the release overlap."""
        if name not in self._codes:
            self._codes[name] = _codes(self.published.frame, self.knowledge.frame, name)
        return self._codes[name]

    @cached_property
    def _codes(self) -> dict[str, tuple[Ints, Ints] | None]:
        return {}

    def tokens(self, columns: tuple[str, ...]) -> tuple[Side, Ints]:
        """The tokens of a combination of columns: of published records, and of each known record."""
        if columns not in self._tokens:
            self._tokens[columns] = self._combined(columns)
        return self._tokens[columns]

    @cached_property
    def _tokens(self) -> dict[tuple[str, ...], tuple[Side, Ints]]:
        return {}

    def _combined(self, columns: tuple[str, ...]) -> tuple[Side, Ints]:
        side, known_items = self._items if "item" in columns else (_one_token_each(self.published.height), None)
        published: list[Ints] = [] if known_items is None else [side.codes]
        known: list[Ints] = [] if known_items is None else [known_items]
        for name in columns:
            if name != "item":
                pair = self._plain(name)
                assert pair is not None, f"the column {name} is not in `names`"
                published.append(pair[0][side.records])
                known.append(pair[1])
        published_codes, known_codes = _joint_codes(published, known)
        return Side(side.records, side.weights, published_codes), known_codes

    def profiles(self, columns: tuple[str, ...], periods: Ints | None = None) -> tuple[Matrix, Matrix]:
        """Token counts in the given periods, or in all: [pseudonym, token] and [user, token].

        The row of a user without known records in these periods is empty.
        """
        side, known = self.tokens(columns)
        index, holders = _holders_of(self.published, side.records)
        side = Side(side.records[index], side.weights[index] * holders.weights, side.codes[index])
        in_published, in_known = self.kept[side.records] & (side.codes != UNKNOWN), known != UNKNOWN
        if periods is not None:
            in_published &= np.isin(self.published.period_codes, periods)[side.records]
            in_known &= np.isin(self.knowledge.period_codes, periods)
        width = 1 + max(side.codes.max(initial=0), known.max(initial=0))
        left = _matrix(
            holders.users[in_published],
            side.codes[in_published],
            side.weights[in_published],
            (len(self.published.users), width),
        )
        right = _matrix(
            self.knowledge.user_codes[in_known],
            known[in_known],
            np.ones(int(in_known.sum())),
            (len(self.knowledge.users), width),
        )
        return left, right


class CountedFacets(Facets):
    """Items alone, by counts of an engine: records stay where they are."""

    def __init__(self, published: EngineHistory, knowledge: EngineHistory, drop_dummies: bool = False) -> None:
        self.published, self.knowledge = published, knowledge
        self._known = knowledge
        self._shown = published.only_known(knowledge) if drop_dummies else published
        self._sides = [self._shown.items(), knowledge.items()]
        self._aligned = aligned_labels(*self._sides)
        self._counted: dict[bytes, tuple[Matrix, Matrix]] = {}

    def profiles(self, columns: tuple[str, ...], periods: Ints | None = None) -> tuple[Matrix, Matrix]:
        assert columns == ("item",), "attacks by other columns compare records, which are not here"
        key = b"" if periods is None else periods.tobytes()
        if key not in self._counted:
            self._counted[key] = self._profiles(periods)
        return self._counted[key]

    def _profiles(self, periods: Ints | None) -> tuple[Matrix, Matrix]:
        sizes, tokens, known_tokens = self._aligned
        width = 1 + max(tokens.max(initial=0), known_tokens.max(initial=0))
        users, items, counts = self._shown.item_counts(self._sides[0], periods)
        entries = np.repeat(np.arange(items.size), sizes[items])
        listed = tokens[concatenated_ranges(offsets(sizes)[items], sizes[items])]
        weights = counts[entries] / np.maximum(sizes[items], 1)[entries]
        left = _matrix(users[entries], listed, weights, (len(self.published.users), width))
        users, items, counts = self._known.item_counts(self._sides[1], periods)
        right = _matrix(users, known_tokens[items], counts, (len(self.knowledge.users), width))
        return left, right


def everybody(history: History, some: Ints | None = None) -> NDArray[np.bool_]:
    """[user]: who is looked for, all if it is None."""
    found = np.full(len(history.users), some is None)
    found[[] if some is None else some] = True
    return found


def facets_of(published: History, knowledge: History, drop_dummies: bool = False) -> Facets:
    """What attacks by items compare."""
    if isinstance(published, EngineHistory) and isinstance(knowledge, EngineHistory):
        return CountedFacets(published, knowledge, drop_dummies)
    return Facets(published, knowledge, drop_dummies)


def _holders_of(history: History, records: Ints) -> tuple[Ints, Holders]:
    """All pairs of a given record and a user who may own it, and the index of the record of each pair in `records`."""
    holders = history.holders
    if not history.shared.any():
        return np.arange(records.size), Holders(records, holders.users[records], np.ones(records.size))
    counts = np.bincount(holders.records, minlength=history.height)
    index = np.repeat(np.arange(records.size), counts[records])
    pair = concatenated_ranges(offsets(counts)[records], counts[records])
    return index, Holders(records[index], holders.users[pair], holders.weights[pair])


def suspicious(published: History, knowledge: History) -> NDArray[np.bool_]:
    """Published records whose combination of item and price occurs in no known record: dummies, or changed records."""
    columns = [name for name in ("item", "price") if published.has(name) and knowledge.has(name)]
    genuine = knowledge.frame.select(columns).unique()
    marked = published.frame.select(columns).join(
        genuine.with_columns(genuine=True), on=columns, how="left", maintain_order="left", nulls_equal=True
    )
    return marked["genuine"].is_null().to_numpy()


def has_suspicious(published: History, knowledge: History) -> bool:
    if isinstance(published, EngineHistory) and isinstance(knowledge, EngineHistory):
        return published.only_known(knowledge).height < published.height
    return bool(suspicious(published, knowledge).any())


def _matrix(rows: Ints, columns: Ints, weights: NDArray[np.float64], shape: tuple[int, int]) -> Matrix:
    matrix = sparse.csr_array((weights, (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    matrix.sort_indices()
    return matrix


def _one_token_each(height: int) -> Side:
    return Side(np.arange(height), np.ones(height), np.zeros(height, dtype=np.int64))


def aligned_items(published: pl.Series, known: pl.Series) -> tuple[Side, Ints]:
    """Tokens of the items of published and of known records.

    If the items of one side are truncated, so are those of the other. A published item that may stand for several known
    items gets the tokens of all of them.
    """
    published_labels, known_labels = published.unique().sort(), known.unique().sort()
    sizes, tokens, known_tokens = aligned_labels(published_labels, known_labels)
    known_codes = known.cast(pl.Enum(known_labels)).to_physical().to_numpy()
    labels = published.cast(pl.Enum(published_labels)).to_physical().to_numpy()
    counts = sizes[labels]
    records = np.repeat(np.arange(labels.size), counts)
    weights = np.repeat(1.0 / np.maximum(counts, 1), counts)
    side = Side(records, weights, tokens[concatenated_ranges(offsets(sizes)[labels], counts)])
    return side, known_tokens[known_codes]


def aligned_labels(published: pl.Series, known: pl.Series) -> tuple[Ints, Ints, Ints]:
    """The number of tokens of each published item, these tokens one after the other, and the token of each known item."""
    widths = (truncation(known), truncation(published))
    width = min((width for width in widths if width is not None), default=None)
    truncated = {label: _truncated(label, width) for label in known}
    listed = [_stands_for(label, truncated, width) for label in published]
    names = sorted({*truncated.values(), *(name for names in listed for name in names)})
    token = {name: code for code, name in enumerate(names)}
    known_tokens = np.array([token[truncated[label]] for label in known], dtype=np.int64)
    sizes = np.array([len(names) for names in listed], dtype=np.int64)
    tokens = np.array([token[name] for names in listed for name in names], dtype=np.int64)
    return sizes, tokens, known_tokens


def truncation(labels: pl.Series) -> int | None:
    """The length to which all items are truncated (`22*`); None if some are not truncated to it."""
    masked = labels.filter(labels.str.ends_with("*") & ~labels.str.starts_with("{"))
    if not len(masked):
        return None
    width = int(masked.str.len_chars().to_numpy().max()) - 1
    rest = labels.filter(~labels.str.ends_with("*") & ~labels.str.starts_with("{"))
    return width if width and bool((rest.str.len_chars() <= width).all()) else None


def _truncated(label: str, width: int | None) -> str:
    if width is None:
        return label
    prefix = beginning(label)
    return (label if prefix is None else prefix)[:width]


def _stands_for(label: str, truncated: dict[str, str], width: int | None) -> list[str]:
    """The truncated items that a published label may stand for; `truncated` maps the known items to theirs."""
    if label in truncated:
        return [truncated[label]]
    members, prefix = parse_set(label), beginning(label)
    if members is not None:
        return sorted({_truncated(member, width) for member in members})
    if prefix == "":
        # Any item: it says nothing, and would look like a purchase of everything.
        return []
    if prefix is None or (width is not None and len(prefix) >= width):
        return [_truncated(label, width)]
    return sorted({name for name in truncated.values() if name.startswith(prefix)})


def _codes(published: pl.DataFrame, known: pl.DataFrame, name: str) -> tuple[Ints, Ints] | None:
    """The code of each cell of a column on both sides; None if published intervals overlap."""
    if f"{name}_to" not in published.columns:
        ranks = pl.concat([published[name], known[name]]).rank("dense").fill_null(0).to_numpy().astype(np.int64) - 1
        return ranks[: published.height], ranks[published.height :]
    values = known[name].to_physical().to_numpy().astype(np.float64)
    low, high = interval_ends(published, name)
    # An interval of all values says nothing, and must not cost the others their meaning.
    telling = ~((low <= np.nanmin(values, initial=np.inf)) & (high >= np.nanmax(values, initial=-np.inf)))
    telling = telling if telling.any() else ~telling
    intervals, codes = np.unique(np.stack([low[telling], high[telling]]), axis=1, return_inverse=True)
    if (intervals[0][1:] <= intervals[1][:-1]).any():
        return None
    place = np.searchsorted(intervals[0], values, side="right") - 1
    inside = (place >= 0) & (values <= intervals[1][place])
    shown = np.full(published.height, UNKNOWN, dtype=np.int64)
    shown[telling] = codes.ravel()
    return shown, np.where(inside, place, UNKNOWN)


def interval_ends(frame: pl.DataFrame, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Both ends of the cells of a date, price or quantity column, as numbers; equal for a single value."""
    low = frame[name].to_physical().to_numpy().astype(np.float64)
    if f"{name}_to" not in frame.columns:
        return low, low
    high = frame[f"{name}_to"].to_physical().to_numpy().astype(np.float64)
    return low, np.where(np.isnan(high), low, high)


def _joint_codes(published: list[Ints], known: list[Ints]) -> tuple[Ints, Ints]:
    """The codes of combinations of columns on both sides; UNKNOWN if a column is."""
    if len(published) == 1:
        return published[0], known[0]
    size = published[0].size
    columns = [np.concatenate(pair) for pair in zip(published, known, strict=True)]
    unknown = np.any([column == UNKNOWN for column in columns], axis=0)
    key = np.zeros(columns[0].size, dtype=np.int64)
    for column in columns:
        _, key = np.unique(key * (int(column.max(initial=0)) + 2) + column + 1, return_inverse=True)
    key = np.where(unknown, UNKNOWN, key)
    return key[:size], key[size:]

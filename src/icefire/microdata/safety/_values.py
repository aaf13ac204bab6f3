"""A sensitive column as codes to be guessed: its values, or the tenths in which amounts lie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from icefire.microdata.cells import Cells, Codes, Floats, as_text
from icefire.microdata.data import Release
from icefire.microdata.inference import Released

BANDS = 10
"""Amounts are guessed to this part of all people."""


@dataclass(frozen=True)
class Values:
    """The values of a sensitive column of the original and of the release, as codes of the same kind."""

    original: Codes
    """The code of each original row."""
    released: Released
    texts: tuple[str | None, ...]
    """The values, unless they are amounts."""
    edges: Floats | None
    """The amounts between which the tenths change."""

    @classmethod
    def of(cls, release: Release, name: str) -> Values:
        domain, cells = release.original.domain(name), release.cells(name)
        codes = release.original.codes(name)
        if release.original.is_numeric(name) and domain.positions.size > BANDS:
            edges = _edges(domain.positions, domain.counts[: domain.positions.size])
            bands = _bands(np.append(domain.positions, np.nan), edges)
            published = _bands(cells.midpoints, edges)
            rows = np.arange(published.size)
            return cls(bands[codes], Released(rows, published, np.ones(rows.size), edges.size + 2), (), edges)
        texts = tuple(None if value is None else text for value, text in zip(domain.values, domain.texts, strict=True))
        return cls(codes, _votes(cells, len(texts) + 1), texts, None)

    def unchanged(self, owners: Codes) -> bool:
        """Whether every published row holds the value of its owner."""
        found = self.released
        return found.rows.size == owners.size and bool((found.values == self.original[owners]).all())

    def of_others(self, column: pl.Series) -> Codes:
        """The codes of other people; a code of its own for values that the original lacks."""
        if self.edges is not None:
            return _bands(column.cast(pl.Float64).to_numpy(), self.edges)
        codes = {text: code for code, text in enumerate(self.texts)}
        return np.array([codes.get(text, len(self.texts)) for text in as_text(column)], dtype=np.int64)


def _edges(amounts: Floats, counts: Codes) -> Floats:
    """The amounts between which the tenths change: each distinct amount lies in the tenth of its middle rank.

    So an amount that most people share has a tenth of its own.
    """
    middle = (np.cumsum(counts) - counts / 2) / counts.sum()
    tenth = np.floor(middle * BANDS)
    change = np.flatnonzero(tenth[1:] != tenth[:-1])
    return (amounts[change] + amounts[change + 1]) / 2


def _bands(amounts: Floats, edges: Floats) -> Codes:
    """The tenth of each amount; one more code for missing amounts."""
    return np.where(np.isnan(amounts), edges.size + 1, np.searchsorted(edges, amounts, side="right"))


def _votes(cells: Cells, width: int) -> Released:
    """Every row votes for the values that its cell stands for, with one vote altogether."""
    sizes = np.array([inside.size for inside in cells.members])
    begins = np.cumsum(sizes) - sizes
    members = np.concatenate([*cells.members, []]).astype(np.int64)
    many = sizes[cells.codes]
    rows = np.repeat(np.arange(cells.codes.size), many)
    offset = np.arange(rows.size) - np.repeat(np.cumsum(many) - many, many)
    values = members[np.repeat(begins[cells.codes], many) + offset]
    return Released(rows, values, 1.0 / np.repeat(many, many), width)

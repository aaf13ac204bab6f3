"""Post-randomization of categories (PRAM)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import polars as pl

from icefire.core.errors import DataError, ParameterError
from icefire.core.parameters import Share
from icefire.microdata.cells import Cells, Codes, Domain, Floats
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.partition import group_equal
from icefire.microdata.roles import Anonymizer
from icefire.microdata.transitions import Transitions


@dataclass(frozen=True)
class Pram(Anonymizer):
    """Post-randomization: each value is kept with some probability and otherwise redrawn from its column.

    Redrawing follows the column's own distribution, so expected frequencies stay as they are (invariant PRAM). With a
    matrix, each value is drawn from its row.

    Parameters:
        keep: probability to keep a value; without a matrix.
        columns: the columns to randomize; all QI if left out, but the strata.
        matrix: probabilities of what each value becomes, for the named columns: a table such as
            {f: {f: 0.9, m: 0.1}, m: {m: 1}}, or a CSV file with a column of values and then a column for each value. Rows add
            up to 1; what a row does not name has probability 0. Missing values stay missing.
        invariant: whether the matrix is followed by its inverse by Bayes' rule, which keeps expected frequencies.
        strata: columns within whose combinations values are redrawn, so that the frequencies of each stay as they are.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "m"] * 500}), Schema(qi=["sex"]))
        >>> released = Pram(keep=0.5).anonymize(people, np.random.default_rng(0))
        >>> before = people.frame["sex"][released.rows]
        >>> bool(0.7 < (before == released.published.frame["sex"]).mean() < 0.8)
        True
        >>> silent = Pram(columns=["sex"], matrix={"f": {"f": 1}, "m": {"f": 0.5, "m": 0.5}})
        >>> bool(0.7 < (silent.anonymize(people, np.random.default_rng(0)).published.frame["sex"] == "f").mean() < 0.8)
        True

    Reference:
        Gouweleeuw, Kooiman, Willenborg, de Wolf: Post randomisation for statistical disclosure control. 1998.
    """

    keep: Share = 0.8
    columns: tuple[str, ...] = ()
    matrix: str | Mapping[str, Mapping[str, float]] | None = None
    invariant: bool = False
    strata: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.matrix is None and self.invariant:
            raise ParameterError(
                "The 'invariant' parameter of Pram needs a matrix: without one, it is invariant anyway."
            )
        if self.matrix is not None and not self.columns:
            raise ParameterError("The 'matrix' parameter of Pram needs 'columns': name the columns that it is for.")
        if self.matrix is not None and self.strata and not self.invariant:
            raise ParameterError(
                "The 'strata' parameter of Pram changes nothing with a matrix: leave it out, or set invariant=true."
            )
        if twice := sorted(set(self.columns) & set(self.strata)):
            raise ParameterError(
                f"The 'strata' parameter of Pram must not name columns that are randomized. Got {twice[0]!r}."
            )

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        return [cls(keep=keep) for keep in (0.9, 0.8, 0.6)]

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        for name in self.strata:
            columns_or_all([name], original.schema.names, "Pram")
        strata = self._strata(original)
        alone = np.flatnonzero(np.bincount(strata) == 1)
        if self.strata and alone.size:
            row = original.frame.select(self.strata).row(int(np.flatnonzero(strata == alone[0])[0]), named=True)
            raise DataError(
                f"{alone.size:,} strata of Pram have a single row, whose values could not change, such as "
                f"{', '.join(f'{name} = {value}' for name, value in row.items())}: name fewer strata, or make them coarser"
            )
        changed = {
            name: self._redrawn(original, name, strata, rng)
            if self.matrix is None
            else self._from_matrix(original, name, rng)
            for name in self._names(original)
        }
        return Release.shuffled(original, original.frame.with_columns(**changed), np.arange(original.height), rng)

    def _redrawn(self, original: Microdata, name: str, strata: Codes, rng: np.random.Generator) -> pl.Series:
        size = original.height
        if self.strata:
            sizes = np.bincount(strata)
            places = (np.cumsum(sizes) - sizes)[strata] + rng.integers(0, sizes[strata], size)
            drawn = np.argsort(strata, kind="stable")[places]
        else:
            drawn = rng.integers(0, size, size)
        source = np.where(rng.random(size) < self.keep, np.arange(size), drawn)
        return original.frame[name][source]

    def _from_matrix(self, original: Microdata, name: str, rng: np.random.Generator) -> pl.Series:
        domain, column = original.domain(name), original.frame[name]
        table, origins = self._chances(original, name), self.origins(original, name)
        sums = np.cumsum(table, axis=1)
        chance = rng.random(original.height) * sums[origins, -1]
        order = np.argsort(origins, kind="stable")
        ends = np.cumsum(np.bincount(origins, minlength=len(table)))
        targets = np.empty(original.height, dtype=np.int64)
        for origin, rows in enumerate(np.split(order, ends[:-1])):
            targets[rows] = np.searchsorted(sums[origin], chance[rows], side="right")
        texts = pl.Series([*self._transitions.values, None], dtype=pl.String)[targets]
        return texts.cast(column.dtype) if domain.ordinal or column.dtype != pl.String else texts

    @property
    def conditions(self) -> tuple[str, ...]:
        return self.strata

    def origins(self, original: Microdata, name: str) -> Codes:
        """The stratum and the value of each row."""
        values = original.codes(name)
        return values + self._strata(original) * len(original.domain(name).values)

    def likelihood(self, original: Microdata, name: str, cells: Cells) -> Floats | None:
        if name not in self._names(original):
            return None
        domain = cells.domain
        if self.matrix is not None:
            become = self._chances(original, name)
            place = {text: number for number, text in enumerate(self._transitions.values)}
            return np.array([_reached(become, domain, place, text) for text in cells.texts]).reshape(-1, len(become))
        exact = cells.fits.astype(np.float64)
        shares = self._shares(original, name)
        drawn = exact @ shares.T
        kept = np.tile(exact, (1, len(shares)))
        return np.asarray(self.keep * kept + (1 - self.keep) * np.repeat(drawn, exact.shape[1], axis=1))

    def _shares(self, original: Microdata, name: str) -> Floats:
        """[stratum, value]."""
        if not self.strata:
            counts = original.domain(name).counts
            return np.asarray(counts / counts.sum())[None, :]
        width = len(original.domain(name).values)
        strata = self._strata(original)
        counts = np.bincount(strata * width + original.codes(name), minlength=(int(strata.max()) + 1) * width)
        table = counts.reshape(-1, width).astype(np.float64)
        return np.asarray(table / table.sum(axis=1, keepdims=True))

    def _chances(self, original: Microdata, name: str) -> Floats:
        """[stratum and value, what it becomes]; the last of what it becomes is a missing value."""
        domain, matrix = original.domain(name), self._transitions
        plain = matrix.over(domain)
        shares = self._shares(original, name)
        if not self.invariant:
            return np.tile(plain, (len(shares), 1))
        places = [
            matrix.values.index(text)
            for value, text in zip(domain.values, domain.texts, strict=True)
            if value is not None
        ]
        tables = []
        for share in shares:
            present = np.zeros(len(matrix.values))
            present[places] = share[: len(places)]
            table = plain.copy()
            table[: len(places), :-1] = matrix.invariant(present)[places]
            tables.append(table)
        return np.concatenate(tables)

    @cached_property
    def _transitions(self) -> Transitions:
        assert self.matrix is not None
        return Transitions.of(self.matrix)

    def _strata(self, original: Microdata) -> Codes:
        """The stratum of each row; one for all where strata are not known, as to some attackers."""
        if not self.strata or not all(name in original.schema.names for name in self.strata):
            return np.zeros(original.height, dtype=np.int64)
        return group_equal([original.codes(name) for name in self.strata])[2]

    def _names(self, original: Microdata) -> tuple[str, ...]:
        if self.columns:
            return columns_or_all(self.columns, original.schema.names, "Pram")
        return tuple(name for name in original.qi if name not in self.strata)


def _reached(become: Floats, domain: Domain, place: Mapping[str, int], text: str | None) -> Floats:
    """How likely each origin becomes a cell, which may be generalized since."""
    if text is None:
        return become[:, -1]
    if text in place:
        return become[:, place[text]]
    inside = [place[domain.texts[code]] for code in domain.members(text) if domain.values[code] is not None]
    return np.asarray(become[:, inside].sum(axis=1))

"""Generalization of columns by a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import polars as pl

from icefire.core.errors import DataError, ParameterError
from icefire.core.parameters import Above, AtLeast
from icefire.frames.remote import Recoding
from icefire.microdata.anonymize._privacy import text_column
from icefire.microdata.cells import Domain
from icefire.microdata.data import EngineRelease, Microdata, Release, columns_or_all
from icefire.microdata.hierarchy import Hierarchy, Levels
from icefire.microdata.roles import Anonymizer


@dataclass(frozen=True)
class Generalize(Anonymizer):
    """Replace the values of columns by a level of a hierarchy.

    The hierarchy is the column's own from the schema, or one given here: an interval width, a number of leading
    characters to keep, a mapping, or learned from how often values occur.

    Parameters:
        columns: the columns to generalize.
        level: which level of the hierarchy; 1 is the finest above the values themselves.
        width, digits, mapping, learned: a hierarchy for these columns instead of the schema's.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"age": [21, 25, 38]}), Schema(qi=["age"]))
        >>> release = Generalize(columns=["age"], width=10).anonymize(people, np.random.default_rng(0))
        >>> sorted(release.published.frame["age"])
        ['[20..29]', '[20..29]', '[30..39]']
    """

    deterministic: ClassVar[bool] = True
    columns: tuple[str, ...]
    level: Annotated[int, AtLeast(1)] = 1
    width: Annotated[float, Above(0)] | None = None
    digits: Annotated[int, AtLeast(0)] | None = None
    mapping: Mapping[str, str] | None = None
    learned: Annotated[int, AtLeast(1)] | None = None

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        names = columns_or_all(self.columns, original.schema.names, "Generalize")
        labels, explained = {}, {}
        for name in names:
            levels = self._levels(original.domain(name))
            if self.level >= levels.height:
                raise ParameterError(
                    f"The 'level' parameter of Generalize must be at most {levels.height - 1} for column {name!r}. "
                    f"Got {self.level} instead."
                )
            labels[name] = [label or None for label in levels.labels[self.level]]
            if self.mapping is not None:
                explained[name] = _meanings(self.mapping)
        if original.stays:
            recodings = [_recoding(original, name, labels[name]) for name in names]
            return EngineRelease.recoded(original, recodings, names, explained)
        recoded = {name: text_column(labels[name], original.codes(name)) for name in names}
        frame = original.frame.with_columns(**recoded)
        return Release.shuffled(original, frame, np.arange(original.height), rng, generalized=names, labels=explained)

    def _levels(self, domain: Domain) -> Levels:
        given = self._given()
        if given is not None:
            return given.over(domain.column, domain.values, domain.counts.tolist())
        if domain.levels is None:
            raise DataError(
                f"the column {domain.column!r} has no hierarchy: add one to the schema, or give Generalize a width, digits, "
                "mapping or learned"
            )
        return domain.levels

    def _given(self) -> Hierarchy | None:
        if self.mapping is not None:
            return Hierarchy.mapping(self.mapping)
        if self.width is None and self.digits is None and self.learned is None:
            return None
        return Hierarchy(
            widths=None if self.width is None else (self.width,),
            digits=None if self.digits is None else (self.digits,),
            learned=self.learned,
        )


def _recoding(original: Microdata, name: str, labels: Sequence[str | None]) -> Recoding:
    values, _ = original.distinct([name])
    return Recoding(
        values.frame, pl.DataFrame({name: text_column(labels, original.domain(name).encode(values.frame[name]))})
    )


def _meanings(mapping: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The rule itself, whatever values occur: it may be published, who is in the table may not."""
    found: dict[str, tuple[str, ...]] = {}
    for value, label in mapping.items():
        found[str(label)] = (*found.get(str(label), ()), str(value))
    return found

"""k-anonymity by recursive cuts (Mondrian)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from icefire.core.errors import DataError
from icefire.microdata.anonymize._privacy import EVERY, Recoded, Recoder, class_labels, text_column
from icefire.microdata.cells import Codes, Domain
from icefire.microdata.data import Microdata
from icefire.microdata.partition import Axis, partition


@dataclass(frozen=True)
class Mondrian(Recoder):
    """Cut the table in two along its widest column until no part can be cut any more (local recoding).

    Every part becomes a class of at least k rows that share one combination of QI cells: intervals of numbers and of
    ordered values, sets of categories, or labels where a column has a hierarchy. Cuts go through the value nearest to
    the median that leaves both sides large (and diverse) enough. No row is dropped. The width of a column counts times its
    importance in the schema.

    Parameters:
        k: least number of rows in a class.
        columns: the QI columns to recode; all of them if left out.
        sensitive: the SA column that the following models speak of; "*" for `alpha` in all of them.
        diversity: "distinct", "entropy" or "recursive" l-diversity.
        l, c: its parameters (c only for "recursive").
        t: largest earth mover's distance between a class and the whole table.
        order: whether that distance goes by the order of the values ("auto": if they have one).
        alpha: largest share of a value in a class ((alpha, k)-anonymity). With sensitive="*", amounts count by their
            tenths, and values that are more frequent than that in the whole table are exempt.
        beta: how much more frequent than in the whole table a value may be in a class, relatively (beta-likeness).
        delta: largest |log| of a value's share in a class / its share in the whole table (delta-disclosure).

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(
        ...     pl.DataFrame({"age": [30, 25, 21, 55, 47], "pay": [1, 2, 3, 4, 5]}), Schema(qi=["age"], sa=["pay"])
        ... )
        >>> release = Mondrian(k=2).anonymize(people, np.random.default_rng(0))
        >>> sorted(release.published.frame["age"])
        ['[21..25]', '[21..25]', '[30..55]', '[30..55]', '[30..55]']

    Reference:
        LeFevre, DeWitt, Ramakrishnan: Mondrian multidimensional k-anonymity. ICDE 2006.
    """

    deterministic: ClassVar[bool] = True

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        diverse = (
            [cls(k=k, sensitive=EVERY, alpha=0.5) for k in (5, 10, 25)] if original.sa and not original.stays else []
        )
        return [*super().variants(original), *diverse]

    def recode(self, names: Sequence[str], rows: Microdata, counts: Codes | None) -> Recoded:
        constraint = self.constraint(rows)
        if not constraint.only_sizes:
            everyone = np.zeros(rows.height, dtype=np.int64)
            if not constraint.holds_for(everyone, 1, counts)[0]:
                raise DataError(
                    f"Mondrian cannot reach this: even the table as one class fails it. Column {self.sensitive!r} has "
                    f"{np.unique(constraint.keys[0]).size} different values; ask for less."
                )
        codes = {name: rows.codes(name) for name in names}
        axes = [_axis(rows.domain(name), codes[name], rows.schema.column(name).importance) for name in names]
        parts = partition(axes, constraint, counts)
        recoded = {}
        for name in names:
            labels, label_of = class_labels(rows.domain(name), codes[name][parts.members], parts.starts)
            recoded[name] = text_column(labels, label_of[parts.classes])
        return Recoded(recoded)


def _axis(domain: Domain, codes: Codes, importance: float) -> Axis:
    size = len(domain.values)
    if domain.levels is not None:
        order = domain.levels.order()
        place = np.empty(size, dtype=np.int64)
        place[order] = np.arange(size)
        classes = [domain.levels.codes(level)[0][order] for level in range(domain.levels.height)]
        # Classes are contiguous in this order: number them as they come.
        numbered = [np.concatenate([[0], np.cumsum(c[1:] != c[:-1])]) for c in classes]
        widths = [importance * (np.bincount(c)[c] - 1) / max(size - 1, 1) for c in numbered]
        return Axis(place[codes], np.zeros(size), tuple(numbered), tuple(widths))
    missing = size - 1 if domain.missing else None
    if domain.ordinal:
        scaled = importance * (domain.positions - domain.positions.min(initial=np.inf)) / (domain.span or 1.0)
        # A range that reaches the missing values tells nothing, so it is as wide as everything.
        return Axis(codes, np.append(scaled, 2.0 * importance) if domain.missing else scaled, missing=missing)
    # Frequent categories first: cuts then single out large groups. Missing values stay last.
    order = np.argsort(np.where(np.arange(size) == missing, 1, -domain.counts), kind="stable")
    place = np.empty(size, dtype=np.int64)
    place[order] = np.arange(size)
    return Axis(place[codes], importance * np.arange(size) / max(size - 1, 1), missing=missing)

"""k-anonymity by suppressing single cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
import polars as pl
from scipy import sparse

from icefire.core.errors import DataError, ParameterError, Undefined
from icefire.core.parameters import AtLeast
from icefire.microdata.anonymize._privacy import unambiguous
from icefire.microdata.cells import Codes, as_text
from icefire.microdata.data import CHANCES, Microdata, Release, columns_or_all
from icefire.microdata.hierarchy import ANYTHING
from icefire.microdata.roles import Anonymizer
from icefire.microdata.suppression import suppressed


@dataclass(frozen=True)
class LocalSuppression(Anonymizer):
    """Replace as few QI cells as possible by `*` so that at least k rows share every combination of QI cells.

    All other cells stay as they are, and no row is dropped. k means what `k_anonymity` measures: `*` is a cell like others and
    equals only `*`, and a missing value is a value. (Some tools count `*` as equal to everything. But the rows that a
    suppressed row is counted with show their values, and whoever knows the method tells them apart.) A cell costs the
    importance of its column in the schema. Which of several equal rows are suppressed is drawn.

    The least number of cells is NP-hard to find. This is the greedy cover by sets of columns, which also borrows rows
    from larger classes, or suppressing one column after the other, whichever needs less.

    Parameters:
        k: least number of rows in a class.
        columns: the QI columns to suppress cells of; all of them if left out.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> frame = pl.DataFrame({"sex": ["f", "f", "f", "m"], "town": ["Kobe", "Kobe", "Nara", "Nara"]})
        >>> release = LocalSuppression(k=2).anonymize(Microdata(frame, Schema(["sex", "town"])), np.random.default_rng(0))
        >>> sorted(release.published.frame.rows())
        [('*', 'Nara'), ('*', 'Nara'), ('f', 'Kobe'), ('f', 'Kobe')]

    Reference:
        Meyerson, Williams: On the complexity of optimal k-anonymity. PODS 2004; Willenborg, de Waal: Elements of statistical
        disclosure control. 2001, for local suppression.
    """

    k: Annotated[int, AtLeast(2)] = 5
    columns: tuple[str, ...] = ()

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        return [cls(k=k) for k in (2, 5, 10)]

    def minutes(self, people: int) -> float:
        return 0.06 * people / 32_000

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        return self._made(original, rng)[0]

    def repeated(self, original: Microdata, rng: np.random.Generator) -> tuple[Release, sparse.csr_array]:
        # Equal rows have been shuffled: each is as likely behind what became of any of them.
        release, same = self._made(original, rng)
        sizes = np.bincount(same)
        if int(sizes @ sizes) > CHANCES:
            raise Undefined(f"more than {CHANCES:,} pairs of equal rows are possible")
        groups = np.arange(same.size), same
        members = sparse.csr_array((np.ones(same.size), groups), (same.size, sizes.size))
        chances = sparse.csr_array(members / sizes[None, :]) @ members.T
        return release, sparse.csr_array(chances[release.rows])

    def _made(self, original: Microdata, rng: np.random.Generator) -> tuple[Release, Codes]:
        """A release, and which of the original rows are equal in the QI."""
        names = columns_or_all(self.columns, original.qi, "LocalSuppression")
        if not names:
            raise DataError("LocalSuppression needs at least one QI column; the schema names none")
        if original.height < self.k:
            raise ParameterError(
                f"The 'k' parameter of LocalSuppression must be at most the number of rows, {original.height}. "
                f"Got {self.k} instead."
            )
        codes = [original.codes(name) for name in names]
        hidden, same = suppressed(codes, self.k, original.schema.importance(names))
        order = np.argsort(same, kind="stable")
        drawn = np.empty_like(order)
        drawn[order] = np.lexsort((rng.random(same.size), same))
        cells = {
            name: pl.select(
                pl.when(pl.Series(hidden[drawn, place]))
                .then(pl.lit(unambiguous(original.domain(name), ANYTHING)))
                .otherwise(as_text(original.frame[name]))
            ).to_series()
            for place, name in enumerate(names)
            if hidden[:, place].any()
        }
        frame = original.frame.with_columns(**cells)
        return Release.shuffled(original, frame, np.arange(original.height), rng, generalized=tuple(cells)), same

"""k-anonymity: the smallest class of equal QI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.documents import JsonObject
from icefire.core.values import CROWD, Scale, Score
from icefire.frames import relational
from icefire.microdata.data import Guess, Release
from icefire.microdata.inspection import COMPARED, told_by
from icefire.microdata.roles import Safety

ORIGINAL = " as it was"
"""What is added to the name of a quasi-identifier that other columns give away."""


@dataclass(frozen=True)
class KAnonymity(Safety):
    """S1: the smallest number of published rows that share one combination of QI. A missing value is a value.

    What other published columns tell about a QI counts, too: an age group that stands beside the generalized age, or a day of
    birth, from which the age follows. Columns are looked at in memory only, not on DuckDB and Spark.

    Parameters:
        copies: whether what other columns tell about the QI is counted; without it, as in the contest of 2015.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "f", None], "pay": [1, 2, 3]}), Schema(qi=["sex"], sa=["pay"]))
        >>> KAnonymity().measure(Release(people, people, np.arange(3))).value
        1.0

    Reference:
        Sweeney: k-anonymity: a model for protecting privacy. 2002; PWSCUP 2015, section 3.4.1.
    """

    scale: ClassVar[Scale] = CROWD
    aliases: ClassVar[tuple[str, ...]] = ("S1 k-anony", "S1", "k-anony")
    copies: bool = True

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        published = release.published
        table, names = published.native, list(published.qi)
        told: list[str] = []
        if self.copies and isinstance(table, pl.DataFrame):
            table, names, told = _with_copies(release, table)
        least, classes, _ = relational.class_size_summary(table, names)
        counted: JsonObject = {"told by": [*told]} if told else {}
        return self.score(float(least), detail={"classes": classes, **counted})


def _with_copies(release: Release, table: pl.DataFrame) -> tuple[pl.DataFrame, list[str], list[str]]:
    """The published table with what its other columns tell about the QI, the columns to count by, and those that tell."""
    original, names = release.original, list(release.published.qi)
    rest = [name for name in table.columns if name not in names]
    known = [name for name in original.qi if name not in rest]
    if not rest or not known:
        return table, names, []
    height = table.height
    some = np.arange(height) if height <= COMPARED else np.random.default_rng(0).choice(height, COMPARED, replace=False)
    before = original.frame[release.rows[some]].select(pl.col(name).alias(name + ORIGINAL) for name in known)
    told = told_by(before, table[some].select(rest))
    copies = [name for name, columns in told.items() if not columns]
    # Whoever sees such a column knows the QI, whatever became of it.
    given_away = sorted({column for columns in told.values() for column in columns})
    if given_away:
        wanted = [column.removesuffix(ORIGINAL) for column in given_away]
        values = original.frame[release.rows].select(pl.col(name).alias(name + ORIGINAL) for name in wanted)
        table = pl.concat([table, values], how="horizontal")
    return table, [*names, *copies, *given_away], list(told)

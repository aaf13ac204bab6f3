"""Special uniques (SUDA2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.documents import Json
from icefire.core.errors import Undefined
from icefire.core.parameters import Above, AtLeast, Between
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.microdata.data import Guess, Release
from icefire.microdata.minimal_uniques import minimal_uniques
from icefire.microdata.roles import Safety


@dataclass(frozen=True)
class Suda2(Safety):
    """Share of rows that are unique on a few QI columns: special uniques, which stay risky if only some QI are known.

    For every row, all minimal sample uniques are found: sets of columns on which the row is unique, while it is unique on no
    subset. The detail has how many there are by size, the part of each column in them ("by column"), and the mean and the
    largest DIS-SUDA score, which estimates the probability that a match with a row is correct.

    Parameters:
        size: the largest number of columns in a minimal sample unique.
        fraction: the share of the population that is in the table, for DIS-SUDA.

    Example:
        The first row is the only one of its town. The second and the third are unique by town and sex together.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> frame = pl.DataFrame({"town": list("abbcc"), "sex": list("ffmmm"), "job": list("xxxxx")})
        >>> people = Microdata(frame, Schema(qi=["town", "sex", "job"]))
        >>> score = Suda2(size=2).measure(Release(people, people, np.arange(5)))
        >>> score.value, score.detail["minimal uniques by size"]
        (0.6, {'1': 1, '2': 2})

    Reference:
        Elliot, Manning, Ford: A computational algorithm for handling the special uniques problem. 2002; Manning, Haglin, Keane:
        A recursive search algorithm for statistical disclosure assessment. 2008; Elliot, Manning: Using DIS to modify the
        classification of special uniques. 2003, as in sdcMicro.
    """

    scale: ClassVar[Scale] = BAD_SHARE
    aliases: ClassVar[tuple[str, ...]] = ("SUDA2",)

    size: Annotated[int, AtLeast(1)] = 3
    fraction: Annotated[float, Above(0), Between(0, 1)] = 0.01

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        published = release.published
        if not published.qi:
            raise Undefined("no quasi-identifier was published: all rows are alike")
        table, each = published.distinct_or_all(published.qi)
        found = minimal_uniques([table.codes(name) for name in published.qi], self.size, each)
        scores, rows_in_all = found.dis_scores(self.fraction), published.height
        by_size: dict[int, int] = {}
        for columns, rows in found.rows.items():
            by_size[len(columns)] = by_size.get(len(columns), 0) + rows.size
        detail: dict[str, Json] = {
            "minimal uniques by size": {str(size): number for size, number in by_size.items()},
            "by column": dict(zip(published.qi, found.contributions.tolist(), strict=True)) if found.rows else {},
            "mean DIS-SUDA": float(scores.sum()) / rows_in_all,
            "maximum DIS-SUDA": float(scores.max()),
        }
        return self.score(int((found.scores > 0).sum()) / rows_in_all, detail=detail)

"""The members whom attacks find most often."""

from __future__ import annotations

import numpy as np
import polars as pl

from icefire.evaluation.assessment import Assessment
from icefire.synthetic.hits import found
from icefire.synthetic.rarity import reasons, surprise


def exposed(result: Assessment, level: str, number: int = 20) -> pl.DataFrame:
    """Members, those whom attackers of a level find most often first.

    Columns: row (of the members' table, from 1), found (share of the attacks that are right about the member: for membership,
    with at most 1 in 100 others who are as rare as suspicious), columns (those in which the member is rarest) and reason (the
    values there).
    """
    release = result.release
    people = release.original
    runs = [run for run in result.runs if run.guess is not None and run.level == level and not run.attack.blind]
    shares = np.zeros(people.membership.size)
    for run in runs:
        shares += found(release, run.guess) / len(runs)
    shares[~people.membership] = 0.0
    # Of those who are found as often, the rarest first.
    chosen = np.lexsort((-surprise(people).sum(axis=1), -shares))[:number]
    chosen = chosen[shares[chosen] > 0]
    columns = reasons(people, chosen)
    return pl.DataFrame(
        {
            "row": people.rows[chosen] + 1,
            "found": shares[chosen],
            "columns": pl.Series(columns, dtype=pl.List(pl.String)),
            "reason": pl.Series(
                [_values(people.candidates, row, names) for row, names in zip(chosen, columns, strict=True)],
                dtype=pl.String,
            ),
        }
    )


def _values(table: pl.DataFrame, row: int, names: list[str]) -> str:
    return ", ".join(f"{name}={table[name][int(row)]}" for name in names)

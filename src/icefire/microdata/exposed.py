"""The people of a table whom attacks find most often, and what makes them stand out."""

from __future__ import annotations

import numpy as np
import polars as pl

from icefire.evaluation.assessment import Assessment
from icefire.microdata.cells import Floats
from icefire.microdata.data import Guess
from icefire.microdata.riskiest import standing_out


def exposed(result: Assessment, level: str, number: int = 20) -> pl.DataFrame:
    """Rows of the original, those that attackers of a level find most often first.

    Columns: row (from 1), found (share of the attacks that name the row's owner, where a tie counts by its chance), columns
    (the smallest set of QI that makes the row unique in the original; missing where there is none of up to three) and reason
    (which values these are).
    """
    shares = _success_rates(result, level)
    chosen = np.argsort(-shares, kind="stable")[:number]
    chosen = chosen[shares[chosen] > 0]
    columns, reasons = standing_out(result.release.original, chosen)
    return pl.DataFrame(
        {
            "row": chosen + 1,
            "found": shares[chosen],
            "columns": pl.Series(columns, dtype=pl.List(pl.String)),
            "reason": pl.Series(reasons, dtype=pl.String),
        }
    )


def _success_rates(result: Assessment, level: str) -> Floats:
    """For each original row, the share of the attacks that find it, of those that looked for it."""
    owners, people = result.release.rows, result.release.original.people
    hits, asked = np.zeros(people), np.zeros(people)
    for run in result.runs:
        if isinstance(run.guess, Guess) and run.level == level and not run.attack.blind:
            rows = np.arange(owners.size) if run.guess.asked is None else run.guess.asked
            np.maximum.at(best := np.zeros(people), owners[rows], run.guess.right(owners)[rows])
            hits += best
            asked[np.unique(owners[rows])] += 1.0
    return np.divide(hits, asked, out=np.zeros(people), where=asked > 0)

"""k-anonymity, l-diversity and t-closeness checks against pycanon."""

from __future__ import annotations

import numpy as np
import pandas as pd
from pycanon import anonymity
from timing import ADULT_QI, LIMIT, adult, line, timed, timed_apart

from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.safety.distinct_diversity import DistinctDiversity
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.t_closeness import TCloseness


def k_check(frame: pd.DataFrame) -> float:
    return float(anonymity.k_anonymity(frame, ADULT_QI))


def l_check(frame: pd.DataFrame) -> float:
    return float(anonymity.l_diversity(frame, ADULT_QI, ["income"]))


def t_check(frame: pd.DataFrame) -> float:
    return float(anonymity.t_closeness(frame, ADULT_QI, ["income"]))


def main() -> None:
    for rows in (30_000, 3_000_000):
        frame = adult(rows).drop("hours-per-week")
        table = Microdata(frame, Schema(ADULT_QI))
        release = Release(table, table, np.arange(rows))
        pandas = frame.to_pandas()
        for name, metric, peer in (
            ("k-anonymity", KAnonymity(), k_check),
            ("l-diversity", DistinctDiversity("income"), l_check),
            ("t-closeness", TCloseness("income"), t_check),
        ):
            ours, score = timed(lambda: metric.measure(release), repeat=3)  # noqa: B023
            theirs, expected = timed_apart(LIMIT, peer, pandas)
            if theirs is not None and abs(score.value - expected) > 1e-6:
                print(f"  the answers differ: icefire {score.value}, pycanon {expected}")
            line(f"{name} check, {rows:,} rows, 8 QI", ours, "pycanon", theirs, LIMIT)


if __name__ == "__main__":
    main()

"""k-anonymity, l-diversity and t-closeness checks against pycanon, and against bare group-bys of polars and DuckDB."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
from pycanon import anonymity
from timing import ADULT_QI, LIMIT, adult, line, processor, timed, timed_apart

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


def bare(frame: pl.DataFrame) -> dict[str, float]:
    """Processor seconds of the fastest group-by that finds the smallest class, and the class with the fewest values."""
    connection = duckdb.connect()
    connection.execute("create table people as select * from frame")
    keys = ", ".join(f'"{name}"' for name in ADULT_QI)
    counts = {"k": "count(*)", "l": "count(distinct income)"}
    queries = {name: f"select min(n) from (select {n} as n from people group by {keys})" for name, n in counts.items()}
    k = [lambda: frame.group_by(ADULT_QI).len()["len"].min(), lambda: connection.execute(queries["k"]).fetchall()]
    l = [  # noqa: E741
        lambda: frame.group_by(ADULT_QI).agg(pl.col("income").n_unique())["income"].min(),
        lambda: frame.group_by([*ADULT_QI, "income"]).len().group_by(ADULT_QI).len()["len"].min(),
        lambda: connection.execute(queries["l"]).fetchall(),
    ]
    fastest = {name: min(processor(run, repeat=3)[0] for run in runs) for name, runs in (("k", k), ("l", l))}
    return {"k-anonymity": fastest["k"], "l-diversity": fastest["l"], "t-closeness": fastest["l"]}


def main() -> None:
    for rows in (30_000, 3_000_000):
        frame = adult(rows).drop("hours-per-week")
        table = Microdata(frame, Schema(ADULT_QI))
        release = Release(table, table, np.arange(rows))
        pandas, floors = frame.to_pandas(), bare(frame)
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
            used, _ = processor(lambda: metric.measure(release), repeat=3)  # noqa: B023
            line("  processor time", used, "fastest bare group-by", floors[name])


if __name__ == "__main__":
    main()

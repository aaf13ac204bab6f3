"""k-anonymity, l-diversity and t-closeness checks against pycanon, and against bare group-bys of polars and DuckDB; `evaluate`
with all metrics against bare reading."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
from pycanon import anonymity
from timing import ADULT_QI, LIMIT, adult, line, processor, timed, timed_apart

from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.formats.ours import Ours
from icefire.microdata.safety.distinct_diversity import DistinctDiversity
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.t_closeness import TCloseness


def k_check(frame: pd.DataFrame) -> float:
    return float(anonymity.k_anonymity(frame, ADULT_QI))


def l_check(frame: pd.DataFrame) -> float:
    return float(anonymity.l_diversity(frame, ADULT_QI, ["income"]))


def t_check(frame: pd.DataFrame) -> float:
    return float(anonymity.t_closeness(frame, ADULT_QI, ["income"]))


def evaluated(rows: int) -> None:
    """`evaluate` on files, all metrics, in a process of its own; beside it, polars reads the same files."""
    table = Microdata(adult(rows), Schema(ADULT_QI))
    with tempfile.TemporaryDirectory() as place:
        release = Mondrian(k=10).anonymize(table, np.random.default_rng(0))
        Ours().write_release(release, Path(place), {"steps": ["mondrian(k=10)"]})
        command = [str(Path(sys.executable).with_name("icefire")), "evaluate", "microdata", "--in", place, "--json"]
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"})
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
        started = time.process_time()
        for name, schema in (("original", table.frame.schema), ("published", release.published.frame.schema)):
            pl.read_csv(Path(place) / f"{name}.csv", schema=schema)
        floor = time.process_time() - started
    line(f"evaluate, all metrics, {rows:,} rows (processor time)", taken, "polars reads the files", floor)
    print(f"  memory: {end.ru_maxrss / 2**20:.1f} GB")


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
    for rows in (30_000, 300_000, 3_000_000):
        evaluated(rows)
    for rows in (30_000, 3_000_000):
        frame = adult(rows).drop("hours-per-week")
        original = Microdata(frame, Schema(ADULT_QI))
        pandas, floors = frame.to_pandas(), bare(frame)
        for name, metric, peer in (
            ("k-anonymity", KAnonymity(), k_check),
            ("l-diversity", DistinctDiversity("income"), l_check),
            ("t-closeness", TCloseness("income"), t_check),
        ):
            # What was counted is kept with a published table, so each run gets a new one.
            fresh = [Release(original, Microdata(frame, original.schema), np.arange(rows)) for _ in range(6)]
            ours, score = timed(lambda: metric.measure(fresh.pop()), repeat=3)  # noqa: B023
            theirs, expected = timed_apart(LIMIT, peer, pandas)
            if theirs is not None and abs(score.value - expected) > 1e-6:
                print(f"  the answers differ: icefire {score.value}, pycanon {expected}")
            line(f"{name} check, {rows:,} rows, 8 QI", ours, "pycanon", theirs, LIMIT)
            used, _ = processor(lambda: metric.measure(fresh.pop()), repeat=3)  # noqa: B023
            line("  processor time", used, "fastest bare group-by", floors[name])


if __name__ == "__main__":
    main()

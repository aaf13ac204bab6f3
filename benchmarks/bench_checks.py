"""k-anonymity, l-diversity and t-closeness checks against pycanon; `evaluate` with all metrics against bare reading."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
from pycanon import anonymity
from timing import ADULT_QI, LIMIT, adult, line, timed, timed_apart

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


def unchanged(frame: pl.DataFrame) -> Release:
    table = Microdata(frame, Schema(ADULT_QI))
    return Release(table, table, np.arange(frame.height))


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


def main() -> None:
    for rows in (30_000, 300_000, 3_000_000):
        evaluated(rows)
    for rows in (30_000, 3_000_000):
        frame = adult(rows).drop("hours-per-week")
        pandas = frame.to_pandas()
        for name, metric, peer in (
            ("k-anonymity", KAnonymity(), k_check),
            ("l-diversity", DistinctDiversity("income"), l_check),
            ("t-closeness", TCloseness("income"), t_check),
        ):
            # A new table each time: what it has been asked before, it remembers.
            ours, score = timed(lambda: metric.measure(unchanged(frame)), repeat=3)  # noqa: B023
            theirs, expected = timed_apart(LIMIT, peer, pandas)
            if theirs is not None and abs(score.value - expected) > 1e-6:
                print(f"  the answers differ: icefire {score.value}, pycanon {expected}")
            line(f"{name} check, {rows:,} rows, 8 QI", ours, "pycanon", theirs, LIMIT)


if __name__ == "__main__":
    main()

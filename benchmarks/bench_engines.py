"""Identification on files by engine: polars, DuckDB and Spark against bare group-bys of polars on the same file.

ICEFIRE_BENCH_ROWS sets the number of records (10 million). Each run is a process of its own, so that memory is its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from timing import SHARED

ROWS = int(os.environ.get("ICEFIRE_BENCH_ROWS", 10_000_000))
USER = "customer_id"
NAMES = ["invoice_no", "date", "time", "stock_code", "unit_price", "quantity"]


def write(folder: Path) -> None:
    """Purchases over and over, each time by other customers, so that customers grow with records."""
    path = SHARED / "retail400_transactions.parquet"
    if not path.is_file():
        raise SystemExit("this benchmark needs retail400_transactions.parquet: set ICEFIRE_DATA")
    frame = pl.read_parquet(path).with_columns(pl.col(USER).cast(pl.Int64))
    copies = 26
    for part, begin in enumerate(range(0, ROWS, copies * frame.height)):
        again = [frame.with_columns(pl.col(USER) + 100_000 * (part * copies + copy)) for copy in range(copies)]
        pl.concat(again)[: ROWS - begin].write_parquet(folder / f"{part:04}.parquet")


def run(what: str, folder: str) -> float:
    """What one process does; the sum of the probabilities, to compare engines."""
    from icefire.frames.sources import open_table
    from icefire.knowledge import identification, identification_curve

    if what == "pairs":
        counted = [pl.scan_parquet(f"{folder}/*").group_by(name, USER).len().select(pl.len()) for name in NAMES]
        return float(sum(query.collect().item() for query in counted))
    if what == "values":
        counted = [pl.scan_parquet(f"{folder}/*").group_by(name).len().select(pl.len()) for name in NAMES]
        return float(sum(query.collect().item() for query in counted))
    engine, _, form = what.partition(" ")
    data = open_table(folder, engine)  # type: ignore[arg-type]
    if form == "curve":
        return identification_curve(data, USER, ["stock_code"])[-1].probability
    model = "sampling" if form == "sampling" else "exact"
    return sum(identification(data, name, USER, model, 1000).probability for name in NAMES)  # type: ignore[arg-type]


def used(process: int) -> float:
    """Processor seconds of a process and its children that are still running, such as a JVM."""
    parents: dict[int, int] = {}
    times: dict[int, float] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(fields[1])
        times[int(stat.parent.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    total = 0.0
    for child, seconds in times.items():
        ancestor = child
        while ancestor not in (0, process):
            ancestor = parents.get(ancestor, 0)
        total += seconds if ancestor == process else 0.0
    return total


def child(what: str, folder: str) -> None:
    answer = run(what, folder)
    # Bytes of the largest resident set, of this process alone.
    peak = next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
    print(json.dumps({"answer": answer, "seconds": used(os.getpid()), "memory": peak / 2**20}))


def main() -> None:
    with TemporaryDirectory() as folder:
        write(Path(folder))
        floor = None
        for what in (
            "pairs",
            "values",
            "polars",
            "duckdb",
            "spark",
            "polars sampling",
            "duckdb sampling",
            "polars curve",
        ):
            command = [sys.executable, __file__, what, folder]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(f"{what:<18} {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
                continue
            found = json.loads(done.stdout.splitlines()[-1])
            floor = floor or found["seconds"]
            print(
                f"{what:<18} {ROWS:,} records, 6 columns: {found['seconds']:.1f} s of processor time, "
                f"{found['memory']:.2f} GB, {found['seconds'] / floor:.1f} x the group-bys by value and user; "
                f"answer {found['answer']:.6g}"
            )


if __name__ == "__main__":
    child(*sys.argv[1:]) if len(sys.argv) > 1 else main()

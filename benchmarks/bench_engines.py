"""Identification and Mondrian on files by engine, against bare queries on the same files.

Identification by polars, DuckDB and Spark stands beside bare group-bys of polars and the R of polars, and beside what Spark
takes to start and to hand the columns to Python; Mondrian by polars (in memory) and DuckDB beside a copy of the table in
random order, made by DuckDB. ICEFIRE_BENCH_ROWS sets the number of records (10 million). Each run is a process of its own,
so that memory is its own. Processor time is that of the process and of all that it started: a JVM and its Python workers,
too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
from timing import SHARED

ROWS = int(os.environ.get("ICEFIRE_BENCH_ROWS", 10_000_000))
USER = "customer_id"
ADULT_QI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]
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


def write_people(folder: Path) -> None:
    """Rows of Adult, drawn again and again, with other ages and occupations, so that distinct rows grow with rows."""
    path = SHARED / "adult.parquet"
    if not path.is_file():
        raise SystemExit("this benchmark needs adult.parquet: set ICEFIRE_DATA")
    frame, rng = pl.read_parquet(path), np.random.default_rng(0)
    (folder / "original.parquet").mkdir()
    for part, begin in enumerate(range(0, ROWS, 1_000_000)):
        height = min(1_000_000, ROWS - begin)
        rows, moved = (rng.integers(0, frame.height, height) for _ in range(2))
        age = pl.col("age") + pl.Series(rng.integers(-3, 4, height))
        drawn = frame[rows].with_columns(age, frame["occupation"][moved])
        drawn.write_parquet(folder / "original.parquet" / f"{part:04}.parquet")
    others = [name for name in frame.columns if name not in ADULT_QI]
    (folder / "schema.toml").write_text(f"qi = {json.dumps(ADULT_QI)}\nsa = {json.dumps(others)}\n")


def recode(engine: str, limit: str, folder: str) -> float:
    """Mondrian by an engine; the number of rows that were published."""
    import duckdb
    from click.testing import CliRunner

    from icefire.cli.main import icefire

    if limit:
        duckdb.sql(f"SET memory_limit = '{limit}'")
    with TemporaryDirectory(dir=folder) as out:
        if engine == "copy":
            query = f"SELECT * FROM '{folder}/original.parquet/*.parquet' ORDER BY random()"
            duckdb.sql(f"COPY ({query}) TO '{out}/published.parquet'")
        else:
            words = ["anonymize", "microdata", "mondrian(k=10)", "--in", folder, "--out", out]
            CliRunner().invoke(icefire, [*words, "--format", f"ours(engine={engine})"], catch_exceptions=False)
        return float(pl.scan_parquet(f"{out}/published.parquet").select(pl.len()).collect().item())


def start() -> float:
    """A session of Spark that counts one row."""
    from pyspark.sql import SparkSession

    return float(SparkSession.builder.getOrCreate().range(1).count())


def hand_over(data: Any) -> float:
    """Spark hands all records to Python workers, which only count them."""

    def count(batches: Iterable[Any]) -> Iterator[Any]:
        yield pl.DataFrame({"rows": [sum(batch.num_rows for batch in batches)]}).to_arrow().to_batches()[0]

    return float(data.select(USER, *NAMES).mapInArrow(count, "rows long").groupBy().sum("rows").first()[0])


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
    if engine == "mondrian":
        return recode(*form.partition(" ")[::2], folder)
    if form == "start":
        return start()
    data = open_table(folder, engine)  # type: ignore[arg-type]
    if form == "to Python":
        return hand_over(data)
    if form == "curve":
        return identification_curve(data, USER, ["stock_code"])[-1].probability
    model = "sampling" if form == "sampling" else "exact"
    return sum(identification(data, name, USER, model, 1000).probability for name in NAMES)  # type: ignore[arg-type]


def used(process: int) -> float:
    """Processor seconds of a process and its children, such as a JVM and its workers, also of those that have ended."""
    parents: dict[int, int] = {}
    times: dict[int, float] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(fields[1])
        times[int(stat.parent.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    total = 0.0
    for child, seconds in times.items():
        ancestor = child
        while ancestor not in (0, process):
            ancestor = parents.get(ancestor, 0)
        total += seconds if ancestor == process else 0.0
    return total


def child(what: str, folder: str) -> None:
    # Otherwise the workers of Spark run whatever python3 is found first.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    answer = run(what, folder)
    # Bytes of the largest resident set, of this process alone.
    peak = next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
    print(json.dumps({"answer": answer, "seconds": used(os.getpid()), "memory": peak / 2**20}))


def compare(folder: str, title: str, jobs: list[str], peers: dict[str, str]) -> None:
    """Each job in a process of its own, against the peers among them that ran before."""
    taken: dict[str, float] = {}
    for what in jobs:
        command = [sys.executable, __file__, what, folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"{what:<18} {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
            continue
        found = json.loads(done.stdout.splitlines()[-1])
        taken[what] = found["seconds"]
        ratios = [f"{taken[what] / taken[peer]:.1f} x {name}" for peer, name in peers.items() if peer in taken]
        print(
            f"{what:<18} {ROWS:,} records, {title}: {taken[what]:.1f} s of processor time, {found['memory']:.2f} GB; "
            f"{', '.join(ratios)}; answer {found['answer']:.6g}"
        )


def main() -> None:
    with TemporaryDirectory() as folder:
        write(Path(folder))
        sampled = ["polars sampling", "duckdb sampling", "polars curve"]
        jobs = ["pairs", "polars", "values", "duckdb", "spark start", "spark to Python", "spark", *sampled]
        compare(folder, "6 columns", jobs, {"pairs": "the group-bys by value and user", "polars": "R of polars"})
    with TemporaryDirectory() as folder:
        write_people(Path(folder))
        engines = ["copy", "polars", "duckdb", "duckdb 1.5GB"]
        jobs = [f"mondrian {engine}" for engine in engines]
        compare(folder, "8 QI", jobs, {"mondrian copy": "the copy in random order"})


if __name__ == "__main__":
    child(*sys.argv[1:]) if len(sys.argv) > 1 else main()

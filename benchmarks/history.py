"""Measures some jobs the same way at every version, for the page of their history.

    python benchmarks/history.py                                        append a line for each job to history.csv
    PYTHONPATH=OLD/src python benchmarks/history.py 2026-11-15 7b6530f [JOB...]
                                                                        the same for an old checkout, with its date and commit

Processor time of the best of some runs, with one thread; beside it a yardstick in the same run (polars groups and sorts three
million numbers), since other work on the machine makes processor time longer, too. Compare ratios, not seconds.
"""

from __future__ import annotations

import csv
import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402 (libraries read these when they are imported)
import polars as pl  # noqa: E402
from timing import ADULT_QI, SHARED, adult, processor  # noqa: E402

HISTORY = Path(__file__).parent / "history.csv"
HEADER = ["date", "commit", "job", "seconds", "yardstick", "load"]
RNG = np.random.default_rng


def made(place: str, name: str, *parts: object, **settings: object) -> Any:
    return getattr(importlib.import_module(f"icefire.{place}"), name)(*parts, **settings)


def yardstick() -> None:
    rng = RNG(0)
    frame = pl.DataFrame({"a": rng.integers(0, 1_000, 3_000_000), "b": rng.random(3_000_000)})
    frame.group_by("a").agg(pl.col("b").sum()).sort("b")
    frame["b"].sort()


def people(rows: int) -> Any:
    schema = made("microdata.data", "Schema", qi=tuple(ADULT_QI), sa=("income", "hours-per-week"))
    return made("microdata.data", "Microdata", adult(rows), schema)


def customers() -> Any:
    frame = pl.read_parquet(SHARED / "retail400_transactions.parquet")
    named = {"customer_id": "user", "invoice_no": "invoice", "stock_code": "item", "unit_price": "price"}
    return made("history.data", "History", frame.rename(named))


def jobs() -> dict[str, Callable[[], Callable[[], object]]]:
    """By name: what is made before, and the job itself."""

    def check() -> Callable[[], object]:
        held = people(300_000)
        release = made("microdata.data", "Release", held, held, np.arange(held.height))
        metric = made("microdata.safety.k_anonymity", "KAnonymity")
        return lambda: metric.measure(release)

    def mondrian() -> Callable[[], object]:
        held, method = people(300_000), made("microdata.anonymize.mondrian", "Mondrian", k=10)
        return lambda: method.anonymize(held, RNG(0))

    def conceal() -> Callable[[], object]:
        held, method = people(5_000), made("microdata.anonymize.conceal", "Conceal", k=5)
        return lambda: method.anonymize(held, RNG(0))

    def euclid() -> Callable[[], object]:
        held = people(32_561)
        release = made("microdata.anonymize.mondrian", "Mondrian", k=10).anonymize(held, RNG(0))
        attack = made("microdata.attack.euclid", "Euclid")
        return lambda: attack.attack(release.published, held, RNG(0))

    def jaccard() -> Callable[[], object]:
        held = customers()
        release = made("history.anonymize.pseudonyms", "Pseudonyms").anonymize(held, RNG(0))
        attack = made("history.attack.jaccard", "Jaccard")
        return lambda: attack.attack(release.published, held, RNG(0))

    def count_vectors() -> Callable[[], object]:
        held = made("datasets.walks", "Walks", n=500, days=4).generate(RNG(0))
        release = made("trace.anonymize.krr", "Krr", epsilon=5.0).anonymize(held, RNG(0))
        attack = made("trace.attack.count_vectors", "CountVectors")
        return lambda: attack.attack(release.published, held.knowledge, RNG(0))

    return {
        "k_check": check,
        "mondrian": mondrian,
        "conceal": conceal,
        "euclid": euclid,
        "jaccard": jaccard,
        "count_vectors": count_vectors,
        "help": lambda: lambda: None,
    }


def help_page() -> float:
    """Processor time of `icefire --help`, the best of five."""
    command = [
        sys.executable,
        "-c",
        "from icefire.cli.main import main; import sys; sys.argv = ['icefire', '--help']; main()",
    ]
    found = []
    for _ in range(5):
        before = os.times()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        found.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(found)


def main() -> None:
    root = Path(__file__).parents[1]
    told = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=root, capture_output=True, text=True, check=False
    )
    date, commit = sys.argv[1:3] if sys.argv[1:] else (datetime.now(UTC).date().isoformat(), told.stdout.strip())
    with HISTORY.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not file.tell():
            writer.writerow(HEADER)
        for name, prepare in jobs().items():
            if sys.argv[3:] and name not in sys.argv[3:]:
                continue
            try:
                job = prepare()
                before = processor(yardstick, 3)[0]
                seconds = help_page() if name == "help" else processor(job, 5)[0]
                beside = min(before, processor(yardstick, 3)[0])
            except (ImportError, AttributeError, TypeError) as error:
                print(f"{commit} cannot do {name}: {error}", file=sys.stderr)
                continue
            row = [date, commit, name, f"{seconds:.4f}", f"{beside:.4f}", f"{os.getloadavg()[0]:.1f}"]
            writer.writerow(row)
            print(*row)


if __name__ == "__main__":
    main()

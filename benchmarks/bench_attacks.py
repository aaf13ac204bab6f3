"""Attacks on tables of many rows: `euclid` against comparing all pairs, the whole suite, and the whole command `redteam`.

python benchmarks/bench_attacks.py                    # 32,561 and 300,000 rows
python benchmarks/bench_attacks.py 3000000            # so many
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
from timing import ADULT_QI, adult, line, processor

from icefire.core.attackers import Attacker
from icefire.core.registry import Registry
from icefire.evaluation.runs import judge_runs, run_attacks
from icefire.microdata.anonymize.global_recode import GlobalRecode
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.attack.euclid import Euclid
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.distances import features
from icefire.microdata.formats.ours import Ours
from icefire.microdata.linkage import Linkage

COMPARED = 300_000_000
"""Pairs that are compared to see how long all would take."""
Rng = np.random.default_rng


def by_candidates(release: Release) -> None:
    """The same nearest rows, by candidates and by all pairs (of as many rows as that can be done for)."""
    published, people = release.published, release.original
    ours, guess = processor(lambda: Euclid().attack(published, people, Rng(0)))
    search = Linkage(features(published, people), Rng(0))
    rows = np.arange(min(search.first.size, max(1, COMPARED // people.height)))
    theirs, lists = processor(lambda: search._compared(rows, 1))
    line(f"euclid, {people.height:,} rows", ours, "all pairs", theirs * search.first.size / rows.size)
    assert guess.chances is not None
    ties = np.diff(guess.chances.shares.indptr)[rows]
    if (ties != lists.counts).any():
        print("  the answers differ")


def large_classes(people: Microdata) -> None:
    """One-to-one matching where thousands of rows are alike, against the nearest rows alone."""
    release = GlobalRecode().anonymize(people, Rng(0))
    ours, _ = processor(lambda: Euclid(match="assignment").attack(release.published, people, Rng(0)))
    floor, _ = processor(lambda: Euclid().attack(release.published, people, Rng(0)))
    line(f"euclid one to one after global_recode, {people.height:,} rows", ours, "nearest alone", floor)


def suite(release: Release, step: Mondrian) -> None:
    registry = Registry()
    kind = registry.kind("microdata")
    total, number, sampled = 0.0, 0, 0
    for level in kind.levels:
        attacker = Attacker(kind.known(release.original, level), level, (step,))
        seconds, runs = processor(lambda: run_attacks(registry, kind, release.published, attacker, 0))  # noqa: B023
        judged = judge_runs(kind, registry.safety_metrics("microdata"), release, runs)
        number, total = number + len(judged), total + seconds
        sampled += sum(run.guess is not None and run.guess.asked is not None for run in judged)
        best = judged[0].outcomes[0].score
        assert best is not None
        print(f"  {level}: {best.value:.4f} by {judged[0].attack.step()}, {seconds:.1f} s")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{number} attacks, {release.original.height:,} rows: {total:.1f} s of processor time, {memory:.1f} GB;",
        end=" ",
    )
    print(f"{sampled} on a sample of the rows")


def command(release: Release, rows: int) -> None:
    """The whole command on files, in a process of its own; beside it, polars reads the files."""
    with tempfile.TemporaryDirectory() as place:
        Ours().write_release(release, Path(place), {"steps": ["mondrian(k=10)"]})
        words = [str(Path(sys.executable).with_name("icefire")), "redteam", "microdata", "--in", place]
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        names = [Path(place) / f"{name}.csv" for name in ("original", "published")]
        floor, _ = processor(lambda: [pl.read_csv(name, infer_schema=False) for name in names])
    taken = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
    line(f"the whole command redteam, {rows:,} rows", taken, "polars reads the files", floor)
    # Of all children; the parent's own memory, when it forked, is counted as well.
    print(f"  memory: {end.ru_maxrss / 2**20:.1f} GB")


def main() -> None:
    for rows in [int(word) for word in sys.argv[1:]] or [32_561, 300_000]:
        step = Mondrian(k=10)
        people = Microdata(adult(rows), Schema(qi=ADULT_QI, sa=["income", "hours-per-week"]))
        release = step.anonymize(people, Rng(0))
        by_candidates(release)
        large_classes(people)
        suite(release, step)
        command(release, rows)


if __name__ == "__main__":
    main()

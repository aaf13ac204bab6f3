"""The table of rank swapping in microdata.md: `python docs/rank_swapping.py` (4 minutes; with ICEFIRE_DATA also on loans)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from icefire.core.attackers import Attacker
from icefire.core.registry import Registry
from icefire.datasets.households import Households
from icefire.evaluation.runs import run_attacks
from icefire.microdata.anonymize.swap import Swap
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.kind import MicrodataKind
from icefire.microdata.utility.information_loss import InformationLoss

WINDOWS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
SEEDS = range(3)
REGISTRY, KIND = Registry(), MicrodataKind()


def tables() -> Iterator[tuple[str, Microdata]]:
    households = Households(600).generate(np.random.default_rng(1))
    amounts = households.numeric_sa
    yield f"households, 600 rows, {len(amounts)} amounts", amounts_of(households.frame, amounts)
    path = Path(os.environ.get("ICEFIRE_DATA", "")) / "loans.parquet"
    if path.is_file():
        names = ("loan_amnt", "int_rate", "installment", "annual_inc", "dti")
        frame = pl.read_parquet(path).drop_nulls(names).sample(1_000, seed=1)
        yield f"loans, 1,000 rows, {len(names)} amounts", amounts_of(frame, names)


def amounts_of(frame: pl.DataFrame, names: tuple[str, ...]) -> Microdata:
    return Microdata(frame.select(names), Schema(qi=[], sa=names))


def found(original: Microdata, release: Release, step: Swap, seed: int) -> tuple[float, float]:
    """The share found by the best attack that does not know the method, and by `informed`."""
    attacker = Attacker(original, method=(step,))
    best = {False: 0.0, True: 0.0}
    for run in run_attacks(REGISTRY, KIND, release.published, attacker, seed):
        if run.guess is not None and run.attack.name != "shadow":
            known = run.attack.knows_method
            best[known] = max(best[known], run.guess.found(release.rows) / original.height)
    return best[False], best[True]


def length(original: Microdata, release: Release) -> float:
    """Mean move in ranks, as a share of the rows."""
    ranks = [
        (original.frame[name].rank().to_numpy()[release.rows] - release.published.frame[name].rank().to_numpy())
        for name in original.sa
    ]
    return float(np.abs(ranks).mean()) / original.height


def measured(original: Microdata, step: Swap) -> str:
    rows = []
    for seed in SEEDS:
        release = step.anonymize(original, np.random.default_rng(seed))
        loss = InformationLoss().measure(original, release).value
        rows.append([length(original, release), loss, *found(original, release, step, seed)])
    move, loss, general, informed = np.mean(rows, axis=0)
    return f"{move:.1%} | {loss:.3f} | {general:.1%} | {informed:.1%}"


def main() -> None:
    for title, original in tables():
        print(f"\n{title}\n")
        print("| moves | window | mean move | information loss | method unknown | `informed` |")
        print("|---|---|---|---|---|---|")
        for window in WINDOWS:
            # Normal moves in the same window, and of the same length.
            steps = [Swap(window), Swap(window, moves="normal"), Swap(round(window * 3 / 7, 4), moves="normal")]
            for step in steps:
                print(f"| {step.moves} | {step.window:.1%} | {measured(original, step)} |", flush=True)


if __name__ == "__main__":
    main()

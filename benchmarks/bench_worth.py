"""What k is worth: loss, matches, effective matches and what attackers find.

k-concealment with and without the draw of who is behind a row, beside k-anonymity.

    python benchmarks/bench_worth.py                    # everything, in about an hour
    python benchmarks/bench_worth.py adult 5            # or households, generated, contest; for one k
    python benchmarks/bench_worth.py adult 5 exchange   # methods with this word in their parameters
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse
from timing import ADULT_QI, SHARED, adult

from icefire.concealment.worlds import effective, effective_matches
from icefire.core.attackers import Attacker
from icefire.core.registry import Registry
from icefire.datasets.households import Households
from icefire.evaluation.runs import judge_runs, run_attacks, worst_cases
from icefire.history.anonymize.conceal import Conceal as ConcealRecords
from icefire.history.attack.replay import Replay as ReplayRecords
from icefire.history.concealing import hidden
from icefire.history.data import History
from icefire.history.safety.existing_month_matching import ExistingMonthMatching
from icefire.history.utility.cell_loss import CellLoss
from icefire.microdata.anonymize.conceal import Conceal
from icefire.microdata.anonymize.k_member import KMember
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.attack.replay import Replay
from icefire.microdata.concealing import graph_of_release
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.safety.re_identification import ReIdentification
from icefire.microdata.utility.loss import Loss

Rng = np.random.default_rng
ROWS = 2_000
TABLES = ("adult", "households")
HISTORIES = ("generated", "contest")


def table(name: str) -> Microdata:
    """The quasi-identifiers alone."""
    if name == "adult":
        return Microdata(adult(ROWS).select(ADULT_QI), Schema(qi=ADULT_QI))
    homes = Households(n=ROWS).generate(Rng(0))
    return homes.only(homes.qi)


def history(name: str) -> History:
    if name == "generated":
        made: History = Registry().make("history", "dataset", "purchases(n=120)").generate(Rng(0))
        return made
    names = {"customer_id": "user", "invoice_no": "invoice", "stock_code": "item", "unit_price": "price"}
    records = pl.read_parquet(SHARED / "retail400_transactions.parquet").rename(names)
    return History(records).of_users(np.arange(100))


def methods(k: int) -> list[Any]:
    settings: list[dict[str, Any]] = [{"design": "greedy"}]
    settings += [{"design": "greedy", "trim": trim} for trim in ("both", "people")]
    settings += [{"design": design} for design in ("ring", "tsp", "lsap", "flow", "exchange")]
    drawn = [Conceal(k=k, randomized=randomized, **given) for given in settings for randomized in (False, True)]
    return [Mondrian(k=k), KMember(k=k), *drawn]


def worst(kind: str, metric: Any, release: Any, attacker: Attacker, steps: tuple[str, ...] = ()) -> str:
    registry = Registry()
    owner = registry.kind(kind)
    runs = run_attacks(registry, owner, release.published, attacker, 0, steps)
    cases = worst_cases(judge_runs(owner, [metric], release, runs))
    return f"{cases[0].score.value:.3f} {cases[0].run.label}" if cases else "-"


def tables(name: str, k: int, word: str) -> None:
    people = table(name)
    print(f"{name}, k = {k}: method, LM, matches (mean, least), effective matches (mean, least) if all assignments are")
    print(
        "equally likely, and for whoever repeats the method; what attackers find who do not know the method, and who do"
    )
    for step in (step for step in methods(k) if word in step.step(full=True)):
        release = step.anonymize(people, Rng(0))
        graph = graph_of_release(release)
        matches, worth = graph.matches()[0], effective_matches(graph)
        informed = "- | -"
        known = "-"
        if not step.deterministic:
            replay = Replay().knowing([step])
            chances = effective(replay.chances(release.published, people, sparse.csr_array(graph.worlds().T), Rng(1)))
            informed = f"{chances.mean():.1f} | {chances.min():.1f}"
            attacker = Attacker(people, method=(step,))
            known = worst("microdata", ReIdentification(), release, attacker, ("replay(match=assignment)",))
        print(
            f"| {step.step()} | {Loss().measure(people, release).value:.4f} | {matches.mean():.1f} | {matches.min()} "
            f"| {worth.mean():.1f} | {worth.min():.1f} | {informed} "
            f"| {worst('microdata', ReIdentification(), release, Attacker(people))} | {known} |",
            flush=True,
        )


def histories(name: str, k: int, word: str) -> None:
    log = history(name)
    print(
        f"{name}, k = {k}: method, cell loss, pseudonyms (mean, least), effective (mean, least), for whoever repeats the"
    )
    print("method (mean, least); links found by those who do not know the method, and by those who do")
    made = [ConcealRecords(k=k, randomized=randomized) for randomized in (False, True)]
    for step in (step for step in made if word in step.step(full=True)):
        release = step.anonymize(log, Rng(0))
        found = hidden(release, Rng(0))
        loss = CellLoss().measure(log, release).value
        replay = ReplayRecords().knowing([step])
        chances = effective(sparse.csr_array(replay.chances(release.published, log, Rng(1))))
        metric = ExistingMonthMatching()
        print(
            f"| {step.step()} | {loss:.3f} | {found.people.mean():.1f} | {found.people.min()} "
            f"| {found.effective.mean():.1f} | {found.effective.min():.1f} | {chances.mean():.1f} | {chances.min():.1f} "
            f"| {worst('history', metric, release, Attacker(log))} "
            f"| {worst('history', metric, release, Attacker(log, method=(step,)), ('replay',))} |",
            flush=True,
        )


def main() -> None:
    name, k, word = [*sys.argv[1:], "", "", ""][:3]
    for number in (2, 5, 10) if not k else (int(k),):
        for which in (*TABLES, *HISTORIES) if not name else (name,):
            (tables if which in TABLES else histories)(which, number, word)


if __name__ == "__main__":
    main()

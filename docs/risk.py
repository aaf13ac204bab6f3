"""Print the tables of risk by attacker for the documentation, as Markdown.

python docs/risk.py data          # households, and the public data sets in the folder ICEFIRE_DATA
python docs/risk.py methods       # what `shadow` and other attacks that know the method add, for every anonymizer
python docs/risk.py methods trace # of one kind
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import polars as pl

from icefire.core.attackers import Attacker
from icefire.core.data import Original
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.evaluation.assessment import Assessment
from icefire.evaluation.runs import judge_runs, run_attacks
from icefire.history.data import History
from icefire.microdata.data import Microdata, Schema
from icefire.trace.data import Traces

REGISTRY = Registry()
SHARED = Path(os.environ.get("ICEFIRE_DATA", Path(__file__).parents[2] / "shared" / "data"))
ADULT_QI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]


def judged(kind: str, original: Original, steps: str, levels: tuple[str, ...] = (), seed: int = 1) -> Assessment:
    """A release by these steps, attacked as every attacker of the levels; all of the kind if none is given."""
    owner = REGISTRY.kind(kind)
    method = tuple(REGISTRY.make(kind, "anonymize", step) for step in steps.split(" "))
    release = Pipeline(method).anonymize(original, generator(seed, "anonymize"))
    runs = []
    for level in levels or owner.levels:
        print(f"{steps}: {level}", file=sys.stderr)
        attacker = Attacker(owner.known(original, level), level, method)
        runs += run_attacks(REGISTRY, owner, release.published, attacker, seed)
    safety = REGISTRY.safety_metrics(kind)
    return Assessment("", steps, owner, release, (), (), judge_runs(owner, safety, release, runs))


def data_sets() -> Iterator[tuple[str, str, Original, tuple[str, ...]]]:
    """Title, kind, data, and the releases that are attacked."""
    households = REGISTRY.make("microdata", "dataset", "households(n=600)").generate(generator(1))
    tables = ("mondrian(k=5)", "pram(keep=0.5) noise(scale=2)", "microaggregate(k=10) noise(scale=0.5)")
    yield "600 generated households", "microdata", households, tables
    if not (SHARED / "adult.parquet").is_file():
        raise SystemExit(f"{SHARED} holds no public data sets: set ICEFIRE_DATA")
    yield "Adult, 3,000 people, 8 quasi-identifiers", "microdata", adult(), ("mondrian(k=5)", "pram(keep=0.5)")
    records = (
        "pseudonyms",
        "pseudonyms delete_records(share=0.5) generalize(item=2,date=period,time=drop) noise(price=0.5,quantity=1)",
    )
    yield "Purchases of 100 customers of the contest data", "history", purchases(), records
    places = ("planar_laplace(level=4)", "decoys(utility=0.7)")
    yield "Osaka, 500 users, two days", "trace", osaka().sample(500, generator(1)), places


def adult() -> Microdata:
    frame = pl.read_parquet(SHARED / "adult.parquet").drop("education-num", "relationship")
    rest = [name for name in frame.columns if name not in ADULT_QI]
    return Microdata(frame, Schema(qi=ADULT_QI, sa=rest)).sample(3_000, generator(1))


def purchases() -> History:
    names = {"customer_id": "user", "invoice_no": "invoice", "stock_code": "item", "unit_price": "price"}
    records = pl.read_parquet(SHARED / "retail400_transactions.parquet").rename(names)
    return History(records).sample(100, generator(1))


def osaka() -> Traces:
    table = pl.read_parquet(SHARED / "osaka_traces.parquet").sort("user_id", "time_id")
    days = [table.filter(pl.col("kind") == kind)["reg_id"].to_numpy().reshape(2000, 40) - 1 for kind in ("ref", "org")]
    hospitals = pl.read_csv(SHARED / "osaka_regions.csv")["hospital"].to_numpy() == 1
    return Traces(days[0], days[1], sensitive=hospitals)


def print_data() -> None:
    for title, kind, original, releases in data_sets():
        print(f"\n**{title}**\n")
        print("| release | known of the people | method unknown | method known | guessing |\n|---|---|---|---|---|")
        for steps in releases:
            cells: dict[str, list[str]] = {}
            for risk in judged(kind, original, steps).by_attacker():
                cells.setdefault(risk.level, []).append(risk.text())
            for level, row in cells.items():
                print(f"| `{steps}` | `{level}` | {' | '.join(row)} | {1 / original.people:.2%} |", flush=True)


SETTINGS = {
    "microdata": (
        "households(n=300)",
        (
            ("qi", "conceal(k=5,randomized=false)"),
            ("qi", "conceal(k=5)"),
            ("all", "drop_columns(columns=[age,sex]) noise(scale=1)"),
            ("qi", "drop_rows(outliers=0.1) pram(keep=0.5)"),
            ("qi", "generalize(columns=[age],width=10)"),
            ("qi", "global_recode(k=5)"),
            ("qi", "k_member(k=5)"),
            ("qi", "local_suppression(k=5)"),
            ("all", "microaggregate(k=10) noise(scale=1) pram(keep=0.3)"),
            ("qi", "mondrian(k=5)"),
            ("all", "noise(scale=2) pram(keep=0.5)"),
            ("qi", "pram(keep=0.5) pram(keep=0.7)"),
            ("qi", "pram(keep=0.3,strata=[sex])"),
            ("qi", "resample pram(keep=0.5)"),
            ("all", "round(base=1000) pram(keep=0.2)"),
            ("all", "swap(window=0.5) pram(keep=0.2)"),
            ("all", "top_bottom_code(upper=0.9) noise(scale=2)"),
        ),
    ),
    "history": (
        "purchases(n=60)",
        (
            ("all", "conceal(k=3,randomized=false)"),
            ("all", "conceal(k=3)"),
            ("all", "pseudonyms delete_records(share=0.9) generalize(item=2,date=period,time=drop)"),
            ("all", "pseudonyms generalize(item=1,date=period,time=drop,price=3,quantity=2) delete_records(share=0.8)"),
            ("all", "pseudonyms method1(clusters=10) generalize(item=1,date=period,time=drop,price=1,quantity=1)"),
            ("all", "pseudonyms method2(clusters=10) generalize(item=1,date=period,time=drop,price=1,quantity=1)"),
            (
                "all",
                "pseudonyms union_clusters(clusters=10) generalize(item=1,date=period,time=drop,price=1,quantity=1)",
            ),
            (
                "all",
                "pseudonyms delete_records(share=0.9) noise(price=0.5,quantity=1) generalize(item=2,date=period,time=drop)",
            ),
            (
                "all",
                "pseudonyms shift_dates(days=10) delete_records(share=0.9) generalize(item=1,time=drop,price=2,quantity=2)",
            ),
        ),
    ),
    "trace": (
        "walks(n=200,days=10)",
        (
            ("other-days", "block_medoid(height=6,width=6)"),
            ("other-days", "decoys(randomized=false)"),
            ("other-days", "decoys"),
            ("other-days", "krr(epsilon=5)"),
            ("other-days", "merge_similar(k=5)"),
            ("other-days", "planar_laplace(level=1) mrlh(x=2,y=2,delete=0.3)"),
            ("other-days", "planar_laplace(level=1)"),
            ("other-days", "shift_sensitive(distance=2)"),
            ("other-days", "yamaoka"),
        ),
    ),
}
"""Data, and the releases with the attackers they are made for."""
SEEDS = {"microdata": (1, 2), "history": (1, 2, 3, 4, 5), "trace": (1, 2)}
"""Histories have few links, so that chance moves their shares more."""
METRICS = {"history": ("month_matching",), "trace": ("id_safety", "trace_safety")}


def print_methods(kinds: list[str]) -> None:
    for kind in kinds:
        data, releases = SETTINGS[kind]
        print(f"\n`{data}`, means of {len(SEEDS[kind])} seeds\n")
        metrics = METRICS.get(kind, (REGISTRY.kind(kind).headline_safety,))
        print(
            "| release | known | metric | best that does not know the method | best of the others that know it | `shadow` |"
        )
        print("|---|---|---|---|---|---|")
        for level, steps in releases:
            for metric, row in by_knowledge(kind, data, steps, level, metrics).items():
                cells = [f"{value:.3f}, `{name}`" if value >= 0 else "–" for value, name in row]
                print(f"| `{steps}` | `{level}` | {metric} | {' | '.join(cells)} |", flush=True)


def by_knowledge(
    kind: str, data: str, steps: str, level: str, metrics: tuple[str, ...]
) -> dict[str, list[tuple[float, str]]]:
    """For each metric, what the best attack finds on average, and its name, in three classes of attacks."""
    found: dict[tuple[str, int, str], list[float]] = {}
    for seed in SEEDS[kind]:
        original = REGISTRY.make(kind, "dataset", data).generate(generator(seed))
        for run in judged(kind, original, steps, (level,), seed).runs:
            sort = 2 if run.attack.name == "shadow" else int(run.attack.knows_method)
            for outcome in run.outcomes:
                if outcome.method.name in metrics and outcome.score is not None:
                    share = outcome.score.scale.shortfall(outcome.score.value) or 0.0
                    found.setdefault((outcome.method.name, sort, run.attack.step()), []).append(share)
    best: dict[str, list[tuple[float, str]]] = {}
    for metric in metrics:
        rows = [[(mean(v), a) for (m, s, a), v in found.items() if m == metric and s == sort] for sort in range(3)]
        best[metric] = [max(row, default=(-1.0, "")) for row in rows]
    return best


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["data"]:
            print_data()
        case ["methods", *kinds]:
            print_methods(kinds or list(SETTINGS))
        case _:
            raise SystemExit(__doc__)

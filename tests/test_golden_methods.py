"""What every attack finds and every metric says of a few releases: a change of any of these numbers is a decision.

`python tests/test_golden_methods.py` writes the numbers again; read the difference before committing it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from icefire.core.attackers import Attacker
from icefire.core.data import Original
from icefire.core.documents import Json, JsonObject
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.evaluation.runs import Outcome, judge_guess, measure_safety, measure_utility, run_attacks

GOLDEN = Path(__file__).parent / "golden" / "methods.json"
REGISTRY = Registry()
SOURCES = {
    "microdata": "households(n=120)",
    "history": "purchases(n=40)",
    "trace": "walks(n=40, rows=8, columns=8)",
    "synthetic": "cohort(n=80, others=80)",
}
RELEASES: dict[str, list[list[str]]] = {
    "microdata": [
        ["noise(scale=0.3)", "swap(window=0.2)"],
        ["mondrian(k=4)"],
        ["pram(keep=0.6)", "microaggregate(k=3)"],
    ],
    "history": [
        ["pseudonyms", "noise(price=0.3, quantity=0.5)", "shift_dates(days=5)"],
        ["delete_records(share=0.5)", "generalize(item=1, date=week, price=2, quantity=2)"],
        ["union_clusters(clusters=10)"],
    ],
    "trace": [["krr(epsilon=4)"], ["mrlh(x=1, delete=0.1)"], ["planar_laplace(level=4)", "yamaoka(share=0.3)"]],
    "synthetic": [["resample"], ["gaussian_copula"], ["private_network(epsilon=2.0)"]],
}
# Anonymizers that have to be told what to do.
STEPS = {
    ("microdata", "drop_columns"): "drop_columns(columns=[age])",
    ("microdata", "drop_rows"): "drop_rows(outliers=0.1)",
    ("microdata", "generalize"): "generalize(columns=[age], width=10)",
    ("microdata", "round"): "round(base=100)",
    ("history", "generalize"): "generalize(item=2, date=week, time=drop, price=5, quantity=4)",
    ("history", "kmeans_items"): "kmeans_items(clusters=8)",
    ("history", "method1"): "method1(clusters=8)",
    ("history", "method2"): "method2(clusters=8)",
    ("history", "unify_items"): "unify_items(clusters=8)",
    ("history", "union_clusters"): "union_clusters(clusters=8)",
}


def original_of(kind: str) -> Original:
    original: Original = REGISTRY.make(kind, "dataset", SOURCES[kind]).generate(generator(1, "data"))
    return original


def measured(kind: str) -> JsonObject:
    """All numbers of a kind."""
    original = original_of(kind)
    utility, safety = REGISTRY.utility_metrics(kind), REGISTRY.safety_metrics(kind)
    found: dict[str, Json] = {}
    for steps in RELEASES[kind]:
        pipeline = Pipeline(tuple(REGISTRY.make(kind, "anonymize", step) for step in steps))
        release = pipeline.anonymize(original, generator(1, "anonymize"))
        runs = run_attacks(
            REGISTRY, REGISTRY.kind(kind), release.published, Attacker(original.knowledge, method=pipeline.steps), 1
        )
        found[pipeline.step()] = {
            "utility": values(measure_utility(utility, original, release), detail=True),
            "safety": values(measure_safety(safety, release), detail=True),
            "attacks": {
                run.attack.step(): values(judge_guess(safety, release, run.guess))
                if run.guess is not None
                else run.reason
                for run in runs
            },
        }
    for method in REGISTRY.anonymizers(kind):
        step = STEPS.get((kind, method.name), method.name)
        pipeline = Pipeline((REGISTRY.make(kind, "anonymize", step),))
        release = pipeline.anonymize(original, generator(1, "anonymize"))
        found[f"only {step}"] = values(measure_utility(utility, original, release))
    return found


def values(outcomes: Iterable[Outcome], detail: bool = False) -> JsonObject:
    return {outcome.method.name: value_of(outcome, detail) for outcome in outcomes}


def value_of(outcome: Outcome, detail: bool) -> Json:
    if outcome.score is None:
        return outcome.reason
    value = rounded(outcome.score.value)
    return [value, rounded(dict(outcome.score.detail))] if detail and outcome.score.detail else value


def rounded(value: Json) -> Json:
    match value:
        case bool() | int() | str() | None:
            return value
        case float():
            return float(f"{value:.6g}")
        case dict():
            return {str(key): rounded(part) for key, part in value.items()}
        case _:
            return [rounded(part) for part in value]


def differences(found: Json, expected: Json, where: str, least: float) -> list[str]:
    """The places where two documents differ by more than rounding, and in what attacks find by more than one person."""
    if isinstance(found, dict) and isinstance(expected, dict):
        keys = sorted(found.keys() | expected.keys())
        missing = [f"{where}/{key}: only on one side" for key in keys if key not in found or key not in expected]
        both = [key for key in keys if key in found and key in expected]
        return missing + [d for key in both for d in differences(found[key], expected[key], f"{where}/{key}", least)]
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        pairs = zip(found, expected, strict=True)
        return [d for at, (a, b) in enumerate(pairs) for d in differences(a, b, f"{where}/{at}", least)]
    if isinstance(found, float | int) and isinstance(expected, float | int):
        slack = least if "/attacks/" in where else 0.0
        return (
            [] if found == pytest.approx(expected, rel=1e-4, abs=slack + 1e-6) else [f"{where}: {expected} -> {found}"]
        )
    return [] if found == expected else [f"{where}: {expected} -> {found}"]


@pytest.mark.parametrize("kind", SOURCES)
def test_every_number_is_the_same(kind: str) -> None:
    expected = json.loads(GOLDEN.read_text(encoding="utf-8"))[kind]
    one_person = 1.01 / original_of(kind).people
    assert differences(measured(kind), expected, kind, one_person) == []


if __name__ == "__main__":
    text = json.dumps({kind: measured(kind) for kind in SOURCES}, indent=1, ensure_ascii=False)
    GOLDEN.write_text(text + "\n", encoding="utf-8")

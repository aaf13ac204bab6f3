"""Attackers who know some columns only: no step of a release stops them."""

from __future__ import annotations

import pytest

from icefire.core.attackers import Attacker
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.datasets.households import Households
from icefire.evaluation.runs import attack_runs, every_attack
from icefire.microdata.data import Microdata

REGISTRY = Registry()
STEPS = [
    "noise(columns=[income, food])",
    "pram(columns=[sex, income])",
    "pram(columns=[region], strata=[sex])",
    "swap(columns=[region, housing])",
    "round(base=1000, columns=[income])",
    "microaggregate(k=3, columns=[income, food])",
    "top_bottom_code(columns=[income])",
    "generalize(columns=[income], width=100000)",
    "drop_columns(columns=[income, sex])",
    "drop_rows(outliers=0.1, columns=[income])",
    "local_suppression(k=2, columns=[sex, age])",
    "mondrian(k=3, columns=[sex, age], sensitive=income, diversity=distinct)",
    "conceal(k=2, columns=[sex, age])",
]


@pytest.fixture(scope="module")
def households() -> Microdata:
    table = Households(n=100).generate(generator(0)).take(range(30))
    return table.only(["region", "sex", "age", "income", "food", "housing"])


@pytest.mark.parametrize("text", STEPS)
def test_no_attack_fails(households: Microdata, text: str) -> None:
    kind, step = REGISTRY.kind("microdata"), REGISTRY.make("microdata", "anonymize", text)
    release = Pipeline((step,)).anonymize(households, generator(1))
    for level in ("qi:1", *kind.levels):
        attacker = Attacker(kind.known(households, level), level, (step,))
        runs = list(
            attack_runs(release.published, attacker, every_attack(REGISTRY, kind, release.published, attacker), 0)
        )
        assert any(run.guess is not None for run in runs), level

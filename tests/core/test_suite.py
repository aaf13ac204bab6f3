"""What the suite does with methods that do not keep to their role."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.attackers import Attacker
from icefire.core.registry import Registry
from icefire.core.suite import measure_utility, run_attacks
from icefire.microdata.attack.euclid import Euclid
from icefire.microdata.data import Microdata, Release, Schema

PEOPLE = Microdata(pl.DataFrame({"age": [20, 30, 40]}), Schema(qi=["age"]))

ATTACK = """
from dataclasses import dataclass
import numpy as np
from icefire.microdata.data import Guess
from icefire.microdata.roles import Attack

@dataclass(frozen=True)
class Wrong(Attack):
    def attack(self, published, knowledge, rng):
        return {answer}
"""
METRIC = """
from dataclasses import dataclass
from typing import ClassVar
from icefire.core.values import GOOD_SHARE, Scale
from icefire.microdata.roles import Utility

@dataclass(frozen=True)
class Wrong(Utility):
    scale: ClassVar[Scale] = GOOD_SHARE

    def measure(self, original, release):
        return {answer}
"""


def registry_with(text: str, file: Path) -> Registry:
    file.write_text(text)
    registry = Registry()
    registry.add_plugin(file)
    return registry


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Guess(np.arange(2))", "failed: DataError: the guess is too short: 2 numbers for 3"),
        ("1 / 0", "failed: ZeroDivisionError: division by zero (failing_attack.py, line 10)"),
    ],
)
def test_a_fault_of_a_plugin_does_not_cost_the_other_results(tmp_path: Path, answer: str, reason: str) -> None:
    sys.modules.pop("failing_attack", None)
    registry = registry_with(ATTACK.format(answer=answer), tmp_path / "failing_attack.py")
    attacks = ["failing_attack", "euclid"]
    runs = run_attacks(registry, registry.kind("microdata"), PEOPLE, Attacker(PEOPLE), 0, attacks)
    failed, other = runs
    assert failed.guess is None
    assert failed.incomplete
    assert failed.reason.startswith(reason)
    assert other.guess is not None


def test_a_fault_of_ours_is_raised_and_names_the_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry()
    monkeypatch.setattr(Euclid, "attack", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError) as caught:
        run_attacks(registry, registry.kind("microdata"), PEOPLE, Attacker(PEOPLE), 0, ["euclid"])
    assert caught.value.__notes__ == ["This happened in the attack euclid."]


@pytest.mark.parametrize("answer", ["None", "0.5"])
def test_a_metric_must_return_a_score(tmp_path: Path, answer: str) -> None:
    name = f"no_score_{len(answer)}"
    registry = registry_with(METRIC.format(answer=answer), tmp_path / f"{name}.py")
    release = Release(PEOPLE, PEOPLE, np.arange(3))
    outcomes = measure_utility([registry.make("microdata", "utility", name)], PEOPLE, release)
    assert f"the metric {name} returned {answer}: a metric returns self.score(value)" in outcomes[0].reason

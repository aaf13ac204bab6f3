"""What the suite does with methods that do not keep to their role."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.attackers import Attacker
from icefire.core.errors import DataError, FaultWarning, InputError, Undefined, UnknownName
from icefire.core.registry import Registry
from icefire.core.values import Score
from icefire.evaluation.runs import attack_runs, measure_safety, measure_utility, run_attacks
from icefire.microdata.attack.euclid import Euclid
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.unique_share import UniqueShare
from icefire.microdata.utility.cross_count import CrossCount
from icefire.microdata.utility.loss import Loss
from icefire.microdata.utility.rows_lost import RowsLost

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


def test_a_fault_of_ours_is_seen_and_does_not_cost_the_other_results(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry()
    monkeypatch.setattr(Euclid, "attack", lambda *_: 1 / 0)
    with pytest.warns(FaultWarning, match="euclid failed, and the others go on(.|\n)*line(.|\n)*ZeroDivisionError"):
        failed, other = run_attacks(
            registry, registry.kind("microdata"), PEOPLE, Attacker(PEOPLE), 0, ["euclid", "rank"]
        )
    assert failed.guess is None
    assert failed.incomplete
    assert failed.reason.startswith("failed: ZeroDivisionError: division by zero (test_runs.py, line ")
    assert other.guess is not None


def raising(error: Exception) -> Callable[..., Score]:
    def measure(*_: object) -> Score:
        raise error

    return measure


RELEASE = Release(PEOPLE, PEOPLE, np.arange(3))


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (DataError("too many values"), "too many values"),
        (InputError("the table stays on its engine"), "the table stays on its engine"),
        (Undefined("nothing to measure"), "nothing to measure"),
        (MemoryError(), "more memory would be needed than there is"),
    ],
)
def test_what_a_metric_or_an_attack_refuses_is_its_reason(
    monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    monkeypatch.setattr(Loss, "measure", raising(error))
    monkeypatch.setattr(UniqueShare, "measure", raising(error))
    refused, other = measure_utility([Loss(), RowsLost()], PEOPLE, RELEASE)
    assert (refused.score, refused.reason) == (None, reason)
    assert other.score is not None
    refused, other = measure_safety([UniqueShare(), KAnonymity()], RELEASE)
    assert (refused.score, refused.reason) == (None, reason)
    assert other.score is not None
    monkeypatch.setattr(Euclid, "attack", raising(error))
    (run,) = attack_runs(PEOPLE, Attacker(PEOPLE), [Euclid()], 0)
    assert (run.guess, run.reason, run.incomplete) == (None, reason, not isinstance(error, Undefined))


def test_a_fault_of_a_metric_of_ours_is_seen_and_does_not_cost_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Loss, "measure", raising(KeyError("age")))
    with pytest.warns(FaultWarning, match="loss failed, and the others go on(.|\n)*KeyError: 'age'"):
        failed, other = measure_utility([Loss(), RowsLost()], PEOPLE, RELEASE)
    assert failed.reason.startswith("failed: KeyError: 'age' (test_runs.py, line ")
    assert other.score is not None


def test_settings_that_somebody_has_typed_are_theirs_to_mend() -> None:
    with pytest.raises(UnknownName, match="typo"):
        measure_utility([CrossCount(by=("typo",))], PEOPLE, RELEASE)


@pytest.mark.parametrize("answer", ["None", "0.5"])
def test_a_metric_must_return_a_score(tmp_path: Path, answer: str) -> None:
    name = f"no_score_{len(answer)}"
    registry = registry_with(METRIC.format(answer=answer), tmp_path / f"{name}.py")
    release = Release(PEOPLE, PEOPLE, np.arange(3))
    outcomes = measure_utility([registry.make("microdata", "utility", name)], PEOPLE, release)
    assert f"the metric {name} returned {answer}: a metric returns self.score(value)" in outcomes[0].reason

"""What the suite does with methods that do not keep to their role."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.attackers import Attacker
from icefire.core.errors import DataError, InputError
from icefire.core.registry import Registry
from icefire.core.suite import measure_utility, run_attacks
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


def test_a_guess_of_the_wrong_length_names_its_attack(tmp_path: Path) -> None:
    registry = registry_with(ATTACK.format(answer="Guess(np.arange(2))"), tmp_path / "short_guess.py")
    with pytest.raises(DataError, match="the attack short_guess: the guess is too short: 2 numbers for 3"):
        run_attacks(registry, registry.kind("microdata"), PEOPLE, Attacker(PEOPLE), 0, ["short_guess"])


def test_an_error_inside_an_attack_names_the_attack(tmp_path: Path) -> None:
    registry = registry_with(ATTACK.format(answer="1 / 0"), tmp_path / "broken_attack.py")
    with pytest.raises(ZeroDivisionError) as caught:
        run_attacks(registry, registry.kind("microdata"), PEOPLE, Attacker(PEOPLE), 0, ["broken_attack"])
    assert caught.value.__notes__ == ["This happened in the attack broken_attack."]


@pytest.mark.parametrize("answer", ["None", "0.5"])
def test_a_metric_must_return_a_score(tmp_path: Path, answer: str) -> None:
    name = f"no_score_{len(answer)}"
    registry = registry_with(METRIC.format(answer=answer), tmp_path / f"{name}.py")
    release = Release(PEOPLE, PEOPLE, np.arange(3))
    with pytest.raises(
        InputError, match=rf"the metric {name} returned {answer}: a metric returns self\.score\(value\)"
    ):
        measure_utility([registry.make("microdata", "utility", name)], PEOPLE, release)

"""Every registered method passes the conformance suite; broken ones do not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from icefire.checks import check, example
from icefire.core.registry import Registry
from icefire.core.roles import Method
from icefire.microdata.data import Guess, Microdata, Release
from icefire.microdata.roles import Anonymizer, Attack

SETTINGS = {
    "drop_columns": {"columns": ["sex"]},
    "drop_rows": {"outliers": 0.1},
    "generalize": {"columns": ["age"], "width": 10},
    "round": {"base": 100},
    "relative_risk": {"exposure": "sex", "exposed": ["m"], "outcome": "ill", "cases": ["yes"]},
    "odds_ratio": {"exposure": "sex", "exposed": ["m"], "outcome": "ill", "cases": ["yes"]},
    "households": {"n": 50},
}


@pytest.mark.parametrize("method", Registry().methods(), ids=lambda method: f"{method.role}-{method.name}")
def test_registered_method_conforms(method: type[Method]) -> None:
    check(method(**SETTINGS.get(method.name, {})))


@pytest.mark.parametrize("method", Registry().methods("microdata", "attack"), ids=lambda method: method.name)
def test_every_variant_of_an_attack_conforms(method: type[Attack]) -> None:
    for variant in method.variants(example(), example()):
        check(variant)


@dataclass(frozen=True)
class LeavesOrder(Anonymizer):
    """Publishes the table as it lies."""

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        return Release(original, original, np.arange(original.height))


@dataclass(frozen=True)
class Unseeded(Attack):
    """Draws from a generator of its own."""

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        return Guess(np.random.default_rng().integers(0, knowledge.height, published.height))


@dataclass(frozen=True)
class Constant(Attack):
    """Always names the first row."""

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        return Guess(np.zeros(published.height, dtype=np.int64))


@dataclass(frozen=True)
class Short(Attack):
    """Answers for one row only."""

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        return Guess(np.zeros(1, dtype=np.int64))


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        (LeavesOrder(), "leaves rows in the order"),
        (Unseeded(), "differs between runs"),
        (Constant(), "no better than a random guess"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_broken_methods_are_caught(method: Method, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check(method)


def test_a_guess_of_the_wrong_length_is_caught() -> None:
    with pytest.raises(Exception, match="too short: 1 numbers for 60"):
        check(Short())

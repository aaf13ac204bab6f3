"""Every registered method passes the conformance suite; broken ones do not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from icefire.checks import check
from icefire.core.registry import Registry
from icefire.core.roles import Method
from icefire.microdata.data import Guess, Microdata, Release
from icefire.microdata.roles import Anonymizer, Attack

SETTINGS: dict[tuple[str, str], dict[str, Any]] = {
    ("microdata", "drop_columns"): {"columns": ["sex"]},
    ("microdata", "drop_rows"): {"outliers": 0.1},
    ("microdata", "generalize"): {"columns": ["age"], "width": 10},
    ("microdata", "round"): {"base": 100},
    ("microdata", "relative_risk"): {"exposure": "sex", "exposed": ["m"], "outcome": "ill", "cases": ["yes"]},
    ("microdata", "odds_ratio"): {"exposure": "sex", "exposed": ["m"], "outcome": "ill", "cases": ["yes"]},
    ("microdata", "households"): {"n": 50},
    ("history", "method1"): {"clusters": 5},
    ("history", "method2"): {"clusters": 5},
    ("history", "union_clusters"): {"clusters": 5},
    ("history", "generalize"): {"item": 2, "date": "week", "price": 3, "quantity": 3},
    ("history", "purchases"): {"n": 40},
    ("trace", "mrlh"): {"x": 1, "delete": 0.1},
    ("trace", "walks"): {"n": 40},
}
# Readers of files are tested with files.
METHODS = [method for method in Registry().methods() if method.name not in ("online_retail", "gps")]


def name_of(method: type[Method]) -> str:
    return f"{method.kind}-{method.role}-{method.name}"


@pytest.mark.parametrize("method", METHODS, ids=name_of)
def test_registered_method_conforms(method: type[Method]) -> None:
    check(method(**SETTINGS.get((method.kind, method.name), {})))


@pytest.mark.parametrize("method", Registry().methods(role="attack"), ids=name_of)
def test_every_variant_of_an_attack_conforms(method: type[Any]) -> None:
    examples = Registry().kind(method.kind).examples()
    original = examples.originals()["plain"]
    release = examples.honest_release(original)
    for variant in method.variants(release.published, original.knowledge):
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

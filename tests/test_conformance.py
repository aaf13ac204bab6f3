"""Every registered method passes the conformance suite; broken ones do not."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from icefire.checks import check
from icefire.core.errors import DataError, IcefireError
from icefire.core.registry import Registry
from icefire.core.roles import Method
from icefire.core.values import BAD_SHARE, ERROR, Interval, Scale, Score
from icefire.microdata.data import Guess, Microdata, Release
from icefire.microdata.roles import Anonymizer, Attack, Safety, Utility

SETTINGS: dict[tuple[str, str], dict[str, Any]] = {
    ("microdata", "drop_columns"): {"columns": ["sex"]},
    ("microdata", "drop_rows"): {"outliers": 0.1},
    ("microdata", "generalize"): {"columns": ["age"], "width": 10},
    ("microdata", "round"): {"base": 100},
    ("microdata", "relative_risk"): {"exposure": "sex", "exposed": ["m"], "outcome": "ill", "cases": ["yes"]},
    ("microdata", "odds_ratio"): {"exposure": "sex", "exposed": ["m"], "outcome": "ill", "cases": ["yes"]},
    ("microdata", "households"): {"n": 50},
    ("microdata", "acquaintance_risk"): {"share": 0.01},
    ("history", "kmeans_items"): {"clusters": 5},
    ("history", "method1"): {"clusters": 5},
    ("history", "method2"): {"clusters": 5},
    ("history", "unify_items"): {"clusters": 5},
    ("history", "union_clusters"): {"clusters": 5},
    ("history", "generalize"): {"item": 2, "date": "week", "price": 3, "quantity": 3},
    ("history", "purchases"): {"n": 40},
    ("trace", "mrlh"): {"x": 1, "delete": 0.1},
    ("trace", "walks"): {"n": 40},
}
# Readers of files are tested with files.
METHODS = [method for method in Registry().methods() if method.name not in ("online_retail", "gps", "file")]


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


@pytest.mark.parametrize("method", Registry().methods(role="anonymize"), ids=name_of)
def test_every_variant_of_an_anonymizer_conforms(method: type[Any]) -> None:
    examples = Registry().kind(method.kind).examples()
    variants = method.variants(examples.originals()["plain"])
    assert bool(variants) or method.needs_parameters()
    assert len(set(variants)) == len(variants), "the tuner would try a setting twice"
    for variant in variants:
        assert type(variant) is method
        check(variant)


@pytest.mark.parametrize("method", Registry().methods(role="anonymize"), ids=name_of)
def test_variants_can_be_made_for_every_example(method: type[Any]) -> None:
    for original in Registry().kind(method.kind).examples().originals().values():
        for variant in method.variants(original):
            # What is refused is refused with a reason, by the method itself.
            with contextlib.suppress(IcefireError):
                variant.anonymize(original, np.random.default_rng(0))


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


@dataclass(frozen=True)
class Refuses(Anonymizer):
    """Accepts no table."""

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        raise DataError("not this one")


@dataclass(frozen=True)
class RefusesSilently(Attack):
    """Accepts no table of one row, and does not say why."""

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        if published.height == 1:
            raise DataError(" ")
        return Guess(rng.integers(0, knowledge.height, published.height))


@dataclass(frozen=True)
class NoRelease(Anonymizer):
    """Returns the table itself."""

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        return original  # type: ignore[return-value]


@dataclass(frozen=True)
class NoGuess(Attack):
    """Returns nothing."""

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        return None  # type: ignore[return-value]


@dataclass(frozen=True)
class NoScore(Utility):
    """Returns nothing."""

    scale: ClassVar[Scale] = ERROR

    def measure(self, original: Microdata, release: Release) -> Score:
        return None  # type: ignore[return-value]


@dataclass(frozen=True)
class PlainNumber(Safety):
    """Returns a number."""

    scale: ClassVar[Scale] = ERROR

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        return 0.0  # type: ignore[return-value]


@dataclass(frozen=True)
class OtherScale(Utility):
    """Measures on a scale that it does not declare."""

    scale: ClassVar[Scale] = ERROR

    def measure(self, original: Microdata, release: Release) -> Score:
        return Score(0.0, BAD_SHARE)


@dataclass(frozen=True)
class NeverBest(Utility):
    """Finds a loss where nothing was changed."""

    scale: ClassVar[Scale] = ERROR

    def measure(self, original: Microdata, release: Release) -> Score:
        return self.score(1.0)


@dataclass(frozen=True)
class OutsideItsInterval(Safety):
    """Gives an interval that does not hold the value."""

    scale: ClassVar[Scale] = ERROR

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        return self.score(1.0, Interval(2.0, 3.0))


@dataclass(frozen=True)
class Restless(Safety):
    """Differs from call to call."""

    scale: ClassVar[Scale] = ERROR

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        return self.score(float(np.random.default_rng().random()))


@dataclass(frozen=True)
class Unexplained(Attack):
    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        return Guess(rng.integers(0, knowledge.height, published.height))


Unexplained.__doc__ = None


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        (LeavesOrder(), "leaves rows in the order"),
        (Refuses(), "refuses plain data: not this one"),
        (NoRelease(), "must return a Release"),
        (Unseeded(), "differs between runs"),
        (Constant(), "no better than a random guess"),
        (RefusesSilently(), "of one row without saying why"),
        (NoGuess(), "must return a Guess"),
        (Unexplained(), "needs a docstring"),
        (NoScore(), "must return a Score"),
        (PlainNumber(), "must return a Score"),
        (OtherScale(), "must measure on its own scale"),
        (NeverBest(), "gives 1.0 to an unchanged release"),
        (OutsideItsInterval(), "value outside its interval"),
        (Restless(), "differs between runs"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_broken_methods_are_caught(method: Method, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        check(method)


def test_a_guess_of_the_wrong_length_is_caught() -> None:
    with pytest.raises(DataError, match="too short: 1 numbers for 60"):
        check(Short())

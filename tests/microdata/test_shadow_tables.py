"""What shadow releases of tables teach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from icefire.core.attackers import Attacker
from icefire.core.errors import DataError, Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.datasets.households import Households
from icefire.evaluation.runs import every_attack
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.anonymize.noise import Noise
from icefire.microdata.attack.shadow import Shadow
from icefire.microdata.data import Guess, Microdata, Release
from icefire.microdata.kind import MicrodataKind

Rng = np.random.default_rng
REGISTRY, KIND = Registry(), MicrodataKind()


def found(steps: str, level: str, people: int, seeds: int = 1) -> tuple[float, float]:
    """The share of people that `shadow` finds, and the most that an uninformed attack on the same columns finds."""
    shares: dict[str, list[float]] = {}
    method = tuple(REGISTRY.make("microdata", "anonymize", step) for step in steps.split(" "))
    for seed in range(seeds):
        original = Households(people).generate(Rng(seed))
        release = Pipeline(method).anonymize(original, Rng(seed + 100))
        known = KIND.known(original, level)
        # Shadow releases are of what is known: nothing is learned from them about other columns, as `told` does.
        others = [
            attack
            for attack in every_attack(REGISTRY, KIND, release.published, Attacker(known, level))
            if attack.name != "told"
        ]
        for attack in [Shadow().knowing(method), *others]:
            try:
                guess = attack.attack(release.published, known, Rng(0))
            except Undefined:
                continue
            if isinstance(guess, Guess):
                shares.setdefault(attack.step(), []).append(guess.found(release.rows) / guess.answers)
    means = {name: float(np.mean(values)) for name, values in shares.items()}
    return means.pop("shadow"), max(means.values())


@pytest.mark.parametrize(
    ("steps", "level", "gain"),
    [
        ("pram(keep=0.5) pram(keep=0.7)", "qi", 0.05),
        ("pram(keep=0.5) noise(scale=2)", "all", 0.15),
        ("microaggregate(k=10) noise(scale=1) pram(keep=0.3)", "all", 0.08),
    ],
)
def test_it_finds_more_where_the_method_matters(steps: str, level: str, gain: float) -> None:
    shadow, others = found(steps, level, people=250)
    assert shadow > others + gain


@pytest.mark.parametrize(("steps", "level"), [("mondrian(k=5)", "qi"), ("swap", "all"), ("round(base=100)", "all")])
def test_it_finds_as_much_where_the_method_does_not_matter(steps: str, level: str) -> None:
    shadow, others = found(steps, level, people=300, seeds=3)
    assert shadow > others - 0.03


def test_what_cannot_be_repeated_is_said() -> None:
    original = Households(20).generate(Rng(0))
    with pytest.raises(Undefined, match="mondrian cannot be repeated"):
        Shadow().knowing([Mondrian(k=30)]).attack(original, original, Rng(0))


@pytest.mark.parametrize("refused", [0.5, 1.0])
def test_steps_that_refuse_some_of_their_releases_are_repeated(refused: float) -> None:
    @dataclass(frozen=True)
    class Moody(Noise):
        """As noise, but it refuses a share of the times after the first."""

        def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
            seen.append(original.height)
            if len(seen) > 1 and rng.random() < refused:
                raise DataError("not today")
            return super().anonymize(original, rng)

    seen: list[int] = []
    original = Households(40).generate(Rng(0))
    release = Noise(scale=0.1).anonymize(original, Rng(1))
    attack = Shadow().knowing([Moody(scale=0.1)])
    if refused < 1:
        guess = attack.attack(release.published, original, Rng(0))
        assert (guess.rows == release.rows).mean() > 0.9
    else:
        with pytest.raises(Undefined, match="cannot be repeated: not today"):
            attack.attack(release.published, original, Rng(0))

"""Releases side by side, scored as in the contest of 2015."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from icefire.core.errors import ParameterError
from icefire.core.ranks import shared_ranks
from icefire.core.registry import Registry
from icefire.core.values import Direction
from icefire.study.measure import Measure, Setting, Value
from icefire.study.measures.release import Release

UTILITY = ("mean_mae", "cross_mean", "cross_count", "correlation_mae", "information_loss", "rows_lost")
SAFETY = ("k_anonymity(copies=false)", "k_anonymity_mean")
FOUND = "re_identification"


@dataclass(frozen=True)
class Contest2015(Measure):
    """U1 to U6, S1, S2, what attacks find, and the score: mean Rank(U) + (Rank S1 + Rank S2) / 4 + Rank(max re-id) / 2.

    Parameters:
        releases: the steps of each release, by its name, separated by " + ".
        attacks: the attacks.
    """

    kinds: ClassVar[tuple[str, ...]] = ("microdata",)

    releases: Mapping[str, str]
    attacks: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.releases) < 2:
            raise ParameterError.of("Contest2015", "releases", "two releases or more", dict(self.releases))

    def check(self, registry: Registry, kind: str) -> None:
        for steps in self.releases.values():
            self._release(steps).check(registry, kind)

    def _release(self, steps: str) -> Release:
        chosen = tuple(step for step in steps.split(" + ") if step)
        return Release(chosen, UTILITY, (*SAFETY, FOUND), self.attacks)

    def measure(self, setting: Setting) -> Iterator[Value]:
        scores: dict[str, dict[str, float]] = {}
        for name, steps in self.releases.items():
            made = self._release(steps)
            scores[name] = {}
            for value in made.measure(setting):
                labels = {**value.labels, "release": name}
                if value.quantity == FOUND and value.value is not None:
                    attack = str(value.labels["attack"]).partition("-")[0]
                    yield Value("found", value.value, {"release": name, "attack": attack})
                    scores[name]["max_re_id"] = max(scores[name].get("max_re_id", 0.0), value.value)
                else:
                    yield Value(value.quantity, value.value, labels, value.note)
                    if value.value is not None:
                        scores[name][value.quantity] = value.value
        for name, total in _totals(scores).items():
            yield Value("max_re_id", scores[name].get("max_re_id"), {"release": name})
            yield Value("score", total, {"release": name})


def _totals(scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The rule of 2015: the smallest total wins."""
    weights = {name: (1 / len(UTILITY), Direction.LOWER_IS_BETTER) for name in UTILITY}
    weights |= {name.partition("(")[0]: (0.25, Direction.HIGHER_IS_BETTER) for name in SAFETY}
    weights["max_re_id"] = (0.5, Direction.LOWER_IS_BETTER)
    totals = dict.fromkeys(scores, 0.0)
    for quantity, (weight, direction) in weights.items():
        having = [name for name in scores if quantity in scores[name]]
        values = [scores[name][quantity] for name in having]
        for name, rank in zip(having, shared_ranks(values, direction) if values else (), strict=True):
            totals[name] += weight * float(rank)
        for name in scores.keys() - set(having):
            # Releases without a value share the ranks behind all others.
            totals[name] += weight * (len(having) + 1 + len(scores)) / 2
    return totals

"""Releases with everything that was measured on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from icefire.core.suite import AnyKind, AttackRun, Outcome
from icefire.core.values import Direction, Score


@dataclass(frozen=True)
class Judged:
    """A release with its scores; runs are sorted, the strongest attack first."""

    name: str
    steps: str
    kind: AnyKind
    release: Any
    utility: Sequence[Outcome]
    safety: Sequence[Outcome]
    runs: Sequence[AttackRun]
    knowledge: str = ""
    """The file that the attacker knows, if not the whole original."""

    @property
    def risk(self) -> float:
        """What the strongest attack finds."""
        return max((found for run in self.runs if (found := self.found(run)) is not None), default=0.0)

    @property
    def worst(self) -> AttackRun | None:
        """The attack that finds most."""
        scored = [(found, run) for run in self.runs if (found := self.found(run)) is not None]
        return max(scored, key=lambda one: one[0])[1] if scored else None

    @property
    def strongest(self) -> str:
        return "-" if self.worst is None else self.worst.attack.step()

    @property
    def loss(self) -> float | None:
        """The utility metric that stands for all, as a loss, where it has a value."""
        headline = self.kind.headline_utility
        score = next((o.score for o in self.utility if o.method.name == headline and o.score is not None), None)
        return None if score is None else _bad(score.value, score)

    def score_of(self, run: AttackRun) -> Score | None:
        """A run's score by the metric that stands for all."""
        headline = self.kind.headline_safety
        return next((o.score for o in run.outcomes if o.method.name == headline and o.score), None)

    def found(self, run: AttackRun) -> float | None:
        """What a run found: its score, or one minus its score where that measures safety."""
        score = self.score_of(run)
        return None if score is None else _bad(score.value, score)

    def interval(self, run: AttackRun) -> tuple[float, float] | None:
        score = self.score_of(run)
        if score is None or score.interval is None:
            return None
        low, high = sorted(_bad(end, score) for end in (score.interval.low, score.interval.high))
        return low, high


def _bad(value: float, score: Score) -> float:
    return value if score.direction is Direction.LOWER_IS_BETTER else 1.0 - value

"""Releases with everything that was measured on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from icefire.core.suite import AnyKind, AttackRun, Outcome
from icefire.core.values import Score


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
        return max((score.value for run in self.runs if (score := self.score_of(run)) is not None), default=0.0)

    @property
    def worst(self) -> AttackRun | None:
        """The attack that finds most."""
        scored = [run for run in self.runs if self.score_of(run) is not None]
        return max(scored, key=lambda run: self.score_of(run).value, default=None)  # type: ignore[union-attr]

    @property
    def strongest(self) -> str:
        return "-" if self.worst is None else self.worst.attack.step()

    @property
    def loss(self) -> float | None:
        """The utility metric that stands for all, where it has a value."""
        headline = self.kind.headline_utility
        return next((o.score.value for o in self.utility if o.method.name == headline and o.score is not None), None)

    def score_of(self, run: AttackRun) -> Score | None:
        """A run's score by the metric that stands for all."""
        headline = self.kind.headline_safety
        return next((o.score for o in run.outcomes if o.method.name == headline and o.score), None)

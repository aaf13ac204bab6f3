"""How much risk is accepted."""

from __future__ import annotations

from dataclasses import dataclass

from icefire.core.questions import Question


@dataclass(frozen=True)
class Limits:
    """The largest risk that is accepted."""

    who: float = 0.05
    """Share of people who may be re-identified."""
    what: float = 0.20
    """Share of the holders of a value who may be certain to have it, beyond the baseline."""

    def of(self, question: Question) -> float:
        return self.what if question is Question.WHAT else self.who

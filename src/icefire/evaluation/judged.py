"""Releases with everything that was measured on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from icefire.core.documents import JsonObject
from icefire.core.kinds import Kind
from icefire.core.roles import AnyAnonymizer, AnyAttack
from icefire.core.values import Score
from icefire.evaluation.runs import AttackRun, Outcome


@dataclass(frozen=True)
class Risk:
    """What the strongest attack of one attacker finds."""

    level: str
    """What they know of the people."""
    method_known: bool
    found: float | None
    """None if no attack could be made."""
    method: AnyAttack | None
    interval: tuple[float, float] | None
    chance: float
    """What naming people at random would find."""
    at_least: bool
    """Whether they know the method but no attack of ours can use that: a better attack may find more."""

    @property
    def attack(self) -> str:
        """The attack as it is typed."""
        return "" if self.method is None else self.method.step()

    @property
    def share(self) -> str:
        """What is found, and its interval."""
        if self.found is None:
            return "–"
        interval = "" if self.interval is None else f" ({self.interval[0]:.1%} – {self.interval[1]:.1%})"
        return f"{'≥ ' if self.at_least else ''}{self.found:.1%}{interval}"

    def text(self) -> str:
        """What is found, its interval and the attack, in a line."""
        return self.share if self.found is None else f"{self.share}, {self.attack}"

    def as_dict(self) -> JsonObject:
        interval = None if self.interval is None else list(self.interval)
        return {
            "known": self.level,
            "method known": self.method_known,
            "found": self.found,
            "attack": self.attack,
            "interval": interval,
            "guessing": self.chance,
            "at least": self.at_least,
        }


Decision = Literal["yes", "asked", "if", "no", "open", "unknown"]
"""It may go out; against the attacker in question, and others were not tried; only if nobody knows more; it may not; not all
attacks came to their end, so that nobody knows; no attacker who knows the method was tried, so that nobody knows."""


def incomplete_attacks(runs: Sequence[AttackRun], planned: int | None = None) -> str:
    """Which attacks were not made to their end, in words; empty if all were.

    `planned` is how many there are, if some were not even begun.
    """
    number = len(runs) if planned is None else planned
    if len(runs) < number:
        return f"{len(runs)} of {number} attacks were made, and the others may find more"
    incomplete = [run for run in runs if run.incomplete]
    if not incomplete:
        return ""
    first = f"{incomplete[0].attack.step()}: {incomplete[0].reason}"
    return f"{len(incomplete)} of {number} attacks did not come to their end and may find more ({first})"


@dataclass(frozen=True)
class Criterion:
    """May it go out?"""

    level: str
    """What the attacker knows of the people who must not find more than so many."""
    limit: float
    """The largest share that may be found."""
    command: str
    """Finds releases that pass."""


@dataclass(frozen=True)
class Judged:
    """A release with its scores; runs are sorted, the strongest attack first."""

    name: str
    steps: str
    kind: Kind
    release: Any
    utility: Sequence[Outcome]
    safety: Sequence[Outcome]
    runs: Sequence[AttackRun]
    knowledge: str = ""
    """The file that the attacker knows, if not the whole original."""
    question: Criterion | None = None
    method: Sequence[AnyAnonymizer] | None = None
    """The steps that made it, which attackers knew; None if these are not known."""
    planned: int | None = None
    """How many attacks there are, if some were not made."""
    known: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The columns that attackers of each level know, where they know columns."""

    @property
    def decision(self) -> Decision | None:
        """May it go out? None if nobody asked, or no attack could be made."""
        question, risk = self.question, self.answer
        if question is None or risk is None or risk.found is None:
            return None
        if risk.found > question.limit or self.identifying:
            return "no"
        if self.unfinished:
            return "open"
        if self.method is None:
            return "unknown"
        if self.stronger:
            return "if"
        every = set(self.kind.levels_of(self.release.original))
        return "yes" if {run.level for run in self.runs} >= every else "asked"

    @property
    def command(self) -> str:
        """The command that looks for releases that pass, if too many people are re-identified."""
        question, risk = self.question, self.answer
        if question is None or risk is None or risk.found is None or risk.found <= question.limit:
            return ""
        return question.command

    @cached_property
    def identifying(self) -> dict[str, str]:
        """The published columns whose cells identify people by themselves, and why."""
        return self.kind.identifying_columns(self.release)

    @property
    def unfinished(self) -> str:
        """Which attacks were not made to their end, in words; empty if all were."""
        return incomplete_attacks(self.runs, self.planned)

    @property
    def stronger(self) -> dict[str, float]:
        """What is found by other attackers than the one in question, of those who find more than is accepted."""
        if self.question is None:
            return {}
        found = {risk.level: risk.found for risk in self.by_attacker() if risk.found is not None}
        asked, limit = self.question.level, self.question.limit
        return {level: share for level, share in found.items() if level != asked and share > limit}

    @property
    def answer(self) -> Risk | None:
        """What the attacker in question finds, who knows the method; None if there is no question, or no attack."""
        asked = [r for r in self.by_attacker() if self.question is not None and r.level == self.question.level]
        return asked[-1] if asked and asked[-1].found is not None else None

    @property
    def risk(self) -> float:
        """What the strongest attack finds, by the headline metric."""
        return max((found for run in self.runs if (found := self.found(run)) is not None), default=0.0)

    @property
    def worst(self) -> AttackRun | None:
        """The attack that finds most."""
        scored = [(found, run) for run in self.runs if (found := self.found(run)) is not None]
        return max(scored, key=lambda pair: pair[0])[1] if scored else None

    def by_attacker(self) -> list[Risk]:
        """The risk for every level of knowledge, without and with the method: whoever knows it can still ignore it."""
        risks = []
        tried = {run.level for run in self.runs}
        for level in sorted(tried, key=lambda level: (*self.kind.levels, level).index(level)):
            for method_known in (False, True) if any(run.attack.knows_method for run in self.runs) else (False,):
                runs = [r for r in self.runs if r.level == level and (method_known or not r.attack.knows_method)]
                scored = [(found, run) for run in runs if (found := self.found(run)) is not None]
                found, best = max(scored, key=lambda pair: pair[0], default=(None, None))
                method, interval = (None, None) if best is None else (best.attack, self.interval(best))
                chance = self.kind.chance(self.release.original)
                used = any(run.attack.knows_method for _, run in scored)
                at_least = method_known and not used and found is not None and found < 1.0
                risks.append(Risk(level, method_known, found, method, interval, chance, at_least))
        return risks

    @property
    def strongest(self) -> str:
        return "-" if self.worst is None else self.worst.attack.step()

    @property
    def loss(self) -> float | None:
        """How far the headline utility metric is from its best value, where it has a value."""
        headline = self.kind.headline_utility
        score = next((o.score for o in self.utility if o.method.name == headline and o.score is not None), None)
        return None if score is None else score.scale.shortfall(score.value)

    def score_of(self, run: AttackRun) -> Score | None:
        """A run's score by the headline metric."""
        headline = self.kind.headline_of(run.level)
        return next((o.score for o in run.outcomes if o.method.name == headline and o.score), None)

    def found(self, run: AttackRun) -> float | None:
        """What a run found: how far its score is from that of a safe release."""
        score = self.score_of(run)
        return None if score is None else score.scale.shortfall(score.value)

    def interval(self, run: AttackRun) -> tuple[float, float] | None:
        """The confidence interval of what a run found."""
        score = self.score_of(run)
        if score is None or score.interval is None:
            return None
        ends = [score.scale.shortfall(end) for end in (score.interval.low, score.interval.high)]
        known = sorted(end for end in ends if end is not None)
        return (known[0], known[1]) if len(known) == 2 else None

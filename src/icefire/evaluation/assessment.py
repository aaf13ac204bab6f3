"""What was found about a release: the four risks, each against its limit, and the verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any, Literal

from icefire.core.commands import shell_command
from icefire.core.documents import JsonObject
from icefire.core.kinds import IdentifyingColumn, Kind
from icefire.core.questions import Question
from icefire.core.roles import AnyAnonymizer, AnyAttack
from icefire.core.values import Score
from icefire.evaluation.limits import Limits as Limits
from icefire.evaluation.runs import AttackRun, Outcome

SAMPLED = ("rows sampled", "people sampled", "pseudonyms sampled")
"""Details of scores that are estimates from a sample."""


WORD = re.compile(r"(?!(?:true|false|none)$)[^\W\d]\w*", re.IGNORECASE)
"""Names of columns that steps take without quotation marks."""
METHOD_UNTRIED = "attackers who know how it was made were not tried"


@dataclass(frozen=True)
class Risk:
    """What the strongest attack of one attacker achieves."""

    level: str
    """Their background knowledge."""
    method_known: bool
    found: float | None
    """None if no attack could be made."""
    method: AnyAttack | None
    interval: tuple[float, float] | None
    chance: float
    """The baseline: what guessing at random achieves, or what is inferred without the release."""
    at_least: bool
    """Whether they know the method but no attack of ours can use that: a lower bound."""
    score: Score | None = field(default=None, compare=False)
    """The deciding score."""

    @property
    def attack(self) -> str:
        """The attack as it is typed."""
        return "" if self.method is None else self.method.step()

    @property
    def decisive(self) -> float | None:
        """The value to hold against a limit: of an estimate from a sample, the upper end of its interval."""
        sampled = self.score is not None and any(key in self.score.detail for key in SAMPLED)
        return self.interval[1] if sampled and self.interval is not None else self.found

    @property
    def share(self) -> str:
        """The risk and its interval."""
        if self.found is None:
            return "–"
        interval = "" if self.interval is None else f" ({self.interval[0]:.1%} – {self.interval[1]:.1%})"
        return f"{'≥ ' if self.at_least else ''}{self.found:.1%}{interval}"

    def text(self) -> str:
        """The risk, its interval and the attack, in a line."""
        return self.share if self.found is None else f"{self.share}, {self.attack}"

    def as_dict(self) -> JsonObject:
        interval = None if self.interval is None else list(self.interval)
        return {
            "background_knowledge": self.level,
            "method_known": self.method_known,
            "risk": self.found,
            "attack": self.attack,
            "interval": interval,
            "baseline": self.chance,
            "lower_bound": self.at_least,
        }


class Status(Enum):
    """How a finding stands against its limit."""

    MEETS = "meets"
    EXCEEDS = "exceeds"
    UNKNOWN = "cannot say"
    NOT_ASKED = "not asked"
    """Nobody named another release."""


@dataclass(frozen=True)
class Finding:
    """The answer to one of the four questions, for one attacker."""

    question: Question
    status: Status
    level: str = ""
    """Background knowledge of the attacker; empty for cells, which need none."""
    limit: float | None = None
    risk: Risk | None = None
    reason: str = ""
    """Why it cannot be said."""
    nested: Question | None = None
    """Of other releases, whether this is about who or what."""
    columns: Sequence[IdentifyingColumn] = ()
    """The columns that identify people by themselves."""

    @property
    def about(self) -> Question:
        """The question itself; of other releases, the one that is asked again."""
        return self.nested or self.question

    def as_dict(self) -> JsonObject:
        body: JsonObject = {"question": self.question.value, "status": self.status.value}
        if self.nested is not None:
            body["of"] = self.nested.value
        if self.risk is not None:
            body |= self.risk.as_dict() | {"limit": self.limit}
            detail = {} if self.risk.score is None else self.risk.score.detail
            body |= {key: detail[key] for key in ("column", "value", "holders", "certain") if key in detail}
        if self.reason:
            body["reason"] = self.reason
        if self.columns:
            body["columns"] = [column.as_dict() for column in self.columns]
        return body


Decision = Literal["release", "do_not_release", "inconclusive"]


def incomplete_attacks(runs: Sequence[AttackRun], planned: int | None = None) -> str:
    """Which attacks did not finish, in words; empty if all did.

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
    """Whom a release must withstand, and how well."""

    levels: tuple[str, ...] = ()
    """Background knowledge of the recipients in question; empty for everybody, which means every level."""
    limits: Limits = field(default_factory=Limits)
    folder: str = ""
    """The folder of the release, for the commands that are proposed; none are if it is empty."""
    held: bool = False
    """Whether attackers know what is in a file, and not what a level says."""

    @property
    def limit(self) -> float:
        return self.limits.who


@dataclass(frozen=True)
class Assessment:
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
    others: Sequence[str] = ()
    """The names of the other releases that recipients hold."""
    combined: Assessment | None = None
    """What is found in the release together with the others."""
    not_combined: str = ""
    """Why it could not be combined with the others."""

    @property
    def people(self) -> int:
        people: int = self.release.original.people
        return people

    def with_criterion(self, criterion: Criterion) -> Assessment:
        """The same findings, held against other limits."""
        combined = None if self.combined is None else self.combined.with_criterion(criterion)
        return replace(self, question=criterion, combined=combined)

    @cached_property
    def levels(self) -> list[str]:
        """The levels of background knowledge that were tried, the least first."""
        tried = {run.level for run in self.runs}
        return sorted(tried, key=lambda level: (*self.kind.levels, level).index(level))

    @property
    def criterion(self) -> Criterion:
        return self.question or Criterion()

    @property
    def recipients(self) -> list[str]:
        """The background knowledge of the recipients in question, or every level."""
        return list(self.criterion.levels) or list(self.kind.levels_of(self.release.original))

    @property
    def required(self) -> list[str]:
        """The levels that decide: those of the recipients in question, and of whatever else these can do."""
        return list(dict.fromkeys(level for named in self.recipients for level in self.kind.implied(named)))

    @property
    def for_everybody(self) -> bool:
        """Whether nobody in particular is to get the release."""
        return not self.criterion.levels

    @cached_property
    def findings(self) -> list[Finding]:
        """The four questions, attacker by attacker."""
        alone = self._risks(Question.WHO)
        # Nobody learns what is not published, or what they know already.
        alone += self._risks(Question.WHAT) or [Finding(Question.WHAT, Status.NOT_ASKED)]
        return [*alone, *self._composition(), self._cells()]

    def _risks(self, question: Question) -> list[Finding]:
        limit = self.criterion.limits.of(question)
        findings = []
        for level in self.levels:
            if question not in self.kind.headlines(level):
                continue
            risks = [risk for risk in self.by_attacker(question) if risk.level == level]
            risk = risks[-1] if risks else None
            unfinished = incomplete_attacks([run for run in self.runs if run.level == level])
            value = None if risk is None else risk.decisive
            if risk is None or value is None:
                if question is Question.WHAT and not self.kind.hides(self.release, level):
                    continue
                reason = unfinished or self._reason(level, question)
                findings.append(Finding(question, Status.UNKNOWN, level, limit, risk, reason))
            elif value > limit:
                findings.append(Finding(question, Status.EXCEEDS, level, limit, risk))
            elif unfinished or self.method is None:
                reason = unfinished or METHOD_UNTRIED
                findings.append(Finding(question, Status.UNKNOWN, level, limit, risk, reason))
            else:
                findings.append(Finding(question, Status.MEETS, level, limit, risk))
        return findings

    def _reason(self, level: str, question: Question) -> str:
        """Why no attack of a level answers a question."""
        names = self.kind.headlines(level)[question]
        runs = [run for run in self.runs if run.level == level]
        scores = [o.reason for run in runs for o in run.outcomes if o.method.name in names and o.reason]
        return next((reason for reason in [*scores, *(run.reason for run in runs)] if reason), "")

    def _composition(self) -> list[Finding]:
        if not self.others:
            return [Finding(Question.COMPOSITION, Status.NOT_ASKED)]
        if self.combined is None:
            return [Finding(Question.COMPOSITION, Status.UNKNOWN, reason=self.not_combined)]
        nested = [*self.combined._risks(Question.WHO), *self.combined._risks(Question.WHAT)]
        reason = (
            self.combined.unfinished if self.combined.interrupted else self.kind.combination_gap(self.combined.release)
        )
        if reason:
            nested = [
                replace(finding, status=Status.UNKNOWN, reason=reason) if finding.status is Status.MEETS else finding
                for finding in nested
            ]
        return [replace(finding, question=Question.COMPOSITION, nested=finding.question) for finding in nested]

    def _cells(self) -> Finding:
        columns = [column for column in self.identifying if not column.accepted]
        status = Status.EXCEEDS if columns else Status.MEETS
        return Finding(Question.CELLS, status, columns=columns)

    @cached_property
    def identifying(self) -> Sequence[IdentifyingColumn]:
        """The published columns whose cells identify people by themselves, accepted or not."""
        return self.kind.identifying_columns(self.release)

    def _decide(self, levels: Sequence[str]) -> Decision:
        """The verdict for recipients of these levels."""
        asked = [finding for finding in self.findings if finding.level in ("", *levels)]
        if any(finding.status is Status.EXCEEDS for finding in asked):
            return "do_not_release"
        unknown = any(finding.status is Status.UNKNOWN for finding in asked)
        untried = not set(levels) <= set(self.levels)
        if unknown or untried or self.interrupted or self.method is None:
            return "inconclusive"
        return "release"

    @property
    def interrupted(self) -> bool:
        """Whether some attacks were not even begun."""
        begun = self.planned is None or len(self.runs) >= self.planned
        return not begun or (self.combined is not None and self.combined.interrupted)

    @property
    def decision(self) -> Decision | None:
        """May it be released? None if nobody asked, or no attack could be made."""
        if self.question is None or not self.levels:
            return None
        return self._decide(self.required)

    @property
    def would_pass(self) -> list[str]:
        """The levels of recipients to whom it may be released, where it may not be to all in question."""
        if self.decision == "release":
            return []
        tried = set(self.levels)
        up_to = {
            level: [*(each for each in self.kind.weaker(level) if each in tried), *self.kind.implied(level)]
            for level in self.levels
        }
        return [level for level in self.levels if self._decide(up_to[level]) == "release"]

    def as_dict(self) -> JsonObject:
        """The verdict and what it rests on."""
        body: JsonObject = {
            "decision": self.decision,
            "recipients": "everybody" if self.for_everybody else self.recipients,
            "would_pass": list(self.would_pass),
            "findings": [finding.as_dict() for finding in self.findings],
            "accepted": {column.name: column.accepted for column in self.identifying if column.accepted},
        }
        return body

    @property
    def command(self) -> str:
        """What to do if it is not to be released: leave out what identifies people, or look for releases that pass."""
        criterion = self.criterion
        if not criterion.folder or self.decision != "do_not_release":
            return ""
        source = ["--in", criterion.folder]
        if (columns := self._columns_to_drop()) and self.method is not None:
            names = ", ".join(
                name if WORD.fullmatch(name) else json.dumps(name, ensure_ascii=False) for name in columns
            )
            steps = [f"drop_columns(columns=[{names}])", *(step.step() for step in self.method)]
            words = ["anonymize", self.kind.name, *steps, *source, "--out", f"{criterion.folder}-without"]
            return shell_command(["icefire", *words])
        limits = ["--max-risk", f"{criterion.limits.who:g}", "--max-disclosure", f"{criterion.limits.what:g}"]
        exceeding = [
            finding.level
            for finding in self.findings
            if finding.status is Status.EXCEEDS
            and finding.level in self.required
            # The search knows nothing of other releases.
            and finding.question in (Question.WHO, Question.WHAT)
        ]
        if not exceeding:
            return ""
        weakest = next(level for level in self.levels if level in exceeding)
        level = [] if criterion.held else ["--attacker", weakest]
        return shell_command(["icefire", "advise", self.kind.name, *source, *limits, *level])

    def _columns_to_drop(self) -> list[str]:
        """The columns that identify people by themselves, where a step can leave them out."""
        named = dict.fromkeys(name for column in self._cells().columns for name in column.named)
        needed = {name for step in self.method or () for name in getattr(step, "columns", ())}
        # A later step that names one of them would miss it.
        return list(named) if self.kind.tabular and not needed & set(named) else []

    @property
    def unfinished(self) -> str:
        """Which attacks were not made to their end, in words; empty if all were."""
        together = "" if self.combined is None else self.combined.unfinished
        return incomplete_attacks(self.runs, self.planned) or together

    @property
    def answer(self) -> Risk | None:
        """The re-identification risk at the weakest level in question; None if there is no question, or no attack."""
        if self.question is None:
            return None
        asked = [risk for risk in self.by_attacker() if risk.level in self.required]
        weakest = [risk for risk in asked if risk.level == asked[0].level] if asked else []
        return weakest[-1] if weakest and weakest[-1].found is not None else None

    @property
    def risk(self) -> float:
        """The re-identification risk by the strongest attack, by the headline metric."""
        return max((found for run in self.runs if (found := self.found(run)) is not None), default=0.0)

    @property
    def worst(self) -> AttackRun | None:
        """The attack that re-identifies most."""
        scored = [(found, run) for run in self.runs if (found := self.found(run)) is not None]
        return max(scored, key=lambda pair: pair[0])[1] if scored else None

    def by_attacker(self, question: Question = Question.WHO) -> list[Risk]:
        """The risk for every level of knowledge, without and with the method: whoever knows it can still ignore it."""
        risks = []
        informed = any(run.attack.knows_method for run in self.runs)
        for level in self.levels:
            if question not in self.kind.headlines(level):
                continue
            for method_known in (False, True) if informed else (False,):
                runs = [r for r in self.runs if r.level == level and (method_known or not r.attack.knows_method)]
                risks.append(self._strongest(level, method_known, runs, question))
        return risks

    def _strongest(self, level: str, method_known: bool, runs: Sequence[AttackRun], question: Question) -> Risk:
        scored = [(found, run) for run in runs if (found := self.found(run, question)) is not None]
        found, best = max(scored, key=lambda pair: pair[0], default=(None, None))
        used = any(run.attack.knows_method for _, run in scored)
        at_least = method_known and not used and found is not None and found < 1.0
        if best is None:
            return Risk(level, method_known, None, None, None, self._chance(None), at_least)
        score = self.score_of(best, question)
        interval = self.interval(best, question)
        return Risk(level, method_known, found, best.attack, interval, self._chance(score), at_least, score)

    def _chance(self, score: Score | None) -> float:
        """The baseline of a score: its own, or that of guessing at random."""
        match score and score.detail:
            case {"baseline": float() | int() as baseline}:
                return float(baseline)
        return self.kind.chance(self.release.original)

    @property
    def strongest(self) -> str:
        return "-" if self.worst is None else self.worst.attack.step()

    @property
    def loss(self) -> float | None:
        """How far the headline utility metric is from its best value, where it has a value."""
        headline = self.kind.headline_utility
        score = next((o.score for o in self.utility if o.method.name == headline and o.score is not None), None)
        return None if score is None else score.scale.shortfall(score.value)

    def score_of(self, run: AttackRun, question: Question = Question.WHO) -> Score | None:
        """A run's score by the metric that answers a question; of several, the worst."""
        names = self.kind.headlines(run.level).get(question, ())
        scores = {o.method.name: o.score for o in run.outcomes if o.score is not None}
        # Of metrics that are as bad, the first one that the kind names.
        named = [scores[name] for name in names if name in scores]
        return max(named, key=lambda score: score.scale.shortfall(score.value) or 0.0, default=None)

    def found(self, run: AttackRun, question: Question = Question.WHO) -> float | None:
        """What a run achieves: how far its score is from that of a safe release."""
        score = self.score_of(run, question)
        return None if score is None else score.scale.shortfall(score.value)

    def interval(self, run: AttackRun, question: Question = Question.WHO) -> tuple[float, float] | None:
        """The confidence interval of what a run achieves."""
        score = self.score_of(run, question)
        if score is None or score.interval is None:
            return None
        ends = [score.scale.shortfall(end) for end in (score.interval.low, score.interval.high)]
        known = sorted(end for end in ends if end is not None)
        return (known[0], known[1]) if len(known) == 2 else None

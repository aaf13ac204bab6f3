"""Search for the release with the best worst-case safety that meets requirements on utility.

Every setting that an anonymizer proposes is tried. The best is then combined with the others, and its numeric parameters
are varied. A trial ends as soon as another is known to be better in both safety and utility, so most trials cost one
attack. The best ones are verified against every attack.

Releases of tables are made of all people, and attacks that are too long for a search look at a sample of the published rows,
each searched among everybody. Attacks on other kinds of data cannot do that: there the search is on a sample of people, who
are easier to tell apart than all of them, and only what is verified holds for all.
"""

from __future__ import annotations

import math
import operator
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from icefire.core.attackers import Attacker
from icefire.core.budget import Budget, current
from icefire.core.data import Original, Release
from icefire.core.errors import InputError, Undefined, UnknownName
from icefire.core.kinds import Kind
from icefire.core.pipeline import Pipeline
from icefire.core.registry import METRICS, Registry
from icefire.core.roles import AnyAnonymizer, AnyAttack, InformedAttack
from icefire.core.seeds import generator
from icefire.core.suite import Progress, every_attack, silent
from icefire.core.values import Direction, Score

COMPARE = {">=": operator.ge, "<=": operator.le}
ROUNDS = 2
"""How often the numeric parameters of the best release so far are varied."""
VERIFIED = 3
"""How many of the best are verified before the search gives up."""
PEOPLE = 300
"""How many people are sampled to search data other than tables."""
SEARCH = 0.05
"""Share of the budget of an attack that it has during the search."""


@dataclass(frozen=True)
class Requirement:
    """A bound on a metric; a metric of guesses is meant against the strongest attack.

    >>> Requirement.parse("utility>=0.7", Registry(), Registry().kind("trace")).metric
    'closeness'
    """

    metric: str
    role: Literal["utility", "safety"]
    sign: str
    bound: float

    @classmethod
    def parse(cls, text: str, registry: Registry, kind: Kind) -> Requirement:
        parts = re.fullmatch(
            r"\s*(?P<name>.+?)\s*(?P<sign>>=|<=)\s*(?P<bound>[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?)\s*", text
        )
        if parts is None or not math.isfinite(bound := float(parts["bound"])):
            raise InputError(f"cannot read the requirement {text!r}: write a metric and a bound, like utility>=0.7")
        name = parts["name"]
        wanted = {"utility": kind.headline_utility, "safety": kind.headline_safety}.get(name, name)
        for role in METRICS:
            if registry.knows(kind.name, role, wanted):
                return cls(registry.find(kind.name, role, wanted).name, role, parts["sign"], bound)
        names = [method.name for role in METRICS for method in registry.methods(kind.name, role)]
        raise UnknownName.of(f"metric for {kind.name}", name, ["utility", "safety", *names])

    def met(self, score: Score) -> bool:
        wanted = ">=" if score.direction is Direction.HIGHER_IS_BETTER else "<="
        if self.sign != wanted:
            raise InputError(
                f"{self.metric} is good when it is {score.direction.value}: write {self.metric}{wanted}..."
            )
        return bool(COMPARE[self.sign](score.value, self.bound))


def risk_requirement(registry: Registry, kind: Kind, level: str, limit: float) -> str:
    """The requirement that attackers of a level find at most such a share.

    >>> risk_requirement(Registry(), Registry().kind("microdata"), "qi", 0.05)
    're_identification<=0.05'
    """
    (metric,) = (m for m in registry.safety_metrics(kind.name) if m.name == kind.headline_of(level))
    low = metric.scale.direction is Direction.LOWER_IS_BETTER
    return f"{metric.name}<={limit:g}" if low else f"{metric.name}>={1 - limit:g}"


@dataclass(frozen=True)
class Trial:
    """A release that was tried, and its scores."""

    steps: tuple[AnyAnonymizer, ...]
    people: int
    scores: dict[str, Score] = field(default_factory=dict)
    """By metric; those of guesses in the worst case so far."""
    attack: str = ""
    """The strongest attack."""
    stopped: str = ""
    """Why the trial was stopped before every attack was run, if so."""

    def label(self) -> str:
        return shlex.join(step.step() for step in self.steps) or "nothing"

    def good(self, metric: str) -> float:
        """A score with its sign turned so that more is better."""
        score = self.scores[metric]
        return score.value if score.direction is Direction.HIGHER_IS_BETTER else -score.value


class Tuner:
    """One search."""

    def __init__(
        self,
        registry: Registry,
        kind: Kind,
        requirements: Iterable[Requirement],
        seed: int = 0,
        progress: Progress = silent,
        level: str | None = None,
    ) -> None:
        self.registry, self.kind, self.seed, self.progress = registry, kind, seed, progress
        self.level = kind.usual_level if level is None else level
        """What attackers know of the people. They always know the method."""
        self.headline = kind.headline_of(self.level)
        """The metric of guesses that is searched for the best."""
        self.requirements = tuple(requirements)
        self.trials: list[Trial] = []
        self.failed: list[Trial] = []
        """Trials that met the requirements in the search, but not when they were verified."""
        self.left_out: dict[str, float] = {}
        """Steps that were not tried, since a release takes longer than the budget; and about how many minutes."""
        self._budget = Budget()
        self._decided: Counter[str] = Counter()
        named = [(r.role, r.metric) for r in self.requirements]
        wanted = {
            role: dict.fromkeys([headline, *(metric for place, metric in named if place == role)])
            for role, headline in zip(METRICS, (kind.headline_utility, self.headline), strict=True)
        }
        self._utility = {name: registry.make(kind.name, "utility", name) for name in wanted["utility"]}
        self._safety = {name: registry.make(kind.name, "safety", name) for name in wanted["safety"]}

    def run(self, original: Original, people: int = PEOPLE) -> Trial | None:
        """The best release of all people that meets the requirements, or None; every trial is in `trials`.

        Data other than tables are searched on a sample of so many people.
        """
        self._budget = current()
        sample = original if self.kind.bounded else original.sample(people, generator(self.seed, "tune"))
        with self._budget.part(SEARCH).spent():
            self._search(sample)
        return self._verified(original)

    def _search(self, sample: Original) -> None:
        families = [method.variants(sample) for method in self.registry.anonymizers(self.kind.name)]
        # The data as they are, as a reference.
        self._try((), sample)
        for family in families:
            for variant in family:
                self._try((variant,), sample)
        best = self.best(self.trials)
        if best is not None:
            for family in families:
                # The first setting shows whether the method adds anything; its parameters are varied later.
                for variant in family[:1]:
                    if all(type(variant) is not type(step) for step in best.steps):
                        self._try((variant, *best.steps), sample)
                        self._try((*best.steps, variant), sample)
        for _ in range(ROUNDS):
            best = self.best(self.trials)
            for steps in _nearby(best.steps) if best else ():
                self._try(steps, sample)

    def frontier(self) -> list[Trial]:
        """The Pareto-optimal trials in utility and safety, the most useful first."""
        finished = sorted(
            (trial for trial in self.trials if not trial.stopped),
            key=lambda t: (self._useful(t), self._safe(t)),
            reverse=True,
        )
        kept: list[Trial] = []
        for trial in finished:
            if not kept or self._safe(trial) > self._safe(kept[-1]):
                kept.append(trial)
        return kept

    def best(self, trials: Iterable[Trial]) -> Trial | None:
        """The safest trial that meets the requirements; among equally safe ones, the most useful."""
        return max((t for t in trials if not t.stopped), key=lambda t: (self._safe(t), self._useful(t)), default=None)

    def _verified(self, original: Original) -> Trial | None:
        candidates = sorted(
            (t for t in self.trials if not t.stopped), key=lambda t: (self._safe(t), self._useful(t)), reverse=True
        )
        for trial in candidates[:VERIFIED]:
            checked = self._judge(trial.steps, original, stop_early=False)
            if not checked.stopped:
                return checked
            self.failed.append(checked)
        return None

    def _try(self, steps: tuple[AnyAnonymizer, ...], sample: Original) -> None:
        if any(trial.steps == steps for trial in self.trials):
            return
        minutes = sum(step.minutes(sample.people) for step in steps)
        if minutes > self._budget.minutes:
            self.left_out[Trial(steps, sample.people).label()] = minutes
            return
        self.trials.append(self._judge(steps, sample, stop_early=True))

    def _judge(self, steps: tuple[AnyAnonymizer, ...], original: Original, stop_early: bool) -> Trial:
        """Make a release and attack it until it fails a requirement or is beaten."""
        people = original.people
        trial = Trial(steps, people)
        self.progress(f"{trial.label()} ({people:,} people)")
        try:
            release = Pipeline(steps).anonymize(original, generator(self.seed, "anonymize"))
            scores = {name: metric.measure(original, release) for name, metric in self._utility.items()}
        except (InputError, Undefined) as error:
            # The step does not fit after the ones before it, or the sample is too small for it.
            return replace(trial, stopped=str(error))
        trial = replace(trial, scores=scores)
        missed = self._missed(trial)
        if missed:
            return replace(trial, stopped=missed)
        attacker = Attacker(self.kind.known(original, self.level), self.level, steps)
        informed = False
        for attack in self._attacks(attacker, release):
            if stop_early and informed and isinstance(attack, InformedAttack) and attack.estimates:
                continue
            before, trial = trial, self._attacked(trial, attack, release, attacker.knowledge)
            informed |= attack.knows_method and trial is not before
            missed = self._missed(trial) or (self._beaten(trial) if stop_early else "")
            if missed:
                return replace(trial, stopped=missed)
        for name in self._safety:
            if name not in trial.scores:
                return replace(trial, stopped=f"{name} could not be measured against any attack")
        self._decided[trial.attack] += 1
        return trial

    def _attacks(self, attacker: Attacker, release: Release) -> list[AnyAttack]:
        """Every attack, those that decided most often first, and estimates last."""
        attacks = every_attack(self.registry, self.kind, release.published, attacker)
        return sorted(attacks, key=lambda a: (isinstance(a, InformedAttack) and a.estimates, -self._decided[a.step()]))

    def _attacked(self, trial: Trial, attack: AnyAttack, release: Release, knowledge: object) -> Trial:
        scores, strongest = dict(trial.scores), trial.attack
        try:
            guess = attack.attack(release.published, knowledge, generator(self.seed, "attack", attack.step()))
        except Undefined:
            return trial
        for name, metric in self._safety.items():
            try:
                score = metric.measure(release, guess)
            except Undefined:
                continue
            if name not in scores or score.worse_than(scores[name]):
                scores[name] = score
                strongest = attack.step() if name == self.headline else strongest
        return replace(trial, scores=scores, attack=strongest)

    def _missed(self, trial: Trial) -> str:
        for requirement in self.requirements:
            score = trial.scores.get(requirement.metric)
            if score is not None and not requirement.met(score):
                return f"{requirement.metric} {score.value:.4f}"
        return ""

    def _beaten(self, trial: Trial) -> str:
        """The name of a finished trial that is at least as good in both respects, whatever attacks are still to come."""
        if self.headline not in trial.scores:
            return ""
        for other in self.trials:
            if (
                not other.stopped
                and self._useful(other) >= self._useful(trial)
                and self._safe(other) >= self._safe(trial)
            ):
                return f"beaten by {other.label()}"
        return ""

    def _useful(self, trial: Trial) -> float:
        return trial.good(self.kind.headline_utility)

    def _safe(self, trial: Trial) -> float:
        return trial.good(self.headline)


def _nearby(steps: tuple[AnyAnonymizer, ...]) -> Iterator[tuple[AnyAnonymizer, ...]]:
    """The same steps with one numeric parameter a little smaller or larger."""
    for position, step in enumerate(steps):
        for parameter in fields(step):
            value = getattr(step, parameter.name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            changed = (value - 1, value + 1) if isinstance(value, int) else (value * 0.9, value * 1.1)
            for other in changed:
                try:
                    varied = replace(step, **{parameter.name: round(other, 4)})
                except InputError:
                    continue
                yield (*steps[:position], varied, *steps[position + 1 :])

"""Search for the release with the best worst-case safety that meets requirements on utility.

Every setting that an anonymizer proposes is tried, settings that lie far apart and quick anonymizers first. If none is safe
enough, the safest are made stronger. The best is then combined with the others, and its numeric parameters are varied. A
trial ends as soon as it fails a requirement, or another is known to be better in both safety and utility, so most trials cost
one attack. The best ones are verified against every attack. A deadline ends the search, and no trial may take more than a part
of its time.

Releases of tables, histories and traces are made of all people. Attacks that are too long for a search look at a sample of what
is published, each searched among everybody, or wait until the best are verified. Other kinds are searched on a sample of
people, who are easier to tell apart than all of them, and only what is verified holds for all.
"""

from __future__ import annotations

import math
import operator
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Literal

from icefire.core.attackers import Attacker
from icefire.core.budget import Budget, current
from icefire.core.data import Original, Release
from icefire.core.deadline import Deadline, TimeUp
from icefire.core.errors import InputError, NotFinished, OutOfBudget, OutOfMemory, Undefined, UnknownName
from icefire.core.kinds import Kind
from icefire.core.pipeline import Pipeline
from icefire.core.questions import Question
from icefire.core.registry import METRICS, Registry
from icefire.core.roles import AnyAnonymizer, AnyAttack, InformedAttack, Metric
from icefire.core.seeds import generator
from icefire.core.values import Direction, Scale, Score
from icefire.evaluation.limits import Limits
from icefire.evaluation.runs import Progress, every_attack, silent

COMPARE = {">=": operator.ge, "<=": operator.le}
SHARES = ("utility", "safety")
"""What stands for the headline metrics of a kind in requirements."""
ROUNDS = 2
"""How often the numeric parameters of the best release so far are varied."""
VERIFIED = 8
"""How many of the best are verified before the search gives up."""
DOUBLED = 3
"""How many of the safest have their parameters doubled where nothing is safe enough."""
PEOPLE = 300
"""How many people are sampled to search kinds whose attacks keep to no budget."""
SEARCH = 0.05
"""Share of the budget of an attack that it has during the search."""
TRIAL = 0.2
"""Share of the time of a search that one trial may take."""
DOUBLINGS = 5
"""How often the parameters of the safest releases are doubled, if no release is safe enough."""
HALVINGS = 3
"""How often a setting between one that passes and one that does not is tried."""


class Ended(Enum):
    """What ended a search before everything was tried."""

    TIME = "time"
    HAND = "hand"


@dataclass(frozen=True)
class Requirement:
    """A bound on a metric; a metric of guesses is meant against the strongest attack.

    `utility` and `safety` are the headlines of the kind, as the share of what is good: 1 at best, whatever the metric counts.

    >>> Requirement.parse("utility>=0.7", Registry(), Registry().kind("trace")).metric
    'closeness'
    >>> Requirement.parse("utility>=0.7", Registry(), Registry().kind("microdata")).text
    'information_loss<=0.3'
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
        # Some papers write names with brackets: they come before parameters.
        candidates = [(bare, role) for bare in dict.fromkeys((wanted, wanted.partition("(")[0])) for role in METRICS]
        for bare, role in candidates:
            if registry.knows(kind.name, role, bare):
                metric = registry.find(kind.name, role, bare)
                step = metric.name if bare == wanted else registry.make(kind.name, role, wanted).step()
                found = cls(step, role, parts["sign"], bound)
                return found._of_share(metric.scale) if name in SHARES and issubclass(metric, Metric) else found
        names = [method.name for role in METRICS for method in registry.methods(kind.name, role)]
        raise UnknownName.of(f"metric for {kind.name}", name, ["utility", "safety", *names])

    @property
    def text(self) -> str:
        return f"{self.metric}{self.sign}{self.bound:g}"

    def _of_share(self, scale: Scale) -> Requirement:
        """The same, where the bound is a share of what is good, but the metric counts what is bad."""
        if self.sign == "<=" or scale.direction is Direction.HIGHER_IS_BETTER or math.isinf(scale.worst - scale.best):
            return self
        bound = scale.worst + self.bound * (scale.best - scale.worst)
        return replace(self, sign="<=", bound=round(bound, 12))

    def met(self, score: Score) -> bool:
        wanted = ">=" if score.direction is Direction.HIGHER_IS_BETTER else "<="
        if self.sign != wanted:
            raise InputError(
                f"{self.metric} is good when it is {score.direction.value}: write {self.metric}{wanted}..."
            )
        return bool(COMPARE[self.sign](score.value, self.bound))


def risk_requirements(registry: Registry, kind: Kind, level: str, limits: Limits) -> list[str]:
    """The requirements that attackers of a level re-identify at most such a share, and disclose no more than that.

    >>> risk_requirements(Registry(), Registry().kind("microdata"), "qi", Limits(0.05, 0.2))
    ['re_identification<=0.05', 'attribute_disclosure<=0.2']
    """
    bounds = {name: limits.of(question) for question, names in kind.headlines(level).items() for name in names}
    metrics = [metric for metric in registry.safety_metrics(kind.name) if metric.name in bounds]
    return [
        _at_most(metric, bounds[metric.name]) for metric in sorted(metrics, key=lambda m: list(bounds).index(m.name))
    ]


def _at_most(metric: Metric, limit: float) -> str:
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
    rival: tuple[AnyAnonymizer, ...] | None = None
    """The steps of the trial that is better in utility and safety, if that is why it was stopped."""

    def label(self) -> str:
        """The steps, to be read."""
        return " + ".join(step.step() for step in self.steps) or "nothing"

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
        deadline: Deadline | None = None,
    ) -> None:
        self.registry, self.kind, self.seed, self.progress = registry, kind, seed, progress
        self.level = kind.usual_level if level is None else level
        """What attackers know of the people. They always know the method."""
        self.headline = kind.headline_of(self.level)
        """The metric of guesses that is searched for the best."""
        self.requirements = tuple(requirements)
        self.deadline = deadline or Deadline()
        """When the search is ended; what is verified then takes more time."""
        self.ended: Ended | None = None
        """What ended the search before everything was tried, if anything did."""
        self.trials: list[Trial] = []
        self.verified: list[tuple[Trial, Trial]] = []
        """What was verified: the trial of the search, and the same against every attack."""
        self.unverified: list[Trial] = []
        """Trials that seem better than the best that was verified, and were not verified: too many were refuted."""
        self.left_out: dict[str, float] = {}
        """Steps that were not tried, since a release takes longer than the budget; and about how many minutes."""
        self.given_up: list[str] = []
        """Steps whose trials took too much of the time."""
        self._budget = Budget()
        self._decided: Counter[str] = Counter()
        named = [(r.role, r.metric) for r in self.requirements]
        wanted = {
            role: dict.fromkeys([headline, *(metric for place, metric in named if place == role)])
            for role, headline in zip(METRICS, (kind.headline_utility, self.headline), strict=True)
        }
        self._utility = {name: registry.make(kind.name, "utility", name) for name in wanted["utility"]}
        self._safety = {name: registry.make(kind.name, "safety", name) for name in wanted["safety"]}

    def planned(self, original: Original) -> int:
        """How many releases are tried at least: every setting that is proposed, and the data as they are."""
        return 1 + sum(len(method.variants(original)) for method in self.registry.anonymizers(self.kind.name))

    def run(self, original: Original, people: int = PEOPLE) -> Trial | None:
        """The best release of all people that meets the requirements, or None; every trial is in `trials`.

        Kinds whose attacks keep to no budget are searched on a sample of so many people. Ctrl-C ends it, and nothing is
        verified then.
        """
        self.search(original, people)
        try:
            return None if self.ended is Ended.HAND else self._verify_best(original)
        except KeyboardInterrupt:
            self.ended = Ended.HAND
            return None

    def search(self, original: Original, people: int = PEOPLE) -> None:
        """Try releases until there is nothing more to try, the time is up or somebody ends it."""
        self._budget = current()
        sample = original if self.kind.bounded else original.sample(people, generator(self.seed, "tune"))
        try:
            with self._budget.anew(SEARCH).spent():
                self._search(sample)
        except TimeUp:
            self.ended = Ended.TIME
        except KeyboardInterrupt:
            self.ended = Ended.HAND

    def verify(self, trial: Trial, original: Original, rivals: Sequence[Trial] = ()) -> Trial:
        """Attack a release of all people with everything, or until a rival is better; the result replaces the trial."""
        checked = self._judge(trial.steps, original, stop_early=False, rivals=rivals)
        self.trials = [checked if other.steps == trial.steps else other for other in self.trials]
        return checked

    def release(self, steps: tuple[AnyAnonymizer, ...], original: Original) -> Release:
        """The release that was judged."""
        return Pipeline(steps).anonymize(original, generator(self.seed, "anonymize"))

    def worst_case(self, release: Release, steps: tuple[AnyAnonymizer, ...], original: Original, level: str) -> Score:
        """What attackers of a level find who know the method; Undefined if that cannot be said."""
        tuner = Tuner(self.registry, self.kind, (), self.seed, self.progress, level)
        judged = tuner._attack(release, Trial(steps, original.people), original, stop_early=False)
        if judged.stopped:
            raise Undefined(judged.stopped)
        return judged.scores[tuner.headline]

    def _search(self, sample: Original) -> None:
        families = [method.variants(sample) for method in self.registry.anonymizers(self.kind.name)]
        quick = [family for family in families if not any(step.minutes(sample.people) for step in family)]
        slow = [family for family in families if family not in quick]
        # The data as they are, as a reference.
        self._try((), sample)
        for variant in _spread(quick):
            self._try((variant,), sample)
        self._strengthen(sample)
        self._refine(quick, sample)
        for variant in sorted(_spread(slow), key=lambda step: step.minutes(sample.people)):
            self._try((variant,), sample)
        self._refine(families, sample)

    def _strengthen(self, sample: Original) -> None:
        """If nothing is safe enough, double the parameters of what comes closest."""
        for _ in range(DOUBLINGS):
            if any(trial.steps and not trial.stopped for trial in self.trials):
                return
            attacked = [trial for trial in self.trials if trial.steps and self.headline in trial.scores]
            for trial in sorted(attacked, key=self._safe, reverse=True)[:DOUBLED]:
                for steps in _doubled(trial.steps):
                    self._try(steps, sample)

    def _refine(self, families: Sequence[Sequence[AnyAnonymizer]], sample: Original) -> None:
        """Combine the best with other methods, and vary its parameters and those of the most useful one."""
        best = self.best(self.trials)
        if best is not None:
            for family in families:
                # The first setting shows whether the method adds anything; its parameters are varied later.
                for variant in family[:1]:
                    if all(type(variant) is not type(step) for step in best.steps):
                        self._try((variant, *best.steps), sample)
                        self._try((*best.steps, variant), sample)
        for _ in range(HALVINGS):
            for trial in [trial for trial in self.frontier() if trial.steps][:1]:
                for steps in _between(trial.steps, [other.steps for other in self.trials if other.stopped]):
                    self._try(steps, sample)
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
        return max((trial for trial in trials if not trial.stopped), key=self._rank, default=None)

    def _verify_best(self, original: Original) -> Trial | None:
        """Verify the best until what it achieves is more than what the others promise.

        Attacks that the search left out can only raise the risk, so a verified trial that is as good as the figures
        of all others in the search is the best.
        """
        waiting = [trial for trial in self.trials if not trial.stopped]
        self.verified, self.unverified = [], []
        best = None
        while (trial := self.best(waiting)) is not None:
            if best is not None and self._rank(best) >= self._rank(trial):
                return best
            if len(self.verified) == VERIFIED:
                self.unverified = [t for t in waiting if best is None or self._rank(t) > self._rank(best)]
                break
            waiting.remove(trial)
            rivals = [checked for _, checked in self.verified]
            checked = self.verify(trial, original, rivals)
            self.verified.append((trial, checked))
            # What was stopped since this one seemed better deserves another look.
            others = (other for other in self.trials if other.rival == trial.steps)
            waiting += [replace(other, stopped="", rival=None) for other in others]
            best = self.best((*rivals, checked))
        unchanged = next((trial for trial in waiting if not trial.steps), None)
        no_safer = best is not None and unchanged is not None and self._safe(best) <= self._safe(unchanged)
        return None if no_safer else best

    def _rank(self, trial: Trial) -> tuple[float, float]:
        return self._safe(trial), self._useful(trial)

    def _try(self, steps: tuple[AnyAnonymizer, ...], sample: Original) -> None:
        label = Trial(steps, sample.people).label()
        if label in self.given_up or any(trial.steps == steps for trial in self.trials):
            return
        minutes = sum(step.minutes(sample.people) for step in steps)
        if minutes > min(self._budget.minutes, TRIAL * self.deadline.minutes):
            self.left_out[label] = minutes
            return
        try:
            with self.deadline.part(TRIAL).kept():
                self.trials.append(self._judge(steps, sample, stop_early=True))
        except TimeUp:
            if not self.deadline.left():
                raise
            self.given_up.append(label)

    def _judge(
        self, steps: tuple[AnyAnonymizer, ...], original: Original, stop_early: bool, rivals: Sequence[Trial] = ()
    ) -> Trial:
        """Make a release and attack it until it fails a requirement or is beaten."""
        trial = Trial(steps, original.people)
        self.progress(trial.label())
        try:
            release = self.release(steps, original)
            scores = {name: metric.measure(original, release) for name, metric in self._utility.items()}
        except (InputError, Undefined, OutOfMemory) as error:
            # The step does not fit after the ones before it, or there are too few people for it, or too many.
            return replace(trial, stopped=str(error))
        trial = replace(trial, scores=scores)
        missed = self._missed(trial)
        if missed:
            return replace(trial, stopped=missed)
        return self._attack(release, trial, original, stop_early, self.trials if stop_early else rivals)

    def _attack(
        self, release: Release, trial: Trial, original: Original, stop_early: bool, rivals: Sequence[Trial] = ()
    ) -> Trial:
        attacker = Attacker(self.kind.known(original, self.level), self.level, trial.steps)
        informed = False
        for attack in self._attacks(attacker, release):
            if stop_early and informed and isinstance(attack, InformedAttack) and attack.estimates:
                continue
            try:
                before, trial = trial, self._attacked(trial, attack, release, attacker.knowledge)
            except (OutOfMemory, NotFinished, InputError) as error:
                if stop_early and isinstance(error, OutOfBudget):
                    continue
                # It must not look safe because an attack was left out.
                return replace(trial, stopped=f"{attack.step()}: {error}")
            informed |= attack.knows_method and trial is not before
            missed = self._missed(trial)
            rival = None if missed else self._better(trial, rivals)
            if rival is not None:
                missed = f"beaten by {rival.label()}"
            if missed:
                self._decided[attack.step()] += 1
                return replace(trial, stopped=missed, rival=None if rival is None else rival.steps)
        disclosure = self.kind.headlines(self.level).get(Question.WHAT, ())
        for name in self._safety:
            if name not in trial.scores and (name not in disclosure or self.kind.hides(release, self.level)):
                return replace(trial, stopped=f"{name} could not be measured against any attack")
        self._decided[trial.attack] += 1
        return trial

    def _attacks(self, attacker: Attacker, release: Release) -> list[AnyAttack]:
        """Every attack, those that decided most often first; but one-to-one matchings and the like, which take long, after all
        attacks in their default setting, and estimates last."""
        attacks = every_attack(self.registry, self.kind, release.published, attacker)
        return sorted(
            attacks,
            key=lambda attack: (
                isinstance(attack, InformedAttack) and attack.estimates,
                bool(attack.settings()),
                -self._decided[attack.step()],
            ),
        )

    def _attacked(self, trial: Trial, attack: AnyAttack, release: Release, knowledge: object) -> Trial:
        scores, strongest = dict(trial.scores), trial.attack
        try:
            # Each attack has a budget of its own.
            with current().anew().spent():
                guess = attack.attack(release.published, knowledge, generator(self.seed, "attack", attack.step()))
        except NotFinished:
            raise
        except Undefined:
            return trial
        for name, metric in self._safety.items():
            if metric.needs_guess and not isinstance(guess, metric.judges):
                continue
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

    def _better(self, trial: Trial, rivals: Sequence[Trial]) -> Trial | None:
        """A rival that is at least as good in both respects, whatever attacks are still to come."""
        if not rivals or self.headline not in trial.scores:
            return None
        useful, safe = self._useful(trial), self._safe(trial)
        others = (rival for rival in rivals if not rival.stopped)
        return next((rival for rival in others if self._useful(rival) >= useful and self._safe(rival) >= safe), None)

    def _useful(self, trial: Trial) -> float:
        return trial.good(self.kind.headline_utility)

    def _safe(self, trial: Trial) -> float:
        return trial.good(self.headline)


def _spread(families: Sequence[Sequence[AnyAnonymizer]]) -> list[AnyAnonymizer]:
    """The settings of all families in turns: of each its middle, its last, its first, and then the others."""
    ordered = []
    for family in families:
        first = dict.fromkeys((len(family) // 2, len(family) - 1, 0)) if family else {}
        ordered.append([*(family[place] for place in first), *(v for n, v in enumerate(family) if n not in first)])
    turns = max(map(len, ordered), default=0)
    return [family[turn] for turn in range(turns) for family in ordered if turn < len(family)]


def _numbers(steps: Sequence[AnyAnonymizer]) -> Iterator[tuple[int, str, float]]:
    """The numeric parameters of steps that have an effect: position of the step, name and value."""
    for position, step in enumerate(steps):
        for parameter in fields(step):
            value = getattr(step, parameter.name)
            numeric = isinstance(value, int | float) and not isinstance(value, bool)
            if numeric and parameter.name not in step.unused():
                yield position, parameter.name, value


def _changed(
    steps: tuple[AnyAnonymizer, ...], position: int, name: str, value: float
) -> Iterator[tuple[AnyAnonymizer, ...]]:
    """The same steps with another value of a parameter, if it can take that."""
    try:
        varied = replace(steps[position], **{name: round(value, 4)})
    except InputError:
        return
    yield (*steps[:position], varied, *steps[position + 1 :])


def _doubled(steps: tuple[AnyAnonymizer, ...]) -> Iterator[tuple[AnyAnonymizer, ...]]:
    """The same steps with one whole number doubled."""
    for position, name, value in _numbers(steps):
        if isinstance(value, int):
            yield from _changed(steps, position, name, 2 * value)


def _between(
    steps: tuple[AnyAnonymizer, ...], others: Iterable[tuple[AnyAnonymizer, ...]]
) -> Iterator[tuple[AnyAnonymizer, ...]]:
    """Steps halfway to the nearest of others that differ in one numeric parameter alone, for each parameter."""
    others = list(others)
    for position, name, value in _numbers(steps):
        ends = [
            getattr(other[position], name)
            for other in others
            if len(other) == len(steps)
            and type(other[position]) is type(steps[position])
            and isinstance(getattr(other[position], name), int | float)
            and other in _changed(steps, position, name, getattr(other[position], name))
        ]
        if ends:
            middle = (value + min(ends, key=lambda end: abs(end - value))) / 2
            yield from _changed(steps, position, name, int(middle) if isinstance(value, int) else middle)


def _nearby(steps: tuple[AnyAnonymizer, ...]) -> Iterator[tuple[AnyAnonymizer, ...]]:
    """The same steps with one numeric parameter a little smaller or larger."""
    for position, name, value in _numbers(steps):
        for other in (value - 1, value + 1) if isinstance(value, int) else (value * 0.9, value * 1.1):
            yield from _changed(steps, position, name, other)

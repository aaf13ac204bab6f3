"""A release: what it is still worth, and what attackers find."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from icefire.core.attackers import EVERYTHING, Attacker
from icefire.core.errors import DataError, ParameterError, Undefined
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry, Role
from icefire.core.seeds import generator
from icefire.evaluation.assess import assess
from icefire.evaluation.assessment import Assessment, incomplete_attacks
from icefire.evaluation.runs import AttackRun, Outcome
from icefire.study.measure import Measure, Setting, Value


@dataclass(frozen=True)
class Release(Measure):
    """Steps, metrics and attacks.

    Every metric is a quantity of its name; numbers in its detail are quantities, too, such as `dummy_share.dummies`, and so are
    curves over periods. Metrics of guesses have the label `attack`, and for all attacks together `found` by `attacker` and
    `method` (known or unknown), of synthetic tables also `found.rarest tenth`.

    Parameters:
        steps: the anonymizers, in order; none publishes the data as they are, but for names.
        utility: metrics of utility.
        safety: metrics of safety, with and without guesses.
        attacks: attacks by name.
        attackers: how much attackers know of the people.
        strongest: make every attack that there is, and tell what the strongest finds.
        method_known: whether attackers know the steps.
    """

    kinds: ClassVar[tuple[str, ...]] = ("microdata", "history", "trace", "synthetic")

    steps: tuple[str, ...] = ()
    utility: tuple[str, ...] = ()
    safety: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()
    attackers: tuple[str, ...] = (EVERYTHING,)
    strongest: bool = False
    method_known: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.strongest and self.attacks:
            raise ParameterError("The 'strongest' parameter of Release makes every attack: leave 'attacks' out.")

    def check(self, registry: Registry, kind: str) -> None:
        roles: dict[Role, tuple[str, ...]] = {
            "anonymize": self.steps,
            "utility": self.utility,
            "safety": self.safety,
            "attack": self.attacks,
        }
        for role, steps in roles.items():
            for step in steps:
                registry.make(kind, role, step)

    def measure(self, setting: Setting) -> Iterator[Value]:
        registry, kind, original = setting.registry, setting.kind, setting.data
        steps = tuple(registry.make(kind, "anonymize", step) for step in self.steps)
        try:
            release = Pipeline(steps).anonymize(original, generator(setting.seed, "anonymize"))
        except (DataError, Undefined, ParameterError) as error:
            # A release that cannot be made is a finding, not the end of a study.
            yield Value("release", None, note=str(error))
            return
        owner = registry.kind(kind)
        metrics = [registry.make(kind, "safety", step) for step in self.safety]
        if self.strongest and not any(metric.needs_guess for metric in metrics):
            metrics += [metric for metric in registry.safety_metrics(kind) if metric.needs_guess]
        levels = self.attackers if self.attacks or self.strongest else ()
        method = steps if self.method_known else None
        assessment = assess(
            registry,
            owner,
            release,
            [Attacker(owner.known(original, level), level, method) for level in levels],
            attacks=[registry.make(kind, "attack", step) for step in self.attacks],
            utility=[registry.make(kind, "utility", step) for step in self.utility],
            metrics=metrics,
            method=method,
            seed=setting.seed,
        )
        for outcome in [*assessment.utility, *assessment.safety]:
            yield from _values(outcome, {})
        if self.attacks:
            for run in assessment.runs:
                yield from _of_run(run)
        if self.strongest:
            yield from _by_attacker(assessment)


def _by_attacker(judged: Assessment) -> Iterator[Value]:
    for risk in judged.by_attacker():
        labels = {"attacker": risk.level, "method": "known" if risk.method_known else "unknown"}
        attack = "" if risk.method is None else risk.method.step()
        incomplete = incomplete_attacks([run for run in judged.runs if run.level == risk.level])
        note = f"{attack} (at least: {incomplete})" if incomplete else attack
        yield Value("found", risk.found, labels, note)
        rarest = [
            value
            for run in judged.runs
            if run.level == risk.level and (risk.method_known or not run.attack.knows_method)
            if (score := judged.score_of(run)) and isinstance(value := score.detail.get("rarest tenth"), float)
        ]
        if rarest:
            yield Value("found.rarest tenth", max(rarest), labels)


def _of_run(run: AttackRun) -> Iterator[Value]:
    labels = {"attack": run.label, "attacker": run.level}
    if run.guess is None:
        yield Value("guess", None, labels, run.reason)
    for outcome in run.outcomes:
        yield from _values(outcome, labels)


def _values(outcome: Outcome, labels: dict[str, str]) -> Iterator[Value]:
    """A score, the numbers of its detail, and its curves by position."""
    name, score = outcome.method.name, outcome.score
    if score is None:
        yield Value(name, None, labels, outcome.reason)
        return
    yield Value(name, float(score.value), labels)
    for key, held in score.detail.items():
        match held:
            case bool():
                continue
            case int() | float():
                yield Value(f"{name}.{key}", float(held), labels)
            case [*points] if key == "curve":
                for place, point in enumerate(points, start=1):
                    if isinstance(point, int | float):
                        yield Value(f"{name}.{key}", float(point), {**labels, "period": place})
            case {"ratio": float() as ratio}:
                yield Value(f"{name}.{key}", ratio, labels)

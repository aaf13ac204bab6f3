"""Search for releases, and tell of each as it is judged: what `icefire advise` does."""

from __future__ import annotations

from typing import Any

from icefire.core.budget import Budget
from icefire.core.deadline import Deadline
from icefire.core.errors import InputError, Undefined
from icefire.core.kinds import Kind
from icefire.core.pipeline import Pipeline
from icefire.core.roles import AnyUtility
from icefire.core.seeds import generator
from icefire.core.values import Direction, Score
from icefire.desk.tasks.data import REGISTRY, data_of, kind_of, previewed
from icefire.desk.worker import Work
from icefire.evaluation.advice import looked_into
from icefire.evaluation.limits import Limits
from icefire.evaluation.tuning import Requirement, Trial, Tuner, risk_requirements
from icefire.front import Data

VERIFIED = 0.05
"""Share of the minutes that one attack may take when a release is verified."""
SAMPLED = 1000
"""People of whom it is found out whether an analysis can be made at all."""


class _Teller:
    """Tells of every trial once, and again when it was verified."""

    def __init__(self, work: Work) -> None:
        self.work, self.tuner, self.told = work, None, []  # type: tuple[Work, Tuner | None, list[Trial]]

    def __call__(self, label: str) -> None:
        self.tell()
        self.work.tell(now=label)

    def tell(self, verified: bool = False) -> None:
        assert self.tuner is not None
        for place, trial in enumerate(self.tuner.trials):
            if place >= len(self.told):
                self.told.append(trial)
            elif self.told[place] is trial:
                continue
            else:
                self.told[place], verified = trial, True
            self.work.tell(trial=place, **described(trial, self.tuner), verified=verified)
            verified = False


def search(work: Work) -> None:
    kind, given, everybody = kind_of(work), work.arguments, data_of(work)
    data = previewed(everybody, given["seed"])
    limits = Limits(float(given["limit"]))
    wanted = [*risk_requirements(REGISTRY, kind, given["level"], limits), *given.get("requirements", ())]
    wanted += [_bound(kind, name, bound) for name, bound in given.get("analyses", {}).items()]
    minutes, teller = float(given["minutes"]), _Teller(work)
    deadline = Deadline(minutes)
    parsed = [Requirement.parse(text, REGISTRY, kind) for text in wanted]
    _check(parsed, data, kind)
    teller.tuner = tuner = Tuner(REGISTRY, kind, parsed, given["seed"], teller, given["level"], deadline)
    work.tell(planned=tuner.planned(data.original), people=data.original.people, everybody=everybody.original.people)
    with Budget().spent():
        tuner.search(data.original)
    teller.tell()
    work.tell(searched=len(tuner.trials), left_out=list(tuner.left_out), given_up=tuner.given_up)
    with Budget(min(1.0, VERIFIED * minutes)).spent():
        chosen = looked_into(tuner, data.original, minutes)
    teller.tell()
    if not chosen:
        work.tell(notes=kind.notes(data.original.begin(generator(given["seed"]))[0]))
    for name, found in chosen.items():
        others = {level: _found(score) for level, score in found.others.items()}
        place = next(place for place, trial in enumerate(tuner.trials) if trial.steps == found.trial.steps)
        work.tell(suggested=name, trial=place, others=others, lost=list(found.emptied))


def _bound(kind: Kind, name: str, bound: float) -> str:
    """The requirement that an analysis stays this close."""
    metric: AnyUtility = REGISTRY.make(kind.name, "utility", name)
    return f"{metric.name}{'<=' if metric.scale.direction is Direction.LOWER_IS_BETTER else '>='}{bound!r}"


def _check(wanted: list[Requirement], data: Data, kind: Kind) -> None:
    """Say at once which analysis cannot be made of this table: otherwise every release would fail because of it."""
    some = data.original.sample(min(data.original.people, SAMPLED), generator(0))
    release = Pipeline(()).anonymize(some, generator(0))
    for requirement in wanted:
        if requirement.role == "utility":
            metric = REGISTRY.make(kind.name, "utility", requirement.metric)
            try:
                metric.measure(some, release)
            except Undefined as error:
                raise InputError(f"{metric.name} cannot be measured on this table: {error}") from error


def described(trial: Trial, tuner: Tuner) -> dict[str, Any]:
    """A trial as the page draws it: what is left of the use, and what is found."""
    utility, risk = (trial.scores.get(name) for name in (tuner.kind.headline_utility, tuner.headline))
    return {
        "steps": [step.step() for step in trial.steps],
        "summaries": [step.summary() for step in trial.steps],
        "utility": None if utility is None else utility.good,
        "risk": None if risk is None else _found(risk),
        "interval": None if risk is None else _interval(risk),
        "attack": trial.attack,
        "stopped": trial.stopped,
    }


def _found(score: Score) -> float | None:
    return score.scale.shortfall(score.value)


def _interval(score: Score) -> list[float] | None:
    if score.interval is None:
        return None
    ends = [score.scale.shortfall(end) for end in (score.interval.low, score.interval.high)]
    return sorted(end for end in ends if end is not None)

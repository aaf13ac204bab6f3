"""Runs all metrics and attacks of a kind on a release, and finds the worst case.

A metric or an attack that has no value on a release is reported with its reason, never as a number, and does not end the
others. The reason is what it says (`Undefined`, `InputError`), or its fault. A fault of ours is also a `FaultWarning`, so
that it is seen. What is wrong with the settings of a metric that somebody has typed is raised: they can mend it.
"""

from __future__ import annotations

import re
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from icefire.core.attackers import EVERYTHING, Attacker
from icefire.core.budget import current
from icefire.core.data import Original, Release
from icefire.core.documents import JsonObject
from icefire.core.errors import FaultWarning, IcefireError, InputError, NotFinished, OutOfMemory, Undefined
from icefire.core.kinds import Kind
from icefire.core.registry import Registry
from icefire.core.roles import AnyAttack, AnySafety, AnyUtility, Method
from icefire.core.seeds import generator
from icefire.core.values import Direction, Score

Progress = Callable[[str], None]


def silent(_: str) -> None:
    """No-op progress callback."""


@dataclass(frozen=True)
class Outcome:
    """A method, and its score or the reason why it has none."""

    method: Method
    score: Score | None
    reason: str = ""
    failed: bool = False
    """Whether it has no score because it failed, and not because it has none on this release."""

    def as_dict(self) -> JsonObject:
        body: JsonObject = self.score.as_dict() if self.score is not None else {"undefined": self.reason}
        return {"title": self.method.title(), **body}


class Status(Enum):
    """How far an attack came."""

    COMPLETE = "complete"
    NOT_APPLICABLE = "undefined"
    REFUSED = "refused"
    """It does not take data of this size, or not within its budget."""
    INTERRUPTED = "interrupted"
    """It ran out of memory, or a plugin failed."""


@dataclass(frozen=True)
class AttackRun:
    """An attack on a release: its guess (None if there is none, with the reason), and the scores of the guess."""

    attack: AnyAttack
    guess: Any
    seconds: float
    outcomes: tuple[Outcome, ...] = ()
    reason: str = ""
    level: str = EVERYTHING
    """What the attacker knows of the people."""
    status: Status = Status.COMPLETE

    @property
    def incomplete(self) -> bool:
        """Whether it applies to the release, but was not made to its end: it might re-identify people."""
        return self.status in (Status.REFUSED, Status.INTERRUPTED)

    @property
    def label(self) -> str:
        """A short name: `euclid`, `euclid-assignment`, `sa21-income`, `jaccard-no_link`."""
        words = [self.attack.name, *(_word(key, value) for key, value in self.attack.settings().items())]
        return "-".join(re.sub(r"[^\w.]+|^\.+", "_", word) for word in words)


def _word(key: str, value: object) -> str:
    """A setting as a word: its value, or its name if it is boolean."""
    if isinstance(value, bool):
        return key if value else f"no_{key}"
    return str(value)


@dataclass(frozen=True)
class Worst:
    """For one safety metric, the score of the strongest attack."""

    metric: str
    score: Score
    run: AttackRun

    @property
    def attack(self) -> str:
        return self.run.attack.step()

    @property
    def attacker(self) -> str:
        """Who makes that attack, in words."""
        method = "known" if self.run.attack.knows_method else "unknown"
        return f"known of the people: {self.run.level}; method {method}"


def every_attack(registry: Registry, kind: Kind, published: object, attacker: Attacker) -> list[AnyAttack]:
    """Every attack that an attacker can make, in every setting worth trying."""
    attacks = [attack for attack in registry.attacks(kind.name) if attack.uses(attacker.knowledge)]
    return attacker.able([variant for a in attacks for variant in a.variants(published, attacker.knowledge)])


def run_attacks(
    registry: Registry,
    kind: Kind,
    published: object,
    attacker: Attacker,
    seed: int,
    steps: Iterable[str] = (),
    progress: Progress = silent,
) -> list[AttackRun]:
    """Make guesses: by the named attacks, or by every attack in every setting worth trying. The secret is not involved."""
    attacks = chosen_attacks(registry, kind, published, attacker, steps)
    return list(attack_runs(published, attacker, attacks, seed, progress))


def chosen_attacks(
    registry: Registry, kind: Kind, published: object, attacker: Attacker, steps: Iterable[str] = ()
) -> list[AnyAttack]:
    """The named attacks, or every one if none is named."""
    named = [attacker.told(registry.make(kind.name, "attack", step)) for step in steps]
    return named or every_attack(registry, kind, published, attacker)


def attack_runs(
    published: object, attacker: Attacker, attacks: Iterable[AnyAttack], seed: int, progress: Progress = silent
) -> Iterator[AttackRun]:
    """The guesses of these attacks, one after the other."""
    knowledge = attacker.knowledge
    for attack in attacks:
        progress(attack.step())
        begin, status = time.perf_counter(), Status.COMPLETE
        try:
            if not attack.uses(knowledge):
                raise Undefined(f"it is not made for attackers who know {attacker.level!r}")
            with current().anew().spent():
                guess, reason = attack.attack(published, knowledge, generator(seed, "attack", attack.step())), ""
            guess.check(published, knowledge)
        except NotFinished as error:
            guess, reason, status = None, str(error), Status.REFUSED
        except Undefined as error:
            guess, reason, status = None, str(error), Status.NOT_APPLICABLE
        except Exception as error:
            guess, reason, status = None, _reason(attack, error), Status.INTERRUPTED
        seconds = time.perf_counter() - begin
        yield AttackRun(attack, guess, seconds, reason=reason, level=attacker.level, status=status)


def judge_guess(metrics: Iterable[AnySafety], release: Release, guess: object) -> tuple[Outcome, ...]:
    """Every metric of such guesses, on one guess."""
    applicable = [metric for metric in metrics if metric.needs_guess and isinstance(guess, metric.judges)]
    return tuple(_outcome(metric, release, guess) for metric in applicable)


def judge_run(kind: Kind, metrics: Sequence[AnySafety], release: Release, run: AttackRun) -> AttackRun:
    """The run with its scores."""
    if run.guess is None:
        return run
    wanted = kind.measured(run.level)
    chosen = [metric for metric in metrics if wanted is None or metric.name in wanted]
    outcomes = judge_guess(chosen, release, run.guess)
    # A guess that could not be judged might have re-identified people.
    failed = any(outcome.failed for outcome in outcomes)
    return replace(
        run,
        outcomes=outcomes,
        status=Status.INTERRUPTED if failed else run.status,
        reason=next((outcome.reason for outcome in outcomes if outcome.failed), run.reason),
    )


def judge_runs(
    kind: Kind, metrics: Sequence[AnySafety], release: Release, runs: Iterable[AttackRun]
) -> list[AttackRun]:
    """The runs with their scores, the strongest first."""
    return strongest_first(kind, (judge_run(kind, metrics, release, run) for run in runs))


def strongest_first(kind: Kind, runs: Iterable[AttackRun]) -> list[AttackRun]:
    """Judged runs, the strongest by the metrics that decide first."""
    return sorted(runs, key=lambda run: _strength(kind, run), reverse=True)


def worst_cases(runs: Iterable[AttackRun]) -> list[Worst]:
    """The strongest attack decides, metric by metric."""
    found: dict[str, Worst] = {}
    for run in runs:
        for outcome in run.outcomes:
            if outcome.score is None:
                continue
            name, score = outcome.method.name, outcome.score
            if name not in found or score.worse_than(found[name].score):
                found[name] = Worst(name, score, run)
    return list(found.values())


def measure_utility(metrics: Iterable[AnyUtility], original: Original, release: Release) -> list[Outcome]:
    return [_outcome(metric, original, release) for metric in metrics]


def measure_safety(metrics: Iterable[AnySafety], release: Release) -> list[Outcome]:
    """The metrics that need no guess."""
    return [_outcome(metric, release) for metric in metrics if not metric.needs_guess]


def score_of(metric: AnyUtility | AnySafety, *data: object) -> Score:
    """What a metric measures on a release; InputError if that is not a score."""
    try:
        score: object = metric.measure(*data)
    except Exception as error:
        error.add_note(f"This happened in the metric {metric.step()}.")
        raise
    if not isinstance(score, Score):
        raise InputError(f"the metric {metric.name} returned {score!r}: a metric returns self.score(value)")
    return score


def _outcome(metric: AnyUtility | AnySafety, *data: object) -> Outcome:
    try:
        return Outcome(metric, score_of(metric, *data))
    except Exception as error:
        if isinstance(error, InputError) and metric.settings() and not _is_plugin(metric):
            raise
        return Outcome(metric, None, _reason(metric, error), not isinstance(error, Undefined))


def _reason(method: Method, error: Exception) -> str:
    """Why a method has no value. A fault of ours is shown where it happened: it must not pass for a property of the data."""
    if isinstance(error, MemoryError):
        return str(error) or "more memory would be needed than there is"
    if isinstance(error, IcefireError) and (isinstance(error, Undefined | OutOfMemory) or not _is_plugin(method)):
        return str(error)
    if not _is_plugin(method):
        text = "".join(traceback.format_exception(error))
        warnings.warn(f"{method.step()} failed, and the others go on:\n{text}", FaultWarning, stacklevel=2)
    return _failure(error)


def _is_plugin(method: Method) -> bool:
    """Whether somebody else wrote it: then a fault of it must not cost the results of the others."""
    return type(method).__module__.partition(".")[0] != "icefire"


def _failure(error: Exception) -> str:
    """What went wrong, and in which line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"failed: {type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"


def _strength(kind: Kind, run: AttackRun) -> float:
    """A sort key: the higher, the stronger the attack; runs without a score come last."""
    scores = {outcome.method.name: outcome.score for outcome in run.outcomes if outcome.score is not None}
    for names in kind.headlines(run.level).values():
        shares = [scores[name].scale.shortfall(scores[name].value) or 0.0 for name in names if name in scores]
        if shares:
            return max(shares)
    score = next(iter(scores.values()), None)
    if score is None:
        return float("-inf")
    return score.value if score.direction is Direction.LOWER_IS_BETTER else -score.value

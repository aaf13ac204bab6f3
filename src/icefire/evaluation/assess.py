"""The one function that judges a release.

    release, attackers  ->  attacks  ->  guesses  ->  scores  ->  findings  ->  verdict

Commands, Python, the desk, reports and studies are views of what it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from icefire.core.attackers import Attacker
from icefire.core.budget import Budget, current
from icefire.core.errors import DataError, Undefined
from icefire.core.kinds import Kind
from icefire.core.registry import Registry
from icefire.core.roles import AnyAnonymizer, AnyAttack, AnySafety, AnyUtility
from icefire.evaluation.assessment import Assessment, Criterion
from icefire.evaluation.runs import (
    AttackRun,
    Progress,
    attack_runs,
    every_attack,
    judge_run,
    measure_safety,
    measure_utility,
    silent,
    strongest_first,
)

Planned = Sequence[tuple[Attacker, Sequence[AnyAttack]]]
"""The attacks of each attacker."""


@dataclass(frozen=True)
class Other:
    """Another release of the same people."""

    name: str
    published: Any


def count_attacks(planned: Planned) -> int:
    return sum(len(attacks) for _, attacks in planned)


def plan_attacks(
    registry: Registry,
    kind: Kind,
    published: object,
    attackers: Sequence[Attacker],
    named: Sequence[AnyAttack] = (),
) -> Planned:
    """The named attacks of each attacker, or every one if none is named."""
    return [
        (
            attacker,
            [attacker.told(attack) for attack in named] or every_attack(registry, kind, published, attacker),
        )
        for attacker in attackers
    ]


def no_progress(total: int) -> AbstractContextManager[Progress]:
    return nullcontext(silent)


def run_planned(
    published: object,
    planned: Planned,
    seed: int,
    progress: Progress = silent,
    finish: Callable[[AttackRun], AttackRun] = lambda run: run,
) -> list[AttackRun]:
    """The runs of all attacks, each finished before the next; of those before, if somebody ends it by Ctrl-C."""
    runs: list[AttackRun] = []
    try:
        for attacker, attacks in planned:
            # The list grows one by one, so that those before are kept.
            runs.extend(finish(run) for run in attack_runs(published, attacker, attacks, seed, progress))
    except KeyboardInterrupt:
        if not runs:
            raise
    return runs


def assess(
    registry: Registry,
    kind: Kind,
    release: Any,
    attackers: Sequence[Attacker],
    *,
    attacks: Sequence[AnyAttack] = (),
    utility: Sequence[AnyUtility] | None = None,
    metrics: Sequence[AnySafety] | None = None,
    others: Sequence[Other] = (),
    method: Sequence[AnyAnonymizer] | None = None,
    criterion: Criterion | None = None,
    seed: int = 0,
    budget: Budget | None = None,
    progress: Callable[[int], AbstractContextManager[Progress]] = no_progress,
    name: str = "",
    steps: str = "",
    knowledge: str = "",
) -> Assessment:
    """Measure a release, attack it, judge the guesses, and hold what was found against the limits.

    Parameters:
        attackers: who attacks, each with their background knowledge and, if they know it, the method.
        attacks: these attacks alone; every one that an attacker can make if left out. Then the answer is a part of the truth.
        utility: metrics of utility; all that need no parameters if left out.
        metrics: metrics of disclosure risk; likewise.
        others: other releases of the same people that attackers hold.
        method: the steps that made the release, if the attackers know them.
        criterion: whom it must withstand, and how well.
        progress: a context that is entered with the number of attacks, and called with the name of each.
        name: what the release is called.
        steps: what was done to it, to be read.
        knowledge: the file of what attackers know, if it is one.
    """
    with (budget or current()).spent():
        planned = plan_attacks(registry, kind, release.published, attackers, attacks)
        combined, refusal = _combine(kind, release, others)
        more: Planned = ()
        if combined is not None:
            # No step describes cells that several releases have made.
            holders = [
                replace(attacker, knowledge=kind.know_together(attacker.knowledge, combined), method=None)
                for attacker in attackers
            ]
            more = plan_attacks(registry, kind, combined.published, holders, attacks)
        every = () if not attacks else plan_attacks(registry, kind, release.published, attackers)
        with progress(count_attacks(planned) + count_attacks(more)) as step:
            utilities = registry.utility_metrics(kind.name) if utility is None else utility
            risks = registry.safety_metrics(kind.name) if metrics is None else metrics
            measured = measure_utility(utilities, release.original, release), measure_safety(risks, release)
            runs = _judged_runs(kind, risks, release, planned, seed, step)
            number = count_attacks(planned) + _missing(planned, every)
            assessment = Assessment(
                name,
                steps,
                kind,
                release,
                *measured,
                runs,
                knowledge,
                criterion,
                method,
                number,
                {attacker.level: kind.known_columns(attacker.knowledge) for attacker in attackers},
                tuple(other.name for other in others),
                not_combined=refusal,
            )
            if combined is None:
                return assessment
            # What somebody knows who holds the others as well: the same questions again. They need not use the others.
            further = _further_runs(kind, risks, combined, more, seed, step) if len(runs) >= number else []
            every_run, planned_runs = strongest_first(kind, [*runs, *further]), number + count_attacks(more)
            both = replace(assessment, release=combined, runs=every_run, others=(), planned=planned_runs)
            return replace(assessment, combined=both)


def _combine(kind: Kind, release: Any, others: Sequence[Other]) -> tuple[Any, str]:
    """The release together with others, or why that cannot be told."""
    if not others:
        return None, ""
    try:
        return kind.combine(release, [other.published for other in others]), ""
    except (DataError, Undefined) as error:
        return None, str(error)


def _missing(planned: Planned, every: Planned) -> int:
    """How many attacks there are beside those that were asked for."""
    return sum(
        sum(attack not in chosen for attack in possible)
        for (_, chosen), (_, possible) in zip(planned, every, strict=False)
    )


def _judged_runs(
    kind: Kind, metrics: Sequence[AnySafety], release: Any, planned: Planned, seed: int, progress: Progress
) -> list[AttackRun]:
    def judge(run: AttackRun) -> AttackRun:
        scored = judge_run(kind, metrics, release, run)
        # Guesses of millions of rows take much memory, and there are dozens.
        return scored if scored.guess is None else replace(scored, guess=kind.settled(scored.guess, release))

    return strongest_first(kind, run_planned(release.published, planned, seed, progress, judge))


def _further_runs(
    kind: Kind, metrics: Sequence[AnySafety], release: Any, planned: Planned, seed: int, progress: Progress
) -> list[AttackRun]:
    """The same where other attacks were made before: none, if somebody ends it at once."""
    try:
        return _judged_runs(kind, metrics, release, planned, seed, progress)
    except KeyboardInterrupt:
        return []

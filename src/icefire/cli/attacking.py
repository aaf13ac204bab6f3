"""Attacks of a command, one after the other, with progress; those made before are kept if somebody ends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from icefire.cli.output import LONG, duration, progress
from icefire.cli.speech import echo
from icefire.core.attackers import Attacker
from icefire.core.budget import Budget
from icefire.core.kinds import Kind
from icefire.core.memory_bound import GIGABYTE
from icefire.core.roles import AnyAttack
from icefire.evaluation.runs import AttackRun, attack_runs

Planned = Sequence[tuple[Attacker, Sequence[AnyAttack]]]
LARGE = 100_000
"""Number of people from which on it is said beforehand how long it may take, as if it took LONG."""
ENDED = 130
"""Exit code of a command that was ended by Ctrl-C, as shells have it."""


def number_of(planned: Planned) -> int:
    return sum(len(attacks) for _, attacks in planned)


def announce(owner: Kind, data: Any, number: int, fewer: str, budget: float | None = None) -> None:
    """Say beforehand how long attacks will take, and how to make it shorter, if it is long.

    `data` is the original, or what attackers know of it.
    """
    each, room = owner.seconds(data), owner.memory(data)
    whole = number * (each or 0.0)
    if data.people < LARGE and whole < LONG:
        return
    echo(f"{data.people:,} people, {number} attacks; {fewer} makes fewer", err=True)
    most = None if budget is None or not owner.bounded else number * budget * 60
    if each is not None and most is not None:
        # Attacks that need more are sampled, or left out where that cannot be done.
        echo(f"about {duration(min(whole, most / 2))} of processor time, at most {duration(most)} (--budget)", err=True)
    elif each is not None:
        echo(f"about {duration(whole)} of processor time", err=True)
    elif most is not None:
        echo(f"at most about {duration(most)} of processor time (--budget)", err=True)
    if room is not None:
        echo(f"about {room / GIGABYTE:.1f} GB of memory (--memory)", err=True)


def made(
    published: object,
    planned: Planned,
    budget: Budget,
    seed: int,
    quiet: bool,
    finish: Callable[[AttackRun], AttackRun] = lambda run: run,
) -> list[AttackRun]:
    """The runs of all attacks, each finished before the next; of those before, if somebody ends it."""
    runs: list[AttackRun] = []
    with budget.spent(), progress(number_of(planned), quiet) as bar:
        try:
            for attacker, attacks in planned:
                # One by one, so that those before are kept.
                for run in attack_runs(published, attacker, attacks, seed, bar):
                    runs += [finish(run)]
        except KeyboardInterrupt:
            if not runs:
                raise
    return runs

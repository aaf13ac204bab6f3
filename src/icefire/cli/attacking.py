"""Attacks of a command, one after the other, with progress; those made before are kept if somebody ends it."""

from __future__ import annotations

from collections.abc import Sequence

from icefire.cli.output import progress
from icefire.core.attackers import Attacker
from icefire.core.budget import Budget
from icefire.core.roles import AnyAttack
from icefire.core.suite import AttackRun, attack_runs

Planned = Sequence[tuple[Attacker, Sequence[AnyAttack]]]
ENDED = 130
"""Exit code of a command that was ended by Ctrl-C, as shells have it."""


def number_of(planned: Planned) -> int:
    return sum(len(attacks) for _, attacks in planned)


def made(published: object, planned: Planned, budget: Budget, seed: int, quiet: bool) -> list[AttackRun]:
    """The runs of all attacks; of those before, if somebody ends it."""
    runs: list[AttackRun] = []
    with budget.spent(), progress(number_of(planned), quiet) as bar:
        try:
            for attacker, attacks in planned:
                # One by one, so that those before are kept.
                for run in attack_runs(published, attacker, attacks, seed, bar):
                    runs += [run]
        except KeyboardInterrupt:
            if not runs:
                raise
    return runs


def left_out(runs: Sequence[AttackRun], planned: int) -> str:
    """Which attacks were not made to the end, if any."""
    if len(runs) < planned:
        return f"ended by hand after {len(runs)} of {planned} attacks: the others may find more"
    if ended := [run for run in runs if run.ended]:
        first = f"{ended[0].attack.step()}: {ended[0].reason}"
        return f"{len(ended)} of {planned} attacks did not come to their end and may find more ({first})"
    return ""

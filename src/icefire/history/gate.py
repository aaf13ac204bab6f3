"""The release gate: decides whether a release may be published, given all earlier releases.

For each new period, all attacks are run on everything released up to then, with maximum knowledge and with the knowledge of
each weaker attacker. These attackers do not know the method. The result is MM(l), the share of existing pseudonyms that were
found. The largest MM(l) is EMM, which must not exceed the limit. A release whose pseudonym table looks false is refused, since
all of this is measured by it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypedDict

from icefire.core.attackers import Attacker
from icefire.core.budget import Budget
from icefire.core.errors import Undefined
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.core.values import Score
from icefire.evaluation.assessment import incomplete_attacks
from icefire.evaluation.runs import AttackRun, Progress, every_attack, run_attacks
from icefire.history.attackers import limited
from icefire.history.data import Guess, Release
from icefire.history.ledger import Curves, Entry
from icefire.history.safety._cells import month_matching_curve
from icefire.history.safety.false_owners import FalseOwners


class Limits(TypedDict, total=False):
    """Limits of an attacker's knowledge, as parameters of `limited`."""

    share: float
    records: int


ATTACKERS: dict[str, Limits] = {
    "everything": {},
    "half": {"share": 0.5},
    "three records": {"records": 3},
    "one record": {"records": 1},
}
"""Attackers by their knowledge of the original records. The first has maximum knowledge."""


@dataclass(frozen=True)
class Point:
    """MM(l) of the strongest attack after the release of a period."""

    period: str
    value: float
    attack: str


@dataclass(frozen=True)
class Verdict:
    """The decision on a release, with MM(l) by attacker."""

    limit: float
    curves: dict[str, list[Point]]
    new: tuple[str, ...]
    """The periods that this release adds."""
    claims: Score | None = None
    """How many owners in the pseudonym table look false; None if that cannot be said."""
    unfinished: str = ""
    """Which attacks were not made to their end, in words."""

    @property
    def worst(self) -> tuple[str, Point]:
        """The largest MM(l), and its attacker."""
        points = ((name, point) for name, curve in self.curves.items() for point in curve)
        return max(points, key=lambda entry: entry[1].value)

    @property
    def emm(self) -> float:
        return self.worst[1].value

    @property
    def believed(self) -> bool:
        """Whether the pseudonym table may be true."""
        return self.claims is None or not self.claims.detail["flagged"]

    @property
    def passes(self) -> bool:
        return self.emm <= self.limit and self.believed and not self.unfinished

    def entry_curves(self) -> Curves:
        """The measurements of the new periods, for the ledger."""
        return {
            name: {p.period: {"value": p.value, "attack": p.attack} for p in curve if p.period in self.new}
            for name, curve in self.curves.items()
        }


def judge(
    registry: Registry,
    past: list[Entry],
    everything: Release,
    new: tuple[str, ...],
    limit: float,
    seed: int,
    progress: Progress,
) -> Verdict:
    """Measure MM(l) of the new periods; that of earlier periods is taken from the ledger.

    `everything` is the combination of all earlier releases and the new one.
    """
    curves: dict[str, list[Point]] = {}
    every_run: list[AttackRun] = []
    labels = everything.original.periods.labels
    for name, limits in ATTACKERS.items():
        recorded = [entry.curves.get(name, {}) for entry in past]
        curve = [Point(period, mm["value"], mm["attack"]) for part in recorded for period, mm in part.items()]
        for period in new:

            def step(_: str, now: str = f"{period}: attacker who knows {name}") -> None:
                progress(now)

            # A decision needs all attacks on all people, however long they take.
            with Budget(math.inf).spent():
                part = everything.until(labels.index(period) + 1)
                runs = _attack_as(registry, part, period, name, limits, seed, step)
            curve.append(_strongest(part, period, runs))
            # Dozens of guesses would stay in memory.
            every_run += [replace(run, guess=None) for run in runs]
        curves[name] = curve
    return Verdict(limit, curves, new, _claims(everything), incomplete_attacks(every_run))


def number_of_attacks(registry: Registry, everything: Release, new: tuple[str, ...], seed: int) -> int:
    """How many attacks `judge` makes, at most: in early periods there may be fewer settings to try."""
    kind, number = registry.kind("history"), 0
    for name, limits in ATTACKERS.items():
        knowledge = limited(everything.original, generator(seed, "gate", name, new[-1]), **limits)
        number += len(every_attack(registry, kind, everything.published, Attacker(knowledge)))
    return len(new) * number


def _claims(release: Release) -> Score | None:
    try:
        return FalseOwners().measure(release)
    except Undefined:
        return None


def _attack_as(
    registry: Registry,
    release: Release,
    period: str,
    name: str,
    limits: Limits,
    seed: int,
    progress: Progress,
) -> list[AttackRun]:
    """All attacks of one attacker on what was released up to a period."""
    knowledge = limited(release.original, generator(seed, "gate", name, period), **limits)
    kind, attacker = registry.kind("history"), Attacker(knowledge)
    return run_attacks(registry, kind, release.published, attacker, seed, (), progress)


def _strongest(release: Release, period: str, runs: list[AttackRun]) -> Point:
    scores = [(_month_matching(release, run.guess), run.attack.step()) for run in runs if run.guess is not None]
    value, attack = max(scores, default=(0.0, "-"))
    return Point(period, value, attack)


def _month_matching(release: Release, guess: Guess) -> float:
    """MM over all periods of the release; 0 if it has no pseudonyms."""
    return month_matching_curve(release, guess)[-1] or 0.0

"""The release gate: may this release go out, given all that went out before?

For every new period the whole attack suite is run on everything released up to then, once with maximum knowledge and
once for each weaker attacker, and judged by MM(l), the share of existing pseudonyms found. The largest MM(l) so far is
EMM, and that must not exceed the limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.core.suite import Progress, run_attacks
from icefire.history.attackers import limited
from icefire.history.data import Guess, Release
from icefire.history.ledger import Curves, Entry
from icefire.history.safety._cells import month_matching_curve

ATTACKERS: dict[str, dict[str, Any]] = {
    "everything": {},
    "half": {"share": 0.5},
    "three records": {"records": 3},
    "one record": {"records": 1},
}
"""Who attacks, and what of the original records they know. The first is the attacker of maximum knowledge."""


@dataclass(frozen=True)
class Point:
    """MM(l): what the strongest attack found at the moment of one release."""

    period: str
    value: float
    attack: str


@dataclass(frozen=True)
class Verdict:
    """May it go out?"""

    limit: float
    curves: dict[str, list[Point]]
    new: tuple[str, ...]
    """The periods that this release adds."""

    @property
    def worst(self) -> tuple[str, Point]:
        """The attacker and the moment of the largest MM(l)."""
        return max(
            ((name, point) for name, curve in self.curves.items() for point in curve), key=lambda one: one[1].value
        )

    @property
    def emm(self) -> float:
        return self.worst[1].value

    @property
    def passes(self) -> bool:
        return self.emm <= self.limit

    def entry_curves(self) -> Curves:
        """What the ledger keeps of the new periods."""
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
    """Run the suite on everything released so far and on all that will have been released with the new periods."""
    curves: dict[str, list[Point]] = {}
    labels = everything.original.periods.labels
    for name, limits in ATTACKERS.items():
        recorded = [entry.curves.get(name, {}) for entry in past]
        curve = [Point(period, one["value"], one["attack"]) for part in recorded for period, one in part.items()]
        for period in new:
            progress(f"{period}: attacker who knows {name}")
            curve.append(_point(registry, everything.until(labels.index(period) + 1), period, name, limits, seed))
        curves[name] = curve
    return Verdict(limit, curves, new)


def _point(registry: Registry, release: Release, period: str, name: str, limits: dict[str, Any], seed: int) -> Point:
    knowledge = limited(release.original, generator(seed, "gate", name, period), **limits)
    runs = run_attacks(registry, registry.kind("history"), release.published, knowledge, seed)
    found = [(_now(release, run.guess), run.attack.step()) for run in runs if run.guess is not None]
    value, attack = max(found, default=(0.0, "-"))
    return Point(period, value, attack)


def _now(release: Release, guess: Guess) -> float:
    """MM over all periods up to now; 0 where nobody has been released yet."""
    return month_matching_curve(release, guess)[-1] or 0.0

"""What metrics share that compare members with the control group."""

from __future__ import annotations

from icefire.core.documents import Json
from icefire.core.intervals import excess
from icefire.core.values import Interval, Score
from icefire.synthetic.data import Floats, Mask, Release
from icefire.synthetic.roles import Safety
from icefire.synthetic.safety._rarest import of_rarest


def excess_of(hits: Floats, members: Mask) -> tuple[float, Interval]:
    """How much more often members are hit than others."""
    inside, outside = hits[members], hits[~members]
    return excess(float(inside.sum()), inside.size, float(outside.sum()), outside.size)


def compared(metric: Safety, release: Release, hits: Floats, detail: dict[str, Json] | None = None) -> Score:
    """The score of hits, [candidate]: how much more often members are hit. The rarest tenth of the people is in the detail."""
    members = release.original.membership
    value, interval = excess_of(hits, members)
    told: dict[str, Json] = {"members": float(hits[members].mean()), "others": float(hits[~members].mean())}
    told |= of_rarest(release.original, lambda rare: excess_of(hits[rare], members[rare]))
    return floored(metric, value, interval, float(hits[members].sum()), {**told, **(detail or {})})


def floored(metric: Safety, value: float, interval: Interval, found: float, detail: dict[str, Json]) -> Score:
    """A score in which less than chance counts as chance."""
    value = max(0.0, value)
    return metric.score(value, Interval(max(0.0, interval.low), max(value, interval.high)), found, detail)

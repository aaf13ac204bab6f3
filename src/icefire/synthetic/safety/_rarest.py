"""What metrics say of the rarest tenth of the people."""

from __future__ import annotations

from collections.abc import Callable

from icefire.core.documents import Json
from icefire.core.values import Interval
from icefire.synthetic.data import Mask, People

TENTH, INTERVAL = "rarest tenth", "interval of the rarest tenth"


def of_rarest(
    people: People, measured: Callable[[Mask], tuple[float, Interval]], among: Mask | None = None, least: float = 0.0
) -> dict[str, Json]:
    """The value of some candidates, [candidate], and its interval, for the rarest tenth; nothing if it has no members or
    nobody else. `among` says who is looked at at all; `least` is what less counts as."""
    rare = people.rare if among is None else people.rare & among
    members = people.membership[rare]
    if not members.any() or members.all():
        return {}
    value, interval = measured(rare)
    return {TENTH: max(least, value), INTERVAL: [max(least, interval.low), max(least, interval.high)]}

"""How much better members are singled out than others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from icefire.core.documents import Json
from icefire.core.intervals import excess
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.synthetic.data import Guess, Release
from icefire.synthetic.hits import singled_out
from icefire.synthetic.roles import Safety
from icefire.synthetic.safety._excess import excess_of, floored
from icefire.synthetic.safety._rarest import of_rarest


@dataclass(frozen=True)
class SinglingOut(Safety):
    """How much more often a predicate is fulfilled by one member alone than by one of as many others, of what is left.

    (p - q) / (1 - q), where p is the share of the predicates that single out a member and q the share of those that single out
    somebody of the control group. The detail has the shares, and of the rarest tenth of the people how much more members than
    others are singled out by some predicate.

    Example:
        >>> import polars as pl
        >>> from icefire.synthetic.data import Condition, Guess, People, Release
        >>> people = People(pl.DataFrame({"a": [1, 2]}), pl.DataFrame({"a": [3, 4]}))
        >>> guess = Guess(predicates=((Condition("a", "=", 1.0),), (Condition("a", ">=", 4.0),)))
        >>> SinglingOut().measure(Release(people, people.members), guess).detail
        {'members': 0.5, 'others': 0.5}

    Reference:
        Cohen, Nissim: Towards formalizing the GDPR's notion of singling out. 2020.
    """

    needs_guess: ClassVar[bool] = True
    scale: ClassVar[Scale] = BAD_SHARE

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        found = singled_out(release, guess)
        members, others = found.members, found.others
        value, interval = excess(float(members.sum()), members.size, float(others.sum()), others.size)
        detail: dict[str, Json] = {"members": float(members.mean()), "others": float(others.mean())}
        inside = release.original.membership
        detail |= of_rarest(release.original, lambda rare: excess_of(found.people[rare], inside[rare]), found.among)
        return floored(self, value, interval, float(members.sum()), detail)

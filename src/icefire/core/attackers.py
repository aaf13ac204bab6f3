"""Attackers: what they know of the people, and whether they know the method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from icefire.core.roles import AnyAnonymizer, AnyAttack, InformedAttack

EVERYTHING = "all"


@dataclass(frozen=True)
class Attacker:
    """Somebody who attacks a release. The strongest attack of each attacker decides what they find."""

    knowledge: Any
    """What they hold of the people."""
    level: str = EVERYTHING
    """The name of how much that is."""
    method: tuple[AnyAnonymizer, ...] | None = None
    """The steps that made the release, with their parameters, if they know them; never the seed."""

    def able(self, attacks: Sequence[AnyAttack]) -> list[AnyAttack]:
        """The attacks that they can make; those that need the method are told it."""
        told = [self.told(attack) for attack in attacks]
        return [attack for attack in told if self.method is not None or not attack.knows_method]

    def told(self, attack: AnyAttack) -> AnyAttack:
        if isinstance(attack, InformedAttack) and self.method is not None:
            return attack.knowing(self.method)
        return attack

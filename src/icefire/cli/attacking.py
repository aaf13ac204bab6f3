"""What commands that attack say beforehand."""

from __future__ import annotations

from typing import Any

from icefire.cli.output import LONG, duration
from icefire.cli.speech import echo
from icefire.core.kinds import Kind
from icefire.core.memory_bound import GIGABYTE

LARGE = 100_000
"""Number of people from which on it is said beforehand how long it may take, as if it took LONG."""
ENDED = 130
"""Exit code of a command that was ended by Ctrl-C, as shells have it."""


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

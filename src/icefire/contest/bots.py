"""Bots: teams that are played by the program, through the same methods as people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from icefire.contest.admission import LONGEST_METHOD
from icefire.contest.engine import Contest
from icefire.contest.state import Place
from icefire.contest.uploads import pack


def defend(contest: Contest, place: Place, steps: Sequence[str], rng: np.random.Generator) -> str:
    """Upload a release of the data that a team was dealt, and return the id of the upload."""
    files = contest.game().bot_release(contest.downloads.problem(place), steps, rng)
    return contest.uploads.release(place.team, place.dataset, pack(files), _said(", ".join(steps)))


def attack(contest: Contest, team: str, target: Place, step: str, rng: np.random.Generator) -> str:
    """Upload a team's guess at another team's release, and return the id of the upload."""
    files = contest.game().bot_guess(contest.downloads.handout(target, team), step, rng)
    return contest.uploads.guess(team, target.team, target.dataset, pack(files), _said(step))


def _said(steps: str) -> str:
    """What the audience is told of the steps: as much as there is room for.

    >>> _said("noise, " * 20)[-8:]
    'noise...'
    """
    if len(steps) <= LONGEST_METHOD:
        return steps
    return steps[: LONGEST_METHOD - 3].rpartition(", ")[0] + "..."

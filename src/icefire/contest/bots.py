"""What bots do in a contest: through the same doors as people, with the files that people get."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from icefire.contest.engine import Contest
from icefire.contest.uploads import pack


def defend(contest: Contest, round: int, team: str, set: str, steps: Sequence[str], rng: np.random.Generator) -> None:
    """Make a release of the team's problem and send it in."""
    made = contest.game().bot_release(contest.problem(round, team, set), steps, rng)
    contest.upload_release(team, set, pack(made))


def attack(contest: Contest, round: int, team: str, target: str, set: str, step: str, rng: np.random.Generator) -> None:
    """Answer to another team's release."""
    guess = contest.game().bot_guess(contest.handout(round, target, set, team), step, rng)
    contest.upload_guess(team, target, set, pack(guess))

"""All jobs that a state asks for."""

from __future__ import annotations

from icefire.contest.jobs.base import Job
from icefire.contest.jobs.entries import Enter
from icefire.contest.jobs.problems import Deal, Reveal
from icefire.contest.jobs.releases import Baseline, Publish
from icefire.contest.jobs.uploads import Measure, ScoreGuess
from icefire.contest.state import State

JOBS: tuple[type[Job], ...] = (Deal, Enter, Measure, ScoreGuess, Publish, Baseline)
"""In the order in which they are run."""


def due(state: State) -> list[Job]:
    """All jobs that a state asks for. A seed is revealed when nothing else is to do."""
    if state.config is None:
        return []
    jobs = [job for kind in JOBS for job in kind.due(state)]
    return jobs or list(Reveal.due(state))

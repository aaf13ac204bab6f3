"""The few releases of a search that are worth looking at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from icefire.core.data import Original
from icefire.core.deadline import Deadline, TimeUp
from icefire.core.errors import Undefined
from icefire.core.values import Score
from icefire.evaluation.tuning import Ended, Trial, Tuner

OTHERS = 0.5
"""Share of the minutes of the search that the attacks of the other attackers may take."""
MOST = 8
"""Releases that are verified at most."""


@dataclass(frozen=True)
class Suggestion:
    """A release worth looking at."""

    trial: Trial
    verified: bool
    others: dict[str, Score] = field(default_factory=dict)
    """What other attackers find, by level; those that were not tried are missing."""
    row: Mapping[str, str] = field(default_factory=dict)
    """The first published row."""
    emptied: tuple[str, ...] = ()
    """Columns that tell nothing any more."""


def looked_into(tuner: Tuner, original: Original, minutes: float) -> dict[str, Suggestion]:
    """The releases worth looking at, verified, and what else there is to know about them."""
    if tuner.ended is Ended.HAND:
        return {name: Suggestion(trial, False) for name, trial in worth_looking_at(tuner).items()}
    verified: list[Trial] = []
    found: dict[str, Suggestion] = {}
    try:
        while waiting := [trial for trial in worth_looking_at(tuner).values() if trial not in verified]:
            if len(verified) >= MOST:
                break
            verified.append(tuner.verify(waiting[0], original))
        chosen = worth_looking_at(tuner, verified)
        found = {name: Suggestion(trial, True) for name, trial in chosen.items()}
        deadline = Deadline(OTHERS * minutes)
        for name, trial in chosen.items():
            found[name] = _described(tuner, trial, original, deadline)
    except KeyboardInterrupt:
        tuner.ended = Ended.HAND
        found = found or {name: Suggestion(trial, trial in verified) for name, trial in worth_looking_at(tuner).items()}
    return found


def _described(tuner: Tuner, trial: Trial, original: Original, deadline: Deadline) -> Suggestion:
    release = tuner.release(trial.steps, original)
    others: dict[str, Score] = {}
    for level in tuner.kind.levels_of(original):
        if level == tuner.level:
            continue
        try:
            with deadline.kept():
                others[level] = tuner.worst_case(release, trial.steps, original, level)
        except (TimeUp, Undefined):
            continue
    row, emptied = tuner.kind.preview(release.published), tuple(tuner.kind.emptied(release))
    return Suggestion(trial, True, others, row, emptied)


def worth_looking_at(tuner: Tuner, among: list[Trial] | None = None) -> dict[str, Trial]:
    """Of the frontier, both ends and the release that lies farthest from the line between them."""
    frontier = [trial for trial in tuner.frontier() if trial.steps and (among is None or trial in among)]
    if not frontier:
        return {}
    first, last = frontier[0], frontier[-1]
    chosen = {"most useful": first}
    scores = [(t.good(tuner.kind.headline_utility), t.good(tuner.headline)) for t in frontier]
    spans = [abs(scores[-1][axis] - scores[0][axis]) or 1.0 for axis in (0, 1)]
    # Share of the way to the safest that is gone, and share of the use that it costs.
    gains = [(safe - scores[0][1]) / spans[1] - (scores[0][0] - useful) / spans[0] for useful, safe in scores]
    middle = frontier[max(range(len(frontier)), key=lambda place: gains[place])]
    if middle not in (first, last):
        chosen["good value"] = middle
    if last is not first:
        chosen["safest"] = last
    return chosen

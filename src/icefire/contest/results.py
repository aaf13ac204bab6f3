"""What a round has measured, as far as a viewer may know it. Feedback during the attack is limited here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from icefire.contest.measures import Measures, scores
from icefire.contest.rules import Results
from icefire.contest.state import Place, Stage, State, Target
from icefire.core.values import Score

Viewer: TypeAlias = str
"""public, operator, or team:ID."""
OPERATOR = "operator"
BANDS = 10


def results(state: State, round_index: int, viewer: Viewer = OPERATOR) -> Results:
    """The scores of releases that count, and of the attacks on them."""
    counted = {
        place: upload
        for place, upload in state.releases.items()
        if place.round_index == round_index and not state.invalid(place) and not state.withdrawn(place.team)
    }
    releases = {
        (place.team, place.dataset): scores(state.uploads[upload].measures) for place, upload in counted.items()
    }
    exact = shows_guesses(state, round_index, viewer)
    # No team can have an id that begins with a star.
    baselines = {Target(place, f"*{attack}"): cell for (place, attack), cell in state.baselines.items()}
    cells = _cells(baselines, counted)
    guesses = {target: cell for target, cell in state.guesses.items() if not state.withdrawn(target.attacker)}
    if exact or state.contest.scoring.feedback == "band":
        found = _cells(guesses, counted)
        cells |= found if exact else {key: _banded(score) for key, score in found.items()}
    return Results(tuple(sorted(team.id for team in state.active)), state.contest.sets, releases, cells)


def shows_guesses(state: State, round_index: int, viewer: Viewer) -> bool:
    """Whether a viewer sees the exact scores of guesses."""
    return (
        viewer == OPERATOR or Stage(round_index, "attack") in state.closed or state.contest.scoring.feedback == "exact"
    )


def _cells(attacks: Mapping[Target, Measures], counted: Mapping[Place, str]) -> dict[tuple[str, str, str, str], Score]:
    return {
        (place.team, place.dataset, attacker, task): score
        for (place, attacker), cell in attacks.items()
        if place in counted
        for task, score in scores(cell).items()
    }


def _banded(score: Score) -> Score:
    """A score rounded to tenths, with nothing else that would tell more."""
    return replace(score, value=round(score.value * BANDS) / BANDS, interval=None, found=None)

"""What a round has measured, as far as a viewer may know it. Feedback during the attack is limited here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from icefire.contest.measures import Measures, scores
from icefire.contest.rules import Results
from icefire.contest.state import Place, Stage, State, Target, Upload
from icefire.core.values import Interval, Score

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
    # A release that was replaced a moment ago has not been attacked.
    shown = {
        place: upload
        for place, upload in counted.items()
        if place not in state.published or state.published[place].upload == upload
    }
    cells = _cells(baselines, shown)
    guesses = {target: cell for target, cell in state.guesses.items() if not state.withdrawn(target.attacker)}
    if exact or state.contest.scoring_of(round_index).feedback == "band":
        found = _cells(guesses, shown)
        cells |= found if exact else {key: _banded(score) for key, score in found.items()}
    teams = tuple(sorted(team.id for team in state.active))
    return Results(teams, state.contest.sets_of(round_index), releases, cells)


def shows_guesses(state: State, round_index: int, viewer: Viewer) -> bool:
    """Whether a viewer sees the exact scores of guesses."""
    closed = Stage(round_index, "attack") in state.closed
    return viewer == OPERATOR or closed or state.contest.scoring_of(round_index).feedback == "exact"


def own_measures(state: State, upload: Upload) -> Measures:
    """What a team may know of the scores of its upload: of a guess as much as everybody does of all guesses."""
    index = upload.place.round_index
    if upload.kind == "release" or shows_guesses(state, index, f"team:{upload.team}"):
        return upload.measures
    if state.contest.scoring_of(index).feedback == "band":
        return {task: _banded(score) for task, score in scores(upload.measures).items()}
    return {}


def _cells(attacks: Mapping[Target, Measures], counted: Mapping[Place, str]) -> dict[tuple[str, str, str, str], Score]:
    return {
        (place.team, place.dataset, attacker, task): score
        for (place, attacker), cell in attacks.items()
        if place in counted
        for task, score in scores(cell).items()
    }


def _banded(score: Score) -> Score:
    """A score rounded to tenths, between whose bounds the exact one certainly lies, with nothing that would tell more."""
    low, high = sorted((score.scale.best, score.scale.worst))
    value, half = round(score.value * BANDS) / BANDS, 0.5 / BANDS
    bounds = Interval(max(low, round(value - half, 3)), min(high, round(value + half, 3)), confidence=1.0)
    return replace(score, value=value, interval=bounds, found=None)

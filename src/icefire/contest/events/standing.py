"""Where a release stands between utility and safety, for the story."""

from __future__ import annotations

from icefire.contest.events.base import Item
from icefire.contest.results import results
from icefire.contest.state import Place, State
from icefire.core.values import Score


def standing(state: State, place: Place) -> Item:
    """The first utility metric that has a value, and what the strongest attack has left; nothing if it does not count."""
    metric, worth, safety = _scores(state, place)
    return {"metric": metric, "worth": _document(worth), "safety": _document(safety)}


def attacked(before: State, after: State, place: Place, attacker: str) -> Item:
    """An attack that has lowered the safety of a release, or that it has held against."""
    was, now = _scores(before, place)[2], _scores(after, place)[2]
    return {
        "what": "lowered" if _lowered(was, now) else "held",
        "attacker": attacker,
        "team": place.team,
        "set": place.dataset,
        "before": _document(was),
        **standing(after, place),
    }


def _scores(state: State, place: Place) -> tuple[str | None, Score | None, Score | None]:
    found = results(state, place.round_index, "public")
    release = found.releases.get((place.team, place.dataset))
    if release is None:
        return None, None, None
    dataset = state.contest.dataset(place.dataset)
    metric = next((step for step in dataset.utility if step in release), None)
    worst: Score | None = None
    for score in found.attacks(place.team, place.dataset, dataset.tasks[0].name):
        worst = score if worst is None or score.worse_than(worst) else worst
    return metric, None if metric is None else release[metric], worst


def _lowered(before: Score | None, after: Score | None) -> bool:
    """Whether less is left. Before its first attack a release is as safe as can be."""
    if after is None:
        return False
    return after.value != after.scale.best if before is None else after.worse_than(before)


def _document(score: Score | None) -> Item | None:
    return None if score is None else score.as_dict(detail=False)

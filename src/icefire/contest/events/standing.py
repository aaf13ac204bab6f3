"""Where a release stands between utility and safety, for the story."""

from __future__ import annotations

from icefire.contest.events.base import Item
from icefire.contest.results import OPERATOR, Viewer, results
from icefire.contest.rules import Results
from icefire.contest.state import Place, State
from icefire.core.values import Score


def standing(state: State, place: Place) -> Item:
    """The first utility metric that has a value, and what the strongest attack has left; nothing if it does not count."""
    return _standing(state, place, results(state, place.round_index, "public"))


def attacked(before: State, after: State, place: Place, attacker: str, viewer: Viewer = "public") -> Item:
    """An attack, what it leaves by itself, and whether that has lowered the safety of a release or others left as little."""
    found = results(after, place.round_index, viewer)
    _, was = _strongest(before, place, results(before, place.round_index, viewer))
    _, now = _strongest(after, place, found)
    return {
        "what": "lowered" if _lowered(was, now) else "held",
        "attacker": attacker,
        "team": place.team,
        "set": place.dataset,
        "before": _document(was),
        "left": _document(found.cells.get((place.team, place.dataset, attacker, _task(after, place)))),
        **_standing(after, place, found),
    }


def unveiled(state: State, team: str) -> list[Item]:
    """A team's releases in the latest round as they stand in the end, each with the strongest attack on it."""
    last = max((place.round_index for place in state.releases), default=0)
    found = results(state, last, OPERATOR)
    places = [Place(last, team, dataset.name) for dataset in state.contest.sets_of(last)]
    items: list[Item] = []
    for place in places:
        if (team, place.dataset) in found.releases:
            by, _ = _strongest(state, place, found)
            items.append(
                {"set": place.dataset, "attacker": by, **_standing(state, place, found), **_told(state, place, by)}
            )
    return items


def _told(state: State, place: Place, attacker: str | None) -> Item:
    """What an attacker has told about the method of the latest answer to a release."""
    answers = [upload for upload in state.uploads.values() if upload.kind == "guess" and upload.team == attacker]
    methods = [upload.method for upload in answers if upload.attacked == place and upload.method]
    return {"method": methods[-1]} if methods else {}


def _task(state: State, place: Place) -> str:
    return state.contest.dataset(place.dataset).tasks[0].name


def _standing(state: State, place: Place, found: Results) -> Item:
    release = found.releases.get((place.team, place.dataset), {})
    metric = next((step for step in state.contest.dataset(place.dataset).utility if step in release), None)
    worth = None if metric is None else release[metric]
    _, safety = _strongest(state, place, found)
    return {"metric": metric, "worth": _document(worth), "safety": _document(safety)}


def _strongest(state: State, place: Place, found: Results) -> tuple[str | None, Score | None]:
    """Who has left least of the safety of a release that counts, and how much that is."""
    by, worst = None, None
    if (place.team, place.dataset) in found.releases:
        wanted = place.team, place.dataset, _task(state, place)
        for (team, dataset, attacker, task), score in found.cells.items():
            if (team, dataset, task) == wanted and (worst is None or score.worse_than(worst)):
                by, worst = attacker, score
    return by, worst


def _lowered(before: Score | None, after: Score | None) -> bool:
    """Whether less is left. Before its first attack a release is as safe as can be."""
    if after is None:
        return False
    return after.value != after.scale.best if before is None else after.worse_than(before)


def _document(score: Score | None) -> Item | None:
    return None if score is None else score.as_dict(detail=False)

"""What has happened, told one thing at a time, as the public may hear it. Words are made where they are read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from icefire.contest.board import results, told_all
from icefire.contest.events import Event
from icefire.contest.state import State, apply

Item = dict[str, Any]
PLAIN = ("paused", "resumed", "frozen", "thawed", "finalized")


class Story:
    """Follows a log and keeps what there is to tell, in the order in which the public may hear it.

    What happens after the freeze is held back until the thaw, but for the ceremony itself. Numbers are those of telling, so
    that whoever has heard up to one of them misses nothing afterwards.
    """

    def __init__(self) -> None:
        self.state = State()
        self._told: list[Item] = []
        self._held: list[Item] = []

    def follow(self, events: Iterable[Event]) -> None:
        """Take in some more events."""
        for event in events:
            before, self.state = self.state, apply(self.state, event)
            item = _told(before, self.state, event)
            if item is None:
                continue
            item = {"at": event.at, **item}
            if self.state.frozen is not None and event.what not in ("frozen", "unveiled"):
                self._held.append(item)
                continue
            for one in [*self._held, item] if self.state.frozen is None else [item]:
                self._told.append({"id": len(self._told) + 1, **one})
            if self.state.frozen is None:
                self._held = []

    def public(self, after: int = 0) -> list[Item]:
        """What the public may hear, from a number on."""
        return self._told[after:]


def _told(before: State, after: State, event: Event) -> Item | None:
    data = event.data
    if event.what in PLAIN:
        return {"what": event.what}
    if event.what in ("phase_opened", "phase_closed"):
        return {"what": event.what, "round": after.contest.rounds[data["round"]].name, "phase": data["phase"]}
    if event.what == "rescheduled":
        return {"what": "rescheduled"}
    if event.what == "team_added":
        return {"what": "joined", "team": data["team"]}
    if event.what == "accepted":
        upload = after.uploads[data["upload"]]
        return {
            "what": "released",
            "team": upload.team,
            "set": upload.set,
            **_point(after, upload.round, upload.team, upload.set),
        }
    if event.what == "ruled":
        return {"what": "ruled", "team": data["team"], "set": data["set"], "decision": data["decision"]}
    if event.what == "unveiled":
        return {"what": "unveiled", "place": data["place"]}
    if event.what == "baseline_scored":
        return _lowered(before, after, data["round"], data["team"], data["set"], f"*{data['attack']}")
    if event.what == "guess_scored":
        one = after.uploads[data["upload"]]
        if not told_all(after, one.round, "public") and after.contest.scoring.feedback == "none":
            return {"what": "answered", "attacker": one.team, "team": one.target, "set": one.set}
        return _lowered(before, after, one.round, str(one.target), one.set, one.team)
    return None


def _lowered(before: State, after: State, round: int, team: str, name: str, attacker: str) -> Item | None:
    """An attack, and what it has left of a release; a baseline is worth a word only if it has changed something."""
    was, now = (_point(state, round, team, name) for state in (before, after))
    item = {"attacker": attacker, "team": team, "set": name, "before": was.get("safety"), **now}
    if was.get("safety") == now.get("safety"):
        return {"what": "held", **item} if attacker in after.teams else None
    return {"what": "lowered", **item}


def _point(state: State, round: int, team: str, name: str) -> dict[str, Any]:
    """Where a release stands between worth and safety: the first utility metric, and what the strongest attack has left."""
    found = results(state, round, "public")
    release = found.releases.get((team, name))
    if release is None:
        return {}
    data = state.contest.set_named(name)
    metric = next((step for step in data.utility if step in release), None)
    made = found.attacks(team, name, data.tasks[0].name)
    worst = None
    for score in made:
        worst = score if worst is None or score.worse_than(worst) else worst
    return {
        "metric": metric,
        "worth": None if metric is None else release[metric].as_dict(detail=False),
        "safety": None if worst is None else worst.as_dict(detail=False),
    }

"""Teams: joining and withdrawing."""

from __future__ import annotations

import re

from icefire.contest import names
from icefire.contest.decisions import FINAL, decide
from icefire.contest.errors import NotFound, refuse_if
from icefire.contest.events.base import Event
from icefire.contest.events.teams import TeamAdded, TeamWithdrawn
from icefire.contest.state import State
from icefire.contest.store import Store
from icefire.core.errors import DataError
from icefire.core.strictfile import NAME


class Teams:
    """The teams of a contest."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, name: str, who: str = "operator", chosen: str | None = None) -> str:
        """Add a team, and return its id: the chosen one, or one from its name. Names that look alike are refused."""
        shown = names.checked(name)
        if chosen is not None and not re.fullmatch(NAME, chosen):
            raise DataError("an id consists of lower-case letters, digits, - and _, at most 40 of them")
        added: list[str] = []

        def entries(state: State) -> list[tuple[str, Event]]:
            refuse_if(state.final, FINAL)
            for team in state.teams.values():
                if names.same(shown, team.name):
                    raise DataError(f"there is a team named {shown!r} already")
                if names.look_alike(shown, team.name):
                    raise DataError(
                        f"{shown!r} looks like the team {team.name!r}: choose a name that cannot be mistaken"
                    )
            if chosen in state.teams:
                raise DataError(f"there is a team with the id {chosen!r} already")
            added[:] = [chosen or names.free_id(shown, state.teams, len(state.teams) + 1)]
            return [(who, TeamAdded(team=added[0], name=shown))]

        self._store.append(entries, urgent=True)
        return added[0]

    def withdraw(self, team: str, who: str, why: str) -> None:
        def make(state: State) -> list[Event]:
            require_team(state, team)
            return [TeamWithdrawn(team=team, why=why)]

        decide(self._store, who, why, make)


def require_team(state: State, team: str) -> None:
    """NotFound if a team does not exist, NotNow if it has withdrawn."""
    if team not in state.teams:
        raise NotFound(f"there is no team {team!r}")
    refuse_if(state.withdrawn(team), f"the team {team!r} has withdrawn")
    refuse_if(state.teams[team].committee, f"{team!r} is an entry of the committee, which nobody plays")

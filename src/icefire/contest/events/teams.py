"""Events of teams."""

from __future__ import annotations

from dataclasses import replace

from icefire.contest.events.base import Event, Item
from icefire.contest.state import State, Team


class TeamAdded(Event):
    log_name = "team_added"
    team: str
    """Its id."""
    name: str
    committee: bool = False

    def apply(self, state: State) -> State:
        team = Team(self.team, self.name, committee=self.committee)
        return replace(state, teams={**state.teams, self.team: team})

    def tell(self, before: State, after: State) -> Item:
        return {"what": "joined", "team": self.team}


class TeamWithdrawn(Event):
    log_name = "team_withdrawn"
    team: str
    why: str

    def apply(self, state: State) -> State:
        return replace(state, teams={**state.teams, self.team: replace(state.teams[self.team], withdrawn=True)})

"""Teams: joining and withdrawing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

from icefire.contest.decisions import FINAL, decide
from icefire.contest.errors import NotFound, refuse_if
from icefire.contest.events.base import Event
from icefire.contest.events.teams import TeamAdded, TeamWithdrawn
from icefire.contest.state import State
from icefire.contest.store import Store
from icefire.core.errors import DataError

INVISIBLE = {*"\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800", *map(chr, range(0xFE00, 0xFE10))}
"""Invisible characters that are not control characters."""


class Teams:
    """The teams of a contest."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, name: str, who: str = "operator") -> str:
        """Add a team, and return its id. Names that only look different are the same name."""
        shown = unicodedata.normalize("NFC", name).strip()
        visible = any(unicodedata.category(c)[0] in "LN" and c not in INVISIBLE for c in shown)
        if not 1 <= len(shown) <= 40 or not visible or any(unicodedata.category(c)[0] == "C" for c in shown):
            raise DataError("a team's name has 1 to 40 characters, a letter or a digit, and no control characters")
        added: list[str] = []

        def entries(state: State) -> list[tuple[str, Event]]:
            refuse_if(state.final, FINAL)
            if any(_folded(shown) == _folded(team.name) for team in state.teams.values()):
                raise DataError(f"there is a team named {shown!r} already")
            added[:] = [_free_id(shown, state.teams)]
            return [(who, TeamAdded(team=added[0], name=shown))]

        self._store.append(entries)
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


def _free_id(name: str, taken: Container[str]) -> str:
    base = re.sub(r"[^a-z0-9]+", "-", _folded(name)).strip("-")[:30] or "team"
    return next(id_ for id_ in (base, *(f"{base}-{number}" for number in range(2, 10_000))) if id_ not in taken)


def _folded(name: str) -> str:
    """A name without differences in spaces, case, width and invisible characters.

    >>> _folded("Ｔｅａｍ  Aoi") == _folded("team aoi")
    True
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(c for c in folded if c not in INVISIBLE).split())

"""All games: the one that ships, and those of installed packages (entry points of the group `icefire.games`)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import TypeAlias

from icefire.contest.game import Game
from icefire.contest.reidentification import Reidentification

Games: TypeAlias = Mapping[str, type[Game]]
GAMES: Games = {
    **{point.name: point.load() for point in entry_points(group="icefire.games")},
    Reidentification.name: Reidentification,
}

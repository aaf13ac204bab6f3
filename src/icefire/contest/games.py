"""All games: the one for every kind of data, and those that packages add, as ours does (entry points of `icefire.games`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias

from icefire.contest.game import Game
from icefire.contest.reidentification import Reidentification

Games: TypeAlias = Mapping[str, type[Game]]


class _Games(Games):
    """Games by name; a module is imported when its game is asked for."""

    def __init__(self) -> None:
        self._points: dict[str, EntryPoint] = {point.name: point for point in entry_points(group="icefire.games")}

    def __getitem__(self, name: str) -> type[Game]:
        if name == Reidentification.name:
            return Reidentification
        game: type[Game] = self._points[name].load()
        return game

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys([Reidentification.name, *self._points])

    def __len__(self) -> int:
        return len(list(iter(self)))


GAMES: Games = _Games()

"""Contests that are made of events: everything is measured already, and the file's rules do the rest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from icefire.contest.config import Config
from icefire.contest.events.base import Event
from icefire.contest.events.course import Created, Finalized, PhaseClosed, PhaseOpened
from icefire.contest.events.teams import TeamAdded
from icefire.contest.events.uploads import Accepted, BaselineScored, GuessScored, Published, Uploaded
from icefire.contest.state import State
from icefire.core.values import Score


class MadeContest:
    """The state of a contest, event by event."""

    def __init__(self, config: Config, *teams: str, committee: tuple[str, ...] = ()) -> None:
        self.state = State(at=datetime(2019, 8, 1, tzinfo=UTC).isoformat())
        self._uploads = 0
        self._add(Created(config=config, commitments=("",) * len(config.rounds)))
        for team in (*committee, *teams):
            self._add(TeamAdded(team=team, name=team, committee=team in committee))

    def begin(self, index: int) -> None:
        self._add(PhaseOpened(round_index=index, phase="defence"))

    def end(self, index: int) -> None:
        self._add(PhaseClosed(round_index=index, phase="defence"), PhaseOpened(round_index=index, phase="attack"))
        self._add(PhaseClosed(round_index=index, phase="attack"))

    def finalize(self) -> State:
        self._add(Finalized(why="the end"))
        return self.state

    def release(self, index: int, team: str, dataset: str, measures: Mapping[str, Score]) -> str:
        """A release that is valid and handed out; its upload."""
        place: dict[str, Any] = {"round_index": index, "team": team, "dataset": dataset}
        upload = self._upload(**place, kind="release", target=None)
        self._add(Accepted(upload=upload, measures=measures), Published(**place, upload=upload, sha256=""))
        return upload

    def baseline(self, index: int, team: str, dataset: str, attack: str, cell: Mapping[str, Score]) -> None:
        self._add(BaselineScored(round_index=index, team=team, dataset=dataset, attack=attack, cell=cell))

    def guess(self, index: int, team: str, target: str, dataset: str, cell: Mapping[str, Score], release: str) -> None:
        upload = self._upload(
            round_index=index, team=team, dataset=dataset, kind="guess", target=target, against=release
        )
        self._add(GuessScored(upload=upload, cell=cell))

    def _upload(self, **what: Any) -> str:
        self._uploads += 1
        upload = f"{self._uploads:016x}"
        self._add(Uploaded(**what, upload=upload, sha256="", bytes=1))
        return upload

    def _add(self, *events: Event) -> None:
        for event in events:
            self.state = event.apply(self.state)

"""Jobs at the beginning and at the end of a round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from icefire.contest.events.base import Event
from icefire.contest.events.course import SeedRevealed
from icefire.contest.events.uploads import Dealt
from icefire.contest.jobs.base import Job
from icefire.contest.judge import Judge
from icefire.contest.state import Place, Stage, State
from icefire.contest.uploads import pack


@dataclass(frozen=True)
class Deal(Job):
    """Make the data of a team."""

    label = "deal"
    place: Place

    @property
    def team(self) -> str:
        return self.place.team

    def _key(self) -> tuple[str, ...]:
        return tuple(map(str, self.place))

    @classmethod
    def due(cls, state: State) -> Iterator[Self]:
        for index in range(len(state.contest.rounds)):
            defence, before = Stage(index, "defence"), Stage(index - 1, "attack")
            if defence in state.closed or not (index == 0 or defence in state.opened or before in state.closed):
                continue
            for team in state.entered:
                for dataset in state.contest.entered_sets(index, team.name if team.committee else None):
                    place = Place(index, team.id, dataset.name)
                    if place not in state.dealt:
                        yield cls(place)

    def done(self, state: State) -> bool:
        return self.place in state.dealt

    def gives(self, event: Event) -> bool:
        return isinstance(event, Dealt) and event.place == self.place

    def run(self, judge: Judge, state: State) -> list[Event]:
        index, _, dataset = self.place
        rng = judge.rng(index, self.label, judge.owner(self.place), dataset)
        with judge.vault.writing(judge.problem(self.place)) as folder:
            problem = judge.game.deal(judge.game.config.dataset(dataset), folder, rng)
        sha256 = judge.blobs.put(pack(problem.files))
        return [Dealt(**self.place._asdict(), sha256=sha256, summary=problem.summary)]


@dataclass(frozen=True)
class Reveal(Job):
    """Tell the seed of a round, when no other job depends on it."""

    label = "reveal"
    round_index: int

    @property
    def team(self) -> str:
        return ""

    def _key(self) -> tuple[str, ...]:
        return (str(self.round_index),)

    @classmethod
    def due(cls, state: State) -> Iterator[Self]:
        for index in range(len(state.contest.rounds)):
            if Stage(index, "attack") in state.closed and index not in state.seeds:
                yield cls(index)

    def done(self, state: State) -> bool:
        return self.round_index in state.seeds

    def gives(self, event: Event) -> bool:
        return isinstance(event, SeedRevealed) and event.round_index == self.round_index

    def run(self, judge: Judge, state: State) -> list[Event]:
        return [SeedRevealed(round_index=self.round_index, seed=judge.vault.seed(self.round_index))]

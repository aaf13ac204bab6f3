"""Jobs for the releases of the committee."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from icefire.contest.events.base import Event
from icefire.contest.events.uploads import Accepted, Uploaded
from icefire.contest.jobs.base import Job
from icefire.contest.judge import Judge, unpacked
from icefire.contest.state import Place, Stage, State
from icefire.contest.uploads import files_of, pack


@dataclass(frozen=True)
class Enter(Job):
    """Make a release of the committee."""

    label = "enter"
    delays_attack = True
    place: Place

    @property
    def team(self) -> str:
        return self.place.team

    def _key(self) -> tuple[str, ...]:
        return tuple(map(str, self.place))

    @classmethod
    def due(cls, state: State) -> Iterator[Self]:
        for place in state.dealt:
            entered = state.teams[place.team].committee and not state.withdrawn(place.team)
            if entered and place not in state.releases and Stage(place.round_index, "defence") in state.opened:
                yield cls(place)

    def done(self, state: State) -> bool:
        return self.place in state.releases

    def gives(self, event: Event) -> bool:
        return isinstance(event, Uploaded) and event.place == self.place

    def run(self, judge: Judge, state: State) -> list[Event]:
        index, team, dataset = self.place
        config = judge.game.config
        steps = next(entry.defend for entry in config.committee if entry.name == state.teams[team].name)
        problem = files_of(judge.blobs.get(state.dealt[self.place].sha256))
        content = pack(judge.game.bot_release(problem, steps, judge.rng(index, self.label, team, dataset)))
        with unpacked(content, "release", judge.game) as folder:
            measures, _ = judge.game.measure(config.dataset(dataset), judge.problem(self.place), folder)
        upload = judge.rng(index, self.label, team, dataset, "upload").bytes(8).hex()
        sha256 = judge.submissions.put(content)
        uploaded = Uploaded(
            **self.place._asdict(),
            upload=upload,
            kind="release",
            target=None,
            sha256=sha256,
            bytes=len(content),
            method=", ".join(steps) or "pseudonyms",
        )
        return [uploaded, Accepted(upload=upload, measures=measures)]

"""Jobs for releases after the defence: they are published, and attacked by the judge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from icefire.contest.events.base import Event
from icefire.contest.events.uploads import BaselineScored, Published, Ruled
from icefire.contest.jobs.base import Job
from icefire.contest.jobs.uploads import waiting
from icefire.contest.judge import Judge
from icefire.contest.measures import NoScore
from icefire.contest.state import Place, Stage, State, Target
from icefire.contest.uploads import pack


@dataclass(frozen=True)
class Publish(Job):
    """Shuffle a release, keep its secret, and make it ready to be handed out."""

    label = "publish"
    delays_attack = True
    place: Place
    upload: str

    @property
    def team(self) -> str:
        return self.place.team

    def _key(self) -> tuple[str, ...]:
        return (*map(str, self.place), self.upload)

    @classmethod
    def due(cls, state: State) -> Iterator[Self]:
        for place, upload in _final_releases(state):
            if place not in state.published or state.published[place].upload != upload:
                yield cls(place, upload)

    def done(self, state: State) -> bool:
        # Where both phases run, a team may have replaced it while it was being published: it must not come after, and in
        # place of, the later one.
        replaced = state.releases[self.place] != self.upload
        return replaced or (self.place in state.published and state.published[self.place].upload == self.upload)

    def gives(self, event: Event) -> bool:
        return isinstance(event, Published) and (event.place, event.upload) == (self.place, self.upload)

    def run(self, judge: Judge, state: State) -> list[Event]:
        index, team, dataset = self.place
        entrants = state.entrants.get(index) or [team.id for team in state.active]
        attackers = [entrant for entrant in entrants if entrant != team]
        # Two releases in the same order would give away which rows belong together.
        rng = judge.rng(index, self.label, team, dataset, *self._turn(state))
        with (
            judge.unpacked(state.uploads[self.upload]) as sent,
            judge.vault.writing(judge.truth(self.place, self.upload)) as folder,
        ):
            problem = judge.problem(self.place)
            handout = judge.game.publish(judge.game.config.dataset(dataset), problem, sent, folder, attackers, rng)
        questions = {attacker: judge.blobs.put(pack(files)) for attacker, files in handout.questions.items()}
        sha256 = judge.blobs.put(pack(handout.public))
        return [Published(**self.place._asdict(), upload=self.upload, sha256=sha256, questions=questions)]

    def _turn(self, state: State) -> tuple[str, ...]:
        """Which of a team's releases this is, where several are published."""
        if not state.together(self.place.round_index):
            return ()
        same = [each for each in state.uploads.values() if each.kind == "release" and each.place == self.place]
        return (str([each.id for each in same].index(self.upload)),)

    def give_up(self, state: State, reference: str, why: str) -> list[Event]:
        """The release is invalid."""
        return [Ruled(**self.place._asdict(), upload=self.upload, decision="invalid", why=why)]


@dataclass(frozen=True)
class Baseline(Job):
    """Run an attack of the judge on a published release."""

    label = "baseline"
    place: Place
    attack: str
    upload: str
    """The release that is attacked."""

    @property
    def team(self) -> str:
        return self.place.team

    def _key(self) -> tuple[str, ...]:
        return (*map(str, self.place), self.attack, self.upload)

    @classmethod
    def due(cls, state: State) -> Iterator[Self]:
        for place, upload in _final_releases(state):
            if place in state.published and state.published[place].upload == upload:
                tasks = state.contest.dataset(place.dataset).tasks
                for attack in dict.fromkeys(step for task in tasks for step in task.baselines):
                    if Target(place, attack) not in state.baselines:
                        yield cls(place, attack, upload)

    def done(self, state: State) -> bool:
        # An attack on a release that was replaced in between is of no use.
        return Target(self.place, self.attack) in state.baselines or state.published[self.place].upload != self.upload

    def gives(self, event: Event) -> bool:
        return isinstance(event, BaselineScored) and (event.place, event.attack) == (self.place, self.attack)

    def run(self, judge: Judge, state: State) -> list[Event]:
        index, team, dataset = self.place
        truth = judge.truth(self.place, self.upload)
        rng = judge.rng(index, self.label, team, dataset, self.attack)
        cell = judge.game.baseline(judge.game.config.dataset(dataset), truth, self.attack, rng)
        return [BaselineScored(**self.place._asdict(), attack=self.attack, cell=cell)]

    def give_up(self, state: State, reference: str, why: str) -> list[Event]:
        """The attack has no score."""
        tasks = [task for task in state.contest.dataset(self.place.dataset).tasks if self.attack in task.baselines]
        cell = {task.name: NoScore(f"it failed; reference {reference}") for task in tasks}
        return [BaselineScored(**self.place._asdict(), attack=self.attack, cell=cell)]


def _final_releases(state: State) -> Iterator[tuple[Place, str]]:
    """The releases that count when their defence has closed and no later upload waits; at once where both phases run."""
    undecided = {upload.place for upload in waiting(state, "release")}
    for place, upload in state.releases.items():
        closed = Stage(place.round_index, "defence") in state.closed
        handed_out = state.together(place.round_index) and Stage(place.round_index, "attack") in state.opened
        if (
            (closed or handed_out)
            and place not in undecided
            and not state.invalid(place)
            and not state.withdrawn(place.team)
        ):
            yield place, upload

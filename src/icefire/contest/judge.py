"""The judge: does what the state asks for, one job at a time. It alone opens the vault.

A job may be done twice, after a crash or by two workers at once; it gives the same result each time, and the log takes it once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from icefire.contest.game import Game
from icefire.contest.state import Place, State
from icefire.contest.uploads import pack, unpack
from icefire.contest.vault import Blobs, Vault
from icefire.core.errors import InputError
from icefire.core.seeds import generator

SHARED = "shared"
"""The owner of a problem that all teams have in common."""
News = list[tuple[str, dict[str, Any]]]
"""Events to be: what, and its data."""


@dataclass(frozen=True)
class Job:
    """Something the judge has to do."""

    what: str
    args: tuple[Any, ...]
    team: str
    """Whose turn it is: jobs are fair by team."""

    @property
    def key(self) -> str:
        return "/".join([self.what, *map(str, self.args)])


def due(state: State) -> list[Job]:
    """All that has to be done, as the state has it. Who does it, and how often, makes no difference."""
    if state.config is None:
        return []
    jobs = list(_judging(state))
    return [*jobs, *_revealing(state, jobs)]


def _judging(state: State) -> Iterator[Job]:
    config = state.contest
    for at in range(len(config.rounds)):
        ready = (at, "defence") in state.opened or at == 0 or (at - 1, "attack") in state.closed
        for team in state.active if ready and (at, "defence") not in state.closed else []:
            for data in config.sets:
                if (at, team.id, data.name) not in state.dealt:
                    yield Job("deal", (at, team.id, data.name), team.id)
    for upload in state.uploads.values():
        if upload.status == "waiting" and not state.teams[upload.team].withdrawn:
            what = "measure" if upload.kind == "release" else "judge"
            yield Job(what, (upload.id,), upload.team)
    for place, release in state.releases.items():
        if (place[0], "defence") not in state.closed or state.teams[place[1]].withdrawn:
            continue
        if state.invalid(place) or _late(state, place):
            continue
        if place not in state.published:
            yield Job("publish", (*place, release), place[1])
            continue
        for attack in dict.fromkeys(step for task in config.set_named(place[2]).tasks for step in task.baselines):
            if (*place, attack) not in state.baselines:
                yield Job("baseline", (*place, attack), place[1])


def _revealing(state: State, jobs: list[Job]) -> Iterator[Job]:
    """The seed of a round is told when nothing depends on it any more."""
    for at in range(len(state.contest.rounds)):
        if (at, "attack") in state.closed and at not in state.seeds and not jobs:
            yield Job("reveal", (at,), "")


def _late(state: State, place: Place) -> bool:
    """Whether an upload of this place still waits for the judge: what counts is not known before."""
    return any(
        one.status == "waiting" and one.kind == "release" and (one.round, one.team, one.set) == place
        for one in state.uploads.values()
    )


def done(state: State, job: Job) -> bool:
    """Whether the log has the result of a job already."""
    if job.what in ("measure", "judge"):
        return state.uploads[job.args[0]].status != "waiting"
    if job.what == "reveal":
        return job.args[0] in state.seeds
    if job.what == "baseline":
        return job.args in state.baselines
    return job.args[:3] in (state.dealt if job.what == "deal" else state.published)


class Judge:
    """Does jobs. What comes back is events to be."""

    def __init__(self, game: Game, blobs: Blobs, vault: Vault) -> None:
        self.game, self.blobs, self.vault = game, blobs, vault

    def do(self, job: Job, state: State) -> News:
        return self._steps[job.what](state, *job.args)

    @property
    def _steps(self) -> dict[str, Callable[..., News]]:
        return {
            "deal": self._deal,
            "measure": self._measure,
            "publish": self._publish,
            "baseline": self._baseline,
            "judge": self._judge,
            "reveal": self._reveal,
        }

    def _rng(self, round: int, *path: str) -> np.random.Generator:
        return generator(int(self.vault.seed(round), 16), *path)

    def _problem(self, round: int, team: str, name: str) -> Path:
        owner = team if self.game.config.set_named(name).per_team else SHARED
        return self.vault.problem(round, owner, name)

    def _deal(self, state: State, round: int, team: str, name: str) -> News:
        data = self.game.config.set_named(name)
        owner = team if data.per_team else SHARED
        with self.vault.writing(self.vault.problem(round, owner, name)) as folder:
            public = self.game.deal(data, folder, self._rng(round, "deal", owner, name))
        return [("dealt", {"round": round, "team": team, "set": name, "sha256": self.blobs.put(pack(public))})]

    def _measure(self, state: State, upload: str) -> News:
        one = state.uploads[upload]
        data = self.game.config.set_named(one.set)
        content, problem = self.blobs.get(one.sha256), self._problem(one.round, one.team, one.set)
        with tempfile.TemporaryDirectory() as scratch:
            sent = Path(scratch)
            try:
                unpack(content, sent, self.game.release_files(), self.game.config.limits)
                measures, evidence = self.game.measure(data, problem, sent)
            except InputError as error:
                return [("rejected", {"upload": upload, "faults": faults_of(error, sent)})]
        news: News = [("accepted", {"upload": upload, "measures": measures})]
        if evidence:
            place = {"round": one.round, "team": one.team, "set": one.set}
            news.append(("flagged", {**place, "upload": upload, "evidence": evidence}))
        return news

    def _publish(self, state: State, round: int, team: str, name: str, release: str) -> News:
        data = self.game.config.set_named(name)
        attackers = [other for other in state.entrants[round] if other != team]
        with tempfile.TemporaryDirectory() as scratch:
            sent = Path(scratch)
            unpack(
                self.blobs.get(state.uploads[release].sha256), sent, self.game.release_files(), self.game.config.limits
            )
            problem = self._problem(round, team, name)
            with self.vault.writing(self.vault.truth(round, team, name, release)) as folder:
                rng = self._rng(round, "publish", team, name)
                handout = self.game.publish(data, problem, sent, folder, attackers, rng)
        questions = {attacker: self.blobs.put(pack(files)) for attacker, files in handout.questions.items()}
        told: dict[str, Any] = {"round": round, "team": team, "set": name, "upload": release}
        told["sha256"] = self.blobs.put(pack(handout.public))
        return [("published", {**told, "questions": questions} if questions else told)]

    def _baseline(self, state: State, round: int, team: str, name: str, attack: str) -> News:
        data = self.game.config.set_named(name)
        rng = self._rng(round, "baseline", team, name, attack)
        truth = self.vault.truth(round, team, name, state.published[round, team, name].upload)
        cell = self.game.baseline(data, truth, attack, rng)
        return [("baseline_scored", {"round": round, "team": team, "set": name, "attack": attack, "cell": cell})]

    def _judge(self, state: State, upload: str) -> News:
        one = state.uploads[upload]
        assert one.target is not None, "a guess has a target"
        data = self.game.config.set_named(one.set)
        content = self.blobs.get(one.sha256)
        published = state.published[one.round, one.target, one.set]
        truth = self.vault.truth(one.round, one.target, one.set, published.upload)
        with tempfile.TemporaryDirectory() as scratch:
            sent = Path(scratch)
            try:
                unpack(content, sent, self.game.guess_files(), self.game.config.limits)
                cell = self.game.judge(data, truth, one.team, sent)
            except InputError as error:
                return [("rejected", {"upload": upload, "faults": faults_of(error, sent)})]
        return [("guess_scored", {"upload": upload, "cell": cell})]

    def _reveal(self, state: State, round: int) -> News:
        return [("seed_revealed", {"round": round, "seed": self.vault.seed(round)})]


def faults_of(error: InputError, folder: Path) -> list[str]:
    """What a participant is told: nothing of where our files lie."""
    return [line.replace(f"{folder}/", "").replace(str(folder), "the upload") for line in str(error).splitlines()[:20]]

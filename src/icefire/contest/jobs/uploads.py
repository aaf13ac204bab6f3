"""Jobs for uploads: a release is measured, a guess is scored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from icefire.contest.events.base import Event
from icefire.contest.events.uploads import Accepted, Flagged, GuessScored, Rejected
from icefire.contest.jobs.base import Job
from icefire.contest.judge import FaultyUpload, Judge
from icefire.contest.state import State, Upload, UploadKind


@dataclass(frozen=True)
class _OfUpload(Job):
    upload: str
    owner: str

    @property
    def team(self) -> str:
        return self.owner

    def _key(self) -> tuple[str, ...]:
        return (self.upload,)

    def done(self, state: State) -> bool:
        return state.uploads[self.upload].status != "waiting"

    def gives(self, event: Event) -> bool:
        return isinstance(event, Accepted | Rejected | GuessScored) and event.upload == self.upload

    def give_up(self, state: State, reference: str, why: str) -> list[Event]:
        """The upload is rejected, which uses no try."""
        return [Rejected(upload=self.upload, faults=(f"the judge could not process this file; reference {reference}",))]


@dataclass(frozen=True)
class Measure(_OfUpload):
    """Check a release and measure it."""

    label = "measure"
    delays_attack = True

    @classmethod
    def due(cls, state: State) -> Iterator[Self]:
        for upload in waiting(state, "release"):
            yield cls(upload.id, upload.team)

    def run(self, judge: Judge, state: State) -> list[Event]:
        upload = state.uploads[self.upload]
        dataset = judge.game.config.dataset(upload.place.dataset)
        try:
            with judge.unpacked(upload) as folder:
                measures, evidence = judge.game.measure(dataset, judge.problem(upload.place), folder)
        except FaultyUpload as error:
            return [Rejected(upload=upload.id, faults=error.faults)]
        accepted = Accepted(upload=upload.id, measures=measures)
        if not evidence:
            return [accepted]
        return [accepted, Flagged(**upload.place._asdict(), upload=upload.id, evidence=evidence)]


@dataclass(frozen=True)
class ScoreGuess(_OfUpload):
    """Check a guess and score it."""

    label = "judge"

    @classmethod
    def due(cls, state: State) -> Iterator[Self]:
        for upload in waiting(state, "guess"):
            yield cls(upload.id, upload.team)

    def run(self, judge: Judge, state: State) -> list[Event]:
        upload = state.uploads[self.upload]
        dataset = judge.game.config.dataset(upload.place.dataset)
        truth = judge.truth(upload.attacked, upload.against or state.published[upload.attacked].upload)
        try:
            with judge.unpacked(upload) as folder:
                cell = judge.game.judge(dataset, truth, upload.team, folder)
        except FaultyUpload as error:
            return [Rejected(upload=upload.id, faults=error.faults)]
        return [GuessScored(upload=upload.id, cell=cell)]


def job_of(upload: Upload) -> Job:
    """The job that an upload waits for."""
    return (Measure if upload.kind == "release" else ScoreGuess)(upload.id, upload.team)


def waiting(state: State, kind: UploadKind) -> Iterator[Upload]:
    """Uploads that the judge has not looked at, of teams that take part."""
    for upload in state.uploads.values():
        if upload.kind == kind and upload.status == "waiting" and not state.withdrawn(upload.team):
            yield upload

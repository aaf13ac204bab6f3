"""Replay: judge everything again from the uploads and the seeds, and compare with the log."""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from icefire.contest.docket import JUDGE
from icefire.contest.engine import Contest
from icefire.contest.events.registry import decode
from icefire.contest.fold import apply
from icefire.contest.jobs.base import Job
from icefire.contest.jobs.registry import due
from icefire.contest.judge import Judge
from icefire.contest.log import Entry, canonical, verified
from icefire.contest.state import State, Upload
from icefire.contest.submissions import Submissions
from icefire.contest.vault import SEEDS, Blobs, Vault
from icefire.core.documents import Json
from icefire.core.errors import DataError

ADDED = {"better", "confidence", "good", "interval", "questions", "range", "summary"}
"""Keys that version 0.1 did not write."""
DROPPED = {"direction"}
"""Keys that only version 0.1 wrote."""
Pending: TypeAlias = dict[str, tuple[Job, list[State]]]
"""By their keys, jobs without a result so far, and the states in which each was due: of those with the
same teams, the last."""
ROUNDING = 1e-9
"""Versions may add up numbers in another order."""


def replay(contest: Contest) -> tuple[int, list[str]]:
    """How many events were judged again, and the differences found, event by event. The contest is not changed."""
    entries = list(verified(contest.log()))
    state, count, faults = State(), 0, list[str]()
    pending: Pending = {}
    with tempfile.TemporaryDirectory() as name:
        judge = _judge_beside(contest, Path(name))
        seen = 0
        for position, entry in enumerate(entries):
            _look(state, pending)
            # Jobs that the operator gave up were never judged.
            if entry.who == JUDGE and position >= seen:
                length, differences = _judge_again(judge, *_job_of(entry, pending), entries[position:])
                seen = position + length
                count += length
                faults += differences
            state = apply(state, entry)
    return count, faults


def _look(state: State, pending: Pending) -> None:
    """Note which jobs are due."""
    for job in due(state):
        _, states = pending.setdefault(job.key, (job, []))
        if states and states[-1].teams is state.teams:
            states.pop()
        states.append(state)


def _judge_again(judge: Judge, job: Job, states: list[State], written: list[Entry]) -> tuple[int, list[str]]:
    """How many events a job gives, and where they differ from those that were written.

    It began in one of the states in which it was due. To a publication, which makes questions for those
    who attack, it matters which teams there were.
    """
    outcomes = list[tuple[int, list[str]]]()
    for then in reversed(states):
        result = job.run(judge, then)
        again = [(event.log_name, event.as_data()) for event in result]
        outcomes.append((len(result), _differences(job, written[: len(result)], again)))
        if not outcomes[-1][1]:
            return outcomes[-1]
    return outcomes[0]


def _judge_beside(contest: Contest, folder: Path) -> Judge:
    """A judge with the contest's uploads and seeds, who writes into another folder."""
    vault = _Vault(folder / "vault")
    vault.folder.mkdir(mode=0o700)
    shutil.copyfile(contest.vault.folder / SEEDS, vault.folder / SEEDS)
    blobs = _Blobs(contest.blobs, folder / "files")
    return Judge(contest.game(), blobs, vault, _Submissions(contest.submissions, folder, blobs, vault))


class _Blobs(Blobs):
    """Reads the files of a contest, and writes elsewhere."""

    def __init__(self, source: Blobs, folder: Path) -> None:
        super().__init__(folder)
        self._source = source

    def get(self, sha256: str) -> bytes:
        return self._source.get(sha256)


class _Vault(Vault):
    """Keeps the last that a job has given: it may be run again for other teams."""

    @contextmanager
    def writing(self, folder: Path) -> Iterator[Path]:
        shutil.rmtree(folder, ignore_errors=True)
        with super().writing(folder) as stage:
            yield stage


class _Submissions(Submissions):
    """Reads what teams have sent to a contest, and writes elsewhere."""

    def __init__(self, source: Submissions, folder: Path, blobs: Blobs, vault: Vault) -> None:
        super().__init__(folder, blobs, vault.folder)
        self._source = source

    def get(self, upload: Upload) -> bytes:
        return self._source.get(upload)


def _job_of(entry: Entry, pending: Pending) -> tuple[Job, list[State]]:
    """The job that has led to an entry, and the states in which it was due; it is not pending any more.

    The state before the entry need not be one of them: while a job runs, a team may upload another
    release or be withdrawn.
    """
    event = decode(entry.what, entry.data)
    found = [(job, states) for job, states in pending.values() if job.gives(event)]
    if not found:
        raise DataError(f"event {entry.seq}: no job was due that leads to {entry.what!r}")
    job, states = max(found, key=lambda pair: pair[1][-1].seq)
    del pending[job.key]
    return job, states


def _differences(job: Job, written: list[Entry], again: Sequence[tuple[str, Mapping[str, Json]]]) -> list[str]:
    """Whether a job's result differs from what the log has."""
    same = len(written) == len(again) and all(
        entry.what == log_name and _same(entry.data, data)
        for entry, (log_name, data) in zip(written, again, strict=True)
    )
    if same:
        return []
    found, expected = canonical([data for _, data in again]), canonical([entry.data for entry in written])
    return [f"event {written[0].seq}: {job.key} gives {found[:200]}, the log has {expected[:200]}"]


def _same(written: Json, again: Json) -> bool:
    """Whether two values are equal, but for keys that one of the versions does not write, and for the rounding of sums."""
    if isinstance(written, Mapping) and isinstance(again, Mapping):
        return (
            set(written) - set(again) <= DROPPED
            and set(again) - set(written) <= ADDED
            and all(_same(value, again[key]) for key, value in written.items() if key in again)
        )
    if isinstance(written, float) and isinstance(again, float):
        return math.isclose(written, again, rel_tol=ROUNDING)
    return canonical(written) == canonical(again)

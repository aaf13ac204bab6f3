"""What the operator is told, and what goes on in the meantime."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from contest.contest_games import START, TOYS, toy_config
from contest.toy_contest import Toy, playing, release
from icefire.contest.clock import Jumps, ManualClock, SystemClock
from icefire.contest.engine import Contest
from icefire.contest.errors import DiskFull
from icefire.contest.events.base import Event
from icefire.contest.health import Health
from icefire.contest.jobs.base import Job
from icefire.contest.leases import BEAT, DEAD, LEASES, WORKERS, Leases
from icefire.contest.sandbox import JobFailed, Sandbox
from icefire.contest.state import Place, Stage
from icefire.contest.vault import read_whole
from icefire.contest.workers import Workers, run_inline


def told(health: Health) -> list[str]:
    return [trouble["message"] for trouble in health.look()]


def kinds(health: Health) -> set[str]:
    return {trouble["kind"] for trouble in health.look()}


@contextmanager
def working(contest: Contest) -> Iterator[Workers]:
    with Workers(contest, number=1) as crew:
        thread = threading.Thread(target=crew.run)
        thread.start()
        try:
            yield crew
        finally:
            crew._stop.set()
            thread.join()


def wait(until: Any, seconds: float = 15.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def test_workers_that_are_gone(toy: Toy) -> None:
    health = Health(toy.contest)
    assert told(health) == ["no worker is alive: nothing is judged, and no phase opens or closes"]
    with working(toy.contest):
        wait(lambda: not health.look())
    assert kinds(health) == {"workers"}, "one that stops says so"
    Leases(toy.contest.store, "killed").renew()
    assert not health.look()
    with toy.contest.store.writing() as connection:
        connection.execute(sa.update(WORKERS).values(seen=time.time() - DEAD - 3))
    assert told(health) == [
        f"no worker is alive, the last one {DEAD + 3:.0f} s ago: nothing is judged, and no phase opens or closes"
    ]
    assert BEAT + DEAD < 15


def test_a_job_past_its_time(toy: Toy) -> None:
    leases, health = Leases(toy.contest.store, "slow"), Health(toy.contest)
    leases.renew()
    claim = leases.claim(toy.contest.docket.due())
    assert claim is not None
    job, _ = claim
    assert not health.look()
    with toy.contest.store.writing() as connection:
        connection.execute(sa.update(LEASES).values(began=time.time() - 130))
    (message,) = told(health)
    assert message == f"{job.key} has been running for 130 s; its limit is 120 s of processor time"
    leases.release(job)
    assert not health.look()


def test_a_file_that_is_not_what_it_was(toy: Toy) -> None:
    toy.reach(1)
    toy.release("ann", 0.6)
    health = Health(toy.contest)
    Leases(toy.contest.store, "alive").renew()
    assert not health.look()
    (upload,) = toy.contest.state().uploads.values()
    sha256, path = upload.sha256, toy.contest.submissions.path(upload)
    content = path.read_bytes()
    about = path.stat()
    path.write_bytes(content[:-1] + b"x")
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert told(health) == [f"the stored file {sha256} is not what it was: put it back from a back-up"]
    path.unlink()
    assert told(health) == [f"the stored file {sha256} is missing: put it back from a back-up"]
    path.write_bytes(content)
    assert not health.look()


def test_only_files_that_were_written_to_are_read_again(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.reach(1)
    for value in (0.1, 0.2, 0.3):
        toy.release("ann", value)
    health, read = Health(toy.contest), list[str]()

    def counted(path: Path, sha256: str) -> bytes:
        read.append(sha256)
        return read_whole(path, sha256)

    monkeypatch.setattr("icefire.contest.health.read_whole", counted)
    health.look()
    state = toy.contest.state()
    every = {*state.files, *(upload.sha256 for upload in state.uploads.values())}
    assert sorted(read) == sorted(every)
    health.look()
    assert len(read) == len(every)


def test_a_database_that_is_away(postgres: Any, database: str, tmp_path: Path) -> None:
    with playing(tmp_path / "c", database=database) as toy:
        health = Health(toy.contest)
        assert kinds(health) == {"workers"}
        postgres.stop()
        try:
            begin = time.monotonic()
            (trouble,) = health.look()
            assert trouble["kind"] == "database"
            assert trouble["message"].startswith("the database is away: ")
            assert time.monotonic() - begin < 10
        finally:
            postgres.start()
        wait(lambda: kinds(health) == {"workers"})


def fill(folder: Path) -> None:
    """Take every byte that is left."""
    with (folder / "filler").open("ab", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            while True:
                try:
                    file.write(b"x" * size)
                except OSError:
                    break


def note_for_ever(toy: Toy) -> None:
    while True:
        toy.contest.desk.note("op", "not urgent" * 50)


def test_the_operator_acts_on_a_full_disk(small_disk: Path) -> None:
    with playing(small_disk / "c") as toy:
        health = Health(toy.contest)
        assert "disk" not in kinds(health)
        toy.reach(1)
        upload = toy.release("ann", 0.6)
        fill(small_disk)
        assert health.look()[1]["message"] == "the disk is nearly full: 0.0 MB are left"
        with pytest.raises(DiskFull, match="nearly full: nothing was accepted, tell the operator"):
            toy.release("bob", 0.7)
        # What the judge finds waits, since it is not lost.
        for number in range(10):
            toy.contest.schedule.extend(1, "op", f"the disk is full ({number})")
            fill(small_disk)
        toy.contest.schedule.pause("op", "the disk is full")
        with pytest.raises(DiskFull, match="the disk of the server is full"):
            note_for_ever(toy)
        (small_disk / "filler").unlink()
        assert "disk" not in kinds(health)
        assert (small_disk / "c" / "reserve").stat().st_size > 500_000, "the reserve is filled up again"
        toy.contest.schedule.resume("op", "there is room")
        toy.release("bob", 0.7)
        toy.judge()
        assert toy.contest.state().uploads[upload].status == "accepted"
        assert toy.contest.store.verify()


class SetClock(ManualClock):
    """A system clock that somebody sets."""

    def __init__(self, start: datetime) -> None:
        super().__init__(start)
        self._system = SystemClock()
        self._begin = self._system.now()

    def now(self) -> datetime:
        return super().now() + (self._system.now() - self._begin)


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_that_jumps(hours: int, tmp_path: Path) -> None:
    """The contest pauses by itself, tells the operator, and loses nothing."""
    clock = SetClock(START + timedelta(minutes=10))
    with Contest.create(tmp_path / "c", toy_config(), clock=clock, games=TOYS) as contest:
        contest.teams.add("Ann")
        contest.schedule.tick()
        run_inline(contest)
        upload = contest.uploads.release("ann", "s", release(0.6))
        run_inline(contest)
        health = Health(contest)
        with working(contest):
            wait(lambda: not health.look())
            clock.advance(hours=hours)
            wait(lambda: contest.state().paused is not None)
            messages = told(health)
            assert any(f"has jumped by {hours * 3600:+d} s: check the time, then resume" in text for text in messages)
            assert f"the clock of this machine has jumped by {hours * 3600:+d} s" in messages
            if hours < 0:
                assert any("s behind the last event" not in text for text in messages)
            # The open phase did not close, though by the clock it should have.
            assert contest.state().phase == Stage(0, "defence")
            contest.schedule.extend(60, "op", "the clock was wrong")
            contest.schedule.resume("op", "the time is right now")
            time.sleep(0.5)
            assert contest.state().phase == Stage(0, "defence")
        assert contest.state().uploads[upload].status == "accepted"
        assert contest.store.verify()


def test_a_clock_that_runs_has_not_jumped() -> None:
    jumps = Jumps(SystemClock())
    time.sleep(0.05)
    assert jumps.look() == 0.0


def test_a_lease_from_before_the_clock_was_set_back_expires(toy: Toy) -> None:
    (job, *_) = toy.contest.docket.due()
    assert Leases(toy.contest.store, "before", lasts=3600).claim([job]) == (job, 0)
    assert Leases(toy.contest.store, "after").claim([job]) == (job, 1)


def test_others_are_not_kept_waiting_by_a_job_that_fails(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    contest, publish = toy.contest, TOYS["toy"].publish
    toy.reach(1)
    for team, value in (("ann", 0.6), ("bob", 0.9)):
        toy.release(team, value)
    toy.judge()

    def crash(self: Any, dataset: Any, problem: Path, sent: Path, *rest: Any) -> Any:
        if (sent / "release.csv").read_text() == "0.6":
            raise MemoryError
        return publish(self, dataset, problem, sent, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(TOYS["toy"], "publish", crash)
        toy.reach(66)
    assert contest.state().phase == Stage(0, "attack")
    assert list(contest.state().published) == [Place(0, "bob", "s")]
    (alarm,) = (alarm for alarm in toy.board()["alarms"] if not alarm["resolved"])
    assert alarm["job"].startswith("publish/0/ann/s/")
    toy.guess("ann", "bob", 0.8)
    contest.desk.retry(alarm["reference"], "op", "there is more memory now")
    toy.judge()
    toy.guess("bob", "ann", 0.5)
    toy.judge()
    assert {place.team for place in contest.state().published} == {"ann", "bob"}


class Flaky(Sandbox):
    """Fails so many times, and then gives what it should."""

    failures = 0

    def run(self, job: Job, limits: Any) -> list[Event]:
        if self.failures:
            type(self).failures -= 1
            raise JobFailed(f"failure {self.failures}")
        return super().run(job, limits)


@pytest.mark.parametrize(("failures", "alarms"), [(1, 0), (2, 1)])
def test_a_job_is_tried_again_once(failures: int, alarms: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from contest.test_faults import open_contest

    with open_contest(tmp_path / "c") as contest:
        monkeypatch.setattr("icefire.contest.workers.Sandbox", Flaky)
        monkeypatch.setattr(Flaky, "failures", failures)
        contest.teams.add("Dan")
        with working(contest):
            wait(lambda: Place(0, "dan", "households") in contest.state().dealt or contest.state().alarms, 60)
        assert len(contest.state().alarms) == alarms
        for alarm in contest.state().alarms.values():
            detail = (contest.folder / "alarms" / f"{alarm.reference}.txt").read_text()
            assert "failure 0" in detail
            assert "The first try: failure 1" in detail

"""What happens when processes are killed and databases go away."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from icefire.contest import vault
from icefire.contest.config import Config, Limits, Phase
from icefire.contest.configfile import load_config
from icefire.contest.engine import DATABASE, Contest
from icefire.contest.jobs.problems import Deal
from icefire.contest.jobs.registry import due
from icefire.contest.jobs.uploads import Measure
from icefire.contest.leases import Leases
from icefire.contest.sandbox import JobFailed, Sandbox
from icefire.contest.state import Place
from icefire.contest.uploads import pack
from icefire.contest.workers import MOST_LOSSES, Workers, run_inline
from icefire.core.errors import FileError
from icefire.core.seeds import generator

KILLS = int(os.environ.get("ICEFIRE_KILLS", "3"))
"""More of them take longer; benchmarks/bench_faults.py makes 50 of each kind."""
UPLOADER = """
import sys, time
from pathlib import Path
from icefire.contest.engine import Contest
from icefire.contest.errors import NotNow
content = Path(sys.argv[2]).read_bytes()
with Contest(Path(sys.argv[1])) as contest:
    for number in range(10_000):
        try:
            upload = contest.uploads.release(("ann", "bob", "cy")[number % 3], "households", content)
        except NotNow:
            time.sleep(0.05)
            continue
        print(upload, flush=True)
"""
Process: TypeAlias = "subprocess.Popen[bytes]"


@contextmanager
def open_contest(folder: Path, database: str = DATABASE, waiting: int = 4) -> Iterator[Contest]:
    """The demonstration with three teams, in the middle of its defence."""
    config, now = load_config(Path("demo")), datetime.now(UTC)
    times = [now + timedelta(minutes=minutes) for minutes in (-1, 60, 61, 120)]
    defence, attack = Phase(opens=times[0], closes=times[1]), Phase(opens=times[2], closes=times[3])
    plan = config.rounds[0].model_copy(update={"defence": defence, "attack": attack, "freeze": None})
    data = config.sets[0].model_copy(update={"source": "households(n=40)"})
    limits = config.limits.model_copy(update={"releases": 10_000, "waiting": waiting})
    changed = {**config.model_dump(), "rounds": [plan], "sets": [data], "limits": limits}
    with Contest.create(folder, Config.model_validate(changed), database) as contest:
        for name in ("Ann", "Bob", "Cy"):
            contest.teams.add(name)
        contest.schedule.tick()
        run_inline(contest)
        yield contest


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    """Processes that are ended with the test."""
    found: list[Process] = []
    yield found
    for process in found:
        process.kill()
        process.wait()


def worker(contest: Contest, processes: list[Process], name: str = "") -> Process:
    program = "from icefire.cli.main import main; main()"
    command = [sys.executable, "-c", program, "contest", "run", str(contest.folder), "--name", name]
    processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
    return processes[-1]


def wait(until: Callable[[], bool], seconds: float = 180.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def release_of(contest: Contest, team: str = "ann") -> bytes:
    problem = contest.downloads.problem(Place(0, team, "households"))
    return pack(contest.game().bot_release(problem, ["noise(scale=0.5)"], generator(1, team)))


def accepted(contest: Contest) -> int:
    return sum(upload.status == "accepted" for upload in contest.state().uploads.values())


def all_judged(contest: Contest) -> bool:
    return not any(isinstance(job, Measure) for job in due(contest.state()))


def check_once(contest: Contest, acknowledged: set[str]) -> None:
    """Every upload that was acknowledged is in the log and was judged exactly once."""
    assert contest.store.verify()
    state = contest.state()
    assert acknowledged <= set(state.uploads)
    assert {upload.status for upload in state.uploads.values()} == {"accepted"}
    judged = Counter(entry.data["upload"] for entry in contest.log() if entry.what in ("accepted", "rejected"))
    assert set(judged) == set(state.uploads)
    assert set(judged.values()) == {1}
    assert not state.alarms


class Uploaders:
    """Processes that upload releases as fast as they may, and what they were told."""

    def __init__(self, contest: Contest, content: Path, processes: list[Process]) -> None:
        self._command = [sys.executable, "-c", UPLOADER, str(contest.folder), str(content)]
        self._processes, self._readers = processes, list[threading.Thread]()
        self.acknowledged: set[str] = set()

    def start(self) -> Process:
        process = subprocess.Popen(self._command, stdout=subprocess.PIPE)
        self._processes.append(process)
        self._readers.append(threading.Thread(target=self._read, args=(process,)))
        self._readers[-1].start()
        return process

    def join(self) -> None:
        for reader in self._readers:
            reader.join()

    def _read(self, process: Process) -> None:
        assert process.stdout is not None
        # A line that was cut short was not acknowledged.
        with process.stdout as pipe:
            self.acknowledged.update(line.strip().decode() for line in pipe if line.endswith(b"\n"))


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
@pytest.mark.slow
def test_killed_at_random_moments(
    place: str, tmp_path: Path, processes: list[Process], request: pytest.FixtureRequest
) -> None:
    url = DATABASE if place == "sqlite" else request.getfixturevalue("database")
    with open_contest(tmp_path / "c", url) as contest:
        rng, content = random.Random(place), tmp_path / "release.zip"
        content.write_bytes(release_of(contest))
        uploaders = Uploaders(contest, content, processes)
        judge, sender = worker(contest, processes), uploaders.start()
        wait(lambda: accepted(contest) > 0)
        for _ in range(KILLS):
            time.sleep(rng.uniform(0.1, 1.5))
            if rng.random() < 0.5:
                judge.kill()
                judge.wait()
                judge = worker(contest, processes)
            else:
                sender.kill()
                sender.wait()
                sender = uploaders.start()
        before = accepted(contest)
        wait(lambda: accepted(contest) > before + 3)
        sender.kill()
        sender.wait()
        uploaders.join()
        wait(lambda: all_judged(contest))
        check_once(contest, uploaders.acknowledged)


@pytest.mark.slow
def test_another_worker_takes_over_from_a_dead_one(tmp_path: Path, processes: list[Process], database: str) -> None:
    with open_contest(tmp_path / "c", database, waiting=100) as contest:
        first, content = worker(contest, processes, "first"), release_of(contest)
        uploads = {contest.uploads.release("ann", "households", content) for _ in range(8)}
        wait(lambda: accepted(contest) > 0)
        first.kill()
        first.wait()
        worker(contest, processes, "second")
        wait(lambda: all_judged(contest))
        check_once(contest, uploads)


def test_the_lease_of_a_dead_worker_expires(tmp_path: Path) -> None:
    with open_contest(tmp_path / "c", waiting=100) as contest:
        contest.uploads.release("ann", "households", release_of(contest))
        (job,) = contest.docket.due()
        dead = Leases(contest.store, "dead", lasts=0.5)
        alive = Leases(contest.store, "alive", lasts=30)
        assert dead.claim([job]) == (job, 0)
        assert alive.claim([job]) is None
        for _ in range(4):
            time.sleep(0.2)
            dead.renew()
            assert alive.claim([job]) is None, "a lease that is renewed does not expire"
        time.sleep(0.6)
        assert alive.claim([job]) == (job, 1)
        dead.release(job)
        dead.renew()
        assert dead.claim([job]) is None, "a lease that was lost cannot be renewed or released"
        alive.release(job)
        assert dead.claim([job]) == (job, 0)


def test_a_job_that_is_lost_again_and_again_raises_an_alarm(tmp_path: Path) -> None:
    with open_contest(tmp_path / "c") as contest:
        contest.uploads.release("ann", "households", release_of(contest))
        (job,) = contest.docket.due()
        for losses in range(MOST_LOSSES + 1):
            assert Leases(contest.store, "dead", lasts=-1).claim([job]) == (job, losses)
        with Workers(contest, number=1) as crew:
            crew.run(until=lambda: bool(contest.state().alarms))
        (alarm,) = contest.state().alarms.values()
        assert (alarm.job, alarm.message) == (job.key, f"measure was lost with its worker {MOST_LOSSES + 1} times")


def test_workers_that_are_stopped_leave_their_jobs_to_others(tmp_path: Path) -> None:
    with open_contest(tmp_path / "c", waiting=100) as contest:
        content = release_of(contest)
        uploads = {contest.uploads.release("ann", "households", content) for _ in range(3)}
        with Workers(contest, number=2) as crew:
            crew.run(until=lambda: bool(crew._running))
        assert not contest.state().alarms
        with Workers(contest, number=2) as crew:
            begin = time.monotonic()
            crew.run(until=lambda: all_judged(contest) or time.monotonic() - begin > 120)
        check_once(contest, uploads)


def test_workers_run_until_they_are_closed(tmp_path: Path) -> None:
    with open_contest(tmp_path / "c") as contest, Workers(contest, number=1) as crew:
        running = threading.Thread(target=crew.run)
        running.start()
        running.join(0.5)
        assert running.is_alive()
        crew.close()
        running.join(20)
        assert not running.is_alive()


def test_a_disk_that_fails_after_the_file_was_written_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(folder: Path) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(vault, "_sync", fail)
    with pytest.raises(FileError, match=r"could not be stored \(Input/output error\); nothing was accepted"):
        vault.Blobs(tmp_path).put(b"content")


def test_a_database_that_goes_away_is_waited_for(
    postgres: Any, database: str, tmp_path: Path, processes: list[Process]
) -> None:
    """While it is away an upload waits; the worker goes on by itself when it is back."""
    with open_contest(tmp_path / "c", database, waiting=100) as contest:
        worker(contest, processes)
        content = release_of(contest)
        uploads = {contest.uploads.release("bob", "households", content) for _ in range(3)}
        wait(lambda: accepted(contest) > 0)
        postgres.stop()
        back = threading.Timer(4.0, postgres.start)
        back.start()
        begin = time.monotonic()
        uploads.add(contest.uploads.release("cy", "households", content))
        assert time.monotonic() - begin > 2
        back.join()
        wait(lambda: all_judged(contest))
        check_once(contest, uploads)


def test_a_job_that_takes_too_long_or_too_much_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_contest(tmp_path / "c") as contest, Sandbox(contest.folder) as sandbox:
        contest.teams.add("Dan")
        job = Deal(Place(0, "dan", "households"))
        with pytest.raises(JobFailed, match=r"more than 0\.001 s of processor time"):
            sandbox.run(job, Limits(seconds=0.001))
        # A library that cannot allocate memory may also stand still.
        monkeypatch.setattr("icefire.contest.sandbox.PATIENCE", 10.0)
        with pytest.raises(JobFailed, match=r"MemoryError|memory is limited to 64 MB|more than"):
            sandbox.run(job, Limits(memory_mb=64, seconds=1))
        (event,) = sandbox.run(job, Limits())
        assert event.log_name == "dealt"


def test_one_team_does_not_starve_the_others(tmp_path: Path, processes: list[Process]) -> None:
    with open_contest(tmp_path / "c", waiting=1000) as contest:
        content = release_of(contest)
        for _ in range(15):
            contest.uploads.release("ann", "households", content)
        late = contest.uploads.release("bob", "households", content)
        worker(contest, processes)
        wait(lambda: contest.state().uploads[late].status == "accepted")
        assert accepted(contest) < 10

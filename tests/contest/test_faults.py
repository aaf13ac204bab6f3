"""What happens when processes are killed and databases go away."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from icefire.contest.config import Config
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.contest.jobs import Sandbox, run_inline
from icefire.contest.judge import Job, due
from icefire.contest.uploads import files_of, pack
from icefire.core.seeds import generator

KILLS = int(os.environ.get("ICEFIRE_KILLS", "8"))
"""More of them take longer."""
UPLOADER = """
import sys
from pathlib import Path
from icefire.contest.engine import Contest
contest, content = Contest(Path(sys.argv[1])), Path(sys.argv[2]).read_bytes()
for number in range(10_000):
    team = ("ann", "bob", "cy")[number % 3]
    try:
        upload = contest.uploads.release(team, "households", content)
    except Exception as error:
        if "wait for the judge" in str(error):
            import time
            time.sleep(0.05)
            continue
        raise
    print(upload, flush=True)
"""


@contextmanager
def open_contest(folder: Path, database: str = "sqlite:///contest.db", **limits: Any) -> Iterator[Contest]:
    """The demonstration, with its defence open for an hour."""
    body = load_config(Path("demo")).as_dict()
    now = datetime.now(UTC)
    times = [(now + timedelta(minutes=step)).isoformat() for step in (-1, 60, 61, 120)]
    body["rounds"][0] |= {
        "defence": {"opens": times[0], "closes": times[1]},
        "attack": {"opens": times[2], "closes": times[3]},
        "freeze": None,
    }
    body["sets"][0]["source"] = "households(n=40)"
    body["limits"] |= {"releases": 10_000, "waiting": 4, **limits}
    with Contest.create(folder, Config.model_validate(body), database) as contest:
        for name in ("Ann", "Bob", "Cy"):
            contest.teams.add(name)
        yield contest


def worker(contest: Contest, name: str = "one") -> subprocess.Popen[bytes]:
    program = "from icefire.cli.main import main; main()"
    command = [sys.executable, "-c", program, "contest", "run", str(contest.folder), "--name", name]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def wait(until: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.1)


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[bytes]]]:
    found: list[subprocess.Popen[bytes]] = []
    yield found
    for process in found:
        process.kill()
        process.wait()


def release_of(contest: Contest, team: str = "ann") -> bytes:
    problem = files_of(contest.blobs.get(contest.state().dealt[0, team, "households"]))
    return pack(contest.judge().game.bot_release(problem, ["noise(scale=0.5)"], generator(1, team)))


def all_judged(contest: Contest) -> bool:
    return not [job for job in due(contest.state()) if job.what == "measure"]


def check_once(contest: Contest, acknowledged: set[str]) -> None:
    """Every upload that was acknowledged is in the log and was judged exactly once."""
    assert contest.store.verify()
    state = contest.state()
    assert acknowledged <= set(state.uploads)
    assert {one.status for one in state.uploads.values()} == {"accepted"}
    judged = Counter(event.data["upload"] for event in contest.log() if event.what in ("accepted", "rejected"))
    assert set(judged) == set(state.uploads)
    assert set(judged.values()) == {1}
    assert not state.alarms


@pytest.mark.parametrize("place", ["sqlite", "postgres"])
@pytest.mark.slow
def test_killed_at_random_moments(place: str, tmp_path: Path, processes: list[Any], request: Any) -> None:
    url = "sqlite:///contest.db" if place == "sqlite" else request.getfixturevalue("database")
    with open_contest(tmp_path / "c", url) as contest:
        rng = random.Random(place)
        judge = worker(contest)
        processes.append(judge)
        wait(lambda: len(contest.state().dealt) == 3)
        (tmp_path / "release.zip").write_bytes(release_of(contest))
        acknowledged: set[str] = set()
        readers: list[threading.Thread] = []

        def uploader() -> subprocess.Popen[bytes]:
            command = [sys.executable, "-c", UPLOADER, str(contest.folder), str(tmp_path / "release.zip")]
            process = subprocess.Popen(command, stdout=subprocess.PIPE)
            pipe = process.stdout
            assert pipe is not None

            def read() -> None:
                # A line that was cut short was not acknowledged.
                with pipe:
                    acknowledged.update(line.strip().decode() for line in pipe if line.endswith(b"\n"))

            reader = threading.Thread(target=read)
            reader.start()
            readers.append(reader)
            processes.append(process)
            return process

        sender = uploader()
        for _ in range(KILLS):
            time.sleep(rng.uniform(0.1, 3.0))
            if rng.random() < 0.5:
                judge.send_signal(signal.SIGKILL)
                judge.wait()
                judge = worker(contest)
                processes.append(judge)
            else:
                sender.send_signal(signal.SIGKILL)
                sender.wait()
                sender = uploader()
        time.sleep(3)
        sender.kill()
        sender.wait()
        for reader in readers:
            reader.join()
        wait(lambda: all_judged(contest), 120)
        assert len(acknowledged) > 10
        check_once(contest, acknowledged)


@pytest.mark.slow
def test_another_worker_takes_over_from_a_dead_one(tmp_path: Path, processes: list[Any], database: str) -> None:
    with open_contest(tmp_path / "c", database, waiting=100) as contest:
        first = worker(contest, "first")
        processes.append(first)
        wait(lambda: len(contest.state().dealt) == 3)
        content = release_of(contest)
        uploads = {contest.uploads.release("ann", "households", content) for _ in range(30)}
        wait(lambda: any(one.status == "accepted" for one in contest.state().uploads.values()))
        first.send_signal(signal.SIGKILL)
        first.wait()
        processes.append(worker(contest, "second"))
        wait(lambda: all_judged(contest), 120)
        check_once(contest, uploads)


def test_a_database_that_goes_away_heals(postgres: Any, database: str, tmp_path: Path, processes: list[Any]) -> None:
    """While it is away an upload waits; the worker goes on by itself when it is back."""
    with open_contest(tmp_path / "c", database, waiting=100) as contest:
        processes.append(worker(contest))
        wait(lambda: len(contest.state().dealt) == 3)
        content = release_of(contest)
        uploads = {contest.uploads.release("bob", "households", content) for _ in range(6)}
        postgres.stop()
        back = threading.Timer(10.0, postgres.start)
        back.start()
        begin = time.monotonic()
        uploads.add(contest.uploads.release("cy", "households", content))
        assert time.monotonic() - begin > 5
        back.join()
        wait(lambda: all_judged(contest), 120)
        check_once(contest, uploads)


def test_a_job_that_takes_too_long_or_too_much_is_ended(tmp_path: Path) -> None:
    with open_contest(tmp_path / "c") as contest:
        sandbox = Sandbox(contest.folder)
        job = Job("deal", (0, "ann", "households"), "ann")
        with pytest.raises(RuntimeError, match=r"more than 0\.01 s"):
            sandbox.do(job, 0.01, 4_000)
        with pytest.raises(RuntimeError):
            sandbox.do(job, 60, 60)
        news = sandbox.do(job, 60, 4_000)
        assert news[0][0] == "dealt"
        sandbox.close()


def test_one_team_does_not_starve_the_others(tmp_path: Path, processes: list[Any]) -> None:
    with open_contest(tmp_path / "c", waiting=1000) as contest:
        contest.schedule.tick()
        run_inline(contest)
        content = release_of(contest)
        for _ in range(60):
            contest.uploads.release("ann", "households", content)
        late = contest.uploads.release("bob", "households", content)
        processes.append(worker(contest))
        wait(lambda: all_judged(contest), 120)
        order = [event.data["upload"] for event in contest.log() if event.what == "accepted"]
        assert order.index(late) < 10

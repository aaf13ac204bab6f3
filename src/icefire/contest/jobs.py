"""Who does the judge's jobs: this process one after the other, or durable workers that outlive a crash.

Which jobs there are follows from the log (`due`), so a job that was lost is simply due again, and one that was done twice is
written once. The durable queue brings order, fairness and several machines.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import selectors
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

from icefire.contest.closing import Closing
from icefire.contest.engine import Contest
from icefire.contest.judge import Job, News
from icefire.core.errors import InputError, need

VERSION = "1"
"""Of jobs in flight. Under another version they would stay where they are."""
QUEUE = "judge"
DEAD = 20.0
"""Seconds after which a worker that was not seen is taken for dead."""
LOST = 15.0
"""Seconds after which a job that is in the queue, and that nobody does, is taken up again."""
STUCK = 300.0
"""Seconds after which a job that is still due raises an alarm."""


def run_inline(contest: Contest) -> int:
    """Do all that is due, here and now; how many jobs that was."""
    judge, count = contest.judge(), 0
    while jobs := contest.due():
        for job in jobs:
            try:
                contest.record(job, judge.do(job, contest.state()))
            except Exception as error:
                contest.alarm(job, f"{type(error).__name__} in {job.what}", traceback.format_exc())
            count += 1
    return count


class Sandbox(Closing):
    """A process of its own that does one job at a time, within a time and an amount of memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def do(self, job: Job, seconds: float, memory_mb: int) -> News:
        """What the job has found. RuntimeError says why there is nothing."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        order = {"what": job.what, "args": job.args, "team": job.team, "memory_mb": memory_mb}
        try:
            process.stdin.write(json.dumps(order).encode() + b"\n")
            process.stdin.flush()
            line = _line(process.stdout, seconds)
        except (BrokenPipeError, TimeoutError) as error:
            self.close()
            raise RuntimeError(
                f"it took more than {seconds:g} s" if isinstance(error, TimeoutError) else "it ended"
            ) from error
        if not line:
            code = process.wait()
            self.close()
            raise RuntimeError(f"the judge's process ended with code {code}; memory is limited to {memory_mb} MB")
        answer = json.loads(line)
        if "error" in answer:
            # Whatever went wrong may have left something behind.
            self.close()
            raise RuntimeError(answer["error"])
        return [(what, data) for what, data in answer["news"]]

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-m", "icefire.contest.jobs", str(self.folder)]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process


def _line(pipe: Any, seconds: float) -> bytes:
    """One line, or what there is of it when the other side ends."""
    end, found = time.monotonic() + seconds, b""
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while not found.endswith(b"\n"):
            if not selector.select(end - time.monotonic()) or time.monotonic() > end:
                raise TimeoutError
            part = os.read(pipe.fileno(), 1 << 16)
            if not part:
                return b""
            found += part
    return found


def serve(folder: Path) -> None:
    """The other side of a sandbox: jobs come in, results go out, line by line."""
    answers = os.fdopen(os.dup(1), "w")
    # What a library prints must not be taken for an answer.
    os.dup2(2, 1)
    with answers, Contest(folder) as contest:
        judge = contest.judge()
        for line in sys.stdin:
            order = json.loads(line)
            job = Job(order["what"], tuple(order["args"]), order["team"])
            limit = order["memory_mb"] << 20
            resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))
            try:
                answer: dict[str, Any] = {"news": judge.do(job, contest.state())}
            except Exception:
                answer = {"error": traceback.format_exc()}
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


class Workers(Closing):
    """Durable workers: jobs wait in a queue in the database, and whoever is alive takes the next."""

    def __init__(self, contest: Contest, name: str = "", number: int = 2) -> None:
        dbos = need("dbos", "contest")
        self.contest, self.name, self.number = contest, name or os.uname().nodename, number
        self._sandboxes: list[Sandbox] = []
        self._free = threading.Semaphore(number)
        self._lock = threading.Lock()
        self._since: dict[str, float] = {}
        self._queued: dict[str, str] = {}
        """The label of each job in the queue."""
        self._again: Counter[str] = Counter()
        """How often a job has come to an end there without a result."""
        self._running: set[str] = set()
        self._seen: set[str] = set()
        self._moved = time.monotonic()
        url = contest.store.engine.url
        # Jobs of SQLite lie in a file of their own, so that two writers do not wait for each other.
        jobs = (
            f"sqlite:///{Path(str(url.database)).with_name('jobs.db')}" if url.get_backend_name() == "sqlite" else None
        )
        address = jobs or url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._dbos, self._class = dbos, dbos.DBOS
        self._class(
            config={
                "name": "icefire",
                "system_database_url": address,
                "application_version": VERSION,
                "executor_id": self.name,
                "console_log_level": "ERROR",
                "log_level": "ERROR",
                "enable_otlp": False,
                "notification_listener_polling_interval_sec": 0.2,
            }
        )

        def do(what: str, args: list[Any], team: str) -> None:
            self._do(Job(what, tuple(args), team))

        step = self._class.step(name="do")(do)

        def flow(what: str, args: list[Any], team: str) -> None:
            step(what, args, team)

        self._flow = self._class.workflow(name="job")(flow)
        self._class.launch()
        self._queue = self._class.register_queue(QUEUE, worker_concurrency=number, polling_interval_sec=0.1)

    def turn(self) -> int:
        """Put into the queue what is due and not there yet; how many jobs are due."""
        self.contest.tick()
        state = self.contest.state()
        waiting: dict[str, int] = {}
        jobs = self.contest.due()
        for job in jobs:
            # The more jobs of a team wait, the later the next one comes: nobody starves the others.
            waiting[job.team] = waiting.get(job.team, 0) + 1
            again = f".{self._again[job.key]}" if self._again[job.key] else ""
            label = f"{state.commitments[0][:16]}/{job.key}#{state.attempt(job.key)}{again}"
            if self._queued.get(job.key) == label:
                continue
            self._queued[job.key] = label
            with self._dbos.SetWorkflowID(label), self._dbos.SetEnqueueOptions(priority=waiting[job.team]):
                self._queue.enqueue(self._flow, job.what, list(job.args), job.team)
        self._watch(jobs)
        return len(jobs)

    def run(self, until: Any = None, pause: float = 0.2) -> None:
        """Go on until told to stop."""
        reaped = 0.0
        while until is None or not until():
            try:
                self.turn()
                self.contest.store.seen(self.name)
                if time.monotonic() - reaped > DEAD / 2:
                    self.reap()
                    self.heal()
                    reaped = time.monotonic()
            except Exception:
                # Whatever it is, a contest must not stand still because of it.
                logging.getLogger(__name__).exception("a turn failed; trying again")
                time.sleep(1.0)
            time.sleep(pause)

    def idle(self) -> bool:
        """Whether nothing is left to do, now or later."""
        state = self.contest.state()
        return state.final or (len(state.closed) == len(state.schedule) and not self.contest.due())

    def reap(self) -> None:
        """Take over the jobs of workers that are gone."""
        now, seen = self.contest.clock.now(), self.contest.store.workers()
        for flow in self._class.list_workflows(status="PENDING", queue_name=QUEUE, load_input=False, load_output=False):
            last = seen.get(flow.executor_id or "")
            if flow.executor_id != self.name and (
                last is None or (now - datetime.fromisoformat(last)).total_seconds() > DEAD
            ):
                self._class.resume_workflow(flow.workflow_id, queue_name=QUEUE)

    def heal(self) -> None:
        """Take up jobs that the queue has lost: it claims them, and if the database goes away then, nobody does them."""
        now = time.monotonic()
        for job in self.contest.due():
            label = self._queued.get(job.key)
            if label is None or job.key in self._running or now - self._since.get(job.key, now) < LOST:
                continue
            found = self._class.get_workflow_status(label)
            if found is None:
                del self._queued[job.key]
            elif found.status == "PENDING" and found.executor_id == self.name:
                self._class.resume_workflow(label, queue_name=QUEUE)
            elif found.status not in ("PENDING", "ENQUEUED"):
                self._again[job.key] += 1

    def close(self) -> None:
        self._class.destroy(destroy_registry=True)
        for sandbox in self._sandboxes:
            sandbox.close()

    def _watch(self, jobs: list[Job]) -> None:
        now = time.monotonic()
        keys = {job.key for job in jobs}
        self._since = {key: since for key, since in self._since.items() if key in keys}
        self._moved = now if len(self._since) < len(jobs) or keys != self._seen else self._moved
        self._seen = keys
        for job in jobs:
            # A long queue that moves is no reason to worry.
            if now - self._since.setdefault(job.key, now) > STUCK and now - self._moved > STUCK:
                self.contest.alarm(job, f"{job.what} has been due for {STUCK:g} s", "nobody has done it")

    def _do(self, job: Job) -> None:
        state = self.contest.state()
        limits = state.contest.limits
        with self._free:
            sandbox = self._taken()
            self._running.add(job.key)
            try:
                news = sandbox.do(job, limits.seconds, limits.memory_mb)
                self.contest.record(job, news)
            except (RuntimeError, ValueError, InputError) as error:
                self.contest.alarm(job, f"{job.what} failed", str(error))
            finally:
                self._running.discard(job.key)
                with self._lock:
                    self._sandboxes.append(sandbox)

    def _taken(self) -> Sandbox:
        with self._lock:
            return self._sandboxes.pop() if self._sandboxes else Sandbox(self.contest.folder)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))

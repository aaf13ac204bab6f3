"""A process of its own that runs jobs and looks at uploads, one at a time, within limits of processor time and memory."""

from __future__ import annotations

import dataclasses
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from icefire.contest.admission import Request
from icefire.contest.closing import Closing
from icefire.contest.config import Limits
from icefire.contest.engine import Contest
from icefire.contest.events.base import Event
from icefire.contest.events.registry import decode
from icefire.contest.jobs.base import Job
from icefire.contest.jobs.registry import due
from icefire.contest.judge import Judge
from icefire.contest.state import Place
from icefire.core.errors import InputError

SLACK, PATIENCE = 10, 60.0
"""A job that waits for the machine may last so many times its processor time, and so many seconds more."""


class JobFailed(Exception):
    """A job gave no result; the message says why, and may hold secrets."""


class Refusal(NamedTuple):
    """Why an upload is refused."""

    error: str
    """The class of the error."""
    message: str


class TooLong(JobFailed):
    """A job has used up its processor time; it would do so again."""


class Sandbox(Closing):
    """The side of the worker. The process is started when it is needed, and again after a failure."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # What a process that was ended leaves behind is removed with it.
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, job: Job, limits: Limits) -> list[Event]:
        """The result of a job. JobFailed if there is none."""
        answer = self._answer({"job": job.key}, limits, SLACK * limits.seconds + PATIENCE)
        return [decode(log_name, data) for log_name, data in answer["events"]]

    def inspect(self, request: Request, place: Place, file: Path, limits: Limits) -> Refusal | None:
        """Why an upload is refused; None if it is not. JobFailed if it cannot be told within the limits."""
        order = {"request": dataclasses.asdict(request), "place": place, "file": str(file)}
        refusal = self._answer(order, limits, SLACK * limits.seconds)["refusal"]
        return None if refusal is None else Refusal(*refusal)

    def _answer(self, order: Mapping[str, object], limits: Limits, longest: float) -> dict[str, Any]:
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            whole = {**order, "memory_mb": limits.memory_mb, "seconds": limits.seconds}
            process.stdin.write(json.dumps(whole).encode() + b"\n")
            process.stdin.flush()
            line = _line(process.stdout, longest)
        except (BrokenPipeError, TimeoutError, ValueError) as error:
            self.close()
            timeout = isinstance(error, TimeoutError)
            raise JobFailed(f"it took more than {longest:g} s" if timeout else "its process ended") from error
        if not line:
            code = process.wait()
            self.close()
            if code == -signal.SIGPROF:
                raise TooLong(f"it took more than {limits.seconds:g} s of processor time")
            raise JobFailed(f"its process ended with code {code}; memory is limited to {limits.memory_mb} MB")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            # A failure may have left the process in a bad state.
            self.close()
            raise JobFailed(answer["error"])
        return answer

    def warm_up(self) -> None:
        """Start the process before there is a job for it: loading the libraries takes seconds."""
        self._started()

    def interrupt(self) -> None:
        """End the process; from any thread. A running job fails."""
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.close()
            command = [sys.executable, "-m", "icefire.contest.sandbox", str(self.folder)]
            self._scratch = tempfile.TemporaryDirectory(prefix="icefire-judge-")
            environment = {**os.environ, "TMPDIR": self._scratch.name}
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        return self._process


def _line(pipe: IO[bytes], seconds: float) -> bytes:
    """A line; nothing if the other side ends before."""
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
    """The side of the process: orders come in, results go out, line by line."""
    answers = os.fdopen(os.dup(1), "w")
    # What a library prints must not be taken for a result.
    os.dup2(2, 1)
    with answers, Contest(folder) as contest:
        judge = contest.judge()
        for line in sys.stdin:
            order = json.loads(line)
            limit = order["memory_mb"] << 20
            resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))
            # Counts the time of all threads of this process, and ends it.
            signal.setitimer(signal.ITIMER_PROF, order["seconds"])
            try:
                found = _result(contest, judge, order["job"]) if "job" in order else _opinion(contest, order)
                answer = json.dumps(found)
            except Exception:
                answer = json.dumps({"error": traceback.format_exc()})
            signal.setitimer(signal.ITIMER_PROF, 0)
            answers.write(answer + "\n")
            answers.flush()


def _result(contest: Contest, judge: Judge, key: str) -> dict[str, Any]:
    state = contest.state()
    # A job that is not due any more was done by another worker.
    job = next((job for job in due(state) if job.key == key), None)
    events = [] if job is None else job.run(judge, state)
    return {"events": [(event.log_name, event.as_data()) for event in events]}


def _opinion(contest: Contest, order: Mapping[str, Any]) -> dict[str, Any]:
    try:
        contest.uploads.inspect(Request(**order["request"]), Place(*order["place"]), Path(order["file"]).read_bytes())
    except InputError as error:
        return {"refusal": (type(error).__name__, str(error))}
    return {"refusal": None}


if __name__ == "__main__":
    serve(Path(sys.argv[1]))

"""A process of its own that runs jobs one at a time, within limits of processor time and memory."""

from __future__ import annotations

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
from pathlib import Path
from typing import IO

from icefire.contest.closing import Closing
from icefire.contest.config import Limits
from icefire.contest.engine import Contest
from icefire.contest.events.base import Event
from icefire.contest.events.registry import decode
from icefire.contest.jobs.base import Job
from icefire.contest.jobs.registry import due

SLACK, PATIENCE = 10, 60.0
"""A job that waits for the machine may last so many times its processor time, and so many seconds more."""


class JobFailed(Exception):
    """A job gave no result; the message says why, and may hold secrets."""


class Sandbox(Closing):
    """The side of the worker. The process is started when it is needed, and again after a failure."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # What a process that was ended leaves behind is removed with it.
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, job: Job, limits: Limits) -> list[Event]:
        """The result of a job. JobFailed if there is none."""
        process, longest = self._started(), SLACK * limits.seconds + PATIENCE
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            order = {"job": job.key, "memory_mb": limits.memory_mb, "seconds": limits.seconds}
            process.stdin.write(json.dumps(order).encode() + b"\n")
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
                raise JobFailed(f"it took more than {limits.seconds:g} s of processor time")
            raise JobFailed(f"its process ended with code {code}; memory is limited to {limits.memory_mb} MB")
        answer = json.loads(line)
        if "error" in answer:
            # A failure may have left the process in a bad state.
            self.close()
            raise JobFailed(answer["error"])
        return [decode(log_name, data) for log_name, data in answer["events"]]

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
    """The side of the process: keys of jobs come in, results go out, line by line."""
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
                state = contest.state()
                # A job that is not due any more was done by another worker.
                job = next((job for job in due(state) if job.key == order["job"]), None)
                events = [] if job is None else job.run(judge, state)
                answer = json.dumps({"events": [(event.log_name, event.as_data()) for event in events]})
            except Exception:
                answer = json.dumps({"error": traceback.format_exc()})
            signal.setitimer(signal.ITIMER_PROF, 0)
            answers.write(answer + "\n")
            answers.flush()


if __name__ == "__main__":
    serve(Path(sys.argv[1]))

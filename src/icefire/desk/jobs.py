"""Jobs: worker processes of sessions. Each leaves its events in a folder, so that nothing is lost when it is ended."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from icefire.core.errors import InputError
from icefire.desk.sessions import Document, Session, private_folder, read_document, write_document

State = Literal["running", "done", "failed", "cancelled", "lost"]
TASK, EVENTS, END, ERRORS = "job.json", "events.jsonl", "end.json", "errors.txt"
MOST = 3
"""Processes that work at the same time."""
SECRET = ("seed",)
"""Arguments that no page is told."""


class Busy(InputError):
    """Too much is being done at the same time."""


class Jobs:
    """The worker processes of a desk."""

    def __init__(self) -> None:
        self._running: dict[Path, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()

    def start(self, session: Session, task: str, arguments: Document, language: str) -> int:
        """Begin a job; one of the same task in the session is ended. Returns its number."""
        with self._lock:
            for number in session.jobs():
                if read_document(session.job(number) / TASK).get("task") == task:
                    self._end(session.job(number))
            for folder in [folder for folder, process in self._running.items() if process.poll() is not None]:
                self._end(folder)
            if len(self._running) >= MOST:
                raise Busy("the machine is busy with other jobs: wait for one, or end one")
            number = max(session.jobs(), default=0) + 1
            folder = private_folder(session.job(number))
            begun = datetime.now(UTC).isoformat(timespec="seconds")
            job = {"task": task, "arguments": arguments, "language": language, "begun": begun}
            write_document(folder / TASK, job)
            self._running[folder] = _spawned(folder)
            return number

    def cancel(self, session: Session, number: int) -> None:
        """End a job at once, with all processes that it has begun."""
        with self._lock:
            self._end(session.job(number))

    def cancel_all(self, session: Session) -> None:
        for number in session.jobs():
            self.cancel(session, number)

    def close(self) -> None:
        """End all jobs."""
        with self._lock:
            for folder in list(self._running):
                self._end(folder)

    def state(self, folder: Path) -> tuple[State, str]:
        """The state of a job, and why it failed if it did."""
        end = read_document(folder / END)
        if end:
            return end["state"], str(end.get("why", ""))
        process = self._running.get(folder)
        return ("running", "") if process is not None and process.poll() is None else ("lost", "")

    def described(self, session: Session, number: int) -> Document:
        """A job as pages see it."""
        folder = session.job(number)
        job = read_document(folder / TASK)
        state, why = self.state(folder)
        given = job.get("arguments")
        told = {key: value for key, value in given.items() if key not in SECRET} if isinstance(given, dict) else {}
        return {
            "number": number,
            "task": job.get("task"),
            "state": state,
            "why": why,
            "arguments": told,
            "begun": job.get("begun"),
        }

    def _end(self, folder: Path) -> None:
        process = self._running.pop(folder, None)
        if process is None:
            return
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if not (folder / END).exists():
                write_document(folder / END, {"state": "cancelled"})
        if process.stdin is not None:
            process.stdin.close()


def _spawned(folder: Path) -> subprocess.Popen[bytes]:
    # What a fault says may hold cells of the table: it stays in the folder.
    descriptor = os.open(folder / ERRORS, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "icefire.desk.worker", str(folder)],
            # The worker ends when this end of the pipe is closed, so that it never outlives the desk.
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=descriptor,
            start_new_session=True,
        )
    finally:
        os.close(descriptor)


def events(folder: Path, after: int) -> tuple[list[Document], int]:
    """The events of a job from a place in its file on, and the place after them."""
    try:
        with (folder / EVENTS).open("rb") as file:
            file.seek(after)
            content = file.read()
    except FileNotFoundError:
        return [], after
    # The last line may be half written.
    whole = content[: content.rfind(b"\n") + 1]
    return [json.loads(line) for line in whole.splitlines()], after + len(whole)

"""A worker process: does one job, and leaves its events in the job's folder."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from icefire.core.errors import IcefireError
from icefire.core.memory_bound import GIGABYTE, OWN, bounded, machine, used
from icefire.desk.jobs import END, ERRORS, EVENTS, TASK
from icefire.desk.sessions import Session, read_document, write_document
from icefire.words import speak

HARDEST = 0.75
"""Share of the machine's memory at which a job is ended, wherever it is."""
LONGEST = 12 * 3600.0
"""Seconds that a job may take."""
LOOKED = 0.2
"""Seconds between two looks at memory and time."""
NICE = 5
"""How much a job stands back behind pages and other programs."""


@dataclass(frozen=True)
class Work:
    """What a task is given."""

    session: Session
    folder: Path
    arguments: dict[str, Any]
    language: str

    def tell(self, **event: object) -> None:
        """Leave an event for the page."""
        line = json.dumps(event, ensure_ascii=False) + "\n"
        descriptor = os.open(self.folder / EVENTS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(line)


def main(folder: Path) -> None:
    """Do the job in a folder."""
    os.umask(0o077)
    os.nice(NICE)
    threading.Thread(target=_follow_desk, daemon=True).start()
    threading.Thread(target=_watch, args=(folder,), daemon=True).start()
    job = read_document(folder / TASK)
    work = Work(Session(folder.parents[1]), folder, dict(job["arguments"]), str(job["language"]))
    speak("ja" if work.language == "ja" else "en")
    from icefire.desk.tasks import TASKS

    try:
        with bounded(None):
            TASKS[str(job["task"])](work)
    except IcefireError as error:
        _end(folder, "failed", str(error))
    except OSError as error:
        _end(folder, "failed", f"{Path(error.filename or folder).name}: {error.strerror or error}")
    except Exception:
        traceback.print_exc()
        _end(folder, "failed", f"something went wrong here: {folder / ERRORS} says what")
    else:
        _end(folder, "done")


def _end(folder: Path, state: str, why: str = "") -> None:
    write_document(folder / END, {"state": state, "why": why})


def _follow_desk() -> None:
    """End with the desk, which holds the other end of the pipe."""
    sys.stdin.buffer.read()
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _watch(folder: Path) -> None:
    """End where methods cannot be asked to, in the middle of a library's step."""
    begin, most = time.monotonic(), (machine() or 0) * HARDEST
    while True:
        time.sleep(LOOKED)
        if most and OWN.exists() and used() > most:
            _end(folder, "failed", f"more than {most / GIGABYTE:.1f} GB of memory needed: try fewer rows or columns")
        elif time.monotonic() - begin > LONGEST:
            _end(folder, "failed", f"it took more than {LONGEST / 3600:.0f} hours")
        else:
            continue
        os.killpg(os.getpgrp(), signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

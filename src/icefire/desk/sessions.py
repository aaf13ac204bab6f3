"""Sessions: a folder for each file that somebody works on, readable by its owner alone."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from icefire.core.errors import InputError

Document = dict[str, Any]
"""A JSON document."""
NAME = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")
JOB = re.compile(r"[0-9]{4}")
DOCUMENT = "session.json"


class NoSession(InputError):
    """There is no such session."""


@dataclass(frozen=True)
class Session:
    """The folder of a session: upload/, work/ (a working folder of the command line), jobs/ and documents."""

    folder: Path

    @property
    def id(self) -> str:
        return self.folder.name

    @property
    def work(self) -> Path:
        """The working folder."""
        return self.folder / "work"

    @property
    def ledger(self) -> Path:
        return self.folder / "ledger"

    def document(self, name: str = DOCUMENT) -> Document:
        """A document of the session; empty if there is none yet."""
        return read_document(self.folder / name)

    def change(self, **changes: object) -> None:
        """Write some entries of the session's own document."""
        write_document(self.folder / DOCUMENT, {**self.document(), **changes})

    def change_table(self, **changes: object) -> None:
        """The same, where releases of the table are others from now on."""
        self.change(**changes, version=self.version + 1)

    @property
    def version(self) -> int:
        """How often the table or what its columns are was changed."""
        return int(self.document().get("version", 0))

    def job(self, number: int) -> Path:
        return self.folder / "jobs" / f"{number:04}"

    def jobs(self) -> list[int]:
        folder = self.folder / "jobs"
        names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
        return sorted(int(name) for name in names if JOB.fullmatch(name))


class Sessions:
    """All sessions below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        private_folder(folder)

    def new(self, name: str) -> Session:
        moment = datetime.now(UTC)
        session = Session(self.folder / f"{moment:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}")
        private_folder(session.folder)
        session.change(name=name, created=moment.isoformat(timespec="seconds"))
        return session

    def find(self, name: str) -> Session:
        folder = self.folder / name
        if not NAME.fullmatch(name) or not (folder / DOCUMENT).is_file():
            raise NoSession("there is no such session: it was removed, or its folder is another one")
        return Session(folder)

    def all(self) -> list[Session]:
        """All sessions, the latest first."""
        folders = sorted(self.folder.iterdir(), reverse=True)
        return [Session(path) for path in folders if NAME.fullmatch(path.name) and (path / DOCUMENT).is_file()]

    def remove(self, session: Session) -> None:
        # Without its document nobody takes the rest for a session, should this be interrupted.
        (session.folder / DOCUMENT).unlink()
        shutil.rmtree(session.folder)


def private_folder(folder: Path) -> Path:
    """Make a folder that its owner alone may open."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    return folder


def read_document(path: Path) -> Document:
    try:
        content: Document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return content


def write_document(path: Path, content: object) -> None:
    """Write a document whole or not at all."""
    part = path.with_name(f".{path.name}-{secrets.token_hex(4)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file, ensure_ascii=False)
    os.replace(part, path)

"""Files of a contest: content-addressed blobs, such as those that are handed out, and the vault that only the judge opens.

A file is flushed to disk before any event refers to it.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from icefire.core.errors import DataError, FileError

UNFINISHED = ".writing-"
"""How names of what is being written begin."""
ABANDONED = 3600.0
"""Seconds after which nobody goes on with what was begun."""


class Blobs:
    """Files by the SHA-256 of their content."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, content: bytes) -> str:
        """Store a content, and return its hash. It is flushed to disk when this returns."""
        return write_whole(content, self.path(hashlib.sha256(content).hexdigest()))

    @staticmethod
    def name(sha256: str) -> str:
        """Where a content lies below the folder of all."""
        return f"{sha256[:2]}/{sha256}"

    def path(self, sha256: str) -> Path:
        return self.folder / self.name(sha256)

    def get(self, sha256: str) -> bytes:
        return read_whole(self.path(sha256), sha256)


def write_whole(content: bytes, path: Path) -> str:
    """Write a file that appears complete or not at all, and return its hash. It is flushed to disk when this returns."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as target:
            target.write(content)
            target.flush()
            os.fsync(target.fileno())
        os.replace(name, path)
        _sync(path.parent)
        _sync(path.parent.parent)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise FileError(
            f"the file could not be stored ({error.strerror}); nothing was accepted, try again later"
        ) from error
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return hashlib.sha256(content).hexdigest()


def read_whole(path: Path, sha256: str) -> bytes:
    """The content of a file; DataError if it has another hash."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != sha256:
        raise DataError(f"the stored file {sha256[:12]} was changed after it was stored")
    return content


SEEDS = "seeds.json"


class Vault:
    """The seeds of a contest, its problems and the truth behind its releases."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def create(cls, folder: Path, rounds: int, seeds: tuple[str, ...] | None = None) -> Vault:
        """A vault with one secret seed for each round."""
        folder.mkdir(mode=0o700, parents=True)
        drawn = seeds or tuple(secrets.token_hex(32) for _ in range(rounds))
        handle = os.open(folder / SEEDS, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as target:
            json.dump(drawn, target)
            target.flush()
            os.fsync(target.fileno())
        _sync(folder)
        return cls(folder)

    def seed(self, round_index: int) -> str:
        return self._seeds()[round_index]

    def commitments(self) -> list[str]:
        """The hash of every seed. It is published before the contest, so that a seed cannot be chosen afterwards."""
        return [commitment(seed) for seed in self._seeds()]

    def problem(self, round_index: int, owner: str, dataset: str) -> Path:
        return self.folder / "problems" / str(round_index) / owner / dataset

    def truth(self, round_index: int, team: str, dataset: str, upload: str) -> Path:
        return self.folder / "truth" / str(round_index) / team / dataset / upload

    @contextmanager
    def writing(self, folder: Path) -> Iterator[Path]:
        """A folder that appears complete or not at all. An existing one is kept, since a job gives the same each time."""
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=folder.parent))
        try:
            yield stage
            for path in stage.rglob("*"):
                if path.is_file():
                    with path.open("rb") as written:
                        os.fsync(written.fileno())
            try:
                os.rename(stage, folder)
                for parent in folder.parents[: len(folder.relative_to(self.folder).parts)]:
                    _sync(parent)
            except OSError:
                if not folder.is_dir():
                    raise
        finally:
            shutil.rmtree(stage, ignore_errors=True)

    def _seeds(self) -> list[str]:
        seeds: list[str] = json.loads((self.folder / SEEDS).read_text())
        return seeds


def commitment(seed: str) -> str:
    """The hash by which a seed is announced.

    >>> commitment("00")[:12]
    'f1534392279b'
    """
    return hashlib.sha256(seed.encode()).hexdigest()


def is_abandoned(path: Path) -> bool:
    """Whether nothing that wrote a file can still be about to name it in the log."""
    with suppress(OSError):
        return time.time() - path.stat().st_mtime > ABANDONED
    return False


def sweep(folder: Path) -> None:
    """Remove what processes that were killed had begun to write."""
    for path in folder.rglob(f"{UNFINISHED}*"):
        with suppress(OSError):
            if is_abandoned(path):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

"""Back-up of a whole contest in one file, and a contest from such a file."""

from __future__ import annotations

import io
import os
import re
import shutil
import tarfile
from pathlib import Path
from typing import IO

from icefire.contest.clock import Clock
from icefire.contest.engine import ALARMS, DATABASE, FILES, VAULT, Contest, write_settings
from icefire.contest.fold import fold
from icefire.contest.games import GAMES, Games
from icefire.contest.log import Entry, dump, load, verified
from icefire.contest.state import State
from icefire.contest.vault import SEEDS, Blobs
from icefire.core.errors import FileError

LOG = "events.jsonl"
NAMES = re.compile(
    rf"{re.escape(LOG)}|{FILES}/[0-9a-f]{{2}}/[0-9a-f]{{64}}|{VAULT}(/\w[\w .-]{{0,199}}){{1,10}}|{ALARMS}/[0-9a-f]{{8}}\.txt"
)
"""Everything that a back-up may hold."""
GROWTH = 200
"""How many times larger than its file a back-up may become when it is unpacked."""
CHUNK = 1 << 20


def back_up(contest: Contest, target: Path) -> int:
    """Write one file with everything while the contest goes on, and return the number of events in it.

    The log is read first. Every file that it names was there before the event that names it.
    """
    entries = list(verified(contest.log()))
    if target.is_dir() or not target.parent.is_dir():
        raise FileError(f"{target} cannot be written: name a file in an existing folder")
    partial = target.with_name(target.name + ".partial")
    # It holds secrets from its first byte on.
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file, tarfile.open(fileobj=file, mode="w:gz") as archive:
            _pack(contest, entries, archive)
    except BaseException:
        partial.unlink()
        raise
    partial.rename(target)
    return len(entries)


def _pack(contest: Contest, entries: list[Entry], archive: tarfile.TarFile) -> None:
    _add(archive, LOG, dump(entries).encode())
    for sha256 in sorted(_named(fold(entries))):
        _add(archive, f"{FILES}/{contest.blobs.name(sha256)}", contest.blobs.get(sha256))
    for path in sorted(contest.vault.folder.rglob("*")):
        # What is being written is not named by any event yet.
        if path.is_file() and not any(part.startswith(".writing-") for part in path.parts):
            archive.add(path, f"{VAULT}/{path.relative_to(contest.vault.folder)}")
    for path in sorted((contest.folder / ALARMS).glob("*.txt")):
        archive.add(path, f"{ALARMS}/{path.name}")


def restore(
    source: Path, folder: Path, database: str = DATABASE, clock: Clock | None = None, games: Games = GAMES
) -> Contest:
    """A contest from its back-up, in an empty folder and an empty database, ready to go on. Nothing is left of a failure."""
    if folder.exists() and any(folder.iterdir()):
        raise FileError(f"{folder} is not empty: restore into an empty folder")
    if not source.is_file():
        raise FileError(f"no file {source}")
    try:
        return _restored(source, folder, database, clock, games)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _restored(source: Path, folder: Path, database: str, clock: Clock | None, games: Games) -> Contest:
    try:
        extract(source, folder)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise FileError(f"{source} is not a back-up: {error}") from error
    log = folder / LOG
    if not log.is_file() or not (folder / VAULT / SEEDS).is_file():
        raise FileError(f"{source} is not a back-up of a contest")
    entries = load(log.read_text(encoding="utf-8"))
    blobs = Blobs(folder / FILES)
    for sha256 in _named(fold(verified(entries))):
        blobs.get(sha256)
    log.unlink()
    write_settings(folder, database)
    contest = Contest(folder, clock, games=games)
    try:
        contest.store.load(entries)
    except BaseException:
        contest.close()
        raise
    return contest


def extract(source: Path, folder: Path) -> None:
    """Unpack a back-up: plain files with the names that `back_up` gives, bounded, and readable by their owner alone."""
    room = GROWTH * source.stat().st_size
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    with tarfile.open(source) as archive:
        for entry in archive:
            if not entry.isreg() or NAMES.fullmatch(entry.name) is None:
                raise FileError(f"{source} is not a back-up of a contest: it holds {entry.name[:80]!r}")
            room -= entry.size
            if room < 0:
                raise FileError(f"{source} becomes more than {GROWTH} times as large when it is unpacked")
            content = archive.extractfile(entry)
            assert content is not None, "a plain file has content"
            with content:
                _write(content, folder / entry.name)


def _write(content: IO[bytes], path: Path) -> None:
    for parent in reversed(path.parents):
        parent.mkdir(mode=0o700, exist_ok=True)
    # A name that stands there twice is an error.
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as target:
        shutil.copyfileobj(content, target, CHUNK)


def _named(state: State) -> set[str]:
    """The files that the log refers to."""
    found = {upload.sha256 for upload in state.uploads.values()}
    found |= {problem.sha256 for problem in state.dealt.values()}
    for handout in state.published.values():
        found |= {handout.sha256, *handout.questions.values()}
    return found


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))

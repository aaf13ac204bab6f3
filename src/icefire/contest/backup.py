"""Back-up of a whole contest in one file, and a contest from such a file."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import tarfile
import tempfile
from pathlib import Path
from typing import IO

import sqlalchemy as sa

from icefire.contest.clock import Clock, SystemClock
from icefire.contest.engine import ALARMS, DATABASE, FILES, VAULT, Contest, address, write_settings
from icefire.contest.fold import fold
from icefire.contest.games import GAMES, Games
from icefire.contest.log import Entry, dump, load, verified
from icefire.contest.plugins import PLUGINS
from icefire.contest.state import State
from icefire.contest.store import Store, whole_log
from icefire.contest.submissions import UPLOADS, Submissions
from icefire.contest.tables import Rows, dump_tables, load_tables
from icefire.contest.vault import SEEDS, UNFINISHED, Blobs, Vault
from icefire.core.errors import DataError, FileError
from icefire.core.registry import Registry

LOG, TABLES, SUMS = "events.jsonl", "tables.json", "sums.json"
"""The log, the accounts and keys, and the SHA-256 of every other file; back-ups of version 0.1 have only the first."""
NAMES = re.compile(
    rf"{re.escape(LOG)}|{re.escape(TABLES)}|{re.escape(SUMS)}|{FILES}/[0-9a-f]{{2}}/[0-9a-f]{{64}}"
    rf"|{VAULT}(/\w[\w .-]{{0,199}}){{1,10}}|{ALARMS}/[0-9a-f]{{8}}\.txt|{PLUGINS}/\w[\w.-]{{0,199}}"
)
"""Everything that a back-up may hold."""
GROWTH = 200
"""How many times larger than its file a back-up may become when it is unpacked."""
CHUNK = 1 << 20


def back_up(contest: Contest, target: Path) -> int:
    """Write one file with everything while the contest goes on, and return the number of events in it.

    The log is read first, together with the accounts, as they are at one moment. Every file that it names was there before
    the event that names it. What is not as it was written, or is missing, is an error, and no file is left.
    """
    if target.is_dir() or not target.parent.is_dir():
        raise FileError(f"{target} cannot be written: name a file in an existing folder")
    entries, tables = contest.store.read(_database)
    partial = target.with_name(target.name + ".partial")
    # It holds secrets from its first byte on.
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            with tarfile.open(fileobj=file, mode="w:gz") as archive:
                _pack(contest, entries, tables, archive)
            file.flush()
            os.fsync(file.fileno())
        partial.rename(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise FileError(f"{target} cannot be written: {error.strerror}") from error
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return len(entries)


def _database(connection: sa.Connection) -> tuple[list[Entry], Rows]:
    """The log and all other tables, as they are at one moment."""
    return whole_log(connection), dump_tables(connection)


def _pack(contest: Contest, entries: list[Entry], tables: Rows, archive: tarfile.TarFile) -> None:
    sums: dict[str, str] = {}

    def add(name: str, content: bytes) -> None:
        sums[name] = hashlib.sha256(content).hexdigest()
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = len(content), 0o600
        archive.addfile(entry, io.BytesIO(content))

    state = fold(entries)
    add(LOG, dump(entries).encode())
    add(TABLES, json.dumps(tables).encode())
    for sha256 in sorted(state.files):
        add(f"{FILES}/{contest.blobs.name(sha256)}", contest.blobs.get(sha256))
    for upload in state.uploads.values():
        name = f"{VAULT}/{UPLOADS}/{Blobs.name(upload.sha256)}"
        if name not in sums:
            add(name, contest.submissions.get(upload))
    _check_vault(contest, state)
    for path in _complete(contest.vault.folder):
        # Of what teams have sent, what the log names is there already.
        if not path.is_relative_to(contest.vault.folder / UPLOADS):
            add(f"{VAULT}/{path.relative_to(contest.vault.folder)}", path.read_bytes())
    for path in sorted((contest.folder / ALARMS).glob("*.txt")):
        add(f"{ALARMS}/{path.name}", path.read_bytes())
    for path in sorted((contest.folder / PLUGINS).glob("*.py")):
        add(f"{PLUGINS}/{path.name}", path.read_bytes())
    add(SUMS, json.dumps(sums).encode())


def _complete(folder: Path) -> list[Path]:
    """The files below a folder, but for what is being written: no event names it yet, and it may be gone in a moment."""

    def fail(error: OSError) -> None:
        raise error

    found = list[Path]()
    for parent, folders, files in os.walk(folder, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(UNFINISHED)]
        found += [Path(parent, name) for name in files if not name.startswith(UNFINISHED)]
    return sorted(found)


def restore(
    source: Path,
    folder: Path,
    database: str = DATABASE,
    clock: Clock | None = None,
    games: Games = GAMES,
    registry: Registry | None = None,
) -> Contest:
    """A contest from its back-up, in an empty folder and an empty database, ready to go on.

    The folder appears complete, in the end; nothing is left of a failure.
    """
    if folder.exists() and any(folder.iterdir()):
        raise FileError(f"{folder} is not empty: restore into an empty folder")
    if not source.is_file():
        raise FileError(f"no file {source}")
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    stage = Path(tempfile.mkdtemp(prefix=".restoring-", dir=folder.parent))
    try:
        _restore(source, stage, folder, database)
    except BaseException:
        shutil.rmtree(stage, ignore_errors=True)
        raise
    return Contest(folder, clock, registry, games)


def _restore(source: Path, stage: Path, folder: Path, database: str) -> None:
    try:
        extract(source, stage)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise FileError(f"{source} is not a back-up: {error}") from error
    if not (stage / LOG).is_file() or not (stage / VAULT / SEEDS).is_file():
        raise FileError(f"{source} is not a back-up of a contest")
    _check_sums(source, stage)
    entries = list(verified(load((stage / LOG).read_text(encoding="utf-8"))))
    tables: Rows = json.loads((stage / TABLES).read_text()) if (stage / TABLES).is_file() else {}
    state = fold(entries)
    blobs = Blobs(stage / FILES)
    submissions = Submissions(stage, blobs, stage / VAULT)
    submissions.migrate(entries)
    for sha256 in state.files:
        blobs.get(sha256)
    for upload in state.uploads.values():
        submissions.get(upload)
    if Vault(stage / VAULT).commitments() != list(state.commitments):
        raise DataError("the seeds in the vault are not those of the log")
    for name in (LOG, TABLES, SUMS):
        (stage / name).unlink(missing_ok=True)
    write_settings(stage, database)
    url = address(database, stage)
    # A database file moves together with the folder; another database is filled at the moment the folder appears.
    inside = url != database
    with Store(url, SystemClock()) as store, store.writing() as connection:
        store.fill(connection, entries)
        load_tables(connection, tables)
        if not inside:
            stage.rename(folder)
    if inside:
        stage.rename(folder)


def _check_sums(source: Path, folder: Path) -> None:
    """Whether every file is there as it was packed. Back-ups of version 0.1 have no sums."""
    if not (folder / SUMS).is_file():
        return
    sums: dict[str, str] = json.loads((folder / SUMS).read_text())
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - {SUMS}
    for name in sorted(found ^ set(sums)):
        raise FileError(f"{source} is damaged: {name} is {'missing' if name in sums else 'not part of it'}")
    for name, sha256 in sums.items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != sha256:
            raise FileError(f"{source} is damaged: {name} is not what was packed")


def _check_vault(contest: Contest, state: State) -> None:
    """Whether the secrets of everything that was dealt or published are there."""
    judge = contest.judge()
    for place in state.dealt:
        if not judge.problem(place).is_dir():
            raise DataError(f"the problem of {place.team!r} is missing in the vault")
    for place, handout in state.published.items():
        if not judge.truth(place, handout.upload).is_dir():
            raise DataError(f"the truth of the release of {place.team!r} is missing in the vault")


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

"""Unpacking of uploads, within limits on size and content, and packing of handouts."""

from __future__ import annotations

import fnmatch
import io
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import IO

from icefire.contest.config import Limits
from icefire.core.errors import DataError

CHUNK = 1 << 16
IGNORED = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
LONGEST_LINE = 1 << 20
LONGEST_NAME = 100
LARGEST = 200_000_000
"""Upper bound on the bytes of an unpacked upload, whatever the contest allows."""
MOST_FILES, MOST_ENTRIES = 100, 5_000
"""Files of an upload, and entries of its directory, with folders and what systems add."""
ENTRY = b"PK\x01\x02"
"""How an entry in the directory of a zip file begins."""
FORMULA = re.compile(rb"""(?:^|[,;\t\r\n"'])(?:[=@]|[+-](?![\d.,;\t\r\n"']|$))""")
"""A cell that a spreadsheet would evaluate as a formula."""


def unpack(
    content: bytes, folder: Path, patterns: Sequence[str], limits: Limits, bare: Callable[[str], str | None]
) -> None:
    """Write the files of an upload into a folder: those of a zip, or one plain file, which `bare` names by its first line."""
    if content[:4] == b"PK\x03\x04":
        _unzip(content, folder, patterns, limits)
        return
    name = bare(content[:LONGEST_NAME].decode("utf-8-sig", errors="replace").partition("\n")[0])
    if name is None:
        raise DataError(f"this is not a zip file: pack {_listed(patterns)} into one")
    folder.mkdir(parents=True, exist_ok=True)
    _write(io.BytesIO(content), folder / name, limits, len(content))


def _unzip(content: bytes, folder: Path, patterns: Sequence[str], limits: Limits) -> None:
    # Before its directory is read, which takes a kilobyte of memory for an entry.
    if (count := content.count(ENTRY)) > MOST_ENTRIES:
        raise DataError(f"the zip file holds {count:,} files: it should hold {_listed(patterns)}")
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
        entries = [entry for entry in archive.infolist() if not entry.is_dir() and not _ignored(entry.filename)]
    except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeDecodeError, OSError) as error:
        raise DataError(f"the zip file cannot be read: {error}") from error
    if not entries:
        raise DataError(f"the zip file is empty: it should hold {_listed(patterns)}")
    if len(entries) > MOST_FILES:
        raise DataError(f"the zip file holds {len(entries):,} files: it should hold {_listed(patterns)}")
    room = min(int(len(content) * limits.unpacked), LARGEST)
    seen: set[str] = set()
    folder.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        name = _plain_name(entry, patterns)
        if name.casefold() in seen:
            raise DataError(f"the zip file holds {name!r} twice")
        seen.add(name.casefold())
        try:
            with archive.open(entry) as source:
                room -= _write(source, folder / name, limits, room)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
            raise DataError(f"{name} in the zip file cannot be read: {error}") from error


def _ignored(name: str) -> bool:
    return any(part in IGNORED or part.startswith("._") for part in PurePosixPath(name).parts)


def _plain_name(entry: zipfile.ZipInfo, patterns: Sequence[str]) -> str:
    """The file name of an entry, which may be inside a single top-level folder."""
    path = PurePosixPath(entry.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or stat.S_ISLNK(entry.external_attr >> 16):
        raise DataError(f"the zip file holds {entry.filename[:80]!r}, which is not the name of a plain file")
    if entry.flag_bits & 1:
        raise DataError("the zip file is encrypted: send it without a password")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise DataError("the zip file is compressed in an unusual way: make it with the ordinary method (deflate)")
    if len(path.name) > LONGEST_NAME:
        raise DataError(f"the zip file holds a name of {len(path.name)} characters: at most {LONGEST_NAME} will do")
    if len(path.parts) > 2 or not any(fnmatch.fnmatchcase(path.name, pattern) for pattern in patterns):
        raise DataError(
            f"the zip file holds {entry.filename[:80]!r}: it should hold {_listed(patterns)} and nothing else"
        )
    return path.name


def _write(source: IO[bytes], path: Path, limits: Limits, room: int) -> int:
    """Copy a file while it stays within the limits; returns its size in bytes."""
    size = lines = line = 0
    end_before = b""
    # A model may be one long line with many commas; it has bounds of its own.
    table = path.suffix != ".json"
    with path.open("wb") as target:
        while chunk := source.read(CHUNK):
            size += len(chunk)
            if size > room:
                raise DataError(
                    f"{path.name} becomes more than {limits.unpacked:g} times as large when it is unpacked: that is not data"
                )
            if b"\0" in chunk:
                raise DataError(
                    f"{path.name}, line {lines + 1}: there is a NUL byte. Save the file as plain CSV in UTF-8."
                )
            formula = FORMULA.search(end_before + chunk)
            if formula:
                at = lines + 1 + (end_before + chunk)[: formula.end()].count(b"\n") - end_before.count(b"\n")
                sign = formula[0][-1:].decode()
                raise DataError(
                    f"{path.name}, line {at}: a cell begins with {sign!r}, which spreadsheets take for a formula"
                )
            # Kept for the next chunk: a delimiter that begins a cell, and a sign that may follow it.
            end_before = chunk[-2:] if chunk[-1:] in b"+-" else chunk[-1:]
            if table and size == len(chunk):
                columns = chunk.split(b"\n", 1)[0].count(b",") + 1
                if columns > limits.columns:
                    raise DataError(f"{path.name} has {columns:,} columns, more than {limits.columns:,}")
            # Old files end lines by CR alone.
            lines += max(chunk.count(b"\n"), chunk.count(b"\r"))
            end = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
            line = line + len(chunk) if end < 0 else len(chunk) - end - 1
            if lines > limits.rows + 1:
                raise DataError(f"{path.name} has more than {limits.rows:,} rows")
            if table and line > LONGEST_LINE:
                raise DataError(f"{path.name}, line {lines + 1} is longer than a million bytes")
            target.write(chunk)
    return size


def plain_name(pattern: str) -> str:
    """A pattern of file names as people write such.

    >>> plain_name("guess-*.csv"), plain_name("AT[._]*"), plain_name("published.*")
    ('guess-NAME.csv', 'AT.csv', 'published.csv')
    """
    return pattern.replace("[._]*", ".csv").replace(".*", ".csv").replace("*", "NAME")


def _listed(patterns: Sequence[str]) -> str:
    names = list(map(plain_name, patterns))
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def pack(files: dict[str, bytes]) -> bytes:
    """A reproducible zip file: the same files give the same bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name], zipfile.ZIP_DEFLATED)
    return made.getvalue()


def files_of(packed: bytes) -> dict[str, bytes]:
    """The files of a zip that was packed here."""
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def folder_files(folder: Path, patterns: Sequence[str]) -> dict[str, bytes]:
    """The files of a folder that match, by name."""
    found = sorted({path for pattern in patterns for path in folder.glob(pattern) if path.is_file()})
    return {path.name: path.read_bytes() for path in found}

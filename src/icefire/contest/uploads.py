"""Unpacking of uploads, within limits on size and content, and packing of handouts."""

from __future__ import annotations

import fnmatch
import io
import stat
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import IO

from icefire.contest.config import Limits
from icefire.contest.scan import Scan
from icefire.core.errors import DataError

CHUNK = 1 << 16
IGNORED = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")
LONGEST_NAME, LARGEST_NAME = 100, 200
"""Characters and bytes of the name of a file: file systems take 255 bytes, and judges may put something before it."""
LARGEST = 200_000_000
"""Upper bound on the bytes of an unpacked upload, whatever the contest allows."""
MOST_FILES, MOST_ENTRIES = 100, 5_000
"""Files of an upload, and entries of its directory, with folders and what systems add."""
ENTRY = b"PK\x01\x02"
"""How an entry in the directory of a zip file begins."""


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
        # `is_dir` fails where a name is empty.
        files = [entry for entry in archive.infolist() if not entry.filename.endswith("/")]
        entries = [entry for entry in files if not _ignored(entry.filename)]
    except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeDecodeError, OSError) as error:
        raise DataError(f"the zip file cannot be read: {str(error)[:LONGEST_NAME]}") from error
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
            # The reason may repeat what stands in the file.
            raise DataError(f"{name} in the zip file cannot be read: {str(error)[:LONGEST_NAME]}") from error


def _ignored(name: str) -> bool:
    return any(part in IGNORED or part.startswith("._") for part in PurePosixPath(name).parts)


def _plain_name(entry: zipfile.ZipInfo, patterns: Sequence[str]) -> str:
    """The file name of an entry, which may be inside a single top-level folder."""
    path = PurePosixPath(entry.filename.replace("\\", "/"))
    if (
        path.is_absolute()
        or ".." in path.parts
        or not path.name.isprintable()
        or stat.S_ISLNK(entry.external_attr >> 16)
    ):
        raise DataError(f"the zip file holds {entry.filename[:80]!r}, which is not the name of a plain file")
    if entry.flag_bits & 1:
        raise DataError("the zip file is encrypted: send it without a password")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise DataError("the zip file is compressed in an unusual way: make it with the ordinary method (deflate)")
    if len(path.name) > LONGEST_NAME:
        raise DataError(f"the zip file holds a name of {len(path.name)} characters: at most {LONGEST_NAME} will do")
    size = len(path.name.encode(errors="replace"))
    if size > LARGEST_NAME:
        raise DataError(f"the zip file holds a name of {size} bytes in UTF-8: at most {LARGEST_NAME} will do")
    if len(path.parts) > 2 or not any(fnmatch.fnmatchcase(path.name, pattern) for pattern in patterns):
        raise DataError(
            f"the zip file holds {entry.filename[:80]!r}: it should hold {_listed(patterns)} and nothing else"
        )
    return path.name


def _write(source: IO[bytes], path: Path, limits: Limits, room: int) -> int:
    """Copy a file while it stays within the limits; returns its size in bytes."""
    # A model may be one long line with many commas; it has bounds of its own.
    scan, size = Scan(path.name, limits, table=path.suffix != ".json"), 0
    with path.open("wb") as target:
        while chunk := source.read(CHUNK):
            size += len(chunk)
            if size > room:
                raise DataError(
                    f"{path.name} becomes more than {limits.unpacked:g} times as large when it is unpacked: that is not data"
                )
            scan.add(chunk)
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

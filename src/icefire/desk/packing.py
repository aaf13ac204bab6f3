"""Archives that are made while they are sent, however large their files are."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

PART = 1 << 20
"""Bytes that are read at a time."""


def packed(files: Mapping[str, Path]) -> Iterator[bytes]:
    """The parts of a zip archive of files, by their names in it."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files.items():
            entry = zipfile.ZipInfo.from_file(path, name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with path.open("rb") as file, archive.open(entry, "w") as target:
                while part := file.read(PART):
                    target.write(part)
                    yield sink.taken()
    yield sink.taken()


class _Sink(io.RawIOBase):
    """Takes what an archive writes, which goes on without looking back."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, part: object) -> int:
        content = bytes(part)  # type: ignore[call-overload]
        self._parts.append(content)
        return len(content)

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)

"""Files that come in: written to the disk as they arrive, and refused when they are too large."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from icefire.core.errors import InputError
from icefire.desk.sessions import private_folder

LARGEST = 8_000_000_000
"""Bytes of a file; larger ones are read where they are, by `icefire desk FILE`."""
SPARE = 1_000_000_000
"""Bytes of the disk that are left free."""
LONGEST, LARGEST_NAME = 100, 200
"""Characters and bytes of a name: file systems take 255 bytes, and the next months' files are numbered."""


class TooLarge(InputError):
    """The file is larger than what is accepted."""


def safe_name(name: str) -> str:
    """The last part of a name, without anything that means something to a file system.

    >>> safe_name("../../etc/pass wd.csv"), safe_name(".."), safe_name("名簿.csv")
    ('pass_wd.csv', 'file', '名簿.csv')
    """
    last = re.split(r"[\\/]", name)[-1]
    kept = re.sub(r"[^\w.()-]+", "_", last).lstrip(".")[-LONGEST:]
    # A cut may go through a letter.
    return kept.encode()[-LARGEST_NAME:].decode(errors="ignore") or "file"


def shown_name(name: str) -> str:
    """The last part of a name, as its owner wrote it.

    >>> shown_name("lists/staff 2026.xlsx")
    'staff 2026.xlsx'
    """
    return re.split(r"[\\/]", name)[-1].strip()[-LONGEST:] or "file"


async def receive(stream: AsyncIterator[bytes], target: Path, stated: int | None, largest: int) -> None:
    """Write a body to a file that its owner alone may read; nothing is left of it if it is too large or breaks off."""
    room = min(largest, shutil.disk_usage(target.parents[1]).free - SPARE)
    if stated is not None and stated > room:
        raise TooLarge(_too_large(largest, room))
    private_folder(target.parent)
    size, descriptor = 0, os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:
        async for part in stream:
            size += len(part)
            if size > room:
                raise TooLarge(_too_large(largest, room))
            await run_in_threadpool(file.write, part)


def _too_large(largest: int, room: int) -> str:
    if room < largest:
        return "the disk is too full for this file"
    return f"the file is larger than {largest / 1e9:g} GB: `icefire desk FILE` reads it where it is"

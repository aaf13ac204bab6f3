"""The disk of a contest: how much room is left, and a reserve for the operator when there is none."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from icefire.contest.errors import DiskFull

LOW = 500_000_000
"""Bytes below which the operator is told; on small disks a twentieth of them."""
RESERVE = 4_000_000
STEP = 40_000
"""Bytes that an action of the operator gets from the reserve at a time; a transaction of SQLite takes about 25,000."""


class Disk:
    """The disk on which the folder of a contest lies."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._reserve = folder, folder / "reserve"

    @property
    def free(self) -> int:
        return shutil.disk_usage(self.folder).free

    @property
    def low(self) -> int:
        return min(LOW, shutil.disk_usage(self.folder).total // 20)

    def check_upload(self, size: int) -> None:
        """Refuse an upload that would take the last room, which the judge and the operator need."""
        # It is stored, copied to the vault, unpacked by the judge and packed again.
        if self.free - 4 * size < self.low // 5:
            raise DiskFull("the disk of the server is nearly full: nothing was accepted, tell the operator")

    def hold(self) -> None:
        """Fill the reserve up, unless the disk is nearly full."""
        wanted = min(RESERVE, self.low)
        size = self._reserve.stat().st_size if self._reserve.exists() else 0
        if size < wanted and self.free > self.low:
            with suppress(OSError), self._reserve.open("ab") as file:
                os.posix_fallocate(file.fileno(), 0, wanted)

    def give(self) -> bool:
        """Free a part of the reserve; False if nothing is left of it."""
        size = self._reserve.stat().st_size if self._reserve.exists() else 0
        if not size:
            return False
        os.truncate(self._reserve, max(0, size - STEP))
        return True

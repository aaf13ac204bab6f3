"""Files that teams have sent. The web takes them in and never reads them again: they may hold what
only their team and the judge may know, such as whose row is which.

    receive: web   -> inbox/ID
    collect: judge -> vault/uploads/SHA256, then inbox/ID is removed

A file is in the vault, and flushed to disk, before it leaves another place, so a crash in between
leaves it twice, and the next judge goes on. The log names files by their hash: it does not matter to
it where they lie, or how often.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from icefire.contest.events.registry import decode
from icefire.contest.events.uploads import Dealt, Published, Uploaded
from icefire.contest.log import Entry
from icefire.contest.state import State, Upload
from icefire.contest.vault import Blobs, is_abandoned, read_whole, write_whole
from icefire.core.errors import DataError

INBOX, UPLOADS = "inbox", "uploads"
"""Where files come in, in the folder of a contest, and where they lie in its vault."""
ID = re.compile(r"[0-9a-f]{16}")


class Submissions:
    """The files that teams have sent."""

    def __init__(self, folder: Path, blobs: Blobs, vault: Path) -> None:
        self._inbox, self._blobs, self._vault = folder / INBOX, blobs, Blobs(vault / UPLOADS)

    def receive(self, upload: str, content: bytes) -> str:
        """Store a file before its upload is in the log, and return its hash.

        It is flushed to disk when this returns.
        """
        return write_whole(content, self._inbox / upload)

    def put(self, content: bytes) -> str:
        """Store a file of the judge's own making, and return its hash."""
        return self._vault.put(content)

    def get(self, upload: Upload) -> bytes:
        """The file of an upload as it was sent."""
        for path in self._places(upload):
            with suppress(FileNotFoundError):
                return read_whole(path, upload.sha256)
        raise DataError(f"the stored file {upload.sha256[:12]} of the upload {upload.id} is missing")

    def path(self, upload: Upload) -> Path:
        """Where the file of an upload lies; in the vault if it is nowhere.

        PermissionError for who may not know.
        """
        places = self._places(upload)
        return next((path for path in places if path.exists()), places[0])

    def collect(self, state: Callable[[], State]) -> int:
        """Move what has come in to the vault, and return how many files there were.

        What no event names after an hour was refused by the log, and goes as well.
        """
        complete = [path for path in self._inbox.glob("*") if ID.fullmatch(path.name) and path.is_file()]
        uploads = state().uploads if complete else {}
        return self._move(path for path in complete if path.name in uploads or is_abandoned(path))

    def migrate(self, entries: Iterable[Entry]) -> int:
        """Move to the vault what earlier versions kept beside the files that are handed out.

        Returns how many files there were.
        """
        uploads, public = set[str](), set[str]()
        for entry in entries:
            match decode(entry.what, entry.data):
                case Dealt(sha256=sha256):
                    public.add(sha256)
                case Published(sha256=sha256, questions=questions):
                    public |= {sha256, *questions.values()}
                case Uploaded(sha256=sha256):
                    uploads.add(sha256)
        for sha256 in uploads & public:
            # A team may have sent back what it was dealt.
            with suppress(FileNotFoundError):
                self._vault.put(self._blobs.get(sha256))
        others = [path for path in self._blobs.folder.glob("??/*") if path.name not in public]
        return self._move(path for path in others if path.name in uploads or is_abandoned(path))

    def _places(self, upload: Upload) -> tuple[Path, ...]:
        """Where the file of an upload may lie: it may reach the vault during a look elsewhere."""
        kept = self._vault.path(upload.sha256)
        return kept, self._inbox / upload.id, self._blobs.path(upload.sha256), kept

    def _move(self, paths: Iterable[Path]) -> int:
        count = 0
        for path in paths:
            # Another judge may be faster.
            with suppress(FileNotFoundError):
                self._vault.put(path.read_bytes())
                path.unlink()
                count += 1
        return count

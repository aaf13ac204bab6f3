"""The public board and story as they change: a thread follows the log, and all streams of the process are woken."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import json
import logging
import threading
import time
from collections.abc import AsyncIterator

from icefire.contest.board import board
from icefire.contest.closing import Closing
from icefire.contest.engine import Contest
from icefire.contest.story import Story
from icefire.core.documents import Json
from icefire.web.listeners import Listener, Listeners

PAUSE = 0.25
"""Seconds between two looks at the log."""
NOTICES = 150
"""Notices of a new board that all streams together get in a second: everyone who gets one asks for the board."""
BEAT = 15.0
"""Seconds after which a stream without news sends a comment, so that connections are not cut."""


class Live(Closing):
    """The public board and the story, encoded and ready to be sent."""

    def __init__(self, contest: Contest) -> None:
        self.contest, self.story = contest, Story()
        self.board, self.packed, self.tag = b"", b"", ""
        self._loop: asyncio.AbstractEventLoop | None = None
        self.listeners = Listeners()
        self._encoded = (0, 0, 0, b"")
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.look()

    def look(self) -> bool:
        """Take in new events, and return whether there were any."""
        with self._lock:
            entries = self.contest.log(self.story.state.seq)
            if not entries and self.board:
                return False
            before = self.tag, len(self.story), self.story.edition
            self.story.follow(entries)
            self.board = json.dumps(board(self.story.state, "public"), ensure_ascii=False).encode()
            self.packed = gzip.compress(self.board, 3, mtime=0)
            self.tag = hashlib.sha256(self.board).hexdigest()[:16]
            news = before != (self.tag, len(self.story), self.story.edition)
        # A wake-up without news would tell listeners that something happened behind the freeze.
        if news and self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake)
        return True

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    def stop(self) -> None:
        """End all streams; from any thread."""
        self._stop.set()
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def close(self) -> None:
        self.stop()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(PAUSE):
            try:
                self.look()
            except Exception:
                # The database may be away for a while; the streams wait.
                logging.getLogger(__name__).exception("the log cannot be read")

    def _wake(self) -> None:
        self.listeners.wake()

    async def stream(self, after: int, address: str = "") -> AsyncIterator[bytes]:
        """Server-sent events: items of the story after a number, and a notice when the board has changed."""
        with self.listeners.enter(address) as listener:
            async for message in self._messages(after, listener):
                yield message

    async def _messages(self, after: int, listener: Listener) -> AsyncIterator[bytes]:
        yield b"retry: 1000\n\n"
        shown, next_notice, edition = "", 0.0, self.story.edition
        while not (self._stop.is_set() or listener.is_over):
            listener.wake.clear()
            if after > len(self.story) or edition != self.story.edition:
                # The number is from another contest or from before a restore, or what was told has changed.
                after, edition = 0, self.story.edition
                yield _message("reset", {}, 0)
            if after < len(self.story):
                after, message = self._items(after)
                yield message
            late = self.tag != shown
            if late and time.monotonic() >= next_notice:
                shown, late = self.tag, False
                next_notice = time.monotonic() + len(self.listeners) / NOTICES
                yield _message("board", {"tag": shown}, after)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(listener.wake.wait(), next_notice - time.monotonic() if late else BEAT)
                continue
            if not late:
                yield b": alive\n\n"

    def _items(self, after: int) -> tuple[int, bytes]:
        """The number of the last item, and all items after a number as a message."""
        edition, begin, end, message = self._encoded
        # Most streams have heard equally much, so most of the time it is encoded already.
        if (edition, begin, end) != (self.story.edition, after, len(self.story)):
            edition, items = self.story.edition, self.story.public(after)
            end = after + len(items)
            message = _message("story", items, end)
            self._encoded = edition, after, end, message
        return end, message


def _message(kind: str, data: Json, number: int) -> bytes:
    return f"id: {number}\nevent: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()

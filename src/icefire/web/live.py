"""The public board and story as they change: a thread follows the log, and all streams of the process are woken."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import json
import logging
import threading
from collections import Counter
from collections.abc import AsyncIterator

from icefire.contest.board import board
from icefire.contest.closing import Closing
from icefire.contest.engine import Contest
from icefire.contest.story import Story
from icefire.core.documents import Json

PAUSE = 0.25
"""Seconds between two looks at the log."""
MOST, MOST_PER_ADDRESS = 5_000, 2_000
"""Streams in all, and from one address, which may be a whole hall."""
BEAT = 15.0
"""Seconds after which a stream without news sends a comment, so that connections are not cut."""


class Live(Closing):
    """The public board and the story, encoded and ready to be sent."""

    def __init__(self, contest: Contest) -> None:
        self.contest, self.story = contest, Story()
        self.board, self.packed, self.tag = b"", b"", ""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._news = asyncio.Event()
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._watching: Counter[str] = Counter()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.look()

    def look(self) -> bool:
        """Take in new events, and return whether there were any."""
        with self._lock:
            entries = self.contest.log(self.story.state.seq)
            if not entries and self.board:
                return False
            before = self.tag, len(self.story.public())
            self.story.follow(entries)
            self.board = json.dumps(board(self.story.state, "public"), ensure_ascii=False).encode()
            self.packed = gzip.compress(self.board, 3, mtime=0)
            self.tag = hashlib.sha256(self.board).hexdigest()[:16]
            news = before != (self.tag, len(self.story.public()))
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
        self._news.set()
        self._news = asyncio.Event()

    def has_room(self, address: str) -> bool:
        """Whether another stream may be opened from an address."""
        return sum(self._watching.values()) < MOST and self._watching[address] < MOST_PER_ADDRESS

    async def stream(self, after: int, address: str = "") -> AsyncIterator[bytes]:
        """Server-sent events: items of the story after a number, and a notice when the board has changed."""
        self._watching[address] += 1
        try:
            async for message in self._messages(after):
                yield message
        finally:
            self._watching[address] -= 1

    async def _messages(self, after: int) -> AsyncIterator[bytes]:
        yield b"retry: 1000\n\n"
        shown = ""
        if after > len(self.story.public()):
            # The number is from another contest, or from before a restore.
            after = 0
            yield _message("reset", {}, 0)
        while not self._stop.is_set():
            news = self._news
            items = self.story.public(after)
            if items:
                after += len(items)
                yield _message("story", items, after)
            if self.tag != shown:
                shown = self.tag
                yield _message("board", {"tag": shown}, after)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), BEAT)
                continue
            yield b": alive\n\n"


def _message(kind: str, data: Json, number: int) -> bytes:
    return f"id: {number}\nevent: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()

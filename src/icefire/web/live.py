"""What everybody watches: one thread follows the log, and all streams of this process are told."""

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
from typing import Any

from icefire.contest.board import board
from icefire.contest.closing import Closing
from icefire.contest.engine import Contest
from icefire.contest.story import Story

PAUSE = 0.25
"""Seconds between two looks at the log."""
MOST, MOST_AT_ONE = 5_000, 2_000
"""Streams in all, and from one address, which may be a whole hall."""
BEAT = 15.0
"""Seconds after which a quiet stream says that it is alive."""


class Live(Closing):
    """The public board and the story, ready to be sent."""

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
        """Take in what is new; whether there was anything."""
        with self._lock:
            events = self.contest.events(self.story.state.seq)
            if not events and self.board:
                return False
            before = self.tag, len(self.story.public())
            self.story.follow(events)
            self.board = json.dumps(board(self.story.state, "public"), ensure_ascii=False).encode()
            self.packed = gzip.compress(self.board, 3, mtime=0)
            self.tag = hashlib.sha256(self.board).hexdigest()[:16]
            news = before != (self.tag, len(self.story.public()))
        # Whoever listens must not notice that something happened behind the freeze.
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

    def room(self, address: str) -> bool:
        """Whether one more may watch."""
        return sum(self._watching.values()) < MOST and self._watching[address] < MOST_AT_ONE

    async def stream(self, after: int, address: str = "") -> AsyncIterator[bytes]:
        """Server-sent events from a place in the story on: what has happened, and when the board has changed."""
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
            # The story was told by another contest, or before a restore.
            after = 0
            yield _message("reset", {}, 0)
        while not self._stop.is_set():
            news = self._news
            items: list[dict[str, Any]] = self.story.public(after)
            if items:
                after = items[-1]["id"]
                yield _message("story", items, after)
            if self.tag != shown:
                shown = self.tag
                yield _message("board", {"tag": shown}, after)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), BEAT)
                continue
            yield b": alive\n\n"


def _message(kind: str, data: Any, number: int) -> bytes:
    return f"id: {number}\nevent: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()

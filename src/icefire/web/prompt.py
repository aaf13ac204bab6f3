"""Connections that do not send the head of a request in time are closed: uvicorn would wait for ever."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from icefire.core.errors import need

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol

SLOWEST = 10.0
"""Seconds from the opening of a connection, or from the last answer, to the end of a request's head."""
GRACE = 0.5


def prompt_protocol(slowest: float = SLOWEST) -> type[H11Protocol]:
    """The protocol class for uvicorn."""
    base: type[H11Protocol] = need("uvicorn.protocols.http.h11_impl", "web").H11Protocol

    class Prompt(base):  # type: ignore[misc, valid-type]
        _end: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._expect_head()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._expect_head()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._end is not None:
                self._end.cancel()
            super().connection_lost(exc)

        def _expect_head(self) -> None:
            if self._end is not None:
                self._end.cancel()
            self._end = self.loop.call_later(slowest, self._close_if_idle, False)

        def _close_if_idle(self, again: bool) -> None:
            if self.cycle is not None and not self.cycle.response_complete:
                return
            if again:
                self.transport.close()
            else:
                # On a machine that stands still for a while, timers come before what has arrived in the meantime.
                self._end = self.loop.call_later(GRACE, self._close_if_idle, True)

    return Prompt

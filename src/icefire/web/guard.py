"""Middleware for every request: security headers, bounds on bodies, and protection against cross-site requests."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from icefire.words import accepted, translated

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
POLICY += "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
SLOWEST = 10.0
"""Seconds that a request body may take to come in."""
STALLED = 60.0
"""Seconds after which a reader that takes nothing of an answer is cut off."""
LARGEST_BODY = 20_000
"""Bytes of a request body, except for uploads, which have a limit of their own."""


class Guard:
    """An ASGI middleware that does not buffer responses."""

    def __init__(self, app: ASGIApp, secure: bool = False, largest: int = LARGEST_BODY) -> None:
        self.app, self.largest = app, largest
        headers = {**HEADERS, "strict-transport-security": "max-age=31536000"} if secure else HEADERS
        # What an answer says itself stands.
        self.headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in message["headers"]}
                more = [pair for pair in self.headers if pair[0] not in names]
                message["headers"] = [*message["headers"], *more]
            try:
                async with asyncio.timeout(STALLED):
                    await send(message)
            except TimeoutError as error:
                raise _Stalled from error

        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            if not _same_site(headers):
                await _refuse(guarded, headers, 403, "this was sent from another site")
                return
            if scope["method"] != "PUT":
                try:
                    async with asyncio.timeout(SLOWEST):
                        receive, large = await _bounded(receive, self.largest)
                except TimeoutError:
                    await _refuse(guarded, headers, 408, f"the request took more than {SLOWEST:g} s")
                    return
                if large:
                    await _refuse(guarded, headers, 413, f"the body is larger than {self.largest:,} bytes")
                    return
        with suppress(_Stalled):
            # The server closes a connection whose answer is not complete.
            await self.app(scope, receive, guarded)


class _Stalled(Exception):
    """The reader of an answer takes nothing of it."""


def _same_site(headers: dict[str, str]) -> bool:
    """Whether a request that changes something comes from our own pages or from a program with a token."""
    if headers.get("authorization", "").lower().startswith("bearer "):
        return True
    try:
        origin = urlsplit(headers["origin"]).netloc if "origin" in headers else headers.get("host")
    except ValueError:
        return False
    if origin != headers.get("host"):
        return False
    # Forms of other sites cannot set this header.
    return headers.get("x-icefire") == "1" and headers.get("sec-fetch-site", "same-origin") == "same-origin"


async def _bounded(receive: Receive, largest: int) -> tuple[Receive, bool]:
    """A `receive` with the body read in advance, and whether the body is too large."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > largest:
            return receive, True
    sent = False

    async def again() -> Message:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again, False


async def _refuse(send: Send, asked: dict[str, str], status: int, why: str) -> None:
    told = translated(why, accepted(asked.get("accept-language", "")))
    body = json.dumps({"detail": "refused", "faults": [told]}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

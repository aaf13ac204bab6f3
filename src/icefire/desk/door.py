"""Who may come in: requests to this machine's own address that carry the cookie, which the address with the token sets.

Any page in the same browser can send requests to a port of this machine, and a name that it controls can be made to mean this
machine (DNS rebinding). So the host that a request names must be ours, and nothing is answered without the cookie, which
browsers send from our own pages alone.
"""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from icefire.words import accepted, translated

HOSTS = ("127.0.0.1", "localhost", "[::1]")
OPEN = ("/static/common/icon.svg",)
"""What is shown to anybody."""


class Door:
    """An ASGI middleware in front of everything but security headers."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self.app = app
        self.token, self._key = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        # Cookies do not tell ports apart, so that two desks would take each other's.
        self.cookie = f"icefire_desk_{port}"
        self.hosts = {f"{host}:{port}" for host in HOSTS}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        await (self.app if refusal is None else refusal)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> Response | None:
        """What is answered in place of the app, if anything."""
        if headers.get("host") not in self.hosts:
            return _no(403, "this desk is reached by its own address alone", headers)
        if self._equal(_token(scope), self.token):
            answer = RedirectResponse(f"/{scope['path'].lstrip('/')}", 303)
            answer.set_cookie(self.cookie, self._key, httponly=True, samesite="strict", path="/")
            return answer
        if scope["path"] in OPEN or self._equal(_cookie(headers, self.cookie), self._key):
            return None
        return _no(403, "open the address that the desk has printed, with its token", headers)

    def _equal(self, given: str, held: str) -> bool:
        return hmac.compare_digest(given.encode(), held.encode())


def _token(scope: Scope) -> str:
    if scope["method"] != "GET":
        return ""
    query: bytes = scope["query_string"]
    return parse_qs(query.decode("latin-1")).get("token", [""])[0]


def _cookie(headers: dict[str, str], name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _no(status: int, why: str, headers: dict[str, str]) -> Response:
    told = translated(why, accepted(headers.get("accept-language", "")))
    return JSONResponse({"detail": "refused", "faults": [told]}, status)

"""Who may come in: requests to this machine's own address that carry what the address with the token was exchanged for.

Any page in the same browser can send requests to a port of this machine, and a name that it controls can be made to mean this
machine (DNS rebinding). So the host that a request names must be ours, and nothing is answered without the cookie, which
browsers send from pages of this machine alone.

But cookies do not tell ports apart: somebody else's server on another port of this machine is sent ours, too. What is about the
data therefore needs the key as well, which our pages keep in the storage of their origin, port included, and send in a header;
and files, which browsers fetch without it, need a pass.
"""

from __future__ import annotations

import hmac
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from icefire.desk.passes import NAME, Passes
from icefire.desk.peers import is_strangers
from icefire.words import accepted, translated

HOSTS = ("127.0.0.1", "localhost", "[::1]")
OPEN = ("/static/common/icon.svg",)
"""What is shown to anybody."""
KEY = "x-icefire-key"
"""The header with the key."""
DATA = "/api/"
"""What is about the data."""


class Door:
    """An ASGI middleware in front of everything but security headers."""

    def __init__(self, app: ASGIApp, port: int, passes: Passes) -> None:
        self.app, self.passes = app, passes
        self.token, self.key, self._mark = (secrets.token_urlsafe(32) for _ in range(3))
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
        if is_strangers(scope["client"]):
            return _no(403, "this desk is another person's", headers)
        if _equal(_parameter(scope, "token"), self.token):
            # Browsers keep what is behind # to themselves.
            answer = RedirectResponse(f"/{scope['path'].lstrip('/')}#key={self.key}", 303)
            answer.set_cookie(self.cookie, self._mark, httponly=True, samesite="strict", path="/")
            return answer
        if scope["path"] in OPEN or self._is_known(scope, headers):
            return None
        return _no(403, "open the address that the desk has printed, with its token", headers)

    def _is_known(self, scope: Scope, headers: dict[str, str]) -> bool:
        if not _equal(_cookie(headers, self.cookie), self._mark):
            return False
        path = scope["path"]
        if not path.startswith(DATA) or _equal(headers.get(KEY, ""), self.key):
            return True
        return self.passes.good(path, _parameter(scope, NAME))


def _equal(given: str, held: str) -> bool:
    return hmac.compare_digest(given.encode(), held.encode())


def _parameter(scope: Scope, name: str) -> str:
    """A parameter of an address that is only looked at."""
    if scope["method"] != "GET":
        return ""
    query: bytes = scope["query_string"]
    return parse_qs(query.decode("latin-1")).get(name, [""])[0]


def _cookie(headers: dict[str, str], name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _no(status: int, why: str, headers: dict[str, str]) -> Response:
    told = translated(why, accepted(headers.get("accept-language", "")))
    return JSONResponse({"detail": "refused", "faults": [told]}, status)

"""A client of an arena, for one team."""

from __future__ import annotations

import http.client
import json
import secrets
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icefire.core.errors import FileError, InputError
from icefire.words import language

if TYPE_CHECKING:
    from icefire.contest.documents import BoardDocument, UploadDocument
    from icefire.web.team import TeamPageDocument

WAIT = 600.0
"""Seconds to wait for the judge."""
PATIENCE = 30.0
"""Seconds for which an arena may be away during an upload."""


class Away(InputError):
    """The arena cannot be reached, or not now."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: a token goes to the named arena and nowhere else."""

    def redirect_request(self, *_: object) -> None:
        return None


class ArenaClient:
    """Speaks for the team of a token; `authority` is a file with the certificates to trust in place of the system's."""

    def __init__(self, server: str, token: str, authority: Path | None = None) -> None:
        parts = urllib.parse.urlsplit(server)
        if parts.scheme not in ("http", "https"):
            raise InputError(f"{server!r} is not an address such as https://arena.example.org")
        if parts.scheme == "http" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
            raise InputError(f"{server} is not encrypted, and your token would be readable on the way: use https")
        self._server, self._token = server.rstrip("/"), token
        secure = urllib.request.HTTPSHandler(context=_context(authority))
        self._opener = urllib.request.build_opener(_NoRedirects, secure)

    def own(self) -> TeamPageDocument:
        document: TeamPageDocument = self._json("GET", "/api/own")
        return document

    def board(self) -> BoardDocument:
        document: BoardDocument = self._json("GET", "/api/board")
        return document

    def upload(self, path: str, content: bytes, method: str = "") -> str:
        """Send a file, again and again while the arena is away; the key tells it that the file is the same."""
        query = {"method": method} if method else {}
        key, end = secrets.token_hex(16), time.monotonic() + PATIENCE
        while True:
            try:
                return str(self._json("PUT", path, content, {"idempotency-key": key}, query)["upload"])
            except Away:
                if time.monotonic() > end:
                    raise
                time.sleep(1)

    def judged(self, upload: str) -> UploadDocument:
        """The state of an upload when the judge has looked at it, or has failed, or after a long time."""
        end = time.monotonic() + WAIT
        while True:
            found: UploadDocument = self._json("GET", f"/api/uploads/{upload}")
            if found["status"] != "waiting" or found["reference"] or time.monotonic() > end:
                return found
            time.sleep(0.5)

    def _json(
        self,
        method: str,
        path: str,
        content: bytes | None = None,
        more: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> Any:
        try:
            return json.loads(self.fetch(method, path, content, more, query))
        except ValueError as error:
            raise InputError(f"{self._server} does not answer as an arena does") from error

    def fetch(
        self,
        method: str,
        path: str,
        content: bytes | None = None,
        more: Mapping[str, str] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> bytes:
        address = self._server + urllib.parse.quote(path) + (f"?{urllib.parse.urlencode(query)}" if query else "")
        headers = {
            "authorization": f"Bearer {self._token}",
            "content-type": "application/octet-stream",
            "accept-language": language(),
            **(more or {}),
        }
        request = urllib.request.Request(address, content, headers, method=method)
        try:
            with self._opener.open(request, timeout=120) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                is_away = error.code in (502, 504) or "retry-after" in error.headers
                raise (Away if is_away else InputError)(_message(error)) from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, ssl.SSLCertVerificationError):
                reason = error.reason.verify_message
                raise InputError(
                    f"the certificate of {self._server} is not trusted ({reason}): "
                    "name the organizer's certificate authority with --ca FILE"
                ) from error
            raise Away(f"{self._server} cannot be reached: {error}") from error
        except (http.client.HTTPException, OSError) as error:
            raise Away(f"{self._server} cannot be reached: {error}") from error


def _context(authority: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=authority)
    except (OSError, ssl.SSLError) as error:
        raise FileError(f"{authority} holds no certificates in PEM form: {error}") from error


def _message(error: urllib.error.HTTPError) -> str:
    """What the arena says about a refusal, without control characters."""
    try:
        body = json.loads(error.read())
        text = "\n".join(body.get("faults") or [str(body.get("detail"))])
        return "".join(letter for letter in text if letter.isprintable() or letter == "\n")
    except (ValueError, AttributeError):
        return f"the arena answered {error.code}"

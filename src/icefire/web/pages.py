"""The pages, and the scripts, styles and pictures they are made of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from icefire.web.session import SESSION

STATIC = Path(__file__).with_name("static")
PAGES = {
    "/": "audience",
    "/screen": "screen",
    "/team": "team",
    "/operator": "operator",
    "/login": "account",
    "/join": "account",
}
"""Paths of pages, and the folder, script and style sheet of each."""
MEMBERS = {"team", "operator"}
"""Pages of people who have logged in; whether a session is good is found out by what they ask for."""
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def add_pages(app: FastAPI) -> None:
    """Add the routes of the pages to an app."""
    for path, name in PAGES.items():
        app.add_api_route(path, page_of(name), methods=["GET", "HEAD"], include_in_schema=False)
    add_files(app, [path for path in STATIC.iterdir() if path.is_dir()])


def page_of(name: str) -> Callable[[Request], Response]:
    """The route of a page."""
    content = (STATIC / "page.html").read_text("utf-8").replace("{page}", name)

    def answer(request: Request) -> Response:
        if name in MEMBERS and not any(cookie.endswith(SESSION) for cookie in request.cookies):
            return RedirectResponse("/login", 303)
        return HTMLResponse(content)

    return answer


def add_files(app: FastAPI, folders: Iterable[Path]) -> None:
    """Add the route of the files of which pages are made."""
    files = {f"{path.parent.name}/{path.name}": path for folder in folders for path in folder.iterdir()}

    @app.get("/static/{folder}/{name}", include_in_schema=False)
    def static(folder: str, name: str, request: Request) -> Response:
        file = files.get(f"{folder}/{name}")
        if file is None or file.suffix not in KINDS:
            raise HTTPException(404)
        content = file.read_bytes()
        # Modules import each other, so a browser must never mix those of two versions.
        headers = {"etag": f'"{hashlib.sha256(content).hexdigest()[:16]}"', "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=KINDS[file.suffix], headers=headers)

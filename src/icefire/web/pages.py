"""The pages, and the scripts, styles and pictures they are made of."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse

STATIC = Path(__file__).with_name("static")
PAGES = {"/": "audience", "/team": "team", "/operator": "operator", "/login": "account", "/join": "account"}
"""Paths of pages, and the folder and script of each."""


def add_pages(app: FastAPI) -> None:
    """Add the routes of the pages to an app."""
    template = (STATIC / "page.html").read_text("utf-8")
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    files = {path.relative_to(STATIC).as_posix(): path for path in STATIC.glob("*/*") if path.suffix in kinds}

    def page(name: str) -> Callable[[], HTMLResponse]:
        return lambda: HTMLResponse(template.replace("{page}", name))

    for path, name in PAGES.items():
        app.add_api_route(path, page(name), methods=["GET", "HEAD"], include_in_schema=False)

    @app.get("/static/{folder}/{name}", include_in_schema=False)
    def static(folder: str, name: str, request: Request) -> Response:
        file = files.get(f"{folder}/{name}")
        if file is None:
            raise HTTPException(404)
        content = file.read_bytes()
        # Modules import each other, so a browser must never mix those of two versions.
        headers = {"etag": f'"{hashlib.sha256(content).hexdigest()[:16]}"', "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kinds[file.suffix], headers=headers)

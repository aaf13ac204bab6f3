"""The pages of the desk, which use the scripts and styles of the arena that every page shares."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI

from icefire.web.pages import STATIC, add_files, page_of

OWN = Path(__file__).with_name("static")
STEPS = ("file", "columns", "goal", "frontier", "decide")


def add_desk_pages(app: FastAPI) -> None:
    """Add the routes of the pages, and of what they are made of, to an app."""
    page = page_of("desk")
    for path in ("/", "/session/{session}", "/session/{session}/{step}"):
        app.add_api_route(path, page, methods=["GET", "HEAD"], include_in_schema=False)
    add_files(app, (STATIC / "common", OWN / "desk"))

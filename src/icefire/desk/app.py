"""The web application of the desk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool

from icefire.desk.jobs import Busy, Jobs
from icefire.desk.pages import add_desk_pages
from icefire.desk.releases import release_router
from icefire.desk.routes import session_router
from icefire.desk.sessions import NoSession, Sessions
from icefire.desk.uploads import LARGEST, TooLarge
from icefire.web.faults import add_fault_handlers


def create_desk(folder: Path, largest: int = LARGEST) -> FastAPI:
    """The application, with its sessions below a folder."""
    sessions, jobs = Sessions(folder), Jobs()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(jobs.close)

    app = FastAPI(
        title="icefire desk", lifespan=lifespan, redirect_slashes=False, docs_url=None, redoc_url=None, openapi_url=None
    )
    app.state.sessions, app.state.jobs = sessions, jobs
    add_fault_handlers(app, {NoSession: 404, Busy: 409, TooLarge: 413})
    add_desk_pages(app)
    app.include_router(session_router(sessions, jobs, largest))
    app.include_router(release_router(sessions, jobs))
    return app

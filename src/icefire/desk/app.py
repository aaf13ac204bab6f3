"""The web application of the desk."""

from __future__ import annotations

import os
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from icefire.desk.jobs import ERRORS, Busy, Jobs
from icefire.desk.pages import add_desk_pages
from icefire.desk.passes import Passes
from icefire.desk.releases import release_router
from icefire.desk.routes import session_router
from icefire.desk.sessions import NoSession, Sessions
from icefire.desk.uploads import LARGEST, TooLarge
from icefire.web.faults import add_fault_handlers, faults


def create_desk(folder: Path, largest: int = LARGEST) -> FastAPI:
    """The application, with its sessions below a folder."""
    sessions, jobs, passes = Sessions(folder), Jobs(), Passes()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(jobs.close)

    app = FastAPI(
        title="icefire desk", lifespan=lifespan, redirect_slashes=False, docs_url=None, redoc_url=None, openapi_url=None
    )
    app.state.sessions, app.state.jobs, app.state.passes = sessions, jobs, passes
    add_fault_handlers(app, {NoSession: 404, Busy: 409, TooLarge: 413})
    _add_failures(app, folder / ERRORS)
    add_desk_pages(app)
    app.include_router(session_router(sessions, jobs, largest))
    app.include_router(release_router(sessions, jobs, passes))
    return app


def _add_failures(app: FastAPI, file: Path) -> None:
    """Answer our own failures. What they say may hold cells of a table: it goes into a file for its owner alone."""

    @app.exception_handler(Exception)
    def failed(request: Request, error: Exception) -> JSONResponse:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with open(descriptor, "w", encoding="utf-8") as target:
            traceback.print_exception(error, file=target)
        return faults(request, "failed", [f"something went wrong here: {file} says what"], 500)

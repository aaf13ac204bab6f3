"""The web application of a contest. It acts through `Contest`, and never opens the vault."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from sqlalchemy.exc import OperationalError
from starlette.concurrency import run_in_threadpool

from icefire.contest.engine import Contest
from icefire.contest.errors import DiskFull, NotFound, NotNow
from icefire.contest.inspection import Inspector
from icefire.web.accounts import Accounts
from icefire.web.audience import audience_router
from icefire.web.faults import add_fault_handlers, faults
from icefire.web.live import Live
from icefire.web.operator import operator_router
from icefire.web.pages import add_pages
from icefire.web.people import DatabaseAway
from icefire.web.session import cookie_name, session_router
from icefire.web.team import team_router
from icefire.web.watch import Watch


def create_app(contest: Contest, secure: bool = False) -> FastAPI:
    """The application of a contest. `secure`: it is reached by TLS, so cookies are sent over nothing else."""
    live, accounts, watch = Live(contest), Accounts(contest), Watch(contest)
    inspector = Inspector(contest.folder)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        live.start()
        watch.start()
        yield
        await run_in_threadpool(watch.close)
        await run_in_threadpool(live.close)
        await run_in_threadpool(inspector.close)

    app = FastAPI(
        title="icefire arena",
        version="1",
        lifespan=lifespan,
        # A redirect would name the host that the request claims.
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.contest, app.state.live, app.state.accounts, app.state.watch = contest, live, accounts, watch
    app.state.cookie = cookie_name(secure)
    _add_error_handlers(app)
    add_pages(app)
    app.include_router(audience_router(live, watch))
    app.include_router(session_router(contest, accounts, secure))
    app.include_router(team_router(contest, inspector))
    app.include_router(operator_router(contest, accounts, watch))
    return app


def _add_error_handlers(app: FastAPI) -> None:
    add_fault_handlers(app, {NotFound: 404, NotNow: 409, DiskFull: 503})

    @app.exception_handler(OperationalError)
    def lost(request: Request, error: OperationalError) -> JSONResponse:
        logging.getLogger(__name__).error("the database is away: %s", error.orig)
        return away(request, DatabaseAway())

    @app.exception_handler(DatabaseAway)
    def away(request: Request, _: DatabaseAway) -> JSONResponse:
        answer = faults(request, "failed", ["the database is away: nothing is lost, try again in a moment"], 503)
        answer.headers["retry-after"] = "2"
        return answer

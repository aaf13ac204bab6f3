"""The web application of a contest. It acts through `Contest`, and never opens the vault."""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from icefire.contest.engine import Contest
from icefire.contest.errors import NotFound, NotNow
from icefire.core.errors import InputError
from icefire.web.accounts import Accounts
from icefire.web.audience import audience_router
from icefire.web.live import Live
from icefire.web.operator import operator_router
from icefire.web.pages import add_pages
from icefire.web.session import cookie_name, session_router
from icefire.web.speech import asked_in, told
from icefire.web.team import team_router
from icefire.words import translated

MOST_FAULTS = 20


def create_app(contest: Contest, secure: bool = False) -> FastAPI:
    """The application of a contest. `secure`: it is reached by TLS, so cookies are sent over nothing else."""
    live, accounts = Live(contest), Accounts(contest)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        live.start()
        yield
        await run_in_threadpool(live.close)

    app = FastAPI(
        title="icefire arena",
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.contest, app.state.live, app.state.accounts = contest, live, accounts
    app.state.cookie = cookie_name(secure)
    _add_error_handlers(app)
    add_pages(app)
    app.include_router(audience_router(live))
    app.include_router(session_router(contest, accounts, secure))
    app.include_router(team_router(contest))
    app.include_router(operator_router(contest, accounts))
    return app


def _add_error_handlers(app: FastAPI) -> None:
    """Errors of the sender are explained; of our own failures the sender sees a reference number alone."""

    @app.exception_handler(InputError)
    def refused(request: Request, error: InputError) -> JSONResponse:
        status = 404 if isinstance(error, NotFound) else 409 if isinstance(error, NotNow) else 422
        return _faults(request, "refused", translated(str(error), asked_in(request)).splitlines(), status)

    @app.exception_handler(HTTPException)
    def denied(request: Request, error: HTTPException) -> JSONResponse:
        detail = translated(str(error.detail), asked_in(request))
        return JSONResponse({"detail": detail}, error.status_code, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        faults = [
            f"{'.'.join(map(str, fault['loc'][1:])) or 'the request'}: {fault['msg']}" for fault in error.errors()
        ]
        return _faults(request, "refused", faults, 422)

    @app.exception_handler(Exception)
    def failed(request: Request, error: Exception) -> JSONResponse:
        reference = secrets.token_hex(4)
        logging.getLogger(__name__).error("failed, reference %s", reference, exc_info=error)
        return _faults(request, "failed", [f"something went wrong here; reference {reference}"], 500)


def _faults(request: Request, detail: str, faults: list[str], status: int) -> JSONResponse:
    return JSONResponse(told({"detail": detail, "faults": faults[:MOST_FAULTS]}, request), status)

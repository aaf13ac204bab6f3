"""Answers that say what is wrong: of the sender what to do, of our own failures a reference number alone."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from icefire.core.errors import InputError
from icefire.web.speech import asked_in, told
from icefire.words import translated

MOST, LONGEST_NAME = 20, 80


def add_fault_handlers(app: FastAPI, statuses: Mapping[type[InputError], int]) -> None:
    """Answer errors of the sender, with a status by their class."""

    @app.exception_handler(InputError)
    def refused(request: Request, error: InputError) -> JSONResponse:
        status = next((code for kind, code in statuses.items() if isinstance(error, kind)), 422)
        return faults(request, "refused", translated(str(error), asked_in(request)).splitlines(), status)

    @app.exception_handler(HTTPException)
    def denied(request: Request, error: HTTPException) -> JSONResponse:
        detail = translated(str(error.detail), asked_in(request))
        return JSONResponse({"detail": detail}, error.status_code, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        listed = [
            f"{'.'.join(map(str, fault['loc'][1:]))[:LONGEST_NAME] or 'the request'}: {fault['msg']}"
            for fault in error.errors()[:MOST]
        ]
        return faults(request, "refused", listed, 422)

    @app.exception_handler(Exception)
    def failed(request: Request, error: Exception) -> JSONResponse:
        reference = secrets.token_hex(4)
        logging.getLogger(__name__).error("failed, reference %s", reference, exc_info=error)
        return faults(request, "failed", [f"something went wrong here; reference {reference}"], 500)


def faults(request: Request, detail: str, texts: list[str], status: int) -> JSONResponse:
    """What is wrong, in the language of the sender."""
    return JSONResponse(told({"detail": detail, "faults": texts[:MOST]}, request), status)

"""Routes for logging in and out."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request, Response
from typing_extensions import TypedDict

from icefire.contest.engine import Contest
from icefire.core.errors import InputError
from icefire.web.accounts import LIFETIMES, Accounts, Person
from icefire.web.bodies import DONE, Done, Join, Login
from icefire.web.people import LoggedIn, Visitor
from icefire.web.throttle import Throttle

COOKIE = "icefire_session"


class PersonDocument(TypedDict, total=False):
    login: str
    role: str
    team: str | None


class TokenDocument(TypedDict):
    token: str


def cookie_name(secure: bool) -> str:
    """The name of the session's cookie; browsers accept the prefix over TLS alone."""
    return f"__Host-{COOKIE}" if secure else COOKIE


def session_router(contest: Contest, accounts: Accounts, secure: bool) -> APIRouter:
    router, throttle, cookie = APIRouter(prefix="/api"), Throttle(), cookie_name(secure)

    @router.post("/login")
    def login(body: Login, request: Request, response: Response) -> PersonDocument:
        throttle.check(request, body.login)
        with throttle.hashing:
            person = accounts.login(body.login, body.password)
        if person is None:
            throttle.count(request, body.login)
            raise HTTPException(401, "login or password is wrong")
        return begin_session(response, person)

    @router.post("/join")
    def join(body: Join, request: Request, response: Response) -> PersonDocument:
        """Use an invitation."""
        throttle.check(request)
        try:
            with throttle.hashing:
                person = accounts.join(body.code, body.login, body.password)
        except InputError:
            throttle.count(request)
            raise
        contest.desk.note(person.who, f"{person.login} has joined")
        return begin_session(response, person)

    def begin_session(response: Response, person: Person) -> PersonDocument:
        key, seconds = accounts.session(person), int(LIFETIMES["session"].total_seconds())
        response.set_cookie(cookie, key, httponly=True, samesite="strict", secure=secure, path="/", max_age=seconds)
        return {"login": person.login, "role": person.role, "team": person.team}

    @router.post("/logout")
    def logout(request: Request, response: Response) -> Done:
        key = request.cookies.get(cookie)
        if key:
            accounts.forget(key[:200])
        response.delete_cookie(cookie, path="/", secure=secure, httponly=True, samesite="strict")
        return DONE

    @router.get("/me")
    def me(person: Visitor) -> PersonDocument:
        """The sender of the request; empty if not logged in."""
        return {} if person is None else {"login": person.login, "role": person.role, "team": person.team}

    @router.post("/tokens")
    def token(person: LoggedIn, request: Request) -> TokenDocument:
        """Make a token for the command line, which ends the one before. It is shown once, and cannot make tokens itself."""
        if "authorization" in request.headers:
            raise HTTPException(403, "log in with a password to make a token")
        contest.desk.note(person.who, f"{person.login} has made a token")
        return {"token": accounts.token(person)}

    return router

"""Routes for logging in and out."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Header, HTTPException, Request, Response
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from icefire.contest.engine import Contest
from icefire.web.accounts import LIFETIMES, Accounts, KeyKind, Person
from icefire.web.bodies import DONE, Done, Join, Login
from icefire.web.people import LoggedIn, Visitor
from icefire.web.throttle import Account, PasswordChecks, Throttle

SESSION, DEVICE = "icefire_session", "icefire_device"
"""Cookies: of a session, and of a browser that has logged in before."""


OurHeader = Annotated[
    Literal["1"],
    Header(alias="x-icefire", description="Pages of other sites cannot set it; without it nothing is changed."),
]


class PersonDocument(TypedDict, total=False):
    login: str
    role: str
    team: str | None


class TokenDocument(TypedDict):
    token: str


def cookie_name(secure: bool, name: str = SESSION) -> str:
    """The name of a cookie; browsers accept the prefix over TLS alone."""
    return f"__Host-{name}" if secure else name


def session_router(contest: Contest, accounts: Accounts, secure: bool) -> APIRouter:
    router, cookie, device = APIRouter(prefix="/api"), cookie_name(secure), cookie_name(secure, DEVICE)
    throttle, checks = Throttle(), PasswordChecks()

    @router.post("/login")
    async def login(body: Login, request: Request, response: Response, _: OurHeader) -> PersonDocument:
        """Begin a session, whose cookie the answer sets."""
        known_key = request.cookies.get(device, "")[:200]
        is_known = bool(known_key) and await run_in_threadpool(accounts.knows_device, known_key, body.login)
        account = Account(body.login, is_known)
        throttle.attempt(account)
        step = partial(accounts.login, body.login, body.password)
        person = await checks.run(step, _address(request), is_known)
        if person is None:
            raise HTTPException(401, "login or password is wrong")
        throttle.succeeded(account)
        if not is_known:
            set_cookie(response, device, await run_in_threadpool(accounts.device, person), "device")
        return await begin_session(response, person)

    @router.post("/join")
    async def join(body: Join, request: Request, response: Response, _: OurHeader) -> PersonDocument:
        """Use an invitation: choose a login and a password, and begin a session."""
        step = partial(accounts.join, body.code, body.login, body.password)
        person = await checks.run(step, _address(request), False)
        await run_in_threadpool(contest.desk.note, person.who, f"{person.login} has joined")
        set_cookie(response, device, await run_in_threadpool(accounts.device, person), "device")
        return await begin_session(response, person)

    async def begin_session(response: Response, person: Person) -> PersonDocument:
        set_cookie(response, cookie, await run_in_threadpool(accounts.session, person), "session")
        return {"login": person.login, "role": person.role, "team": person.team}

    def set_cookie(response: Response, name: str, key: str, kind: KeyKind) -> None:
        seconds = int(LIFETIMES[kind].total_seconds())
        response.set_cookie(name, key, httponly=True, samesite="strict", secure=secure, path="/", max_age=seconds)

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


def _address(request: Request) -> str:
    """The network address of the sender; of IPv6, the network of a household or a hall."""
    host = request.client.host if request.client else "?"
    return ":".join(host.split(":")[:4]) if ":" in host else host

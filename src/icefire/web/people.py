"""Who sends a request: dependencies of routes that require a role."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, HTTPException, Path, Request, Security
from fastapi.security import APIKeyCookie, HTTPBearer
from pydantic import Field

from icefire.contest.engine import Contest
from icefire.core.strictfile import NAME
from icefire.web.accounts import Accounts, Person
from icefire.web.watch import Watch

Id = Annotated[str, Field(pattern=NAME)]
DatasetName = Annotated[Id, Path(alias="set")]
RoundIndex = Annotated[int, Path(alias="round", ge=0, le=100, description="The first round is 0.")]
Why = Annotated[str, Field(min_length=1, max_length=500)]


# How the API's document says who asks; `visitor` looks itself.
BY_TOKEN = HTTPBearer(
    scheme_name="token",
    auto_error=False,
    description="For programs: POST /api/tokens, or the team's page, makes a token.",
)
BY_COOKIE = APIKeyCookie(
    name="icefire_session",
    scheme_name="session",
    auto_error=False,
    description="For pages: POST /api/login or /api/join sets it; by TLS its name is __Host-icefire_session. "
    "Requests that change something then need the header `X-Icefire: 1`, too.",
)


class DatabaseAway(Exception):
    """The database does not answer now."""


async def reachable(request: Request) -> None:
    """DatabaseAway at once, in place of threads that wait for the database."""
    watch: Watch = request.app.state.watch
    if any(trouble["kind"] == "database" for trouble in watch.troubles()):
        raise DatabaseAway


def visitor(
    request: Request,
    _reachable: Annotated[None, Depends(reachable)],
    _token: Annotated[object, Security(BY_TOKEN)] = None,
    _cookie: Annotated[object, Security(BY_COOKIE)] = None,
) -> Person | None:
    """The sender by token or by cookie, if logged in."""
    accounts: Accounts = request.app.state.accounts
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return accounts.person("token", key[:200])
    cookie = request.cookies.get(request.app.state.cookie)
    return accounts.person("session", cookie[:200]) if cookie else None


Visitor = Annotated[Person | None, Depends(visitor)]


def logged_in(person: Visitor, request: Request) -> Person:
    if person is None and "authorization" in request.headers:
        raise HTTPException(
            401, "this token is unknown, too old, or replaced by a newer one: make a new one on your page"
        )
    if person is None:
        raise HTTPException(401, "log in first")
    return person


LoggedIn = Annotated[Person, Depends(logged_in)]


def member(person: LoggedIn, request: Request) -> str:
    """The sender's team."""
    contest: Contest = request.app.state.contest
    if person.team is None:
        raise HTTPException(403, "this is for teams")
    if contest.state().withdrawn(person.team):
        raise HTTPException(403, "this team has withdrawn")
    return person.team


def operator(person: LoggedIn) -> Person:
    if person.role != "operator":
        raise HTTPException(403, "this is for the operator")
    return person


Member = Annotated[str, Depends(member)]
Operator = Annotated[Person, Depends(operator)]

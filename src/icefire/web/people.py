"""Who sends a request: dependencies of routes that require a role."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, HTTPException, Path, Request
from pydantic import Field

from icefire.contest.config import NAME
from icefire.contest.engine import Contest
from icefire.web.accounts import Accounts, Person

Id = Annotated[str, Field(pattern=NAME)]
DatasetName = Annotated[Id, Path(alias="set")]
RoundIndex = Annotated[int, Path(alias="round", ge=0, le=100)]
Why = Annotated[str, Field(min_length=1, max_length=500)]


def visitor(request: Request) -> Person | None:
    """The sender by token or by cookie, if logged in."""
    accounts: Accounts = request.app.state.accounts
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return accounts.person("token", key[:200])
    cookie = request.cookies.get(request.app.state.cookie)
    return accounts.person("session", cookie[:200]) if cookie else None


Visitor = Annotated[Person | None, Depends(visitor)]


def logged_in(person: Visitor) -> Person:
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

"""Routes for the operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import Field
from typing_extensions import TypedDict

from icefire.contest.board import board
from icefire.contest.documents import BoardDocument
from icefire.contest.engine import Contest
from icefire.contest.export import tables
from icefire.contest.results import OPERATOR
from icefire.contest.state import Place
from icefire.web.accounts import Accounts
from icefire.web.audience import After
from icefire.web.bodies import DONE, Action, Done, NewTeam, Ruling
from icefire.web.people import Id, Operator
from icefire.web.speech import told

Reference = Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")]
MOST_ENTRIES = 500


class InvitationDocument(TypedDict):
    team: str
    invitation: str


def operator_router(contest: Contest, accounts: Accounts) -> APIRouter:
    router = APIRouter(prefix="/api/operator")
    _add_views(router, contest)
    _add_teams(router, contest, accounts)
    _add_decisions(router, contest)
    return router


def _add_views(router: APIRouter, contest: Contest) -> None:
    @router.get("")
    def overview(_: Operator, request: Request) -> BoardDocument:
        """Everything but the secrets."""
        return told(board(contest.state(), OPERATOR), request)

    @router.get("/log")
    def log(_: Operator, request: Request, after: After = 0) -> list[Mapping[str, object]]:
        """Who did what when, at most 500 entries."""
        return told([entry.as_dict() for entry in contest.store.entries(after, MOST_ENTRIES)], request)

    @router.get("/tables/{name}", response_class=Response)
    def table(name: Literal["standings", "matrix"], _: Operator) -> Response:
        """A table that spreadsheets open safely."""
        headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
        return Response(tables(contest.state())[name], media_type="text/csv; charset=utf-8", headers=headers)


def _add_teams(router: APIRouter, contest: Contest, accounts: Accounts) -> None:
    def invited(team: str, who: str) -> InvitationDocument:
        invitation = accounts.invite(team)
        contest.desk.note(who, f"{team} is invited")
        return {"team": team, "invitation": invitation}

    @router.post("/teams", status_code=201)
    def add_team(body: NewTeam, person: Operator) -> InvitationDocument:
        return invited(contest.teams.add(body.name, person.who), person.who)

    @router.post("/teams/{team}/invitation", status_code=201)
    def invite(team: Id, person: Operator) -> InvitationDocument:
        return invited(team, person.who)

    @router.post("/teams/{team}/withdrawal")
    def withdraw(team: Id, body: Action, person: Operator) -> Done:
        contest.teams.withdraw(team, person.who, body.why)
        return DONE


def _add_decisions(router: APIRouter, contest: Contest) -> None:
    schedule, desk = contest.schedule, contest.desk
    actions: dict[str, Callable[[str, str], None]] = {
        "pause": schedule.pause,
        "resume": schedule.resume,
        "freeze": schedule.freeze,
        "thaw": schedule.thaw,
        "unveil": desk.unveil,
        "finalize": desk.finalize,
    }
    moves: dict[str, Callable[[float, str, str], None]] = {"extend": schedule.extend, "delay": schedule.delay}

    @router.post("/actions/{action}")
    def act(
        action: Literal["pause", "resume", "extend", "delay", "freeze", "thaw", "unveil", "finalize"],
        body: Action,
        person: Operator,
    ) -> Done:
        """Change the course of the contest, with a reason."""
        if action in actions:
            actions[action](person.who, body.why)
        elif body.minutes is None:
            raise HTTPException(422, "give the number of minutes")
        else:
            moves[action](body.minutes, person.who, body.why)
        return DONE

    @router.post("/rulings")
    def rule(body: Ruling, person: Operator) -> Done:
        """Rule on a release."""
        desk.rule(Place(body.round_index, body.team, body.dataset), body.valid, person.who, body.why)
        return DONE

    @router.post("/alarms/{reference}")
    def retry(reference: Reference, body: Action, person: Operator) -> Done:
        """Let a failed job run again."""
        desk.retry(reference, person.who, body.why)
        return DONE

    @router.post("/alarms/{reference}/dismissal")
    def dismiss(reference: Reference, body: Action, person: Operator) -> Done:
        """Give a failed job up."""
        desk.dismiss(reference, person.who, body.why)
        return DONE

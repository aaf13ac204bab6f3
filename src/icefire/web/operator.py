"""Routes for the operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import Field
from typing_extensions import TypedDict

from icefire.contest.board import board
from icefire.contest.documents import BoardDocument
from icefire.contest.engine import Contest
from icefire.contest.export import ENCODING, TableName, tables
from icefire.contest.health import TroubleDocument
from icefire.contest.results import OPERATOR
from icefire.contest.state import Place
from icefire.web.accounts import Accounts, MembersDocument
from icefire.web.audience import After
from icefire.web.bodies import DONE, Action, Answer, Award, Done, Message, MethodRemoval, NewTeam, Ruling
from icefire.web.people import Id, Operator
from icefire.web.speech import told
from icefire.web.watch import Watch

Reference = Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")]
CourseAction = Literal[
    "pause",
    "resume",
    "extend",
    "delay",
    "open",
    "close",
    "freeze",
    "thaw",
    "unveil",
    "unveil_attacker",
    "finalize",
]
MOST_ENTRIES = 500


class OverviewDocument(BoardDocument):
    """The board as the operator sees it, what is wrong, and who plays."""

    troubles: list[TroubleDocument]
    members: dict[str, MembersDocument]
    """By team; teams that nobody has been invited for are missing."""


class InvitationDocument(TypedDict):
    team: str
    invitation: str


def operator_router(contest: Contest, accounts: Accounts, watch: Watch) -> APIRouter:
    router = APIRouter(prefix="/api/operator")
    _add_views(router, contest, accounts, watch)
    _add_teams(router, contest, accounts)
    _add_course(router, contest)
    _add_decisions(router, contest)
    _add_alarms(router, contest)
    _add_messages(router, contest)
    return router


def _add_views(router: APIRouter, contest: Contest, accounts: Accounts, watch: Watch) -> None:
    @router.get("")
    def overview(_: Operator, request: Request) -> OverviewDocument:
        """Everything but the secrets."""
        seen = board(contest.state(), OPERATOR)
        document: OverviewDocument = {**seen, "troubles": watch.troubles(), "members": accounts.members()}
        return told(document, request)

    @router.get("/log")
    def log(_: Operator, request: Request, after: After = 0) -> list[Mapping[str, object]]:
        """Who did what when, at most 500 entries."""
        return told([entry.as_dict() for entry in contest.store.entries(after, MOST_ENTRIES)], request)

    @router.get("/tables/{name}", response_class=Response)
    def table(name: TableName, _: Operator) -> Response:
        """A table that spreadsheets open safely."""
        headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
        return Response(
            tables(contest.state())[name].encode(ENCODING), media_type="text/csv; charset=utf-8", headers=headers
        )


def _add_teams(router: APIRouter, contest: Contest, accounts: Accounts) -> None:
    def invited(team: str, who: str) -> InvitationDocument:
        invitation = accounts.invite(team)
        contest.desk.note(who, f"{team} is invited")
        return {"team": team, "invitation": invitation}

    @router.post("/teams", status_code=201)
    def add_team(body: NewTeam, person: Operator) -> InvitationDocument:
        return invited(contest.teams.add(body.name, person.who, body.id), person.who)

    @router.post("/teams/{team}/invitation", status_code=201)
    def invite(team: Id, person: Operator) -> InvitationDocument:
        return invited(team, person.who)

    @router.post("/teams/{team}/withdrawal")
    def withdraw(team: Id, body: Action, person: Operator) -> Done:
        contest.teams.withdraw(team, person.who, body.why)
        return DONE


def _add_course(router: APIRouter, contest: Contest) -> None:
    schedule, desk = contest.schedule, contest.desk
    actions: dict[CourseAction, Callable[[str, str], None]] = {
        "pause": schedule.pause,
        "resume": schedule.resume,
        "freeze": schedule.freeze,
        "thaw": schedule.thaw,
        "unveil": desk.unveil,
        "unveil_attacker": partial(desk.unveil, of="attack"),
        "finalize": desk.finalize,
        "open": schedule.open_now,
        "close": schedule.close_now,
    }
    moves: dict[CourseAction, Callable[[float, str, str], None]] = {"extend": schedule.extend, "delay": schedule.delay}

    @router.post("/actions/{action}")
    def act(action: CourseAction, body: Action, person: Operator) -> Done:
        """Change the course of the contest, with a reason."""
        if action in actions:
            actions[action](person.who, body.why)
        elif body.minutes is None:
            raise HTTPException(422, "give the number of minutes")
        else:
            moves[action](body.minutes, person.who, body.why)
        return DONE


def _add_decisions(router: APIRouter, contest: Contest) -> None:
    desk = contest.desk

    @router.post("/rulings")
    def rule(body: Ruling, person: Operator) -> Done:
        """Rule on a release."""
        desk.rule(Place(body.round_index, body.team, body.dataset), body.valid, person.who, body.why)
        return DONE

    @router.post("/awards")
    def award(body: Award, person: Operator) -> Done:
        """Choose who wins a prize that is the operator's to give."""
        desk.award(body.prize, body.team, person.who, body.why)
        return DONE

    @router.post("/methods/removal")
    def remove_method(body: MethodRemoval, person: Operator) -> Done:
        """Take back what a team told the audience about its method."""
        desk.remove_method(body.team, body.method, person.who, body.why)
        return DONE


def _add_alarms(router: APIRouter, contest: Contest) -> None:
    @router.post("/alarms/{reference}")
    def retry(reference: Reference, body: Action, person: Operator) -> Done:
        """Let a failed job run again."""
        contest.desk.retry(reference, person.who, body.why)
        return DONE

    @router.post("/alarms/{reference}/dismissal")
    def dismiss(reference: Reference, body: Action, person: Operator) -> Done:
        """Give a failed job up."""
        contest.desk.dismiss(reference, person.who, body.why)
        return DONE


def _add_messages(router: APIRouter, contest: Contest) -> None:
    @router.post("/announcements", status_code=201)
    def announce(body: Message, person: Operator) -> Done:
        """Tell everybody."""
        contest.messages.announce(body.text, person.who)
        return DONE

    @router.post("/questions/{question}/answer")
    def answer(question: Reference, body: Answer, person: Operator) -> Done:
        """Answer a team's question, to the team alone or to everybody."""
        contest.messages.answer(question, body.text, body.to_all, person.who)
        return DONE

"""Routes for teams: their data, uploads and scores."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import anyio
import anyio.to_thread
from fastapi import APIRouter, Header, HTTPException, Request, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from typing_extensions import TypedDict

from icefire.contest import admission
from icefire.contest.board import open_phase, own, own_upload
from icefire.contest.documents import OwnDocument, PhaseDocument, RulesDocument, UploadDocument
from icefire.contest.engine import Contest
from icefire.contest.errors import NotFound
from icefire.contest.inspection import Inspector
from icefire.contest.rulebook import rulebook
from icefire.contest.state import Place
from icefire.web.bodies import Message, zip_response
from icefire.web.people import DatasetName, Id, Member, RoundIndex
from icefire.web.speech import told

MethodText = Annotated[str, Field(max_length=admission.LONGEST_METHOD)]
UploadId = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
UploadKey = Annotated[str, Header(alias="idempotency-key", max_length=100)]
"""Chosen by the sender; a file that is sent again with the same key is taken in once."""
SLOWEST = 120.0
"""Seconds that an upload may take to come in."""


class FilesDocument(TypedDict):
    """Patterns of the files of an upload."""

    release: list[str]
    guess: list[str]


class TeamPageDocument(OwnDocument):
    team: str
    name: str
    files: FilesDocument
    phase: PhaseDocument | None


class UploadedDocument(TypedDict):
    upload: str


class AskedDocument(TypedDict):
    question: str


def team_router(contest: Contest, inspector: Inspector) -> APIRouter:
    router = APIRouter(prefix="/api")
    _add_pages(router, contest)
    _add_uploads(router, contest, inspector)
    _add_downloads(router, contest)
    return router


def _add_pages(router: APIRouter, contest: Contest) -> None:
    @router.get("/own")
    def team_page(team: Member, request: Request) -> TeamPageDocument:
        """What a team sees of itself."""
        state, game = contest.state(), contest.game()
        page: TeamPageDocument = {
            "team": team,
            "name": state.teams[team].name,
            "files": {"release": list(game.release_files()), "guess": list(game.guess_files())},
            "phase": open_phase(state),
            **own(state, team),
        }
        return told(page, request)

    @router.get("/rules")
    def rules(request: Request) -> RulesDocument:
        """The rules of the contest, as its file has them."""
        return told(rulebook(contest.game()), request)

    @router.post("/questions", status_code=201)
    def ask(body: Message, team: Member) -> AskedDocument:
        """Ask the operator."""
        return {"question": contest.messages.ask(team, body.text)}


def _add_uploads(router: APIRouter, contest: Contest, inspector: Inspector) -> None:
    receiver = _Receiver(contest, inspector)

    @router.put("/releases/{set}", status_code=202)
    async def upload_release(
        dataset: DatasetName, request: Request, team: Member, method: MethodText = "", key: UploadKey = ""
    ) -> UploadedDocument:
        """Upload a release: the zip file as the body. The audience is told the method at once, if one is given."""
        return await receiver.take(request, admission.Request("release", team, dataset, method=method), key)

    @router.put("/guesses/{target}/{set}", status_code=202)
    async def upload_guess(
        target: Id,
        dataset: DatasetName,
        request: Request,
        team: Member,
        release: UploadId | None = None,
        key: UploadKey = "",
        method: MethodText = "",
    ) -> UploadedDocument:
        """Upload a guess at another team's release: the one that is handed out now, or the one whose upload is named."""
        return await receiver.take(request, admission.Request("guess", team, dataset, target, release, method), key)

    @router.get("/uploads/{upload}")
    def upload_status(upload: UploadId, team: Member, request: Request) -> UploadDocument:
        """What the judge has found in an upload of one's own."""
        state = contest.state()
        found = state.uploads.get(upload)
        if found is None or found.team != team:
            raise NotFound("no such upload")
        return told(own_upload(state, found), request)


def _add_downloads(router: APIRouter, contest: Contest) -> None:
    @router.get("/problems/{round}/{set}", response_class=Response)
    def problem(round_index: RoundIndex, dataset: DatasetName, team: Member) -> Response:
        """The data that a team has to release."""
        files = contest.downloads.problem(Place(round_index, team, dataset))
        return zip_response(files, f"problem-{round_index + 1}-{dataset}")

    @router.get("/releases/{round}/{team}/{set}", response_class=Response)
    def handout(round_index: RoundIndex, team: Id, dataset: DatasetName, attacker: Member) -> Response:
        """A release as it was handed out to attackers."""
        place = Place(round_index, team, dataset)
        files = contest.downloads.handout(place, attacker)
        return zip_response(
            files, f"release-{round_index + 1}-{team}-{dataset}-{contest.state().published[place].upload}"
        )

    @router.get("/kit", response_class=Response)
    def kit(_: Member) -> Response:
        """Sample programs to begin with, in four languages."""
        return zip_response(contest.downloads.kit(), "kit")


class _Receiver:
    """Takes uploads in, one of a team at a time, without blocking the threads that answer other requests."""

    def __init__(self, contest: Contest, inspector: Inspector) -> None:
        self._contest, self._inspector = contest, inspector
        self._threads, self._busy = anyio.CapacityLimiter(2), set[str]()

    async def take(self, request: Request, wanted: admission.Request, key: str) -> UploadedDocument:
        if wanted.team in self._busy:
            raise HTTPException(429, "one upload of a team at a time: try again in a moment")
        self._busy.add(wanted.team)
        try:
            if not key:
                # Fail early, before a large body is read; the check inside the transaction decides. With a key, the file may
                # have arrived before.
                await run_in_threadpool(self._contest.uploads.check, wanted)
            content = await self._body(request)
            step = partial(self._contest.uploads.upload, wanted, content, key, self._inspect)
            return {"upload": await anyio.to_thread.run_sync(step, limiter=self._threads)}
        finally:
            self._busy.discard(wanted.team)

    def _inspect(self, wanted: admission.Request, place: Place, content: bytes) -> None:
        self._inspector.inspect(wanted, place, content, self._contest.state().contest.limits)

    async def _body(self, request: Request) -> bytes:
        """The body of an upload, bounded in size and in time while it comes in."""
        most = int(self._contest.state().contest.limits.megabytes * 1e6)
        too_large = HTTPException(413, f"the file is larger than {most / 1e6:g} MB")
        announced = request.headers.get("content-length", "")
        if announced.isdigit() and int(announced) > most:
            raise too_large
        found = bytearray()
        try:
            async with asyncio.timeout(SLOWEST):
                async for chunk in request.stream():
                    found += chunk
                    if len(found) > most:
                        raise too_large
        except TimeoutError as error:
            raise HTTPException(408, f"the file took more than {SLOWEST:g} s") from error
        except ClientDisconnect as error:
            raise HTTPException(400, "the connection was lost") from error
        return bytes(found)

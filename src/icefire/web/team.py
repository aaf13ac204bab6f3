"""Routes for teams: their data, uploads and scores."""

from __future__ import annotations

import asyncio
from typing import Annotated

import anyio
import anyio.to_thread
from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from typing_extensions import TypedDict

from icefire.contest import admission
from icefire.contest.board import open_phase, own, own_upload
from icefire.contest.documents import OwnDocument, PhaseDocument, UploadDocument
from icefire.contest.engine import Contest
from icefire.contest.errors import NotFound
from icefire.contest.state import Place
from icefire.web.bodies import zip_response
from icefire.web.people import DatasetName, Id, Member, RoundIndex
from icefire.web.speech import told

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


def team_router(contest: Contest) -> APIRouter:
    router, receiver = APIRouter(prefix="/api"), _Receiver(contest)

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

    @router.put("/releases/{set}", status_code=202)
    async def upload_release(dataset: DatasetName, request: Request, team: Member) -> UploadedDocument:
        """Upload a release: the zip file as the body."""
        return await receiver.take(request, admission.Request("release", team, dataset))

    @router.put("/guesses/{target}/{set}", status_code=202)
    async def upload_guess(target: Id, dataset: DatasetName, request: Request, team: Member) -> UploadedDocument:
        """Upload a guess at another team's release."""
        return await receiver.take(request, admission.Request("guess", team, dataset, target))

    @router.get("/uploads/{upload}")
    def upload_status(
        upload: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")], team: Member, request: Request
    ) -> UploadDocument:
        """What the judge has found in an upload of one's own."""
        state = contest.state()
        found = state.uploads.get(upload)
        if found is None or found.team != team:
            raise NotFound("no such upload")
        return told(own_upload(state, found), request)

    @router.get("/problems/{round}/{set}", response_class=Response)
    def problem(round_index: RoundIndex, dataset: DatasetName, team: Member) -> Response:
        """The data that a team has to release."""
        files = contest.downloads.problem(Place(round_index, team, dataset))
        return zip_response(files, f"problem-{round_index + 1}-{dataset}")

    @router.get("/releases/{round}/{team}/{set}", response_class=Response)
    def handout(round_index: RoundIndex, team: Id, dataset: DatasetName, attacker: Member) -> Response:
        """A release as it was handed out to attackers."""
        files = contest.downloads.handout(Place(round_index, team, dataset), attacker)
        return zip_response(files, f"release-{round_index + 1}-{team}-{dataset}")

    @router.get("/kit", response_class=Response)
    def kit(_: Member) -> Response:
        """Sample programs to begin with, in four languages."""
        return zip_response(contest.downloads.kit(), "kit")

    return router


class _Receiver:
    """Takes uploads in, one of a team at a time, without blocking the threads that answer other requests."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._threads, self._busy = anyio.CapacityLimiter(2), set[str]()

    async def take(self, request: Request, wanted: admission.Request) -> UploadedDocument:
        if wanted.team in self._busy:
            raise HTTPException(429, "one upload of a team at a time: try again in a moment")
        self._busy.add(wanted.team)
        try:
            # Fail early, before a large body is read; the check inside the transaction decides.
            await run_in_threadpool(self._contest.uploads.check, wanted)
            content = await self._body(request)
            step = self._contest.uploads.upload
            return {"upload": await anyio.to_thread.run_sync(step, wanted, content, limiter=self._threads)}
        finally:
            self._busy.discard(wanted.team)

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
        return bytes(found)

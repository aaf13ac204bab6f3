"""Routes of releases that were decided on: what they are worth, and their files."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import FileResponse, StreamingResponse

from icefire.core.formats import REPORT
from icefire.desk.bodies import Language
from icefire.desk.jobs import Jobs
from icefire.desk.packing import packed
from icefire.desk.passes import Passes
from icefire.desk.recipes import recipes
from icefire.desk.sessions import Document, Session, Sessions, read_document
from icefire.desk.telling import in_language
from icefire.web.speech import asked_in

FOUND, RELEASE, VERDICT = "found.json", "release", "gate.json"
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; "
)
POLICY += "sandbox allow-scripts"
"""Reports are pages with their own styles and charts inside: they have no origin, so that they reach nothing of the desk."""


def release_router(sessions: Sessions, jobs: Jobs, passes: Passes) -> APIRouter:
    router = APIRouter(prefix="/api/sessions/{name}/releases/{number}")

    def decided(name: str, number: int) -> tuple[Session, Path]:
        session = sessions.find(name)
        folder = session.job(number)
        if jobs.state(folder)[0] != "done" or not (folder / FOUND).is_file():
            raise HTTPException(404)
        return session, folder

    @router.get("")
    def found(name: str, number: int, request: Request) -> Document:
        """What was found about a release, and the ways to make it elsewhere."""
        session, folder = decided(name, number)
        content, language = read_document(folder / FOUND), asked_in(request)
        content["answer"] = content["answer"][language]
        job, begin = jobs.described(session, number), f"/api/sessions/{name}/releases/{number}"
        addresses = {
            "published": {file: passes.signed(f"{begin}/published/{file}") for file in content["published"]},
            **{each: passes.signed(f"{begin}/{each}") for each in ("report", "secret")},
        }
        made = recipes(session, job, folder / RELEASE, language)
        return in_language({**content, "job": job, "recipes": made, "addresses": addresses}, language)

    @router.get("/gate")
    def gate(name: str, number: int, request: Request) -> Document:
        """What the gate has said; the number is that of its job."""
        folder = sessions.find(name).job(number)
        content = read_document(folder / VERDICT)
        if not content:
            raise HTTPException(404)
        return {**content, "short": content["short"][asked_in(request)]}

    @router.get("/report")
    def report(name: str, number: int, lang: Language = "en", save: bool = False) -> Response:
        _, folder = decided(name, number)
        file = folder / f"{lang}-{REPORT}"
        if save:
            return FileResponse(file, media_type="text/html", filename=REPORT)
        return FileResponse(file, media_type="text/html", headers={"content-security-policy": POLICY})

    @router.get("/published/{file}")
    def published(name: str, number: int, file: str) -> Response:
        """A file that may be handed out."""
        _, folder = decided(name, number)
        if file not in read_document(folder / FOUND)["published"]:
            raise HTTPException(404)
        return FileResponse(folder / RELEASE / file, media_type="application/octet-stream", filename=file)

    @router.get("/secret")
    def secret(name: str, number: int) -> Response:
        """What links the release back, for its owner to keep."""
        _, folder = decided(name, number)
        files = {
            f"KEEP-SECRET/{file}": folder / RELEASE / str(file) for file in read_document(folder / FOUND)["secret"]
        }
        headers = {"content-disposition": 'attachment; filename="KEEP-SECRET.zip"'}
        return StreamingResponse(packed(files), media_type="application/zip", headers=headers)

    return router

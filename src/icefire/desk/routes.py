"""Routes of sessions: files come in, columns and goals are said, and searches begin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool

from icefire.core.errors import InputError
from icefire.core.seeds import fresh_seed
from icefire.desk.bodies import DONE, Chosen, ColumnsBody, Done, Edited, Gated, Goal, HowToRead, Named, Shape
from icefire.desk.columns import READING, chosen_columns, hidden_behind, set_columns
from icefire.desk.jobs import TASK, Jobs, events
from icefire.desk.sessions import Document, Session, Sessions, read_document
from icefire.desk.telling import in_language
from icefire.desk.uploads import receive, safe_name, shown_name
from icefire.web.speech import asked_in

ARRANGED = "arranged.json"


def session_router(sessions: Sessions, jobs: Jobs, largest: int) -> APIRouter:
    router = APIRouter(prefix="/api")
    _add_sessions(router, sessions, jobs, largest)
    _add_steps(router, sessions, jobs)
    return router


def _add_sessions(router: APIRouter, sessions: Sessions, jobs: Jobs, largest: int) -> None:
    @router.get("/sessions")
    def listed() -> list[Document]:
        return [_brief(session) for session in sessions.all()]

    @router.put("/sessions/{name}")
    async def upload(name: str, request: Request) -> Document:
        """Take a file in, and begin to read it."""
        stated = request.headers.get("content-length", "")
        session = sessions.new(shown_name(name))
        target = session.folder / "upload" / safe_name(name)
        try:
            size = int(stated) if stated.isdigit() else None
            await receive(request.stream(), target, size, largest)
        except BaseException:
            await run_in_threadpool(sessions.remove, session)
            raise
        return await run_in_threadpool(begin, session, str(target), jobs, asked_in(request))

    @router.get("/sessions/{name}")
    def one(name: str, request: Request) -> Document:
        session = sessions.find(name)
        content: Document = {
            **_brief(session),
            "goal": session.document().get("goal"),
            "version": session.version,
            "reading": session.document().get("reading") or {},
            "file": session.document(READING) or None,
            "columns": chosen_columns(session),
            "shape": session.document().get("shape"),
            "arranged": session.document(ARRANGED) or None,
            "ledger": session.document("ledger/ledger.json").get("releases") or [],
            "jobs": [jobs.described(session, number) for number in session.jobs()],
        }
        return in_language(content, asked_in(request))

    @router.put("/sessions/{name}/file/{file}")
    async def next_file(name: str, file: str, request: Request) -> Document:
        """Take in the file of the next month; the ledger and the releases stay."""
        session = sessions.find(name)
        target = session.folder / "upload" / f"{len(session.jobs()):04}-{safe_name(file)}"
        stated = request.headers.get("content-length", "")
        try:
            await receive(request.stream(), target, int(stated) if stated.isdigit() else None, largest)
        except BaseException:
            target.unlink(missing_ok=True)
            raise
        return await run_in_threadpool(begin, session, str(target), jobs, asked_in(request))

    @router.post("/sessions/{name}/name")
    def rename(name: str, body: Named) -> Done:
        sessions.find(name).change(name=body.name)
        return DONE

    @router.delete("/sessions/{name}")
    def remove(name: str) -> Done:
        session = sessions.find(name)
        jobs.cancel_all(session)
        sessions.remove(session)
        return DONE


def _add_steps(router: APIRouter, sessions: Sessions, jobs: Jobs) -> None:
    @router.post("/sessions/{name}/read")
    def read_again(name: str, body: HowToRead, request: Request) -> Document:
        """Read the file as the person says."""
        session = sessions.find(name)
        session.change(reading=body.model_dump(exclude_none=True), columns=None)
        return begin(session, str(session.document()["source"]), jobs, asked_in(request))

    @router.post("/sessions/{name}/columns")
    def say_columns(name: str, body: ColumnsBody) -> Done:
        said = {key: column.model_dump() for key, column in body.columns.items()}
        set_columns(sessions.find(name), {key: {**entry, "hierarchy": _bare(entry)} for key, entry in said.items()})
        return DONE

    @router.post("/sessions/{name}/shape")
    def say_shape(name: str, body: Shape, request: Request) -> Document:
        """Say what a row is, and make the working folder of that kind."""
        session = sessions.find(name)
        shape = None if body.kind == "microdata" else body.model_dump()
        session.change_table(kind=body.kind, shape=shape, goal=None)
        (session.folder / ARRANGED).unlink(missing_ok=True)
        source = str(session.document()["source"])
        if shape is None:
            return begin(session, source, jobs, asked_in(request))
        given = {"source": source, "reading": session.document().get("reading") or {}, "shape": shape}
        return {"job": jobs.start(session, "arrange", given, asked_in(request))}

    @router.post("/sessions/{name}/gate")
    def gate(name: str, body: Gated, request: Request) -> Document:
        session = sessions.find(name)
        if jobs.described(session, body.release)["task"] != "decide":
            raise InputError("there is no such release: search again")
        return {"job": jobs.start(session, "gate", body.model_dump(), asked_in(request))}

    @router.post("/sessions/{name}/hierarchy")
    def count_labels(name: str, body: Edited) -> Document:
        """How many people hide behind each label of a hierarchy."""
        entry = None if body.hierarchy is None else body.hierarchy.model_dump(exclude_none=True)
        return hidden_behind(sessions.find(name), body.column, entry)

    @router.post("/sessions/{name}/search")
    def search(name: str, body: Goal, request: Request) -> Document:
        session = sessions.find(name)
        session.change(goal=body.model_dump())
        wanted = [] if body.utility is None else [f"utility>={body.utility:g}"]
        given: Document = {
            **body.model_dump(),
            "requirements": wanted,
            "seed": fresh_seed(),
            "version": session.version,
        }
        return {"job": jobs.start(session, "search", given, asked_in(request))}

    @router.post("/sessions/{name}/look")
    def look(name: str, body: Chosen, request: Request) -> Document:
        session = sessions.find(name)
        return {"job": jobs.start(session, "look", chosen_release(session, body), asked_in(request))}

    @router.post("/sessions/{name}/decide")
    def decide(name: str, body: Chosen, request: Request) -> Document:
        session = sessions.find(name)
        return {"job": jobs.start(session, "decide", chosen_release(session, body), asked_in(request))}

    @router.get("/sessions/{name}/jobs/{number}")
    def job(name: str, number: int, request: Request, after: int = 0) -> Document:
        """The state of a job, and its events from a place on."""
        session = sessions.find(name)
        # First the state, so that no event before the end is missed.
        described = jobs.described(session, number)
        found, place = events(session.job(number), max(0, after))
        return in_language({**described, "events": found, "after": place}, asked_in(request))

    @router.post("/sessions/{name}/jobs/{number}/cancel")
    def cancel(name: str, number: int) -> Done:
        jobs.cancel(sessions.find(name), number)
        return DONE


def begin(session: Session, source: str, jobs: Jobs, language: str) -> Document:
    """Begin to read the file of a session."""
    name = Path(source).name
    session.change_table(source=source)
    (session.folder / READING).unlink(missing_ok=True)
    given: Document = {"source": source, "name": name, "reading": session.document().get("reading") or {}}
    given["shape"] = session.document().get("shape")
    return {"id": session.id, "job": jobs.start(session, "read", given, language)}


def chosen_release(session: Session, body: Chosen) -> Document:
    """The steps of a trial, and the seed and the goal of its search."""
    folder = session.job(body.search)
    given: Any = read_document(folder / TASK).get("arguments") or {}
    found, _ = events(folder, 0)
    trial = next((event for event in found if event.get("trial") == body.trial and "steps" in event), None)
    if trial is None or "seed" not in given:
        raise InputError("there is no such release: search again")
    if given.get("version") != session.version:
        raise InputError("the table or what its columns are was changed since then: search again")
    kept = {key: given[key] for key in ("seed", "level", "limit")}
    kept["kind"] = session.document().get("kind") or "microdata"
    return {**kept, "search": body.search, "trial": body.trial, "steps": trial["steps"]}


def _brief(session: Session) -> Document:
    content = session.document()
    return {"id": session.id, **{key: content.get(key) for key in ("name", "created", "kind")}}


def _bare(entry: dict[str, Any]) -> dict[str, Any] | None:
    given = entry["hierarchy"]
    return None if given is None else {key: value for key, value in given.items() if value is not None}

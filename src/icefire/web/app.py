"""The arena's routes. Everything that happens goes through `Contest`; nothing here opens the vault."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import secrets
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import anyio
import anyio.to_thread
from fastapi import Depends, FastAPI, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse
from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from icefire.contest.archive import tables
from icefire.contest.board import board
from icefire.contest.engine import Contest, NotNow
from icefire.contest.uploads import pack
from icefire.core.errors import InputError
from icefire.web.accounts import Accounts, Person
from icefire.web.live import Live

STATIC = Path(__file__).with_name("static")
KITS = (Path(__file__).parents[1] / "kits", Path(__file__).parents[3] / "kits")
"""Where the kits lie: in the package, or beside its sources."""
PAGES = {"/": "audience", "/team": "team", "/operator": "operator", "/login": "account", "/join": "account"}
"""Paths of pages, and the folder and script of each."""
COOKIE = "icefire_session"
SLOWEST = 120.0
"""Seconds that an upload may take to come in."""
ID = r"^[a-z0-9][a-z0-9_-]{0,39}$"
Id = Annotated[str, Field(pattern=ID)]
Why = Annotated[str, Field(min_length=1, max_length=500)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Login(_Body):
    login: Annotated[str, Field(max_length=60)]
    password: Annotated[str, Field(max_length=200)]


class Join(Login):
    code: Annotated[str, Field(max_length=100)]


class NewTeam(_Body):
    name: Annotated[str, Field(max_length=40)]


class Action(_Body):
    why: Why
    minutes: Annotated[float, Field(gt=0, le=100_000)] | None = None


class Ruling(_Body):
    round: Annotated[int, Field(ge=0, le=100)]
    team: Id
    set: Id
    valid: bool
    why: Why


def anybody(request: Request) -> Person | None:
    """Who asks, by token or by cookie."""
    accounts: Accounts = request.app.state.accounts
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return accounts.person("token", key[:200])
    cookie = request.cookies.get(request.app.state.cookie)
    return accounts.person("session", cookie[:200]) if cookie else None


Anybody = Annotated[Person | None, Depends(anybody)]


def somebody(person: Anybody) -> Person:
    if person is None:
        raise HTTPException(401, "log in first")
    return person


Somebody = Annotated[Person, Depends(somebody)]


def member(person: Somebody, request: Request) -> str:
    """The team of who asks."""
    if person.team is None:
        raise HTTPException(403, "this is for teams")
    if request.app.state.live.contest.state().teams[person.team].withdrawn:
        raise HTTPException(403, "this team has withdrawn")
    return person.team


def operator(person: Somebody) -> Person:
    if person.role != "operator":
        raise HTTPException(403, "this is for the operator")
    return person


Member = Annotated[str, Depends(member)]
Operator = Annotated[Person, Depends(operator)]


def create_app(contest: Contest, secure: bool = False) -> FastAPI:
    """The arena of one contest. `secure`: it is reached by TLS, so cookies are sent by nothing else."""
    live, accounts = Live(contest), Accounts(contest)
    cookie = f"__Host-{COOKIE}" if secure else COOKIE

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        live.start()
        yield
        await run_in_threadpool(live.close)

    app = FastAPI(
        title="icefire arena",
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.live, app.state.accounts, app.state.cookie = live, accounts, cookie
    _errors(app)
    _pages(app)
    _audience(app, live)
    _people(app, contest, accounts, secure)
    _teams(app, contest)
    _operators(app, contest, accounts)
    return app


def _errors(app: FastAPI) -> None:
    """What went wrong: by whoever asked, or by us, of which they are told a reference alone."""

    @app.exception_handler(InputError)
    def refused(_: Request, error: InputError) -> JSONResponse:
        status = 409 if isinstance(error, NotNow) else 422
        return JSONResponse({"detail": "refused", "faults": str(error).splitlines()[:20]}, status)

    @app.exception_handler(RequestValidationError)
    def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        faults = [f"{'.'.join(map(str, one['loc'][1:])) or 'the request'}: {one['msg']}" for one in error.errors()[:20]]
        return JSONResponse({"detail": "refused", "faults": faults}, 422)

    @app.exception_handler(Exception)
    def failed(_: Request, error: Exception) -> JSONResponse:
        reference = secrets.token_hex(4)
        logging.getLogger(__name__).error("failed, reference %s", reference, exc_info=error)
        return JSONResponse({"detail": "failed", "faults": [f"something went wrong here; reference {reference}"]}, 500)


def _pages(app: FastAPI) -> None:
    """Pages, and the scripts, styles and pictures they are made of."""
    template = (STATIC / "page.html").read_text("utf-8")
    kinds = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
    files = {path.relative_to(STATIC).as_posix(): path for path in STATIC.glob("*/*") if path.suffix in kinds}

    def page(name: str) -> Callable[[], HTMLResponse]:
        return lambda: HTMLResponse(template.replace("{page}", name))

    for path, name in PAGES.items():
        app.add_api_route(path, page(name), methods=["GET", "HEAD"], include_in_schema=False)

    @app.get("/static/{folder}/{name}", include_in_schema=False)
    def static(folder: str, name: str, request: Request) -> Response:
        file = files.get(f"{folder}/{name}")
        if file is None:
            raise HTTPException(404)
        content = file.read_bytes()
        # Modules import each other, so a browser must never mix those of two versions.
        headers = {"etag": f'"{hashlib.sha256(content).hexdigest()[:16]}"', "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kinds[file.suffix], headers=headers)


def _audience(app: FastAPI, live: Live) -> None:
    @app.get("/api/board")
    def public_board(request: Request) -> Response:
        """What the public sees."""
        headers = {"etag": f'"{live.tag}"', "vary": "accept-encoding", "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(live.packed, media_type="application/json", headers={**headers, "content-encoding": "gzip"})
        return Response(live.board, media_type="application/json", headers=headers)

    @app.get("/api/story")
    def story(after: Annotated[int, Query(ge=0, le=1 << 53)] = 0) -> list[dict[str, Any]]:
        """What has happened since a place in the log."""
        return live.story.public(after)

    @app.get("/api/stream", response_class=StreamingResponse)
    async def stream(request: Request, after: Annotated[int, Query(ge=0, le=1 << 53)] = 0) -> StreamingResponse:
        """The same as it happens (server-sent events); resumes where Last-Event-ID says."""
        address = request.client.host if request.client else "?"
        if not live.room(address):
            raise HTTPException(503, "too many are watching from here", {"retry-after": "10"})
        last = request.headers.get("last-event-id", "")
        begin = int(last) if re.fullmatch(r"\d{1,15}", last) else after
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(live.stream(begin, address), media_type="text/event-stream", headers=headers)


def _people(app: FastAPI, contest: Contest, accounts: Accounts, secure: bool) -> None:
    """Coming and going."""
    throttle, cookie = _Throttle(), app.state.cookie

    @app.post("/api/login")
    def login(body: Login, request: Request, response: Response) -> dict[str, Any]:
        throttle.check(request, body.login)
        with throttle.hashing:
            person = accounts.login(body.login, body.password)
        if person is None:
            throttle.count(request, body.login)
            raise HTTPException(401, "login or password is wrong")
        return _greet(response, person)

    @app.post("/api/join")
    def join(body: Join, request: Request, response: Response) -> dict[str, Any]:
        """Use an invitation."""
        throttle.check(request, "")
        try:
            with throttle.hashing:
                person = accounts.join(body.code, body.login, body.password)
        except InputError:
            throttle.count(request, "")
            raise
        contest.note(person.who, f"{person.login} has joined")
        return _greet(response, person)

    def _greet(response: Response, person: Person) -> dict[str, Any]:
        key = accounts.session(person)
        response.set_cookie(cookie, key, httponly=True, samesite="strict", secure=secure, path="/", max_age=12 * 3600)
        return {"login": person.login, "role": person.role, "team": person.team}

    @app.post("/api/logout")
    def logout(request: Request, response: Response) -> dict[str, bool]:
        key = request.cookies.get(cookie)
        if key:
            accounts.forget(key[:200])
        response.delete_cookie(cookie, path="/", secure=secure, httponly=True, samesite="strict")
        return {"done": True}

    @app.get("/api/me")
    def me(person: Anybody) -> dict[str, Any]:
        return {} if person is None else {"login": person.login, "role": person.role, "team": person.team}

    @app.post("/api/tokens")
    def token(person: Somebody, request: Request) -> dict[str, str]:
        """A token for the command line, shown once; the one before it ends. A token makes no tokens."""
        if "authorization" in request.headers:
            raise HTTPException(403, "log in with a password to make a token")
        contest.note(person.who, f"{person.login} has made a token")
        return {"token": accounts.token(person)}


def _teams(app: FastAPI, contest: Contest) -> None:
    # Waiting happens outside the threads that answer everybody else.
    uploading, busy = anyio.CapacityLimiter(2), set[str]()

    @app.get("/api/own")
    def own(team: Member) -> dict[str, Any]:
        """What a team sees of itself."""
        state = contest.state()
        seen = board(state, f"team:{team}")
        names = {"release": list(contest.game().release_files()), "guess": list(contest.game().guess_files())}
        return {"team": team, "name": state.teams[team].name, "files": names, **seen["own"], "phase": seen["phase"]}

    async def received(request: Request, kind: str, team: str, name: str, target: str | None) -> bytes:
        """The body of an upload that may be sent now: bounded in size and in time as it comes in."""
        await run_in_threadpool(contest.check_upload, kind, team, name, target)
        most = int(contest.state().contest.limits.megabytes * 1e6)
        large = HTTPException(413, f"the file is larger than {most / 1e6:g} MB")
        told = request.headers.get("content-length", "")
        if told.isdigit() and int(told) > most:
            raise large
        found = bytearray()
        try:
            async with asyncio.timeout(SLOWEST):
                async for chunk in request.stream():
                    found += chunk
                    if len(found) > most:
                        raise large
        except TimeoutError as error:
            raise HTTPException(408, f"the file took more than {SLOWEST:g} s") from error
        return bytes(found)

    async def taken(request: Request, kind: str, team: str, name: str, target: str | None) -> dict[str, str]:
        if team in busy:
            raise HTTPException(429, "one upload of a team at a time: try again in a moment")
        busy.add(team)
        try:
            content = await received(request, kind, team, name, target)
            if kind == "release":
                step = partial(contest.upload_release, team, name, content)
            else:
                step = partial(contest.upload_guess, team, str(target), name, content)
            return {"upload": await anyio.to_thread.run_sync(step, limiter=uploading)}
        finally:
            busy.discard(team)

    @app.put("/api/releases/{set}", status_code=202)
    async def send_release(set: Id, request: Request, team: Member) -> dict[str, str]:
        """Send in a release: the zip file as the body."""
        await run_in_threadpool(_known, contest, team, set)
        return await taken(request, "release", team, set, None)

    @app.put("/api/guesses/{target}/{set}", status_code=202)
    async def send_guess(target: Id, set: Id, request: Request, team: Member) -> dict[str, str]:
        """Send in an answer to another team's release."""
        await run_in_threadpool(_known, contest, target, set)
        return await taken(request, "guess", team, set, target)

    @app.get("/api/uploads/{upload}")
    def upload(upload: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")], team: Member) -> dict[str, Any]:
        """How the judge has found an upload of one's own."""
        for one in board(contest.state(), f"team:{team}")["own"]["uploads"]:
            if one["upload"] == upload:
                return dict(one)
        raise HTTPException(404, "no such upload")

    @app.get("/api/problems/{round}/{set}", response_class=Response)
    def problem(round: Annotated[int, Field(ge=0, le=100)], set: Id, team: Member) -> Response:
        """The data a team has to release."""
        state = contest.state()
        sha256 = state.dealt.get((round, team, set))
        if sha256 is None or (round, "defence") not in state.opened:
            raise HTTPException(404, "no such problem")
        return _zip(contest.blobs.get(sha256), f"problem-{round + 1}-{set}")

    @app.get("/api/kit", response_class=Response)
    def kit(team: Member) -> Response:
        """Samples to begin with, in four languages."""
        folder = next((one for one in KITS if one.is_dir()), None)
        if folder is None:
            raise HTTPException(404, "there is no kit")
        found = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        return _zip(pack({str(path.relative_to(folder)): path.read_bytes() for path in found}), "kit")

    @app.get("/api/releases/{round}/{team}/{set}", response_class=Response)
    def handout(round: Annotated[int, Field(ge=0, le=100)], team: Id, set: Id, attacker: Member) -> Response:
        """A release as it was handed out to attackers."""
        state = contest.state()
        hidden = state.invalid((round, team, set)) or (team in state.teams and state.teams[team].withdrawn)
        if (round, team, set) not in state.published or hidden or (round, "attack") not in state.opened:
            raise HTTPException(404, "no such release")
        return _zip(pack(contest.handout(round, team, set, attacker)), f"release-{round + 1}-{team}-{set}")


def _operators(app: FastAPI, contest: Contest, accounts: Accounts) -> None:
    @app.get("/api/operator")
    def overview(_: Operator) -> dict[str, Any]:
        """Everything but the secrets."""
        return board(contest.state(), "operator")

    @app.get("/api/operator/log")
    def log(_: Operator, after: Annotated[int, Query(ge=0, le=1 << 53)] = 0) -> list[dict[str, Any]]:
        """Who did what when, at most 500 entries."""
        return [event.as_dict() for event in contest.store.events(after, 500)]

    @app.post("/api/operator/teams", status_code=201)
    def add_team(body: NewTeam, person: Operator) -> dict[str, str]:
        team = contest.add_team(body.name, person.who)
        contest.note(person.who, f"{team} is invited")
        return {"team": team, "invitation": accounts.invite(team)}

    @app.post("/api/operator/teams/{team}/invitation", status_code=201)
    def invite(team: Id, person: Operator) -> dict[str, str]:
        _known(contest, team)
        contest.note(person.who, f"{team} is invited")
        return {"team": team, "invitation": accounts.invite(team)}

    @app.post("/api/operator/teams/{team}/withdrawal")
    def withdraw(team: Id, body: Action, person: Operator) -> dict[str, bool]:
        _known(contest, team)
        contest.withdraw_team(team, person.who, body.why)
        return {"done": True}

    @app.post("/api/operator/rulings")
    def ruling(body: Ruling, person: Operator) -> dict[str, bool]:
        contest.rule(body.round, body.team, body.set, body.valid, person.who, body.why)
        return {"done": True}

    @app.post("/api/operator/alarms/{reference}")
    def retry(
        reference: Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")], body: Action, person: Operator
    ) -> dict[str, bool]:
        """Let a job that has failed be tried again."""
        if reference not in contest.state().alarms:
            raise HTTPException(404, "no such alarm")
        contest.retry(reference, person.who, body.why)
        return {"done": True}

    @app.post("/api/operator/alarms/{reference}/dismissal")
    def dismiss(
        reference: Annotated[str, Field(pattern=r"^[0-9a-f]{8}$")], body: Action, person: Operator
    ) -> dict[str, bool]:
        """Give up a job that has failed."""
        if reference not in contest.state().alarms:
            raise HTTPException(404, "no such alarm")
        contest.dismiss(reference, person.who, body.why)
        return {"done": True}

    @app.get("/api/operator/tables/{name}", response_class=Response)
    def table(name: Literal["standings", "matrix"], _: Operator) -> Response:
        """A table that spreadsheets open safely."""
        headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
        return Response(tables(contest)[name], media_type="text/csv; charset=utf-8", headers=headers)

    @app.post("/api/operator/actions/{action}")
    def act(
        action: Literal["pause", "resume", "extend", "delay", "freeze", "thaw", "unveil", "finalize"],
        body: Action,
        person: Operator,
    ) -> dict[str, bool]:
        """Change the course of the contest, with a reason."""
        if action in ("extend", "delay"):
            if body.minutes is None:
                raise HTTPException(422, "say by how many minutes")
            getattr(contest, action)(body.minutes, person.who, body.why)
        else:
            getattr(contest, action)(person.who, body.why)
        return {"done": True}


def _known(contest: Contest, team: str, name: str | None = None) -> None:
    """404 for a team or a set that is not there."""
    state = contest.state()
    if team not in state.teams or (name is not None and name not in [one.name for one in state.contest.sets]):
        raise HTTPException(404, "no such team or set")


class _Throttle:
    """Guessing passwords is slow, and checking them takes little memory at a time.

    Failures count: for a login at an address, for a login anywhere, and for an address, which may be a whole hall.
    """

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._here, self._anywhere, self._address = parse("10/minute"), parse("100/minute"), parse("300/minute")
        self.hashing = threading.BoundedSemaphore(2)

    def check(self, request: Request, login: str) -> None:
        if not all(self._limiter.test(limit, *key) for limit, key in self._counted(request, login)):
            raise HTTPException(429, "too many attempts: wait a minute")

    def count(self, request: Request, login: str) -> None:
        """One more failure."""
        for limit, key in self._counted(request, login):
            self._limiter.hit(limit, *key)

    def _counted(self, request: Request, login: str) -> list[tuple[Any, tuple[str, ...]]]:
        host = request.client.host if request.client else "?"
        # One household or hall has a whole network of addresses.
        address = ":".join(host.split(":")[:4]) if ":" in host else host
        both = [(self._anywhere, ("login", login)), (self._here, (address, login))] if login else []
        return [*both, (self._address, (address,))]


def _zip(content: bytes, name: str) -> Response:
    return Response(
        content, media_type="application/zip", headers={"content-disposition": f'attachment; filename="{name}.zip"'}
    )

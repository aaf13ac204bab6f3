"""Kills of the judge, of the web server during uploads, and of the database: is anything lost that was acknowledged?

    python benchmarks/bench_faults.py --kills 50

Three teams upload over HTTP, each again and again with the key of an upload until it is acknowledged. Meanwhile a process is
killed by SIGKILL at random moments and started again. In the end the log is verified, every acknowledged upload must be in it
and judged once, and none may be in it twice. Prints how many uploads there were, how many answers were lost, and for how long
the arena was away.
"""

from __future__ import annotations

import argparse
import json
import random
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from contest.test_faults import all_judged, open_contest, release_of
from icefire.contest.engine import DATABASE, Contest
from icefire.web.accounts import Accounts, Person
from postgres import Postgres
from web.conftest_web import free_port

TEAMS = ("ann", "bob", "cy")
PROGRAM = "from icefire.cli.main import main; main()"


@dataclass
class Senders:
    """Three teams that upload all the time."""

    url: str
    tokens: dict[str, str]
    content: bytes
    acknowledged: dict[str, str] = field(default_factory=dict)
    """Ids of uploads by their keys."""
    lost_answers: int = 0
    longest_wait: float = 0.0
    stop: threading.Event = field(default_factory=threading.Event)

    def run(self, team: str) -> None:
        while not self.stop.is_set():
            self._send(team, secrets.token_hex(8))

    def _send(self, team: str, key: str) -> None:
        headers = {"authorization": f"Bearer {self.tokens[team]}", "idempotency-key": key}
        begin = time.monotonic()
        while not self.stop.is_set():
            try:
                answer = httpx.put(
                    f"{self.url}/api/releases/households", content=self.content, headers=headers, timeout=90
                )
            except httpx.TransportError:
                self.lost_answers += 1
                time.sleep(0.1)
                continue
            if answer.status_code == 202:
                self.acknowledged[key] = answer.json()["upload"]
                self.longest_wait = max(self.longest_wait, time.monotonic() - begin)
                return
            if answer.status_code == 409:  # too many wait for the judge
                begin = time.monotonic()
            elif answer.status_code not in (429, 503):
                raise RuntimeError(f"{answer.status_code}: {answer.text}")
            time.sleep(0.1)


class Process:
    """A command that is killed and started again."""

    def __init__(self, *arguments: str) -> None:
        self._command = [sys.executable, "-c", PROGRAM, "contest", *arguments]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def check(contest: Contest, senders: Senders) -> str:
    """What is wrong in the end; nothing if all is well."""
    contest.store.verify()
    state = contest.state()
    if lost := set(senders.acknowledged.values()) - set(state.uploads):
        return f"{len(lost)} acknowledged uploads are lost"
    judged = Counter(entry.data["upload"] for entry in contest.log() if entry.what in ("accepted", "rejected"))
    if set(judged) != set(state.uploads) or set(judged.values()) != {1}:
        return "not every upload was judged once"
    if {upload.status for upload in state.uploads.values()} != {"accepted"} or state.alarms:
        return f"alarms: {[alarm.message for alarm in state.alarms.values()]}"
    # A last answer of each team may be under way when the senders stop.
    surplus = len(state.uploads) - len(senders.acknowledged)
    return "" if surplus <= len(TEAMS) else f"{surplus} uploads are in the log that nobody was told of"


def run(victim: str, database: str, kills: int, server: Postgres | None, folder: Path) -> None:
    rng, begin = random.Random(victim), time.monotonic()
    with open_contest(folder, database) as contest, ExitStack() as stack:
        accounts, tokens = Accounts(contest), dict[str, str]()
        for team in TEAMS:
            accounts.join(accounts.invite(team), team, "a password that is long")
            tokens[team] = accounts.token(Person(team, "team", team))
        # Not one of those that clients get: while the server is away, one of them could connect to itself and keep the port.
        port = rng.randrange(20_000, 30_000)
        web = Process("serve", str(folder), "--port", str(port), "--workers", "0")
        stack.callback(web.kill)
        judge = Process("run", str(folder))
        stack.callback(judge.kill)
        senders = Senders(f"http://127.0.0.1:{port}", tokens, release_of(contest))
        threads = [threading.Thread(target=senders.run, args=(team,), daemon=True) for team in TEAMS]
        for thread in threads:
            thread.start()
        while not senders.acknowledged:
            time.sleep(0.1)
        target = {"web": web, "judge": judge, "database": server}[victim]
        assert target is not None
        for number in range(kills):
            # Long enough for a process to start, so that it is killed while it works.
            time.sleep(rng.uniform(0.2, 1.5))
            before = len(senders.acknowledged)
            target.kill()
            target.start()
            end = time.monotonic() + 300
            while len(senders.acknowledged) < before + 3:
                assert time.monotonic() < end, "nothing is accepted any more"
                time.sleep(0.05)
            print(f"{victim}: {number + 1} kills, {len(senders.acknowledged)} uploads", file=sys.stderr, flush=True)
        senders.stop.set()
        for thread in threads:
            thread.join()
        end = time.monotonic() + 300
        while not all_judged(contest):
            assert time.monotonic() < end, "the judge does not come to an end"
            time.sleep(0.2)
        fault = check(contest, senders)
    figures = {
        "killed": victim,
        "times": kills,
        "database": "SQLite" if server is None else "PostgreSQL",
        "uploads acknowledged": len(senders.acknowledged),
        "answers lost on the way": senders.lost_answers,
        "longest wait for an acknowledgement, s": round(senders.longest_wait, 1),
        "seconds": round(time.monotonic() - begin),
        "fault": fault or "none",
    }
    print(json.dumps(figures), flush=True)
    if fault:
        raise SystemExit(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--victim", choices=["web", "judge", "database"], action="append")
    parser.add_argument("--postgres", action="store_true", help="for all victims, not for the database alone")
    options = parser.parse_args()
    for victim in options.victim or ["judge", "web", "database"]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "contest"
            if victim != "database" and not options.postgres:
                run(victim, DATABASE, options.kills, None, folder)
                continue
            server = Postgres(free_port())
            try:
                server.start()
                run(victim, server.new_database("faults"), options.kills, server, folder)
            finally:
                server.close()


if __name__ == "__main__":
    main()

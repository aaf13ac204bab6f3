"""A contest as files: replay, and tables for people."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from pathlib import Path
from typing import Any

from icefire.contest.backup import LOG
from icefire.contest.board import board
from icefire.contest.engine import JUDGE, Contest
from icefire.contest.events import Event, canonical, verified
from icefire.contest.judge import Job, Judge, due
from icefire.contest.state import State, apply
from icefire.contest.vault import Blobs
from icefire.core.errors import DataError


def replay(contest: Contest) -> tuple[int, list[str]]:
    """Judge everything again from the uploads and the seeds, in a vault of its own, and compare with the log.

    How many events were judged again, and what differs, event by event.
    """
    events = list(verified(contest.events()))
    with tempfile.TemporaryDirectory() as name:
        vault = type(contest.vault)(Path(name) / "vault")
        vault.folder.mkdir(mode=0o700)
        (vault.folder / "seeds.json").write_bytes((contest.vault.folder / "seeds.json").read_bytes())
        blobs = _Copy(contest.blobs, Blobs(Path(name) / "files"))
        judge = Judge(contest.game(), blobs, vault)
        state, count, seen = State(), 0, set[int]()
        faults: list[str] = []
        for at, event in enumerate(events):
            # What the operator gave up was never judged.
            if event.who == JUDGE and event.seq not in seen:
                job = _job_of(event, state)
                news = judge.do(job, state)
                together = events[at : at + len(news)]
                seen |= {one.seq for one in together}
                count += len(news)
                written = [(one.what, one.data) for one in together]
                again = [(what, json.loads(canonical(data))) for what, data in news]
                if written != again:
                    told = f"{canonical(again)[:200]}, the log has {canonical(written)[:200]}"
                    faults.append(f"event {event.seq}: {job.key} gives {told}")
            state = apply(state, event)
    return count, faults


class _Copy(Blobs):
    """Reads the files of a contest, and writes elsewhere."""

    def __init__(self, source: Blobs, target: Blobs) -> None:
        super().__init__(target.folder)
        self._source = source

    def get(self, sha256: str) -> bytes:
        return self._source.get(sha256)


def _job_of(event: Event, state: State) -> Job:
    """The job that has led to an event."""
    for job in due(state):
        wanted = {
            "deal": event.what == "dealt",
            "measure": event.what in ("accepted", "rejected"),
            "judge": event.what in ("guess_scored", "rejected"),
            "publish": event.what == "published",
            "baseline": event.what == "baseline_scored",
            "reveal": event.what == "seed_revealed",
        }[job.what]
        data = event.data
        key = [data.get(name) for name in ("round", "team", "set")]
        if wanted and job.args in (
            (data.get("upload"),),
            tuple(key),
            (*key, data.get("upload")),
            (*key, data.get("attack")),
            (key[0],),
        ):
            return job
    raise DataError(f"event {event.seq}: nothing asked for {event.what!r}")


def export(contest: Contest, folder: Path) -> list[Path]:
    """The log, the standings and the matrix as files that spreadsheets open safely."""
    folder.mkdir(parents=True, exist_ok=True)
    made = {LOG: "".join(canonical(event.as_dict()) + "\n" for event in contest.events())}
    made |= {f"{name}.csv": text for name, text in tables(contest).items()}
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return [folder / name for name in made]


def tables(contest: Contest) -> dict[str, str]:
    """The standings and the attack matrix as CSV."""
    seen = board(contest.state(), "operator")
    names = {team["id"]: team["name"] for team in seen["teams"]}
    rows = [
        [one["name"], side, row["rank"], names[row["team"]], row["total"]]
        for one in [*seen["rounds"], {"name": "all rounds", **seen["total"]}]
        for side in ("defenders", "attackers")
        for row in one[side]
    ]
    cells = [
        [
            one["name"],
            names[cell["team"]],
            cell["set"],
            names.get(cell["attacker"], cell["attacker"]),
            cell["task"],
            cell["score"]["value"],
        ]
        for one in seen["rounds"]
        for cell in one["cells"]
    ]
    return {
        "standings": _table(["round", "side", "rank", "team", "total"], rows),
        "matrix": _table(["round", "defender", "set", "attacker", "task", "value"], cells),
    }


def _table(header: list[str], rows: list[list[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([[_safe(cell) for cell in row] for row in rows])
    return text.getvalue()


def _safe(cell: Any) -> Any:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" else cell

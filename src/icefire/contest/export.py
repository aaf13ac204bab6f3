"""A contest as files for people: the log, the standings and the attack matrix."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from icefire.contest.board import board
from icefire.contest.engine import Contest
from icefire.contest.log import dump
from icefire.contest.results import OPERATOR
from icefire.contest.state import State

LOG = "events.jsonl"


def export(contest: Contest, folder: Path) -> list[Path]:
    """Write the log, the standings and the matrix, and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {LOG: dump(contest.log()), **{f"{name}.csv": text for name, text in tables(contest.state()).items()}}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return [folder / name for name in texts]


def tables(state: State) -> dict[str, str]:
    """The standings and the attack matrix as CSV that spreadsheets open safely."""
    seen = board(state, OPERATOR)
    names = {team["id"]: team["name"] for team in seen["teams"]}
    parts = [*((part["name"], part["defenders"], part["attackers"]) for part in seen["rounds"])]
    parts.append(("all rounds", seen["total"]["defenders"], seen["total"]["attackers"]))
    rows = [
        [name, side, row["rank"], names[row["team"]], row["total"]]
        for name, defenders, attackers in parts
        for side, table in (("defenders", defenders), ("attackers", attackers))
        for row in table
    ]
    cells = [
        [
            part["name"],
            names[cell["team"]],
            cell["set"],
            names.get(cell["attacker"], cell["attacker"]),
            cell["task"],
            cell["score"]["value"],
        ]
        for part in seen["rounds"]
        for cell in part["cells"]
    ]
    return {
        "standings": _table(["round", "side", "rank", "team", "total"], rows),
        "matrix": _table(["round", "defender", "set", "attacker", "task", "value"], cells),
    }


def _table(header: list[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([[_safe(cell) for cell in row] for row in rows])
    return text.getvalue()


def _safe(cell: object) -> object:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" else cell

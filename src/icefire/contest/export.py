"""A contest as files for people: the log, the standings, the attack matrix and the prizes."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from icefire.contest.board import board
from icefire.contest.documents import RowDocument
from icefire.contest.engine import Contest
from icefire.contest.log import dump
from icefire.contest.results import OPERATOR
from icefire.contest.state import State

LOG = "events.jsonl"
ENCODING = "utf-8-sig"
"""Of tables: spreadsheets need the mark to read Japanese."""
TableName = Literal["standings", "matrix", "prizes"]


def export(contest: Contest, folder: Path) -> list[Path]:
    """Write the log and the tables, and return the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {f"{name}.csv": text.encode(ENCODING) for name, text in tables(contest.state()).items()}
    files = {LOG: dump(contest.log()).encode(), **found}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in files]


def tables(state: State) -> dict[TableName, str]:
    """The standings, the attack matrix and the prizes as CSV that spreadsheets open safely."""
    seen = board(state, OPERATOR)
    names = {team["id"]: team["name"] for team in seen["teams"]}
    parts = [*((part["name"], part["defenders"], part["attackers"]) for part in seen["rounds"])]
    parts.append(("all rounds", seen["total"]["defenders"], seen["total"]["attackers"]))
    rows = [
        [name, side, _place(row["rank"]), names[row["team"]], row["total"]]
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
    prizes = [
        [
            prize["name"],
            prize["of"],
            prize["task"],
            _place(row["rank"]),
            names[row["team"]],
            row["total"],
            "yes" if row["team"] in prize["winners"] else "",
        ]
        for prize in seen["prizes"]
        for row in prize["rows"] or [_chosen(team) for team in prize["winners"]]
    ]
    return {
        "standings": _table(["round", "side", "rank", "team", "total"], rows),
        "matrix": _table(["round", "defender", "set", "attacker", "task", "value"], cells),
        "prizes": _table(["prize", "of", "task", "rank", "team", "total", "won"], prizes),
    }


def _chosen(team: str) -> RowDocument:
    """The winner of a prize without standings: the operator has chosen."""
    return {"team": team, "total": None, "rank": None, "parts": {}}


def _place(rank: float | None) -> float | int | None:
    """A rank as people write it: 1, or 2.5 for a shared one."""
    return int(rank) if rank is not None and rank.is_integer() else rank


def _table(header: list[str], rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(header)
    writer.writerows([[_safe(cell) for cell in row] for row in rows])
    return text.getvalue()


def _safe(cell: object) -> object:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" else cell

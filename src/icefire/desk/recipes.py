"""The command and the lines of Python that do what was decided on at the desk."""

from __future__ import annotations

import shlex
from typing import Any

from icefire.desk.columns import chosen_columns
from icefire.desk.sessions import Document, Session


def recipes(session: Session, job: Document) -> Document:
    """How to do the same elsewhere. The seed is no part of them: it links the release back."""
    given: Any = job["arguments"]
    kind = str(session.document().get("kind") or "microdata")
    return {"command": _command(session, kind, given), "python": _python(session, kind, given)}


def _command(session: Session, kind: str, given: dict[str, Any]) -> str:
    steps = " ".join(shlex.quote(step) for step in given["steps"])
    folder = shlex.quote(str(session.work))
    return (
        f"icefire anonymize {kind} {steps} --in {folder} --out release\n"
        f"icefire redteam {kind} --in release --max-risk {given['limit']:g}"
    )


def _python(session: Session, kind: str, given: dict[str, Any]) -> str:
    steps = ", ".join(map(repr, given["steps"]))
    made = _table(session) if kind == "microdata" else _shaped(session, kind)
    return (
        "import icefire\nimport polars as pl\n\n"
        f"people = {made}\n"
        f"release = people.anonymize({steps})\n"
        f"found = release.attack(attacker={given['level']!r})\n"
        f"print(found.answer(max_risk={given['limit']:g}))\n"
        'release.published.to_native().write_csv("published.csv")\n'
        'release.report("report.html")\n'
    )


def _table(session: Session) -> str:
    columns = chosen_columns(session)
    lists = {
        role: [name for name, entry in columns.items() if entry["role"] == role]
        for role in ("qi", "sa", "identifying", "other")
    }
    roles = ", ".join(f"{role}={names!r}" for role, names in lists.items() if names)
    return f"icefire.table({_read(session, 'original')}, {roles})"


def _shaped(session: Session, kind: str) -> str:
    shape: Any = session.document()["shape"]
    if kind == "history":
        names = ", ".join(f"{ours}={theirs!r}" for ours, theirs in shape["names"].items())
        return f"icefire.records({_read(session, 'original')}, {names}, periods={shape['periods']!r})"
    if kind == "synthetic":
        hidden = [name for name, part in shape["parts"].items() if part == "hidden"]
        others = _read(session, "control")
        return f"icefire.members({_read(session, 'original')}, others={others}, hidden={hidden!r})"
    tables = ", ".join(_read(session, stem) for stem in ("reference", "original"))
    return f"icefire.traces({tables}, rows={shape['rows']}, columns={shape['columns']}, day={shape['day']})"


def _read(session: Session, stem: str) -> str:
    """The expression that reads a table of the working folder."""
    parquet = session.work / f"{stem}.parquet"
    if parquet.exists():
        return f"pl.read_parquet({str(parquet)!r})"
    return f"pl.read_csv({str(session.work / f'{stem}.csv')!r})"

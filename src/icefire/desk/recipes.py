"""The command, the lines of Python and the study that do what was decided on at the desk."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from icefire.core.chapters import Language
from icefire.desk.sessions import Document, Session
from icefire.study.template import study_of_release


def recipes(session: Session, job: Document, folder: Path, language: Language) -> Document:
    """How to do the same elsewhere, on the original in the folder of the release.

    The seed is no part of them: it links the release back. The data as they are need none.
    """
    given: Any = job["arguments"]
    if not given["steps"]:
        return {}
    kind = str(given.get("kind") or session.document().get("kind") or "microdata")
    return {
        "command": _command(kind, given, folder),
        "python": _python(kind, given, folder),
        "study": study_of_release(kind, folder, given["steps"], language),
    }


def _command(kind: str, given: dict[str, Any], folder: Path) -> str:
    steps = " ".join(shlex.quote(step) for step in given["steps"])
    return (
        f"icefire anonymize {kind} {steps} --in {shlex.quote(str(folder))} --out release\n"
        f"icefire redteam {kind} --in release --max-risk {given['limit']:g} --attacker {given['level']}"
    )


def _python(kind: str, given: dict[str, Any], folder: Path) -> str:
    steps = ", ".join(map(repr, given["steps"]))
    which = "" if kind == "microdata" else f", kind={kind!r}"
    return (
        "import icefire\n\n"
        f"people = icefire.folder({str(folder)!r}{which})\n"
        f"release = people.anonymize({steps})\n"
        f"findings = release.attack(attacker={given['level']!r})\n"
        f"print(findings.answer(max_risk={given['limit']:g}))\n"
        'release.save("release")\n'
        'release.report("report.html")\n'
    )

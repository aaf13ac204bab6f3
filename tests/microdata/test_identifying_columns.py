"""Columns that identify people by themselves are noticed whatever role they have."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner

import icefire
from icefire.cli.main import icefire as command
from icefire.core.errors import FileError
from icefire.microdata.schema import Column, read_schema

NAMES = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon"]


def members() -> pl.DataFrame:
    """Forty people in two towns, with their names and e-mail addresses."""
    return pl.DataFrame(
        {
            "town": ["north", "south"] * 20,
            "contact": [f"{name.lower()}{i}@example.org" for i in range(4) for name in NAMES],
            "who": [f"{name} {last}" for last in ("Abel", "Baker", "Cole", "Dunn") for name in NAMES],
            "visits": [i % 3 for i in range(40)],
        }
    )


def folder(place: Path, schema: str) -> Path:
    place.mkdir()
    members().write_csv(place / "original.csv")
    (place / "schema.toml").write_text(schema)
    return place


def redteam(place: Path, exit_code: int) -> dict[str, Any]:
    words = ["redteam", "microdata", "--in", str(place), "--max-risk", "0.99", "--max-disclosure", "1"]
    result = CliRunner().invoke(command, [*words, "--attacker", "qi", "--json"])
    assert result.exit_code == exit_code, result.output
    answer: dict[str, Any] = json.loads(result.stdout)["answer"]
    return answer


def cells(answer: dict[str, Any]) -> dict[str, Any]:
    (finding,) = (finding for finding in answer["findings"] if finding["question"] == "identifying cells")
    return {column["column"]: column for column in finding.get("columns", ())}


def released(place: Path, schema: str) -> Path:
    source = folder(place, schema)
    words = ["anonymize", "microdata", "mondrian(k=10)", "--in", str(source), "--out", str(place / "out")]
    result = CliRunner().invoke(command, words)
    assert result.exit_code == 0, result.output
    return place / "out"


@pytest.mark.parametrize("role", ["sa", "other"])
def test_names_and_addresses_are_never_releasable(tmp_path: Path, role: str) -> None:
    sa = '"visits", "contact", "who"' if role == "sa" else '"visits"'
    other = "" if role == "sa" else 'other = ["contact", "who"]\n'
    source = folder(tmp_path / "data", f'qi = ["town"]\nsa = [{sa}]\n{other}')
    words = ["anonymize", "microdata", "mondrian(k=10)", "--in", str(source), "--out", str(source / "out")]
    made = CliRunner().invoke(command, words)
    assert "note: the column 'who' identifies people by itself (looks like names)" in made.stderr
    answer = redteam(source / "out", 1)
    assert answer["decision"] == "do_not_release"
    assert set(cells(answer)) == {"contact", "who"}


def test_a_reason_in_the_schema_overrules_the_check_and_is_reported(tmp_path: Path) -> None:
    reason = "pages of a public register"
    text = 'qi = ["town"]\nsa = ["visits"]\nother = ["contact"]\nidentifying = ["who"]\n'
    out = released(tmp_path / "data", f'{text}[columns.contact]\naccepted = "{reason}"\n')
    answer = redteam(out, 0)
    assert cells(answer) == {}
    assert answer["accepted"] == {"contact": reason}
    assert reason in (out / "report.html").read_text()
    assert read_schema(out / "schema.toml", ["town", "visits", "contact"]).column("contact").accepted == reason


def test_a_dropped_column_is_no_fault(tmp_path: Path) -> None:
    data = icefire.table(members(), qi=["town"], sa=["visits"], other=["contact", "who"])
    release = data.anonymize("drop_columns(columns=[contact, who])", "mondrian(k=10)", seed=1)
    assessment = release.attack(attacker="qi").assess(0.99, 1.0)
    assert list(assessment.identifying) == []
    assert assessment.decision == "release"


def test_python_says_no_and_names_the_columns() -> None:
    data = icefire.table(members(), qi=["town"], sa=["visits"], other=["contact", "who"])
    findings = data.anonymize("mondrian(k=10)", seed=1).attack(attacker="qi")
    answer = findings.answer(max_risk=0.99)
    assert answer.startswith("Do not release. ")
    assert "identify people by themselves: contact, who" in answer
    assert "accepted =" in answer
    accepted = {name: Column(accepted="public") for name in ("contact", "who")}
    data = icefire.table(members(), qi=["town"], sa=["visits"], other=["contact", "who"], columns=accepted)
    findings = data.anonymize("mondrian(k=10)", seed=1).attack(attacker="qi")
    assert findings.decision(0.99, 1.0) == "release"


def test_a_reason_has_to_be_given(tmp_path: Path) -> None:
    text = 'qi = ["town"]\nsa = ["visits", "who"]\nother = ["contact"]\n[columns.contact]\naccepted = true\n'
    words = ["anonymize", "microdata", "mondrian(k=10)", "--in", str(folder(tmp_path / "data", text))]
    result = CliRunner().invoke(command, [*words, "--out", str(tmp_path / "out")])
    assert isinstance(result.exception, FileError)
    assert "the reason in words" in str(result.exception)


def test_the_command_that_is_proposed_leaves_the_columns_out(tmp_path: Path) -> None:
    source = tmp_path / "data"
    source.mkdir()
    members().rename({"contact": "e-mail (private)", "who": "2020"}).write_csv(source / "original.csv")
    (source / "schema.toml").write_text('qi = ["town"]\nsa = ["visits"]\nother = ["e-mail (private)", "2020"]\n')
    out = source / "out"
    words = ["anonymize", "microdata", "mondrian(k=10)", "--in", str(source), "--out", str(out)]
    assert CliRunner().invoke(command, words).exit_code == 0
    shown = CliRunner().invoke(command, ["redteam", "microdata", "--in", str(out), "--attacker", "qi"])
    (line,) = (line for line in shown.stdout.splitlines() if "icefire anonymize" in line)
    typed = shlex.split(line.partition("icefire ")[2])
    assert CliRunner().invoke(command, typed).exit_code == 0
    assert cells(redteam(Path(typed[-1]), 0)) == {}


def test_columns_that_a_step_names_are_not_proposed_to_be_left_out(tmp_path: Path) -> None:
    source = folder(tmp_path / "data", 'qi = ["town"]\nsa = ["visits"]\nother = ["contact", "who"]\n')
    words = [
        "anonymize",
        "microdata",
        "pram(keep=0.9, columns=[who])",
        "--in",
        str(source),
        "--out",
        str(source / "out"),
    ]
    assert CliRunner().invoke(command, words).exit_code == 0
    words = ["redteam", "microdata", "--in", str(source / "out"), "--attacker", "qi", "--max-risk", "0.001"]
    shown = CliRunner().invoke(command, words).stdout
    assert "drop_columns(columns=" not in shown
    assert "icefire advise microdata" in shown

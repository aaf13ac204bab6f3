"""Two releases that may both go out, but not to the same people: every door says so, in both languages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner, Result

import icefire
from icefire.cli.main import icefire as command
from icefire.core.errors import FileError, IcefireError
from icefire.core.questions import Question
from icefire.desk.sessions import Session, private_folder, write_document
from icefire.desk.tasks.decide import FOUND, decide
from icefire.desk.worker import Work
from icefire.evaluation.assessment import Status
from icefire.frames.previous import Previous, add_previous, previous_releases

SIZE = 30
"""Values of each of the two known columns; everybody has a pair of their own."""


def people() -> pl.DataFrame:
    rng = np.random.default_rng(0)
    pairs = pl.DataFrame({"town": np.repeat(np.arange(SIZE), SIZE), "job": np.tile(np.arange(SIZE), SIZE)})
    answers = {f"answer {number}": rng.integers(0, SIZE, SIZE * SIZE) for number in (1, 2, 3)}
    return pairs.with_columns(**{name: pl.Series(column) for name, column in answers.items()}).select(
        pl.format("{} {}", pl.lit(name), name).alias(name) for name in ("town", "job", *answers)
    )


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def ok(*arguments: str | Path) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.output


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A working folder with a release without jobs, `first`, and one without towns, `second`."""
    folder = tmp_path / "work"
    folder.mkdir()
    people().write_csv(folder / "original.csv")
    answers = '"answer 1", "answer 2", "answer 3"'
    (folder / "schema.toml").write_text(
        f'kind = "microdata"\nqi = ["town", "job"]\nsa = [{answers}]\n', encoding="utf-8"
    )
    for name, column, seed in ("first", "job", "1"), ("second", "town", "2"):
        step = f"drop_columns(columns=[{column}])"
        ok("anonymize", "microdata", step, "--in", folder, "--out", tmp_path / name, "--seed", seed)
    return folder


def redteam(folder: Path, *arguments: str | Path) -> Result:
    return run("redteam", "microdata", "--in", folder, "--attacker", "qi", "--budget", "0.01", *arguments)


def test_each_by_itself_may_go_out(work: Path) -> None:
    for name in ("first", "second"):
        result = redteam(work.with_name(name))
        assert result.exit_code == 0, result.output
        assert "assumes that there is none" in " ".join(result.output.split())


def test_together_they_may_not(work: Path) -> None:
    first, second = work.with_name("first"), work.with_name("second")
    result = redteam(second, "--with", first)
    text = " ".join(result.output.split())
    assert result.exit_code == 1
    assert "Whoever holds first as well finds out more. Somebody who knows town, job re-identifies" in text
    assert "holds first as well" in text
    assert "were released beside first" in text
    assert "--with" in (second / "report.html").read_text(encoding="utf-8")
    japanese = " ".join(run("--lang", "ja", *redteam_words(second, first)).output.split())
    assert "firstと合わせると" in japanese.replace(" ", "")
    document = json.loads(redteam(second, "--with", first, "--json").output)
    together = [f for f in document["answer"]["findings"] if f["question"] == "other releases"]
    assert [(f["of"], f["status"]) for f in together] == [
        ("re-identification", "exceeds"),
        ("attribute disclosure", "exceeds"),
    ]
    assert document["answer"]["decision"] == "do_not_release"


def redteam_words(folder: Path, other: Path) -> list[str]:
    return ["redteam", "microdata", "--in", str(folder), "--attacker", "qi", "--budget", "0.01", "--with", str(other)]


def test_what_is_recorded_is_known_from_then_on(work: Path) -> None:
    """By the next release of the same original; the recorded one is not held against itself."""
    first, second = work.with_name("first"), work.with_name("second")
    assert "recorded" in ok("record", "microdata", "--in", work, "--release", first, "--name", "2025")
    assert [entry.name for entry in previous_releases(work)] == ["2025"]
    assert sorted(path.name for path in (work / "previous" / "2025").iterdir()) == ["published.csv"]
    (first / "published.csv").write_text("gone\n", encoding="utf-8")
    ok(
        "anonymize",
        "microdata",
        "drop_columns(columns=[town])",
        "--in",
        work,
        "--out",
        second,
        "--seed",
        "3",
        "--replace",
    )
    assert [entry.name for entry in previous_releases(second)] == ["2025"]
    result = redteam(second)
    assert result.exit_code == 1
    assert "holds 2025 as well" in " ".join(result.output.split())
    again = work.with_name("again")
    ok("anonymize", "microdata", "drop_columns(columns=[job])", "--in", work, "--out", again, "--seed", "1")
    assert redteam(again).exit_code == 0
    result = run("record", "microdata", "--in", work, "--release", second, "--name", "2025")
    assert isinstance(result.exception, IcefireError)
    assert "already" in str(result.exception)


def test_python(work: Path) -> None:
    first = work.with_name("first")
    release = icefire.folder(work).anonymize("drop_columns(columns=[town])", seed=5)
    alone, together = release.attack(attacker="qi"), release.attack(attacker="qi", others=[first])
    assert (alone.decision(), together.decision()) == ("release", "do_not_release")
    assert "Whoever holds first as well" in together.answer()
    same = release.attack(attacker="qi", others=[icefire.folder(work).anonymize("drop_columns(columns=[job])", seed=6)])
    assert same.decision() == "do_not_release"
    add_previous(work, [Previous("last year", first)])
    data = icefire.folder(work)
    known = data.anonymize("drop_columns(columns=[town])", seed=5)
    assert "Whoever holds last year as well" in known.attack(attacker="qi").answer()
    assert [entry.name for entry in previous_releases(known.save(work.with_name("saved")))] == ["last year"]


def test_desk(work: Path, tmp_path: Path) -> None:
    add_previous(work, [Previous("last year", work.with_name("first"))])
    session = Session(private_folder(tmp_path / "desk"))
    work.rename(session.work)
    (session.work / "schema.toml").write_text(
        (session.work / "schema.toml").read_text(encoding="utf-8").replace("../first", "../../first"), encoding="utf-8"
    )
    write_document(session.folder / "session.json", {"kind": "microdata"})
    folder = private_folder(tmp_path / "desk" / "task")
    arguments = {"steps": ["drop_columns(columns=[town])"], "seed": 4, "level": "qi", "limit": 0.05, "budget": 0.001}
    decide(Work(session, folder, arguments, "en"))
    found = json.loads((folder / FOUND).read_text(encoding="utf-8"))
    assert found["decision"] == "do_not_release"
    assert any("last year" in sentence for sentence in found["answer"]["en"]["why"])


def test_what_is_named_has_to_be_there(work: Path) -> None:
    add_previous(work, [Previous("lost", work.with_name("nowhere"))])
    with pytest.raises(FileError, match="'lost' is not there"):
        previous_releases(work)
    for line in ('previous = "first"', "[[previous]]\nname = 3", '[[previous]]\nname = "a"\npath = "."\nseed = 1'):
        (work / "schema.toml").write_text(line + "\n", encoding="utf-8")
        with pytest.raises(FileError, match="previous"):
            previous_releases(work)


def test_histories_name_the_gate(tmp_path: Path) -> None:
    """What cannot be combined is no yes."""
    ok("data", "history", "--n", "12", "--out", tmp_path / "work")
    data = icefire.folder(tmp_path / "work", "history")
    first, second = (data.anonymize("pseudonyms", seed=seed) for seed in (1, 2))
    findings = first.attack("jaccard", attacker="T50", others=[second])
    (together,) = [f for f in findings.assess(1.0, 1.0).findings if f.question is Question.COMPOSITION]
    assert together.status is Status.UNKNOWN
    assert "icefire gate" in together.reason
    assert findings.decision(1.0, 1.0) == "inconclusive"
    first.save(tmp_path / "first")
    refused = run("record", "history", "--in", tmp_path / "work", "--release", tmp_path / "first")
    assert "icefire gate --record" in str(refused.exception)

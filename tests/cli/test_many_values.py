"""A table with more postal codes than a screen has lines gets its answer everywhere: terminal, Python, report and desk."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner, Result

import icefire
from icefire.cli.main import icefire as command
from icefire.core.budget import Budget
from icefire.desk.sessions import Session, private_folder, write_document
from icefire.desk.tasks.decide import FOUND, decide
from icefire.desk.worker import Work
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.schema import Column

CODES = 2_414


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def ok(*arguments: str | Path) -> Result:
    result = run(*arguments)
    assert result.exit_code == 0, result.output + str(result.exception)
    return result


def people() -> pl.DataFrame:
    rng = np.random.default_rng(0)
    rows = CODES + 86
    return pl.DataFrame(
        {
            "zip": [1_000_000 + 7 * (place % CODES) for place in range(rows)],
            "age": rng.integers(18, 90, rows),
            "sex": rng.choice(["f", "m"], rows),
            "disease": rng.choice(["flu", "cold", "none"], rows),
        }
    )


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    people().write_csv(folder / "people.csv")
    ok("init", folder / "people.csv", "--out", folder / "work", "--yes")
    assert '[columns."zip"]\nhierarchy = ' in (folder / "work" / "schema.toml").read_text()
    return folder / "work"


@pytest.fixture(scope="module")
def release(work: Path) -> Path:
    folder = work.parent / "release"
    ok("anonymize", "microdata", "mondrian(k=5)", "--in", work, "--out", folder, "--seed", "1")
    return folder


def test_the_terminal_answers(release: Path) -> None:
    command = (
        "redteam",
        "microdata",
        "--in",
        release,
        "--attacker",
        "qi",
        "--budget",
        "0.005",
        "--seed",
        "1",
        "--json",
    )
    result = run(*command)
    # Whatever the answer is, it is none about the command.
    assert result.exit_code != 2, result.output + str(result.exception)
    found = json.loads(result.output)
    assert found["answer"]["decision"] in ("release", "do_not_release", "inconclusive")
    assert "concealment_cost" in (release / "report.html").read_text()


def test_every_metric_is_listed(release: Path) -> None:
    utility = json.loads(ok("evaluate", "microdata", "--in", release, "--json").output)["utility"]
    assert utility["concealment_cost"]["value"] > 0


def test_python_answers() -> None:
    widths = Column(hierarchy=Hierarchy(widths=(100, 1000)))
    data = icefire.table(people(), qi=["zip", "age", "sex"], sa=["disease"], columns={"zip": widths})
    release = data.anonymize("mondrian(k=5)", seed=1)
    with Budget(0.005).spent():
        findings = release.attack(attacker="qi")
    assert 0 < findings.risk.value < 0.3
    assert release.utility["concealment_cost"].score is not None
    assert findings.assess().decision is not None


def test_the_desk_decides(work: Path, tmp_path: Path) -> None:
    session = Session(tmp_path / "session")
    private_folder(session.folder)
    session.work.symlink_to(work)
    write_document(session.folder / "session.json", {"kind": "microdata"})
    job = private_folder(tmp_path / "job")
    arguments = {"steps": ["mondrian(k=5)"], "seed": 1, "level": "qi", "limit": 0.05, "budget": 0.002}
    decide(Work(session, job, arguments, "en"))
    found = json.loads((job / FOUND).read_text())
    assert found["decision"] is not None
    assert found["answer"]["en"]["headline"]
    assert {entry["name"]: entry["score"] for entry in found["utility"]}["concealment_cost"] is not None

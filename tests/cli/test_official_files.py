"""Official files of past contests on the command line, in folders that hold what participants had."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from icefire.cli.main import icefire


def ok(*arguments: str | Path) -> str:
    result = CliRunner().invoke(icefire, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.stdout


def copied(source: Path, target: Path, names: dict[str, str]) -> Path:
    """Files under other names, with CRLF."""
    target.mkdir(exist_ok=True)
    for old, new in names.items():
        (target / new).write_bytes((source / old).read_bytes().replace(b"\n", b"\r\n"))
    return target


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("official")
    steps = {"2017": ("history", "pseudonyms"), "2018": ("history", "generalize(date=week)"), "2019": ("trace", "krr")}
    for year, (kind, step) in steps.items():
        form = ("--format", f"pwscup{year}")
        ok("data", kind, "--n", "30", "--out", folder / year, "--seed", "1", *form)
        ok("anonymize", kind, step, "--in", folder / year, "--out", folder / year, "--seed", "2", *form)
    return folder


def judged(kind: str, folder: Path, year: str, *guesses: Path) -> dict[str, dict[str, dict[str, float]]]:
    chosen = [part for guess in guesses for part in ("--guess", guess)]
    text = ok("evaluate", kind, "--in", folder, *chosen, "--format", f"pwscup{year}", "--json")
    found: dict[str, dict[str, dict[str, float]]] = json.loads(text)["attacks"]
    return found


def test_2017(team: Path, tmp_path: Path) -> None:
    held = copied(team / "2017", tmp_path / "a", {"S.csv": "S_aa.txt", "M.csv": "M.txt", "T50.csv": "T50.txt"})
    ok("attack", "history", "key_match(key=S5)", "--in", held, "--out", held, "--format", "pwscup2017")
    guess = held / "Fh_key_match-S5.csv"
    assert guess.read_text().startswith("30\n")
    judge = copied(team / "2017", tmp_path / "j", {"M.csv": "M.txt", "T.csv": "T.txt", "AT.csv": "AT_aa.txt"})
    half = judged("history", judge, "2017", guess)["key_match-S5"]["month_matching"]["value"]
    ok("attack", "history", "key_match(key=S5)", "--in", team / "2017", "--out", held, "--format", "pwscup2017")
    assert 0 < half < judged("history", judge, "2017", guess)["key_match-S5"]["month_matching"]["value"]


def test_2018(team: Path, tmp_path: Path) -> None:
    held = copied(team / "2018", tmp_path / "a", {"T.csv": "T.csv", "A1.csv": "A1.csv"})
    ok("attack", "history", "jaccard", "--in", held, "--out", held, "--format", "pwscup2018")
    judge = copied(team / "2018", tmp_path / "j", {"T.csv": "T.csv", "A.csv": "A.csv"})
    found = judged("history", judge, "2018", held / "F1_jaccard.csv")["jaccard"]
    # All 30 are right, and 22 would have been enough: r(30) = 22.
    assert found["identification_test"]["value"] == pytest.approx(30 / 22)
    assert found["re_identification"]["value"] == 1


def test_2019(team: Path, tmp_path: Path) -> None:
    names = {stem: f"{stem.removesuffix('.csv')}_team001_data01_IDP.csv" for stem in ("pubtraces.csv", "reftraces.csv")}
    held = copied(team / "2019", tmp_path / "a", names)
    ok("attack", "trace", "visit_prob", "--in", held, "--out", held, "--format", "pwscup2019")
    found = judged("trace", team / "2019", "2019", held / "etable_visit_prob.csv")["visit_prob"]
    (held / "etraces_visit_prob.csv").rename(held / "etraces_alone.csv")
    alone = judged("trace", team / "2019", "2019", held / "etable_visit_prob.csv", held / "etraces_alone.csv")
    assert alone["visit_prob"]["id_safety"] == found["id_safety"]
    assert alone["etraces_alone"]["trace_safety"] == found["trace_safety"]
    assert "undefined" in alone["visit_prob"]["trace_safety"]


def test_what_is_odd_is_noted_and_not_refused(team: Path, tmp_path: Path) -> None:
    held = copied(team / "2017", tmp_path / "a", {"S.csv": "S.csv", "T25.csv": "T25.csv"})
    arguments = ("attack", "history", "jaccard", "--in", held, "--out", held, "--format", "pwscup2017")
    command = [sys.executable, "-c", "from icefire.cli.main import main; main()", *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stderr.startswith(f"icefire: note: {held} has no M: the guess is about the ")
    assert result.stderr.count("\n") == 1

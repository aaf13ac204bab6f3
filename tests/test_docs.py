"""Documentation that cannot drift."""

from __future__ import annotations

import doctest
import json
import random
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from icefire.checks import check
from icefire.cli.main import icefire
from icefire.core.registry import ENTRY_POINT_GROUP, Registry

ROOT = Path(__file__).parents[1]


def test_generated_pages_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_links_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            if target != "glossary.md" and not target.endswith(".ipynb"):  # made with the site
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_commands_of_the_documentation_exist() -> None:
    names = set(icefire.commands)
    steps = {method.name for method in Registry().methods()}
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        text = page.read_text()
        code = "\n".join(
            [*re.findall(r"```shell\n(.*?)```", text, flags=re.S), *re.findall(r"^    (.*)$", text, flags=re.M)]
        )
        for command in re.findall(r"^icefire (?:--plugin \S+ )?(\w+)", code, flags=re.M):
            assert command in names, f"{page.name}: icefire {command}"
        for step in re.findall(r"'(\w+)\([^']*\)'", text):
            assert step in steps, f"{page.name}: {step}"


@pytest.mark.slow
def test_the_japanese_guide_to_own_files_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its commands one after the other, and its Python, with files in the encoding of Japanese offices."""
    guide = (ROOT / "docs" / "ja" / "own-data.md").read_text("utf-8")
    n, draw = 120, random.Random(3)
    ages = [draw.randint(20, 79) for _ in range(n)]
    patients = pl.DataFrame(
        {
            "受診者番号": [f"P{10_000 + i}" for i in range(n)],
            "氏名": [f"山田{i}" for i in range(n)],
            "生年月日": [f"{2026 - age}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}" for age in ages],
            "年齢": ages,
            "性別": draw.choices(["男", "女"], k=n),
            "市町村": draw.choices(["札幌市", "函館市", "旭川市"], k=n),
            "職業": draw.choices(["会社員", "自営業", "無職", "学生"], k=n),
            "病名": draw.choices(["糖尿病", "高血圧", "喘息", "なし"], k=n),
            "医療費": [1_000 * draw.randint(1, 900) for _ in range(n)],
        }
    )
    homes = [f"H{i:04}" for i in range(60)]
    persons = {"世帯番号": homes * 2, "氏名": patients["氏名"], "年齢": patients["年齢"], "病名": patients["病名"]}
    households = {"世帯番号": homes, "市町村": ["札幌市", "函館市", "旭川市"] * 20, "年収": range(200, 800, 10)}
    visits = pl.DataFrame({"patient": [1, 1, 2, 2] * 10, "age": [30, 30, 60, 60] * 10, "cost": range(40)})
    visits.write_csv(tmp_path / "visits.csv")
    for name, table in (("患者", patients), ("個人", pl.DataFrame(persons)), ("世帯", pl.DataFrame(households))):
        (tmp_path / f"{name}.csv").write_bytes(table.write_csv().encode("cp932"))
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^(?:    )?icefire ([a-z].*)$", guide, flags=re.M)
    assert len(commands) >= 9
    for command in commands:
        done = CliRunner().invoke(icefire, [*shlex.split(command), "--lang", "ja"], catch_exceptions=False)
        assert done.exit_code in ((0, 1) if command.startswith("redteam") else (0,)), command + done.output
    code, _ = re.findall(r"```python\n(.*?)```", guide, flags=re.S)
    exec(code, {"frame": patients})  # noqa: S102
    assert 'lang="ja"' in Path("report.html").read_text("utf-8")


GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def example(language: str, number: int) -> str:
    """A block of code of the contributing guide."""
    block = re.findall(rf"```{language}\n(.*?)```", GUIDE, flags=re.S)[number]
    return "\n".join(line.removeprefix("   ") for line in block.splitlines()) + "\n"


@pytest.mark.parametrize(
    ("number", "name", "role"),
    [(0, "nearest_amounts", "attack"), (1, "median_error", "utility"), (2, "json_guesses", "format")],
)
def test_methods_of_the_contributing_guide(number: int, name: str, role: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(example("python", number))
    (method,) = Registry().add_plugin(file)
    assert (method.name, method.role) == (name, role)
    check(method())
    runner = doctest.DocTestRunner()
    for found in doctest.DocTestFinder().find(method, globs={method.__name__: method}):
        runner.run(found)
    assert runner.summarize().failed == 0
    assert role == "format" or runner.summarize().attempted >= 4


def test_methods_of_the_contributing_guide_work_in_every_command(tmp_path: Path) -> None:
    plugins: list[str] = []
    for number, name in enumerate(("nearest_amounts", "median_error", "json_guesses")):
        (tmp_path / f"{name}.py").write_text(example("python", number))
        plugins += ["--plugin", str(tmp_path / f"{name}.py")]

    def run(*arguments: object) -> str:
        done = CliRunner().invoke(icefire, [*plugins, *map(str, arguments)], catch_exceptions=False)
        # A release that is not safe is an answer.
        assert done.exit_code in ((0, 1) if arguments[0] == "redteam" else (0,)), done.output
        return done.output

    data, release = tmp_path / "data", tmp_path / "release"
    listed = run("list", "microdata")
    assert all(name in listed for name in ("nearest_amounts", "median_error", "json_guesses"))
    run("data", "microdata", "--n", 60, "--out", data)
    run("anonymize", "microdata", "noise(scale=0.01)", "--in", data, "--out", release, "--format", "json_guesses")
    run("attack", "microdata", "nearest_amounts", "--in", release, "--out", release, "--format", "json_guesses")
    assert (release / "guess-nearest_amounts.json").is_file()
    found = json.loads(run("evaluate", "microdata", "--in", release, "--format", "json_guesses", "--json"))
    assert found["utility"]["median_error"]["value"] > 0
    assert found["attacks"]["nearest_amounts"]["re_identification"]["value"] > 0.5
    worst = json.loads(run("redteam", "microdata", "--in", release, "--json"))
    assert "nearest_amounts" in worst["attacks"]["all"]
    assert "nearest_amounts" in (release / "report.html").read_text()


def test_the_contest_of_the_contributing_guide(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(example("toml", 0))
    for command in ("check", "rehearse"):
        done = CliRunner().invoke(icefire, ["contest", command, str(file)], catch_exceptions=False)
        assert done.exit_code == 0, done.output


def test_the_entry_point_of_the_contributing_guide() -> None:
    group = tomllib.loads(example("toml", 1))["project"]["entry-points"]
    assert list(group) == [ENTRY_POINT_GROUP]

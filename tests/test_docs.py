"""Documentation that cannot drift."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from icefire.cli.main import icefire
from icefire.core.registry import Registry

ROOT = Path(__file__).parents[1]


def test_generated_pages_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_links_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.S)
    assert code is not None
    assert len(code[1].strip().splitlines()) <= 11
    monkeypatch.chdir(tmp_path)
    pl.DataFrame(
        {
            "age": [i % 40 + 20 for i in range(60)],
            "sex": ["f", "m"] * 30,
            "job": ["a", "b", "c"] * 20,
            "income": range(60),
            "rent": range(60, 0, -1),
        }
    ).write_csv("people.csv")
    exec(code[1], {})  # noqa: S102


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


def test_the_contributing_guide_adds_an_attack(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), flags=re.S)
    assert code is not None
    file = tmp_path / "nearest_income.py"
    file.write_text("\n".join(line.removeprefix("   ") for line in code[1].splitlines()))
    registry = Registry()
    (method,) = registry.add_plugin(file)
    assert method.name == "nearest_income"
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder().find(method, globs={"NearestIncome": method}):
        runner.run(example)
    assert runner.summarize().attempted == 4
    assert runner.failures == 0

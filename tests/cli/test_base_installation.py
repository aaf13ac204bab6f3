"""What works without any extra: every help page, every file that people have, and the lists."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import click
import polars as pl
import pytest

from icefire.cli.main import icefire as program

ROOT = Path(__file__).parents[2]

RUN = """
import sys

# All finders, for all modules but those that are absent.
class Others:
    def __init__(self, finders, absent):
        self.finders, self.absent = finders, absent

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.absent:
            return None
        specs = (finder.find_spec(name, path, target) for finder in self.finders)
        return next((spec for spec in specs if spec is not None), None)

sys.meta_path[:] = [Others([*sys.meta_path], set(sys.argv.pop(1).split(",")))]
from icefire.cli.main import main
for words in sys.argv.pop(1).split(";"):
    sys.argv[1:] = words.split()
    try:
        main()
    except SystemExit as end:
        if end.code:
            sys.exit(f"icefire {words}: exit code {end.code}")
"""


def _normal(requirement: str) -> str:
    return re.split(r"[\s\[<>=!~;(]", requirement)[0].lower().replace("_", "-")


def _with_dependencies(names: set[str]) -> set[str]:
    """Distributions with all that they ask for, except by extras."""
    closure: set[str] = set()
    waiting = set(names)
    while waiting:
        name = waiting.pop()
        closure.add(name)
        asked = {_normal(line) for line in requires(name) or [] if "extra ==" not in line}
        installed = {_normal(dist) for dists in packages_distributions().values() for dist in dists}
        waiting |= (asked & installed) - closure
    return closure


@pytest.fixture(scope="module")
def absent() -> str:
    """The modules that the base installation does not bring."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    base = _with_dependencies({_normal(line) for line in project["dependencies"]}) | {"icefire"}
    modules = {
        module
        for module, distributions in packages_distributions().items()
        if not {_normal(name) for name in distributions} & base
    }
    assert {"sqlalchemy", "altair", "fastapi"} <= modules
    return ",".join(sorted(modules - {"_virtualenv", "coverage", "a1_coverage"}))


def run(absent: str, *commands: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-c", RUN, absent, ";".join(commands)]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)


def _help_pages(command: click.Command, words: tuple[str, ...] = ()) -> list[str]:
    pages = [" ".join((*words, "--help"))]
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            pages += _help_pages(below, (*words, name))
    return pages


def test_every_command_says_what_it_does(absent: str) -> None:
    done = run(absent, *_help_pages(program))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Usage:") == len(_help_pages(program))


def test_the_studies_are_listed(absent: str) -> None:
    done = run(absent, "study list")
    assert done.returncode == 0, done.stderr
    assert "history2016" in done.stdout


def test_files_that_people_have_are_read(absent: str, tmp_path: Path) -> None:
    rows = {"年齢": [30, 41, 52] * 20, "性別": ["男", "女", "女"] * 20, "職業": ["医師", "教員", "店員"] * 20}
    table = pl.DataFrame(rows)
    (tmp_path / "people.csv").write_bytes(table.write_csv().encode("cp932"))
    (tmp_path / "euc.csv").write_bytes(table.write_csv().encode("euc_jp"))
    table.write_excel(tmp_path / "people.xlsx")
    for name in ("people.csv", "euc.csv", "people.xlsx"):
        done = run(absent, f"init {tmp_path / name} --yes --out {tmp_path / name.replace('.', '-')}")
        assert done.returncode == 0, done.stderr


def test_what_needs_more_says_what_to_install(absent: str, tmp_path: Path) -> None:
    done = run(absent, f"contest status {tmp_path}")
    assert "exit code 2" in done.stderr
    assert "pip install 'icefire[contest]'" in done.stderr

"""Scripts of the pages: their unit tests under Node.js, and what must hold for every file."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from icefire.core.registry import Registry, Role
from icefire.desk.pages import OWN
from icefire.web.pages import PAGES, STATIC

TESTS = sorted(Path(__file__).with_name("js").glob("*.test.js"))
ROLES: tuple[Role, ...] = ("anonymize", "attack", "utility", "safety")
SCRIPTS = sorted(STATIC.glob("*/*.js"))


def test_unit_tests_in_node(program: Callable[[str], str]) -> None:
    assert TESTS
    outcome = subprocess.run([program("node"), "--test", *map(str, TESTS)], capture_output=True, text=True, timeout=120)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    passed = re.search(r"^. pass (\d+)", outcome.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 40


def test_every_page_has_its_script_and_style_sheet() -> None:
    for name in PAGES.values():
        assert STATIC / name / f"{name}.js" in SCRIPTS
        assert (STATIC / name / f"{name}.css").is_file()


def test_every_method_has_a_name_in_words() -> None:
    words = (STATIC / "common" / "term-words.js").read_text("utf-8")
    registry = Registry()
    names = {method.name for kind in registry.kind_names for role in ROLES for method in registry.methods(kind, role)}
    assert sorted(name for name in names if words.count(f'"term.{name}":') != 2) == []


@pytest.mark.parametrize("script", [*SCRIPTS, *OWN.glob("*/*.js")], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_text_reaches_the_page_as_text(script: Path) -> None:
    """Names of teams, messages and cells of tables are written by others, so nothing may be parsed as HTML or run as code."""
    text = script.read_text("utf-8")
    assert not re.search(r"\b(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
    assert not re.search(r"1 - \w*\.?value", text), "only the server knows which end of a metric is good"


def test_lines_can_be_read() -> None:
    files = [*SCRIPTS, *STATIC.glob("*/*.css"), *TESTS]
    assert [
        f"{path.name}: {line}" for path in files for line in path.read_text("utf-8").splitlines() if len(line) > 100
    ] == []

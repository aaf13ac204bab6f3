"""Scripts of the pages: their unit tests under Node.js, and what must hold for every file."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from icefire.web.pages import PAGES, STATIC

TESTS = sorted(Path(__file__).with_name("js").glob("*.test.js"))
SCRIPTS = sorted(STATIC.glob("*/*.js"))


def test_unit_tests_in_node(program: Callable[[str], str]) -> None:
    assert TESTS
    outcome = subprocess.run([program("node"), "--test", *map(str, TESTS)], capture_output=True, text=True, timeout=120)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    passed = re.search(r"^. pass (\d+)", outcome.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) >= 40


def test_every_page_has_its_script() -> None:
    for name in PAGES.values():
        assert STATIC / name / f"{name}.js" in SCRIPTS


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_text_reaches_the_page_as_text(script: Path) -> None:
    """Names of teams and messages are written by participants, so nothing may be parsed as HTML or run as code."""
    text = script.read_text("utf-8")
    assert not re.search(r"\b(inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
    assert not re.search(r"1 - \w*\.?value", text), "only the server knows which end of a metric is good"


def test_lines_can_be_read() -> None:
    files = [*SCRIPTS, *STATIC.glob("*/*.css"), *TESTS]
    assert [
        f"{path.name}: {line}" for path in files for line in path.read_text("utf-8").splitlines() if len(line) > 100
    ] == []

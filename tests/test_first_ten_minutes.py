"""The page about the first ten minutes says what the program does."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from building.console import differences, steps

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "start.md").read_text(encoding="utf-8")
INSTALLING = ("python3 -m venv", ". icefire-env", "pip install")
"""tools/first_ten_minutes.py runs these, too, as a new user."""


@pytest.mark.slow
def test_the_first_ten_minutes(tmp_path: Path) -> None:
    lines = [line for line in PAGE.splitlines() if not line.startswith(tuple(f"$ {start}" for start in INSTALLING))]
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    assert differences("\n".join(lines), tmp_path, environment) == []


def test_the_japanese_page_shows_the_same() -> None:
    """It says that outputs are in English: what holds for one page holds for the other."""
    own = (DOCS / "ja" / "start.md").read_text(encoding="utf-8")
    assert [(step.command, step.expected) for step in steps(own)] == [
        (step.command, step.expected) for step in steps(PAGE)
    ]


def test_differences_are_told(tmp_path: Path) -> None:
    page = "```console\n$ echo 12\n1...\n$ echo a  b\na b\n$ echo no\nyes\n$ false\n```\n"
    assert len(steps(page)) == 4
    wrong, failed = differences(page, tmp_path, os.environ)
    assert wrong.startswith("line 6: echo no printed\nno")
    assert failed.startswith("line 8: false ended with 1")

"""Every command and code block of the documentation is run. Japanese pages have the same ones: tests/test_translations.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from building.blocks import blocks

from doc_pages import COMMANDS, ROOT, TEXT, as_lines, run_page, unknown_in
from doc_settings import SETTINGS, UNTESTED
from icefire.core.registry import Registry

PAGES = sorted({*ROOT.glob("README.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "howto").glob("*.md")})


QUICK = {"sort", "id_rand", "homogeneity", "record_count", "mean_price", "random_guess", "home_prob"}


@pytest.fixture(autouse=True)
def few_attacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quickest attacks stand for all, since the commands are tested here and not the attacks."""
    every = Registry.attacks
    monkeypatch.setattr(Registry, "attacks", lambda self, kind: [a for a in every(self, kind) if a.name in QUICK])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_runs_as_printed(page: Path, tmp_path: Path) -> None:
    name = str(page.relative_to(ROOT))
    if name in UNTESTED:
        pytest.skip(UNTESTED[name])
    run_page(page, tmp_path, SETTINGS[name])


WRITTEN = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_program_knows_every_command(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that are run elsewhere, and those in sentences, too, in both languages: their names and options exist."""
    monkeypatch.setenv("ICEFIRE_SERVER", "https://arena.example.org")
    monkeypatch.setenv("ICEFIRE_TOKEN", "x")
    text = page.read_text(encoding="utf-8")
    for block in blocks(text):
        shown = block.language in TEXT - {"console"} or not (block.language or block.code.startswith(COMMANDS))
        for line in [] if shown else as_lines(block.code):
            command = line.removeprefix("$ ")
            if command.startswith("icefire ") and block.language not in {"python", "toml"}:
                assert not unknown_in(command), f"line {block.line}: {command}: {unknown_in(command)}"
    if page.name != "CHANGELOG.md":  # which speaks of what was there once
        for command in re.findall(r"`(icefire [^`]*)`", re.sub(r"\s*\n\s*", " ", text)):
            assert not unknown_in(command, whole=False), f"{command}: {unknown_in(command, whole=False)}"


def test_commands_that_the_program_does_not_know_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ICEFIRE_SERVER", raising=False)
    assert not unknown_in("icefire contest serve hall --operator mai --lang ja")
    assert "No such option" in unknown_in("icefire contest serve hall --operatr mai")
    assert "No such command" in unknown_in("icefire contests serve hall")
    assert "Missing option" in unknown_in("icefire submit guess --target kaede")
    assert "unexpected" in unknown_in("icefire contest status hall again")

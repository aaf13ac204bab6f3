"""Every command and code block of the documentation is run. Japanese pages have the same ones: tests/test_translations.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from doc_pages import ROOT, run_page
from doc_settings import SETTINGS, UNTESTED
from icefire.core.registry import Registry

PAGES = sorted({*ROOT.glob("README.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "howto").glob("*.md")})


QUICK = {"sort", "id_rand", "record_count", "mean_price", "random_guess", "home_prob"}


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

"""The documentation site: it is built whole in both languages, and its tutorials run."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from building import history, studies, tutorials
from building.check import check
from building.site import DOCS, SHIM, build, parts

from icefire.study.file import shipped

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ViewportSize

TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site without what tutorials print and what studies find. Building checks links, translations and what pages load."""
    target = tmp_path_factory.mktemp("site") / "site"
    build(target, run_tutorials=False, depth="none")
    return target


def test_every_page_is_there_in_both_languages(site: Path) -> None:
    for _, pages in parts():
        for page in pages:
            name = page.path.removesuffix(".md") + ".html"
            english, japanese = (site / folder / name for folder in (".", "ja"))
            assert 'lang="en"' in english.read_text("utf-8")[:2_000]
            assert 'lang="ja"' in japanese.read_text("utf-8")[:2_000]


def test_pages_of_the_repository_are_in_the_navigation() -> None:
    listed = {page.path for _, pages in parts() for page in pages}
    written = {
        str(page.relative_to(DOCS)) for folder in ("", "howto", "tutorials") for page in (DOCS / folder).glob("*.md")
    }
    assert written - listed == {"methods.md"}, "methods.md is written anew for the site, with all details"


def test_the_search_has_both_languages(site: Path) -> None:
    for folder, word in ((".", "pseudonym"), ("ja", "匿名化")):
        items = json.loads((site / folder / "search.json").read_text("utf-8"))["items"]
        assert sum(word in item["text"] for item in items) > 10


def test_pages_opened_as_files_search_and_fit_a_phone(site: Path, browser: Browser) -> None:
    """Without a network, in both languages and in light and dark."""
    if not SHIM.is_file():
        pytest.skip("the search of files needs iframe-worker, which `make docs` installs by npm")
    for folder, word, dark in ((".", "pseudonym", False), ("ja", "匿名化", True)):
        phone: ViewportSize = {"width": 390, "height": 844}
        context = browser.new_context(offline=True, color_scheme="dark" if dark else "light", viewport=phone)
        page = context.new_page()
        for name in ("start", "studies", "benchmark-history", "index"):
            page.goto((site / folder / f"{name}.html").resolve().as_uri())
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (
                f"{folder}/{name} is wide"
            )
            back = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (max(map(int, re.findall(r"\d+", back)[:3])) < 60) == dark, back
        page.keyboard.press("/")
        page.keyboard.type(word)
        page.get_by_text(re.compile(r"^\d+ results$")).wait_for()


def test_dead_links_and_foreign_resources_are_found(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "ja"):
        folder.mkdir(exist_ok=True)
        (folder / "index.html").write_text('<p id="here"><a href="index.html#here">a</a>')
    check(tmp_path, ["index.md"])
    (tmp_path / "index.html").write_text(
        '<script src="https://example.org/x.js"></script><a href="gone.html">a</a><a href="#nowhere">b</a>'
    )
    with pytest.raises(SystemExit) as fault:
        check(tmp_path, ["index.md", "two.md"])
    for part in (
        "loads https://example.org/x.js",
        "gone.html, which does not exist",
        "#nowhere: no such",
        "ja/two.md is missing",
    ):
        assert part in str(fault.value)


@pytest.mark.slow
@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_runs(page: Path, tmp_path: Path) -> None:
    made = tutorials.run(page.read_text("utf-8"), tmp_path, page.stem)
    notebook = json.loads(tutorials.as_notebook(made))
    codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(codes) >= 4
    assert sum(bool(cell["outputs"]) for cell in codes) >= len(codes) - 1


def test_the_page_of_a_study_has_its_tables_and_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("ICEFIRE_DATA", raising=False)
    [ran] = studies.run("known", ["dummies"])
    for language, title, verdict in (
        ("en", "Models fitted", "Printed, and ours"),
        ("ja", "当てはめたモデル", "論文の数値との比較"),
    ):
        made = studies.files(ran, "ja" if language == "ja" else "en")
        page = made["studies/dummies.md"]
        assert title in page
        assert verdict in page
        assert "<table>" in page
        figures = [path for path in made if path.endswith(".svg")]
        assert len(figures) == 6
        for path in figures:
            assert made[path].startswith("<svg")
            assert path.removeprefix("studies/") in page
        dark = next(path for path in figures if path.endswith("-dark.svg"))
        assert "#e8ecef" in made[dark]
        assert "white" not in made[dark]


def test_every_study_that_ships_is_in_the_navigation() -> None:
    listed = {page.path for _, pages in parts() for page in pages}
    assert {path for path in listed if path.startswith("studies/")} == {f"studies/{name}.md" for name in shipped()}


def test_the_history_of_benchmarks_has_every_job_that_was_measured() -> None:
    rows = list(csv.DictReader(history.DATA.read_text("utf-8").splitlines()))
    assert {row["job"] for row in rows} <= set(history.JOBS)
    page = history.files("ja")["benchmark-history.md"]
    assert page.count("<tr>") == len(rows) + 1

"""Builds the documentation site in English and Japanese, and checks what came out.

    python -m building.site [FOLDER] [STUDIES]        (from docs/; make docs does it)

Pages are docs/*.md and docs/ja/*.md in the order of docs/site.toml. Generated pages, the outputs of the tutorials and the
pages of studies are made on the way: STUDIES=full runs all studies, otherwise those that were not run before are tried out
with little data. A missing translation, a page outside the navigation, a dead link or anything that would be loaded from
elsewhere is an error.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from building import check, history, reference, studies, tutorials
from icefire.words import LANGUAGES, Language

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
SHIM = ROOT / "node_modules" / "iframe-worker" / "shim" / "index.js"
"""Lets the search work on pages that are opened as files."""
REMOTE_SHIM = "https://unpkg.com/iframe-worker/shim"
REPOSITORY_ONLY = re.compile(r"\]\((?:\.\./)+(?:kits|contests|src|tests|deploy)(?:/[^)]*)?\)")
"""Links to files of the repository that are not pages."""


@dataclass(frozen=True)
class Page:
    """A page of the navigation."""

    path: str
    titles: dict[str, str]
    source: str | None = None

    def text(self, language: Language) -> str | None:
        """What stands in the repository, or None if it is generated. Some pages are in English only."""
        if self.source:
            return (ROOT / self.source).read_text(encoding="utf-8")
        file = DOCS / self.path if language == "en" else DOCS / language / self.path
        return file.read_text(encoding="utf-8") if file.is_file() else None


def parts() -> list[tuple[dict[str, str], list[Page]]]:
    """The navigation: the parts of the site with their pages."""
    listed = tomllib.loads((DOCS / "site.toml").read_text(encoding="utf-8"))["part"]
    return [
        (
            {language: part[language] for language in LANGUAGES},
            [Page(page["path"], {n: page[n] for n in LANGUAGES}, page.get("source")) for page in part["pages"]],
        )
        for part in listed
    ]


def build(target: Path, run_tutorials: bool = True, depth: studies.Depth = "known") -> None:
    """Build the site into a folder that is made anew."""
    shutil.rmtree(target, ignore_errors=True)
    outputs = _run_tutorials() if run_tutorials else {}
    ran = studies.run(depth)
    with tempfile.TemporaryDirectory() as folder:
        for language in LANGUAGES:
            stage = Path(folder) / language
            _stage(language, stage, outputs, ran)
            _run_zensical(stage)
            shutil.copytree(stage / "site", target if language == "en" else target / language)
    _finish(target)
    check.check(target, [page.path for _, pages in parts() for page in pages])


def _stage(
    language: Language, stage: Path, outputs: Mapping[str, Sequence[tutorials.Cell]], ran: Sequence[studies.Ran]
) -> None:
    pages = stage / "docs"
    generated = {**reference.generated(language), **history.files(language), **studies.all_files(ran, language)}
    for _, listed in parts():
        for page in listed:
            text = page.text(language) or generated.get(page.path)
            if text is None:
                raise SystemExit(f"{page.path} has no page in the language {language}")
            file = pages / page.path
            file.parent.mkdir(parents=True, exist_ok=True)
            if page.path.startswith("tutorials/"):
                made = tutorials.filled(text, outputs.get(page.path, ()))
                file.with_suffix(".ipynb").write_text(tutorials.as_notebook(made), encoding="utf-8")
                text = tutorials.as_page(made)
            file.write_text(_links(text, page, language), encoding="utf-8")
    for path, text in generated.items():
        if not path.endswith(".md"):
            (pages / path).parent.mkdir(parents=True, exist_ok=True)
            (pages / path).write_text(text, encoding="utf-8")
    shutil.copytree(DOCS / "pictures", pages / "pictures")
    shutil.copy(DOCS / "building" / "site.css", pages / "site.css")
    shutil.copy(DOCS / "building" / "icon.svg", pages / "icon.svg")
    (stage / "zensical.toml").write_text(_settings(language), encoding="utf-8")


def _run_tutorials() -> dict[str, list[tutorials.Cell]]:
    """What the code of each tutorial gives. It is the same code in all languages."""
    made: dict[str, list[tutorials.Cell]] = {}
    for file in sorted((DOCS / "tutorials").glob("*.md")):
        with tempfile.TemporaryDirectory() as folder:
            made[f"tutorials/{file.name}"] = tutorials.run(file.read_text(encoding="utf-8"), Path(folder), file.stem)
    return made


def _links(text: str, page: Page, language: Language) -> str:
    """Links as they have to be in the site, where both languages have the same paths and English sources are pages."""
    up = "../" * page.path.count("/")
    text = REPOSITORY_ONLY.sub(lambda match: f"]({up}contributing.md#where-things-are)", text)
    text = re.sub(r"\]\((?:\.\./)*benchmarks/README\.md", f"]({up}benchmarks.md", text)
    text = re.sub(r"\]\((?:\.\./)*CONTRIBUTING\.md", f"]({up}contributing.md", text)
    text = re.sub(r"\]\((?:\.\./)*CHANGELOG\.md", f"]({up}changelog.md", text)
    text = re.sub(r"\]\((?:\.\./)*README\.md", f"]({up}index.md", text)
    if page.source:
        text = re.sub(r"\]\((?:\.\./)*docs/(?:ja/)?", f"]({up}", text)
    if language != "en":
        # In the repository, pictures and English pages lie one folder above the Japanese ones; in the site, beside them.
        text = text.replace(f"]({up}../", f"]({up}")
    return re.sub(r"\]\(((?:\.\./)*)methods\.md", r"](\1methods/microdata.md", text)


def _settings(language: Language) -> str:
    """The settings of zensical, with the navigation. TOML reads texts as JSON writes them."""
    nav = [
        _entry(
            title[language], f"[{', '.join(_entry(page.titles[language], json.dumps(page.path)) for page in pages)}]"
        )
        for title, pages in parts()
    ]
    template = (DOCS / "building" / "zensical.toml").read_text(encoding="utf-8")
    return template.replace("@nav@", f"[{', '.join(nav)}]").replace("@language@", language)


def _entry(title: str, value: str) -> str:
    return f"{{ {json.dumps(title, ensure_ascii=False)} = {value} }}"


def _run_zensical(stage: Path) -> None:
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=stage, capture_output=True, text=True, check=False)
    if done.returncode or "issue found" in done.stdout or "issues found" in done.stdout:
        raise SystemExit("zensical found faults:\n" + re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr))


def _finish(target: Path) -> None:
    """Make the language switch lead to the same page, and take the shim of the search from here."""
    if SHIM.is_file():
        shutil.copy(SHIM, target / "assets" / "javascripts" / "iframe-worker.js")
    for file in target.rglob("*.html"):
        inside = file.relative_to(target)
        language = "ja" if inside.parts[0] == "ja" else "en"
        path = inside.relative_to("ja") if language == "ja" else inside
        root = "../" * (len(inside.parts) - 1)
        text = file.read_text(encoding="utf-8")
        shim = f'<script src="{root}assets/javascripts/iframe-worker.js"></script>' if SHIM.is_file() else ""
        text = re.sub(rf'<script src="{REMOTE_SHIM}"[^>]*></script>', shim, text)
        text = re.sub(r'href="[^"]*"(\s+)hreflang="en"', rf'href="{root}{path}"\1hreflang="en"', text)
        text = re.sub(r'href="[^"]*"(\s+)hreflang="ja"', rf'href="{root}ja/{path}"\1hreflang="ja"', text)
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    build(folder, depth="full" if sys.argv[2:] == ["full"] else "known")
    print(f"the site is in {folder}: open {folder / 'index.html'}")

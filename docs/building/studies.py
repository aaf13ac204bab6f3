"""The pages of studies: those that were run in full, and small ones, quickly run, of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Literal

from icefire.core.chapters import Chapter, Section
from icefire.core.registry import Registry
from icefire.report.page import table_html
from icefire.report.plots import as_svg
from icefire.study.cache import Cache
from icefire.study.config import Study
from icefire.study.file import load_study, shipped
from icefire.study.output import environment
from icefire.study.page import study_page
from icefire.study.results import Results
from icefire.study.runner import Runner
from icefire.study.sources import folders_of
from icefire.words import Language

Depth = Literal["none", "known", "full"]
"""Texts alone; in full what was computed before, with little data what was not; or everything in full."""
NOT_RUN = {
    "en": "This study was not run when the site was built.",
    "ja": "このサイトの作成時には、このスタディは実行されていません。",
}
HOW = {
    "en": "Run it with `icefire study run {name}`. [All studies, and what they found](../studies.md)",
    "ja": "`icefire study run {name}` で実行できます。[すべてのスタディと分かったこと](../studies.md)",
}


@dataclass(frozen=True)
class Ran:
    """A study with what came out of it, if it was run."""

    study: Study
    results: Results | None = None
    small: bool = False


def run(depth: Depth, names: Sequence[str] = ()) -> list[Ran]:
    """All studies that ship, or some."""
    registry, found = Registry(), []
    for name in names or shipped():
        study, file = load_study(Path(name), registry)
        whole = Runner(study, folders_of(file, None), registry, Cache())
        if depth == "none":
            found.append(Ran(study))
        elif depth == "full" or whole.known():
            found.append(Ran(study, Results(whole.run())))
        else:
            little = Runner(study.tried_out(), folders_of(file, None), registry, Cache())
            found.append(Ran(study, Results(little.run()), small=True))
    return found


def files(ran: Ran, language: Language) -> dict[str, str]:
    """The page of a study and its figures, by their paths in the site."""
    name = ran.study.name
    how = HOW[language].format(name=name)
    if ran.results is None:
        page = [f"# {ran.study.title.told(language)}", NOT_RUN[language], ran.study.about.told(language), how]
        return {f"studies/{name}.md": "\n\n".join(page) + "\n"}
    command = f"icefire study run {name}" + (" --small" if ran.small else "")
    [chapter] = study_page(ran.results, environment(), command, ran.small, language).chapters
    drawn = {place: section for place, section in enumerate(chapter.sections) if section.chart is not None}
    made = {
        f"studies/{name}/{place}-{shade}.svg": as_svg(section.chart or {}, dark=shade == "dark")
        for place, section in drawn.items()
        for shade in ("light", "dark")
    }
    return made | {f"studies/{name}.md": _page(name, chapter, how)}


def _page(name: str, chapter: Chapter, how: str) -> str:
    time, called, _ = chapter.tiles[-1]
    parts = [f"# {chapter.title}", f"**{chapter.verdict}**", chapter.lead, f"{how} · {called} {time}"]
    for place, section in enumerate(chapter.sections):
        parts.append(_section(f"{name}/{place}", section))
    return "\n\n".join(parts) + "\n"


def _section(path: str, section: Section) -> str:
    body = [section.text] if section.text else []
    if section.chart is not None:
        images = "".join(
            f'<img alt="{escape(section.title)}" src="{path}-{shade}.svg#only-{shade}">' for shade in ("light", "dark")
        )
        body.append(f'<div class="scroll">{images}</div>')
    body += [table_html(table) for table in section.tables]
    if section.code:
        body.append(f"<pre><code>{escape(section.code)}</code></pre>")
    if section.folded:
        inside = "".join(body)
        return f"<details><summary>{escape(section.title)}</summary>{inside}</details>"
    return "\n\n".join([f"## {section.title}", *body])


def all_files(ran: Sequence[Ran], language: Language) -> Mapping[str, str]:
    return {path: text for each in ran for path, text in files(each, language).items()}

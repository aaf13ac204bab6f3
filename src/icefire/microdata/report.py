"""A report on releases of one table."""

from __future__ import annotations

from collections.abc import Sequence

from icefire.core.chapters import Chapter, Language, Section
from icefire.core.judged import Judged
from icefire.frames import relational
from icefire.knowledge import identification
from icefire.report import charts, sections
from icefire.report.words import Phrases

BINS = [(1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 999), (1000, 10**12)]


def chapter(judged: Sequence[Judged], recipe: str, language: Language = "en") -> Chapter:
    """The whole report. The detailed charts show the release with the least risk."""
    say = Phrases(language)
    original = judged[0].release.original
    safest = min(judged, key=lambda result: result.risk)
    size = say("rows", n=f"{original.height:,}", qi=len(original.qi), sa=len(original.sa))
    return Chapter(
        say("chapter microdata"),
        sections.verdict(judged, say),
        say("lead microdata"),
        [
            sections.done(judged, size, say),
            sections.by_attacker(judged, say),
            sections.scatter(judged, say),
            sections.heat(judged, say),
            _identification(safest, say),
            _classes(safest, say),
            *sections.details(judged, recipe, say),
        ],
        sections.tiles(judged),
    )


def _identification(result: Judged, say: Phrases) -> Section:
    original, published = result.release.original, result.release.published
    rows, before = [], {}
    for name in original.schema.names:
        before[name] = identification(original.native, name).probability
        rows.append({"name": name, "group": say("original"), "value": before[name]})
        if name in published.schema.names:
            rows.append(
                {"name": name, "group": result.name, "value": identification(published.native, name).probability}
            )
    order = sorted(before, key=lambda name: -before[name])
    chart = charts.grouped_bars(rows, order, say("identification axis"), [say("original"), result.name])
    return Section(say("identification title"), say("identification text", name=result.name), chart, chart_width=420)


def _classes(result: Judged, say: Phrases) -> Section:
    rows = []
    names = [str(low) if low == high else f"{low}–{high}" if high < 10**12 else f"{low}+" for low, high in BINS]
    groups = {say("original"): result.release.original, result.name: result.release.published}
    for group, table in groups.items():
        sizes, classes = relational.class_sizes(table.native, table.qi)
        people = sizes * classes
        for name, (low, high) in zip(names, BINS, strict=True):
            inside = people[(sizes >= low) & (sizes <= high)]
            rows.append({"bin": name, "group": group, "share": float(inside.sum() / people.sum())})
    chart = charts.histogram(rows, names, say("classes axis"), say("share axis"), list(groups))
    return Section(say("classes title"), say("classes text"), chart, chart_width=520)

"""A report on releases of one table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from icefire.core.chapters import Chapter, Language, Section, Table
from icefire.evaluation.assessment import Assessment
from icefire.frames import relational
from icefire.knowledge import identification
from icefire.microdata.data import Release
from icefire.microdata.exposed import exposed
from icefire.report import charts, sections
from icefire.report.words import Phrases

MANY = 20_000
"""Values of a column above which labels are not read."""
SHOWN = 10
"""People who are listed."""
BINS = [(1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 999), (1000, 10**12)]


def chapter(judged: Sequence[Assessment], recipe: str, language: Language = "en") -> Chapter:
    """The whole report. The detailed charts show the release with the least risk."""
    say = Phrases(language)
    original = judged[0].release.original
    safest = min(judged, key=lambda result: result.risk)
    size = say("rows", n=f"{original.height:,}", qi=len(original.qi), sa=len(original.sa))
    people = [_exposed(safest, say)] if len(judged) == 1 and safest.levels else []
    return sections.chapter(judged, size, people, [_identification(safest, say), _classes(safest, say)], recipe, say)


def _exposed(result: Assessment, say: Phrases) -> Section:
    """Who is found most often. Values are not shown, so that the page may be passed on."""
    people = exposed(result, result.levels[0], SHOWN)
    rows = [
        [f"{row:,}", f"{found:.0%}", "–" if columns is None else say("comma").join(columns)]
        for row, found, columns in people.select("row", "found", "columns").iter_rows()
    ]
    header = [say("row of the original"), say("attacks that find them"), say("unique by")]
    return Section(say("people title"), say("people text"), tables=[Table(header, rows, texts=(2,))])


def _identification(result: Assessment, say: Phrases) -> Section:
    original, published = result.release.original, result.release.published
    rows, before = [], {}
    for name in original.schema.names:
        before[name] = identification(original.native, name).probability
        rows.append({"name": name, "group": say("original"), "value": before[name]})
        if name in published.schema.names:
            rows.append({"name": name, "group": result.name, "value": known_fact(result.release, name)})
    order = sorted(before, key=lambda name: -before[name])
    chart = charts.grouped_bars(rows, order, say("identification axis"), [say("original"), result.name])
    return Section(say("identification title"), say("identification text", name=result.name), chart, chart_width=420)


def known_fact(release: Release, name: str) -> float:
    """Mean probability that somebody whose value in a column is known is found among the rows whose cells admit it.

    A label counts as the values that it covers, so that nothing seems to become more telling by being generalized.
    """
    published, domain = release.published, release.original.domain(name)
    before = identification(release.original.native, name).probability
    if published.is_numeric(name) or len(domain.values) > MANY:
        return min(before, identification(published.native, name).probability)
    cells, counts = release.distinct_cells(name)
    rows = np.bincount(cells.codes, counts, minlength=len(cells.texts))
    sizes = np.array([inside.size for inside in cells.members])
    admitted = np.concatenate([*cells.members, np.zeros(0, dtype=np.int64)])
    candidates = np.bincount(admitted, np.repeat(rows, sizes), minlength=len(domain.values))
    chances = np.divide(domain.counts, candidates, out=np.zeros(candidates.size), where=candidates > 0)
    return min(before, float(chances.sum() / domain.counts.sum()))


def _classes(result: Assessment, say: Phrases) -> Section:
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

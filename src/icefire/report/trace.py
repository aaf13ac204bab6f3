"""A report on releases of traces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from icefire.report import charts, sections
from icefire.report.judged import Judged
from icefire.report.page import Chapter, Section, Table
from icefire.report.words import Language, Phrases
from icefire.trace.data import Cells, Traces


def chapter(judged: Sequence[Judged], recipe: str, language: Language = "en") -> Chapter:
    say = Phrases(language)
    original: Traces = judged[0].release.original
    count, times = original.cells.shape
    size = say("users", n=f"{count:,}", t=times, m=f"{original.grid.regions:,}", r=original.reference.shape[1])
    return Chapter(
        say("chapter trace"),
        sections.verdict(judged, say),
        say("lead trace"),
        [
            sections.done(judged, size, say),
            _two_risks(judged, say),
            sections.scatter(judged, say),
            _density(judged, say),
            sections.heat(judged, say),
            *sections.details(judged, recipe, say),
        ],
        sections.tiles(judged),
    )


def _two_risks(judged: Sequence[Judged], say: Phrases) -> Section:
    rows = []
    for one in judged:
        least = {
            name: min(
                (
                    (o.score.value, run.attack.step())
                    for run in one.runs
                    for o in run.outcomes
                    if o.method.name == name and o.score
                ),
                default=(1.0, "-"),
            )
            for name in ("id_safety", "trace_safety")
        }
        rows.append([one.name, *(cell for value, attack in least.values() for cell in (f"{value:.3f}", attack))])
    table = Table(
        [say("release"), "s_I", say("strongest attack"), "s_T", say("strongest attack")], rows, texts=(0, 2, 4)
    )
    return Section(say("two risks title"), say("two risks text"), tables=[table])


def _density(judged: Sequence[Judged], say: Phrases) -> Section:
    safest = min(judged, key=lambda one: one.risk)
    original: Traces = safest.release.original
    rows: list[dict[str, Any]] = []
    groups = {say("original"): original.cells, safest.name: safest.release.cells}
    for group, cells in groups.items():
        shares = _shares(cells)
        for region, share in enumerate(shares):
            y, x = divmod(region, original.grid.columns)
            rows.append({"x": x + 1, "y": y + 1, "share": round(float(share), 7), "group": group})
    chart = charts.density(rows, list(groups), (original.grid.rows, original.grid.columns))
    return Section(say("density title"), say("density text", name=safest.name), chart, chart_width=600)


def _shares(cells: Cells) -> np.ndarray:
    counts = np.asarray(cells.counts().sum(axis=0)).ravel()
    total = cells.spread.T @ counts
    return np.asarray(total / max(1.0, total.sum()))

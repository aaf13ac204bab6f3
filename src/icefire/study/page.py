"""The page of a study: what was printed and what came out, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from icefire import __version__
from icefire.core.chapters import Chapter, Language, Section, Table
from icefire.report.page import Page
from icefire.report.words import Phrases
from icefire.study.config import Expected, Label
from icefire.study.figures import make_figure
from icefire.study.results import Comparison, Results
from icefire.study.tables import make_table, shown, shown_label, shown_spread

SHORT = 8
"""Rows up to which a table is shown though all of it agrees."""


def study_page(results: Results, environment: Mapping[str, str], command: str, small: bool, language: Language) -> Page:
    say, study = Phrases(language), results.study
    compared = results.comparisons()
    counts: Counter[str] = Counter(row.verdict for row in compared)
    sections = [
        *(
            Section(
                table.title.told(language),
                tables=[Table(made.header, made.cells("\n"), texts=made.words)],
            )
            for table in study.table
            if (made := make_table(table, results, language)).rows
        ),
        *(
            Section(figure.title.told(language), chart=make_figure(figure, results, language), chart_width=480)
            for figure in study.figure
            if results.select(figure.run, figure.y, figure.where)
        ),
        *_beside(results, compared, say),
        *_left_out(results, say),
        Section(say("how to reproduce"), code=command, folded=True),
        Section(
            say("study environment"),
            tables=[Table(["", ""], [[name, value] for name, value in environment.items()], texts=(0, 1))],
            folded=True,
        ),
    ]
    lead = study.about.told(language) + (" " + say("study paper", paper=study.paper) if study.paper else "")
    chapter = Chapter(
        study.title.told(language), _verdict(counts, small, say), lead, sections, _tiles(counts, results, say)
    )
    return Page(study.title.told(language), [chapter], say("made with", version=__version__), language)


def _verdict(counts: Counter[str], small: bool, say: Phrases) -> str:
    if small:
        return say("study small")
    total = counts.total() - counts["absent"]
    if not total:
        return say("study nothing expected")
    if counts["differs"]:
        return say("study unexplained", differs=counts["differs"], total=total)
    if counts["explained"]:
        return say("study some agree", agrees=counts["agrees"], total=total, explained=counts["explained"])
    return say("study all agree", total=total)


def _tiles(counts: Counter[str], results: Results, say: Phrases) -> list[tuple[str, str, str]]:
    tiles = [
        (str(counts[verdict]), say(f"study tile {verdict}"), tone)
        for verdict, tone in (("agrees", "ice"), ("explained", "ice"), ("differs", "fire"))
        if counts[verdict]
    ]
    return [*tiles, (f"{results.outcome.seconds:,.0f} s", say("study tile time"), "ice")]


def _beside(results: Results, compared: list[Comparison], say: Phrases) -> list[Section]:
    """A table for each place in the paper."""
    if not compared:
        return []
    tables = []
    reasons: list[list[str]] = []
    for expected in results.study.expected:
        rows = [_row(row, results, say) for row in compared if row.expected is expected]
        header = ["", say("study printed"), say("study ours"), say("study deviation"), say("study verdict")]
        alike = all(row.verdict == "agrees" for row in compared if row.expected is expected)
        where = expected.printed.told(say.language)
        caption = say("study alike", where=where, count=len(rows)) if alike else where
        tables.append(Table(header, rows, caption=caption, texts=(0, 4), folded=alike and len(rows) > SHORT))
        deviates = any(row.verdict == "explained" for row in compared if row.expected is expected)
        if expected.because is not None and deviates:
            reasons.append([expected.printed.told(say.language), expected.because.told(say.language)])
    sections = [Section(say("study beside"), say("study beside text"), tables=tables)]
    if reasons:
        table = Table([say("study what"), say("why not")], reasons, texts=(0, 1))
        sections.append(Section(say("study why"), tables=[table]))
    return sections


def _row(row: Comparison, results: Results, say: Phrases) -> list[str]:
    name = results.study.called(row.quantity, say.language)
    where = described(row.labels, results, say)
    ours = shown(row.ours) + shown_spread(row.spread)
    return [
        say("comma").join([name, where] if where else [name]),
        shown(row.printed),
        ours,
        _deviation(row, row.expected),
        say(f"study {row.verdict}"),
    ]


def _deviation(row: Comparison, expected: Expected) -> str:
    if row.deviation is None:
        return "–"
    return f"{row.deviation:+.1%}" if expected.relative is not None and row.printed else f"{row.deviation:+.3g}"


def described(labels: Mapping[str, Label], results: Results, say: Phrases) -> str:
    called, language = results.study.called, say.language
    return say("comma").join(
        f"{called(name, language)} {called(shown_label(value), language)}" for name, value in labels.items()
    )


def _left_out(results: Results, say: Phrases) -> list[Section]:
    """Whatever has no value, and why."""
    study, sections = results.study, []
    failed = [
        [f"{run}: {described(point.labels, results, say)}", say.translated(point.note)]
        for run, points in results.points.items()
        for point in points
        if point.value is None
    ]
    if results.outcome.absent:
        rows = [[run, say.translated(why)] for run, why in results.outcome.absent.items()]
        sections.append(
            Section(say("study absent data"), tables=[Table([say("study run"), say("why not")], rows, texts=(0, 1))])
        )
    if study.missing:
        rows = [[each.printed.told(say.language), each.because.told(say.language)] for each in study.missing]
        table = Table([say("study what"), say("why not")], rows, texts=(0, 1))
        sections.append(Section(say("study missing"), say("study missing text"), tables=[table]))
    if failed:
        table = Table([say("study where"), say("why not")], failed, texts=(0, 1))
        sections.append(Section(say("study failed"), tables=[table], folded=True))
    return sections

"""The HTML report of the release gate."""

from __future__ import annotations

from icefire import __version__
from icefire.core.chapters import Chapter, Language, Section, Table
from icefire.history.gate import Verdict
from icefire.report import charts
from icefire.report.page import Page
from icefire.report.words import Phrases


def reason(verdict: Verdict, language: Language = "en") -> str:
    """Why the release may be published, or why not and what to do."""
    say = Phrases(language)
    attacker, point = verdict.worst
    words = {
        "found": f"{point.value:.1%}",
        "limit": f"{verdict.limit:.0%}",
        "period": point.period,
        "attack": point.attack,
        "attacker": say(f"knows {attacker}"),
    }
    if verdict.claims is not None and not verdict.believed:
        number, links, first = (
            verdict.claims.detail[key] for key in ("links that look false", "links looked at", "first")
        )
        assert isinstance(first, list), "as FalseOwners writes it"
        return say("gate disbelieves", number=number, links=links, first=", ".join(map(str, first[0].values())))
    if verdict.passes:
        return say("gate passes", **words)
    if _outcome(verdict) == "open":
        return say("gate open", which=say.translated(verdict.unfinished))
    return say("gate refuses" if point.period in verdict.new else "gate refuses past", **words)


def _outcome(verdict: Verdict) -> str:
    if verdict.passes:
        return "passes"
    undecided = verdict.believed and verdict.emm <= verdict.limit
    return "open" if undecided else "refuses"


def page(verdict: Verdict, recipe: str, language: Language = "en") -> Page:
    """The report: the decision, MM(l) by attacker as a chart and a table, and the command to reproduce it."""
    say = Phrases(language)
    rows = [
        {"release": point.period, "group": say(f"knows {name}"), "share": point.value}
        for name, curve in verdict.curves.items()
        for point in curve
    ]
    groups = [say(f"knows {name}") for name in verdict.curves]
    periods = [point.period for point in next(iter(verdict.curves.values()))]
    chart = charts.curves(rows, periods, groups, say("gate axis"), say("found axis"), verdict.limit)
    table = Table(
        [say("period"), *groups, say("strongest attack")],
        [
            [
                period,
                *(f"{curve[at].value:.1%}" for curve in verdict.curves.values()),
                verdict.curves["everything"][at].attack,
            ]
            for at, period in enumerate(periods)
        ],
        texts=(0, len(groups) + 1),
    )
    latest = [curve[-1].value for curve in verdict.curves.values()]
    worst = (f"{verdict.emm:.0%}", say("gate emm", limit=f"{verdict.limit:.0%}"), "ice" if verdict.passes else "fire")
    now = [
        (f"{value:.0%}", say("gate now", who=name), "fire" if value > verdict.limit else "ice")
        for value, name in zip(latest, groups, strict=True)
    ]
    tiles = (worst, *now)
    title = say(f"gate title {_outcome(verdict)}", release=", ".join(verdict.new[-1:]))
    sections = [
        Section(say("gate chart"), say("gate chart text"), chart, chart_width=440),
        Section(say("gate table"), tables=[table]),
        Section(say("how to reproduce"), code=recipe),
    ]
    footer = say("made with", version=__version__)
    chapter = Chapter(title, reason(verdict, language), say("gate lead"), sections, tiles)
    return Page(title, [chapter], footer, language)

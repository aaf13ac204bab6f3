"""A report on releases of one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from icefire import __version__
from icefire.core.suite import AttackRun, Outcome
from icefire.frames import relational
from icefire.knowledge import identification
from icefire.microdata.data import Microdata, Release
from icefire.report import charts
from icefire.report.page import Page, Section, Table
from icefire.report.words import Language, Phrases

BINS = [(1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, 999), (1000, 10**12)]


@dataclass(frozen=True)
class Judged:
    """A release with everything that was measured on it; runs are sorted, the strongest attack first."""

    name: str
    steps: str
    release: Release
    utility: Sequence[Outcome]
    safety: Sequence[Outcome]
    runs: Sequence[AttackRun]

    @property
    def risk(self) -> float:
        """What the strongest attack finds."""
        return max((share for run in self.runs if (share := found(run)) is not None), default=0.0)

    @property
    def strongest(self) -> str:
        return next((run.attack.step() for run in self.runs if found(run) is not None), "-")

    @property
    def loss(self) -> float:
        return next(o.score.value for o in self.utility if o.method.name == "information_loss" and o.score is not None)


def found(run: AttackRun) -> float | None:
    """Share of rows that a run re-identified."""
    return next((o.score.value for o in run.outcomes if o.method.name == "re_identification" and o.score), None)


def page(title: str, judged: Sequence[Judged], recipe: str, language: Language = "en") -> Page:
    """The whole report. The detailed charts show the release with the least risk."""
    say = Phrases(language)
    original = judged[0].release.original
    safest = min(judged, key=lambda one: one.risk)
    riskiest = max(judged, key=lambda one: one.risk)
    if len(judged) > 1:
        verdict = say("verdict", worst=riskiest.risk, riskiest=riskiest.name, best=safest.risk, safest=safest.name)
    else:
        verdict = say("verdict one", attack=safest.strongest, worst=safest.risk)
    sections = [
        _done(judged, original, say),
        _scatter(judged, say),
        _heat(judged, say),
        _identification(safest, say),
        _classes(safest, say),
        Section(say("attacks title"), tables=[_attack_table(one, say) for one in judged]),
        Section(say("metrics title"), tables=[_metric_table(judged, say)]),
        Section(say("how to reproduce"), code=recipe),
    ]
    tiles = tuple((f"{one.risk:.0%}", one.name, "fire" if one.risk > 0.5 else "ice") for one in judged)
    return Page(title, say("lead"), verdict, sections, say("made with", version=__version__), language, tiles)


def _done(judged: Sequence[Judged], original: Microdata, say: Phrases) -> Section:
    header = [say("release"), say("what was done"), say("strongest attack"), say("re-identified"), say("loss axis")]
    rows = [[one.name, one.steps, one.strongest, f"{one.risk:.1%}", f"{one.loss:.4f}"] for one in judged]
    flagged = [
        say("yamaoka flag", name=one.name, share=outcome.score.value)
        for one in judged
        for outcome in one.safety
        if outcome.score is not None and outcome.score.detail.get("flagged")
    ]
    size = say("rows", n=f"{original.height:,}", qi=len(original.qi), sa=len(original.sa))
    return Section(say("what was done"), size, tables=[Table(header, rows, texts=(0, 1, 2))], warning=" ".join(flagged))


def _scatter(judged: Sequence[Judged], say: Phrases) -> Section:
    points = [{"name": one.name, "x": one.loss, "y": one.risk, "attack": one.strongest} for one in judged]
    return Section(
        say("scatter title"),
        say("scatter text"),
        charts.scatter(points, say("loss axis"), say("risk axis")),
        chart_width=560,
    )


def _heat(judged: Sequence[Judged], say: Phrases) -> Section:
    cells = [
        {"attack": run.label, "release": one.name, "share": share}
        for one in judged
        for run in one.runs
        if (share := found(run)) is not None
    ]
    totals: dict[str, float] = {}
    for cell in cells:
        totals[str(cell["attack"])] = totals.get(str(cell["attack"]), 0.0) + float(str(cell["share"]))
    attacks = sorted(totals, key=lambda name: -totals[name])[:24]
    shown = [cell for cell in cells if cell["attack"] in attacks]
    chart = charts.heat_map(shown, attacks, [one.name for one in judged], say("re-identified"))
    return Section(say("heat title"), say("heat text"), chart, chart_width=170 + 52 * len(judged))


def _identification(one: Judged, say: Phrases) -> Section:
    original, published = one.release.original, one.release.published
    rows, before = [], {}
    for name in original.schema.names:
        before[name] = identification(original.native, name).probability
        rows.append({"name": name, "group": say("original"), "value": before[name]})
        if name in published.schema.names:
            rows.append({"name": name, "group": one.name, "value": identification(published.native, name).probability})
    order = sorted(before, key=lambda name: -before[name])
    chart = charts.grouped_bars(rows, order, say("identification axis"), [say("original"), one.name])
    return Section(say("identification title"), say("identification text", name=one.name), chart, chart_width=420)


def _classes(one: Judged, say: Phrases) -> Section:
    rows = []
    names = [str(low) if low == high else f"{low}–{high}" if high < 10**12 else f"{low}+" for low, high in BINS]
    groups = {say("original"): one.release.original, one.name: one.release.published}
    for group, table in groups.items():
        sizes = relational.class_sizes(table.native, table.qi)
        for name, (low, high) in zip(names, BINS, strict=True):
            inside = sizes[(sizes >= low) & (sizes <= high)]
            rows.append({"bin": name, "group": group, "share": float(inside.sum() / sizes.sum())})
    chart = charts.histogram(rows, names, say("classes axis"), say("share axis"), list(groups))
    return Section(say("classes title"), say("classes text"), chart, chart_width=520)


def _attack_table(one: Judged, say: Phrases) -> Table:
    rows = []
    for run in one.runs:
        score = next((o.score for o in run.outcomes if o.method.name == "re_identification"), None)
        if score is None or score.interval is None:
            rows.append([run.attack.step(), "–", run.reason, f"{run.seconds:.2f}"])
        else:
            interval = f"{score.interval.low:.1%} – {score.interval.high:.1%}"
            rows.append([run.attack.step(), f"{score.value:.1%}", interval, f"{run.seconds:.2f}"])
    header = [say("attack"), say("re-identified"), say("95% interval"), say("seconds")]
    return Table(header, rows, caption=f"{one.name}: {one.risk:.1%} ({one.strongest})", folded=True)


def _metric_table(judged: Sequence[Judged], say: Phrases) -> Table:
    header = [say("metric"), *(one.name for one in judged), ""]
    rows = []
    for position, outcome in enumerate([*judged[0].utility, *judged[0].safety]):
        scores = [[*one.utility, *one.safety][position].score for one in judged]
        direction = next((score.direction.value for score in scores if score is not None), "lower")
        cells = ["–" if score is None else _short(score.value) for score in scores]
        rows.append([outcome.method.title(), *cells, say(f"{direction} is better")])
    return Table(header, rows, texts=(0, len(header) - 1))


def _short(value: float) -> str:
    if abs(value) < 1e-12:
        return "0"
    return f"{value:,.0f}" if abs(value) >= 1000 or float(value).is_integer() else f"{value:.4g}"

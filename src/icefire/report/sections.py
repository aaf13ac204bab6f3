"""Sections that the reports of all kinds have."""

from __future__ import annotations

from collections.abc import Sequence

from icefire.core.chapters import Section, Table
from icefire.core.judged import Judged
from icefire.report import charts
from icefire.report.words import Phrases


def verdict(judged: Sequence[Judged], say: Phrases) -> str:
    """The whole report in a sentence."""
    safest = min(judged, key=lambda result: result.risk)
    riskiest = max(judged, key=lambda result: result.risk)
    kind = safest.kind.name
    if len(judged) > 1:
        words = {"worst": riskiest.risk, "riskiest": riskiest.name, "best": safest.risk, "safest": safest.name}
        return say(f"verdict {kind}", **words)
    return " ".join([say(f"verdict one {kind}", attack=safest.strongest, worst=safest.risk), *_attacker(safest, say)])


def _attacker(result: Judged, say: Phrases) -> list[str]:
    """Who makes the strongest attack."""
    run = result.worst
    if run is None:
        return []
    method = say("method known" if run.attack.knows_method else "method unknown")
    return [say("by whom", known=say.or_else(f"level {run.level}", run.level), method=method)]


def tiles(judged: Sequence[Judged]) -> tuple[tuple[str, str, str], ...]:
    return tuple((f"{result.risk:.0%}", result.name, "fire" if result.risk > 0.5 else "ice") for result in judged)


def done(judged: Sequence[Judged], size: str, say: Phrases) -> Section:
    """What was done to the data, and what came of it."""
    kind = judged[0].kind.name
    header = [
        say("release"),
        say("what was done"),
        say("strongest attack"),
        say(f"found {kind}"),
        say(f"loss axis {kind}"),
    ]
    rows = [
        [result.name, result.steps, result.strongest, f"{result.risk:.1%}", _short_loss(result)] for result in judged
    ]
    flagged = [
        say("owners flag" if kind == "history" else "yamaoka flag", name=result.name, share=outcome.score.value)
        for result in judged
        for outcome in result.safety
        if outcome.score is not None and outcome.score.detail.get("flagged")
    ]
    return Section(say("what was done"), size, tables=[Table(header, rows, texts=(0, 1, 2))], warning=" ".join(flagged))


def by_attacker(judged: Sequence[Judged], say: Phrases) -> Section:
    """What is found, by what attackers know of the people and of the method."""
    tables, points = [], []
    for result in judged:
        rows: dict[str, list[str]] = {}
        for risk in result.by_attacker():
            level = say.or_else(f"level {risk.level}", risk.level)
            rows.setdefault(risk.level, [level]).append(risk.text())
            if risk.found is not None:
                method = say("method known" if risk.method_known else "method unknown")
                points.append({"release": result.name, "level": risk.level, "method": method, "share": risk.found})
        width = max((len(row) for row in rows.values()), default=1)
        header = [say("known of the people"), say("method unknown"), say("method known")][:width]
        tables.append(Table(header, list(rows.values()), caption=result.name, texts=tuple(range(width))))
    chance = 1.0 / judged[0].release.original.people
    levels = list(dict.fromkeys(str(point["level"]) for point in points))
    chart = None
    if len(levels) > 1:
        kind = judged[0].kind.name
        chart = charts.risk_lines(points, levels, say("known of the people"), say(f"found {kind}"))
    return Section(say("attackers title"), say("attackers text", chance=chance), chart, tables=tables)


def scatter(judged: Sequence[Judged], say: Phrases) -> Section:
    kind = judged[0].kind.name
    measured = [result for result in judged if result.loss is not None]
    points = [
        {"name": result.name, "x": result.loss, "y": result.risk, "attack": result.strongest} for result in measured
    ]
    chart = charts.scatter(points, say(f"loss axis {kind}"), say(f"risk axis {kind}"))
    return Section(say("scatter title"), say("scatter text"), chart, chart_width=560)


def heat(judged: Sequence[Judged], say: Phrases) -> Section:
    cells = [
        {"attack": result.kind.signed(run.label, run.level), "release": result.name, "share": found}
        for result in judged
        for run in result.runs
        if (found := result.found(run)) is not None
    ]
    totals: dict[str, float] = {}
    for cell in cells:
        totals[str(cell["attack"])] = totals.get(str(cell["attack"]), 0.0) + float(str(cell["share"]))
    attacks = sorted(totals, key=lambda name: -totals[name])[:24]
    shown = [cell for cell in cells if cell["attack"] in attacks]
    title = say(f"found {judged[0].kind.name}")
    chart = charts.heat_map(shown, attacks, [result.name for result in judged], title)
    text = say("heat text")
    if len(totals) > len(attacks):
        text += " " + say("heat some", shown=len(attacks), all=len(totals))
    return Section(say("heat title"), text, chart, chart_width=190 + 52 * len(judged))


def details(judged: Sequence[Judged], recipe: str, say: Phrases) -> list[Section]:
    """Every number, and how to get it again."""
    return [
        Section(say("attacks title"), tables=[_attacks(result, say) for result in judged]),
        Section(say("metrics title"), tables=[_metrics(judged, say)]),
        Section(say("how to reproduce"), code=recipe),
    ]


def _attacks(result: Judged, say: Phrases) -> Table:
    rows = []
    for run in result.runs:
        found, interval = result.found(run), result.interval(run)
        note = run.reason if interval is None else f"{interval[0]:.1%} – {interval[1]:.1%}"
        share = "–" if found is None else f"{found:.1%}"
        rows.append([run.attack.step(), run.level, share, note, f"{run.seconds:.2f}"])
    header = [say("attack"), say("known of the people"), say(f"found {result.kind.name}"), say("95% interval")]
    header.append(say("seconds"))
    if all(row[3] == "" for row in rows):
        header, rows = [*header[:3], header[4]], [[*row[:3], row[4]] for row in rows]
    caption = f"{result.name}: {result.risk:.1%} ({result.strongest})"
    return Table(header, rows, caption=caption, folded=True, texts=(0, 1))


def _metrics(judged: Sequence[Judged], say: Phrases) -> Table:
    header = [say("metric"), *(result.name for result in judged), ""]
    rows = []
    for position, outcome in enumerate([*judged[0].utility, *judged[0].safety]):
        scores = [[*result.utility, *result.safety][position].score for result in judged]
        direction = next((score.direction.value for score in scores if score is not None), "lower")
        cells = ["–" if score is None else _short(score.value) for score in scores]
        rows.append([outcome.method.title(), *cells, say(f"{direction} is better")])
    return Table(header, rows, texts=(0, len(header) - 1))


def _short_loss(result: Judged) -> str:
    return "–" if result.loss is None else f"{result.loss:.4f}"


def _short(value: float) -> str:
    if abs(value) < 1e-12:
        return "0"
    return f"{value:,.0f}" if abs(value) >= 1000 or float(value).is_integer() else f"{value:.4g}"

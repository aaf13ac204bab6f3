"""Sections that the reports of all kinds have."""

from __future__ import annotations

from collections.abc import Sequence

from icefire.core.chapters import Section, Table
from icefire.core.judged import Judged
from icefire.report import charts
from icefire.report.words import Phrases

NAMED = 8
"""Columns that are listed by name."""


def verdict(judged: Sequence[Judged], say: Phrases) -> str:
    """The whole report in a sentence."""
    safest = min(judged, key=lambda result: result.risk)
    riskiest = max(judged, key=lambda result: result.risk)
    kind = safest.kind.name
    if len(judged) > 1:
        words = {"worst": riskiest.risk, "riskiest": riskiest.name, "best": safest.risk, "safest": safest.name}
        return say(f"verdict {kind}", **words)
    if safest.answer is not None:
        return answer(safest, say)
    return " ".join([say(f"verdict one {kind}", attack=safest.strongest, worst=safest.risk), *_attacker(safest, say)])


def answer(result: Judged, say: Phrases) -> str:
    """May it go out, against whom, and if not, what then."""
    question, risk = result.question, result.answer
    assert question is not None
    assert risk is not None
    assert risk.found is not None
    passes = risk.found <= question.limit
    told = [
        say(
            f"answer {result.kind.name}",
            people=f"{result.release.original.people:,}",
            known=_known(result, question.level, say),
            found=_in_100(risk.found),
        ),
        say("answer yes" if passes else "answer no", limit=_in_100(question.limit)),
    ]
    if passes and risk.interval is not None and risk.interval[1] > question.limit:
        told.append(say("answer near", high=_in_100(risk.interval[1])))
    stronger = {r.level: r for r in result.by_attacker() if r.level != question.level and r.found is not None}
    more = [
        say("answer stronger", known=_known(result, level, say), found=_in_100(r.found or 0.0))
        for level, r in stronger.items()
        if (r.found or 0.0) > question.limit
    ]
    if passes and more:
        told.append(say("answer but") + say("and").join(more) + say("full stop"))
    if not passes:
        told.append(say("answer what then", command=question.command))
    return say("gap").join(told)


def _known(result: Judged, level: str, say: Phrases) -> str:
    """What an attacker knows, in words: columns by their names."""
    names = list(getattr(result.release.original, "qi", ()))
    if level in ("qi", "qi+2") and 0 < len(names) <= NAMED:
        listed = say("comma").join(names)
        return listed if level == "qi" else say("and two more", names=listed)
    return say.or_else(f"level {level}", level)


def _in_100(share: float) -> str:
    """
    >>> _in_100(0.161), _in_100(0.004), _in_100(0.0)
    ('16', '0.4', '0')
    """
    return f"{100 * share:.0f}" if share >= 0.0995 or share == 0 else f"{100 * share:.2g}"


def _attacker(result: Judged, say: Phrases) -> list[str]:
    """Who makes the strongest attack."""
    run = result.worst
    if run is None:
        return []
    method = say("method known" if run.attack.knows_method else "method unknown")
    return [say("by whom", known=say.or_else(f"level {run.level}", run.level), method=method)]


def lead(judged: Sequence[Judged], say: Phrases) -> str:
    return say("lead answer" if judged[0].answer is not None else f"lead {judged[0].kind.name}")


def tiles(judged: Sequence[Judged], say: Phrases) -> tuple[tuple[str, str, str], ...]:
    """What is found, of several releases by the strongest attack, of one by each attacker."""
    question = judged[0].question
    if len(judged) == 1 and question is not None:
        last = {risk.level: risk for risk in judged[0].by_attacker() if risk.found is not None}
        return tuple(
            (
                f"{risk.found:.0%}",
                _known(judged[0], level, say),
                "fire" if (risk.found or 0) > question.limit else "ice",
            )
            for level, risk in last.items()
        )
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

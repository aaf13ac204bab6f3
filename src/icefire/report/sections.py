"""Sections that the reports of all kinds have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields, replace

from icefire.core.chapters import Chapter, Section, Table
from icefire.core.roles import Method
from icefire.evaluation.assessment import Assessment
from icefire.evaluation.runs import Outcome
from icefire.report import answer, charts
from icefire.report.words import Phrases


def chapter(
    judged: Sequence[Assessment],
    size: str,
    pictures: Sequence[Section],
    more: Sequence[Section],
    recipe: str,
    say: Phrases,
) -> Chapter:
    """A chapter in the order of its readers' questions.

    One release: may it go out, against whom, what it costs, what was done; the rest is folded away. Several: how they compare.
    `pictures` and `more` are the sections that the kind of data has of its own.
    """
    title, told = say(f"chapter {judged[0].kind.name}"), lead(judged, say)
    if len(judged) > 1:
        ordered = [done(judged, size, say), *pictures, by_attacker(judged, say), scatter(judged, say), *more]
        ordered += [heat(judged, say), *details(judged, recipe, say)]
        return Chapter(title, verdict(judged, say), told, ordered, tiles(judged))
    result = judged[0]
    folded = [replace(section, folded=True) for section in (*more, *details(judged, recipe, say))]
    done_to_it = [steps(result, size, say), *accepted(result, say)]
    ordered = [by_attacker(judged, say), cost(result, say), *done_to_it, *pictures, *folded, law(say)]
    if result.decision is None:
        return Chapter(title, verdict(judged, say), told, ordered, tiles(judged))
    return Chapter(
        title,
        say("gap").join(answer.explain(result, say)),
        told,
        ordered,
        answer=(answer.headline(result, say), answer.tone(result)),
        described=answer.describe(result, say),
        risks=answer.list_risks(result, say),
        limit_word=say("limit"),
        utility=answer.list_utility(result, say),
        utility_word=say("utility"),
        command=result.command,
    )


def verdict(judged: Sequence[Assessment], say: Phrases) -> str:
    """The whole report in a sentence."""
    safest = min(judged, key=lambda result: result.risk)
    riskiest = max(judged, key=lambda result: result.risk)
    kind = safest.kind.name
    if len(judged) > 1:
        words = {"worst": riskiest.risk, "riskiest": riskiest.name, "best": safest.risk, "safest": safest.name}
        return say(f"verdict {kind}", **words)
    return " ".join([say(f"verdict one {kind}", attack=safest.strongest, worst=safest.risk), *_attacker(safest, say)])


def _attacker(result: Assessment, say: Phrases) -> list[str]:
    """Who makes the strongest attack."""
    run = result.worst
    if run is None:
        return []
    method = say("method known" if run.attack.knows_method else "method unknown")
    return [say("by whom", known=say.or_else(f"level {run.level}", run.level), method=method)]


def lead(judged: Sequence[Assessment], say: Phrases) -> str:
    if judged[0].knowledge and judged[0].kind.name == "history":
        return say("lead history known", file=judged[0].knowledge)
    if judged[0].decision is None:
        return say(f"lead {judged[0].kind.name}")
    known = judged[0].method is not None
    return say("lead answer", method=say("all know the method" if known else "method not tried"))


def tiles(judged: Sequence[Assessment]) -> tuple[tuple[str, str, str], ...]:
    """What is found by the strongest attack on each release."""
    return tuple((f"{result.risk:.0%}", result.name, "fire" if result.risk > 0.5 else "ice") for result in judged)


def done(judged: Sequence[Assessment], size: str, say: Phrases) -> Section:
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
    return Section(
        say("what was done"), size, tables=[Table(header, rows, texts=(0, 1, 2))], warning=_flags(judged, say)
    )


def steps(result: Assessment, size: str, say: Phrases) -> Section:
    """What was done to the data, step by step, in words."""
    rows = [[f"{spelled(step, main=True)}\n{say.sentence(step)}"] for step in result.method or ()] or [[result.steps]]
    return Section(say("what was done"), size, tables=[Table([say("step")], rows)], warning=_flags([result], say))


def accepted(result: Assessment, say: Phrases) -> list[Section]:
    """The columns of which somebody said why they may be published as they are."""
    columns = result.kind.accepted_columns(result.release)
    if not columns:
        return []
    table = Table([say("column"), say("reason")], [list(row) for row in columns.items()], texts=(0, 1))
    return [Section(say("accepted title"), say("accepted text"), tables=[table])]


def _flags(judged: Sequence[Assessment], say: Phrases) -> str:
    """Which claims of the releases look false."""
    return " ".join(
        say("owners flag" if result.kind.name == "history" else "yamaoka flag", name=result.name, share=o.score.value)
        for result in judged
        for o in result.safety
        if o.score is not None and o.score.detail.get("flagged")
    )


def cost(result: Assessment, say: Phrases) -> Section:
    """What the release is still worth."""
    return Section(say("worth title"), say("worth text"), tables=[_measured(result.utility, say)])


def law(say: Phrases) -> Section:
    """How the figures relate to the Japanese law, for those to whom it applies."""
    return Section(say("law title"), say("law text"), folded=say.language == "en")


def spelled(method: Method, main: bool = False) -> str:
    """A method and its settings, as people write them; with the main parameter, which is the first, even if it is the default.

    >>> from icefire.microdata.anonymize.mondrian import Mondrian
    >>> spelled(Mondrian(columns=("age", "sex"))), spelled(Mondrian(), main=True)
    ('mondrian, columns: age sex', 'mondrian, k: 5')
    """
    settings = {field.name: getattr(method, field.name) for field in fields(method)[:1]} if main else {}
    settings = {key: value for key, value in settings.items() if value not in (None, (), "")} | method.settings()
    return ", ".join([method.name, *(f"{key}: {_plain(value)}" for key, value in settings.items())])


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} = {_plain(held)}" for key, held in value.items())
    return " ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def by_attacker(judged: Sequence[Assessment], say: Phrases) -> Section:
    """What is found, by what attackers know of the people and of the method."""
    tables, points = [], []
    for result in judged:
        rows: dict[str, list[str]] = {}
        for risk in result.by_attacker():
            level = say.or_else(f"level {risk.level}", risk.level)
            by = "" if risk.method is None else f"\n{spelled(risk.method)}"
            rows.setdefault(risk.level, [level]).append(risk.share + by)
            if risk.found is not None:
                method = say("method known" if risk.method_known else "method unknown")
                points.append({"release": result.name, "level": risk.level, "method": method, "share": risk.found})
        width = max((len(row) for row in rows.values()), default=1)
        header = [say("known of the people"), say("method unknown"), say("method known")][:width]
        tables.append(Table(header, list(rows.values()), caption=result.name, texts=tuple(range(width))))
    chance = judged[0].kind.chance(judged[0].release.original)
    levels = list(dict.fromkeys(str(point["level"]) for point in points))
    chart = None
    kind, question = judged[0].kind.name, judged[0].question
    if len(judged) == 1:
        bars = [{**point, "level": say.or_else(f"short {point['level']}", str(point["level"]))} for point in points]
        limit = None if question is None else question.limit
        chart = charts.risk_bars(bars, say(f"found {kind}"), limit)
    elif len(levels) > 1:
        chart = charts.risk_lines(points, levels, say("known of the people"), say(f"found {kind}"))
    return Section(say("attackers title"), say("attackers text", chance=chance), chart, tables=tables)


def scatter(judged: Sequence[Assessment], say: Phrases) -> Section:
    kind = judged[0].kind.name
    measured = [result for result in judged if result.loss is not None]
    points = [
        {"name": result.name, "x": result.loss, "y": result.risk, "attack": result.strongest} for result in measured
    ]
    chart = charts.scatter(points, say(f"loss axis {kind}"), say(f"risk axis {kind}"))
    return Section(say("scatter title"), say("scatter text"), chart, chart_width=560)


def heat(judged: Sequence[Assessment], say: Phrases) -> Section:
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


def details(judged: Sequence[Assessment], recipe: str, say: Phrases) -> list[Section]:
    """Every number, and how to get it again."""
    measured = _compared(judged, say) if len(judged) > 1 else _measured(judged[0].safety, say)
    outcomes = zip(*([*result.utility, *result.safety] for result in judged), strict=True)
    undefined = [
        [f"{same[0].method.title()}\n{say.sentence(same[0].method)}", say.translated(same[0].reason)]
        for same in outcomes
        if all(outcome.score is None for outcome in same)
    ]
    tables = [measured]
    if undefined:
        header = [say("metric"), say("why not")]
        tables.append(Table(header, undefined, caption=say("not measured"), texts=(0, 1), folded=True))
    return [
        Section(say("attacks title"), tables=[_attacks(result, say) for result in judged]),
        Section(say("metrics title"), tables=tables),
        Section(say("how to reproduce"), code=recipe),
    ]


def _attacks(result: Assessment, say: Phrases) -> Table:
    rows, explained = [], set()
    for run in result.runs:
        found, interval = result.found(run), result.interval(run)
        note = say.translated(run.reason) if interval is None else f"{interval[0]:.1%} – {interval[1]:.1%}"
        share = "–" if found is None else f"{found:.1%}"
        # A sentence once; a table of forty rows would drown in them.
        sentence = "" if run.attack.name in explained else f"\n{say.sentence(run.attack)}"
        explained.add(run.attack.name)
        known = say.or_else(f"level {run.level}", run.level)
        rows.append([spelled(run.attack) + sentence, known, share, note, f"{run.seconds:.2f}"])
    header = [say("attack"), say("known of the people"), say(f"found {result.kind.name}"), say("95% interval")]
    header.append(say("seconds"))
    if all(row[3] == "" for row in rows):
        header, rows = [*header[:3], header[4]], [[*row[:3], row[4]] for row in rows]
    strongest = "–" if result.worst is None else spelled(result.worst.attack)
    caption = f"{result.name}: {result.risk:.1%} ({strongest})"
    return Table(header, rows, caption=caption, folded=True, texts=(0, 1))


def _measured(outcomes: Sequence[Outcome], say: Phrases) -> Table:
    """What each metric says, of those that say something."""
    rows = [
        [f"{o.method.title()}\n{_explained(o, say)}", _short(o.score.value), _range(o, say)]
        for o in outcomes
        if o.score is not None
    ]
    return Table([say("metric"), say("value"), say("range")], rows, texts=(0, 2))


def _explained(outcome: Outcome, say: Phrases) -> str:
    """What a metric measures, and which columns beside the quasi-identifiers decided."""
    match outcome.score and outcome.score.detail:
        case {"told by": [*columns]}:
            told = say("comma").join(map(str, columns))
            return say.sentence(outcome.method) + say("gap") + say("told by", columns=told)
    return say.sentence(outcome.method)


def _range(outcome: Outcome, say: Phrases) -> str:
    """Which way is good, and how far it goes."""
    assert outcome.score is not None
    scale = outcome.score.scale
    if math.isinf(scale.best) or math.isinf(scale.worst):
        return say(f"{scale.direction.value} is better")
    return say("best and worst", best=f"{scale.best:g}", worst=f"{scale.worst:g}")


def _compared(judged: Sequence[Assessment], say: Phrases) -> Table:
    header = [say("metric"), *(result.name for result in judged), ""]
    rows = []
    for position, outcome in enumerate([*judged[0].utility, *judged[0].safety]):
        scores = [[*result.utility, *result.safety][position].score for result in judged]
        direction = next((score.direction.value for score in scores if score is not None), "")
        if not direction:
            continue
        cells = ["–" if score is None else _short(score.value) for score in scores]
        name = f"{outcome.method.title()}\n{say.sentence(outcome.method)}"
        rows.append([name, *cells, say(f"{direction} is better")])
    return Table(header, rows, texts=(0, len(header) - 1))


def _short_loss(result: Assessment) -> str:
    return "–" if result.loss is None else f"{result.loss:.4f}"


def _short(value: float) -> str:
    if abs(value) < 1e-12:
        return "0"
    return f"{value:,.0f}" if abs(value) >= 1000 or float(value).is_integer() else f"{value:.4g}"

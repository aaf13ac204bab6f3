"""A report on releases of traces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from icefire.core.budget import Budget
from icefire.core.chapters import Chapter, Language, Section, Table
from icefire.core.matching import match
from icefire.evaluation.assessment import Assessment
from icefire.report import charts, sections
from icefire.report.words import Phrases
from icefire.trace.attack.count_vectors import CountVectors
from icefire.trace.data import Cells, Traces


def chapter(judged: Sequence[Assessment], recipe: str, language: Language = "en") -> Chapter:
    say = Phrases(language)
    original: Traces = judged[0].release.original
    count, times = original.cells.shape
    size = say("users", n=f"{count:,}", t=times, m=f"{original.grid.regions:,}", r=original.reference.shape[1])
    pictures = [_two_risks(judged, say), _exposed(judged, say)]
    more = [*_length(judged, say), _example(judged, say), _density(judged, say)]
    return sections.chapter(judged, size, pictures, more, recipe, say)


def _two_risks(judged: Sequence[Assessment], say: Phrases) -> Section:
    rows = []
    for result in judged:
        least = {
            name: min(
                (
                    (o.score.value, run.attack.step())
                    for run in result.runs
                    for o in run.outcomes
                    if o.method.name == name and o.score
                ),
                default=(1.0, "-"),
            )
            for name in ("id_safety", "trace_safety")
        }
        rows.append([result.name, *(cell for value, attack in least.values() for cell in (f"{value:.3f}", attack))])
    table = Table(
        [say("release"), "s_I", say("strongest attack"), "s_T", say("strongest attack")], rows, texts=(0, 2, 4)
    )
    return Section(say("two risks title"), say("two risks text"), tables=[table])


def _exposed(judged: Sequence[Assessment], say: Phrases) -> Section:
    """Which users are found, and by what."""
    rows = []
    for result in judged:
        right, names = _right(result)
        times = right.sum(axis=0)
        found = np.argsort(-times, kind="stable")[: int((times > 0).sum())]
        users = result.release.original.users
        most = ", ".join(f"{users[int(user)]} ({times[user]})" for user in found[:5])
        best = int(right.sum(axis=1).argmax())
        alone = int((right[best] & (times == 1)).sum())
        rows.append(
            [result.name, f"{found.size:,}", f"{int((times == len(names)).sum()):,}", names[best], f"{alone:,}", most]
        )
    header = [say(word) for word in ("release", "found any", "found all", "finds most", "found alone", "most exposed")]
    return Section(say("exposed title"), say("exposed text"), tables=[Table(header, rows, texts=(0, 3, 5))])


def _right(result: Assessment) -> tuple[np.ndarray, list[str]]:
    """[attack, user]: whether any variant of the attack names the user behind their pseudonym. Mere chance is left out."""
    owners = result.release.owners
    found: dict[str, np.ndarray] = {}
    for run in result.runs:
        if run.guess is not None and not run.attack.blind:
            hits = np.zeros(owners.size, dtype=np.bool_)
            hits[owners] = run.guess.users == owners
            found[run.attack.name] = found.get(run.attack.name, False) | hits
    return np.array(list(found.values())).reshape(-1, owners.size), list(found) or ["-"]


def _length(judged: Sequence[Assessment], say: Phrases) -> list[Section]:
    """The same attack on the first days alone; nothing where nobody knows other days, or where it takes too long
    for a report."""
    original: Traces = judged[0].release.original
    attack = CountVectors(assign="assignment")
    if not original.reference.size or attack.work(judged[0].release.published, original.knowledge) > Budget().left:
        return []
    days = -(-original.cells.shape[1] // original.day)
    lengths = [length for length in (1, 2, 3, 5, 10, 20, 50, 100, 200, 365) if length < days] + [days]
    labels = [say("days", n=length) for length in lengths]
    rows = []
    for result in judged:
        for length, label in zip(lengths, labels, strict=True):
            times = slice(0, length * original.day)
            cells = result.release.published
            part = Cells(cells.codes[:, times], cells.regions, cells.starts, cells.members)
            scores = attack.compared(part, original.knowledge)
            found = match(scores, "assignment", np.random.default_rng(0)).rows == result.release.owners
            rows.append({"release": label, "group": result.name, "share": float(found.mean())})
    names = [result.name for result in judged]
    chart = charts.curves(rows, labels, names, say("length axis"), say("length y"))
    return [Section(say("length title"), say("length text"), chart, chart_width=480)]


def _example(judged: Sequence[Assessment], say: Phrases) -> Section:
    """One user's first day: as it was, as it is published, as the strongest trace attack has it."""
    original: Traces = judged[0].release.original
    columns = original.grid.columns
    exposed = sum(_right(result)[0].sum(axis=0) for result in judged)
    user = int(np.argmax(exposed))
    rows: list[dict[str, Any]] = []
    groups = [say(word) for word in ("original", "published", "guessed")]
    shown = judged[:6]
    for result in shown:
        cells = result.release.cells
        # A set is drawn at its middle, a deleted cell not at all.
        place = cells.spread @ np.stack(np.divmod(np.arange(cells.regions), columns), axis=1)
        codes = cells.codes[user, : original.day]
        ways = [place[original.original[user, : original.day]], place[codes]]
        guess = _best_traces(result, user)
        if guess is not None:
            ways.append(place[guess[user, : original.day]])
        for group, way in zip(groups, ways, strict=False):
            for time, (y, x) in enumerate(way):
                if group != groups[1] or codes[time] >= 0:
                    rows.append(
                        {
                            "x": round(x + 1, 2),
                            "y": round(y + 1, 2),
                            "time": time,
                            "panel": result.name,
                            "group": group,
                        }
                    )
    chart = charts.paths(rows, [result.name for result in shown], groups, (original.grid.rows, columns))
    text = say("example text", user=original.users[user])
    return Section(say("example title"), text, chart, chart_width=540)


def _best_traces(result: Assessment, user: int) -> np.ndarray | None:
    """The traces guessed by whoever comes nearest, among those who have looked for the user."""
    scored = [
        (outcome.score.value, run.guess.traces)
        for run in result.runs
        for outcome in run.outcomes
        if outcome.method.name == "trace_safety" and outcome.score
        if run.guess.asked is None or user in run.guess.asked.people
    ]
    return min(scored, key=lambda pair: pair[0])[1] if scored else None


def _density(judged: Sequence[Assessment], say: Phrases) -> Section:
    safest = min(judged, key=lambda result: result.risk)
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

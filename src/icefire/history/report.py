"""A report on releases of one history."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from icefire.core.chapters import Chapter, Language, Section, Table
from icefire.evaluation.assessment import Assessment
from icefire.history import few_records
from icefire.history.anonymize._clusters import item_sets, union_cost
from icefire.history.anonymize.conceal import Conceal
from icefire.history.anonymize.method2 import Method2
from icefire.history.anonymize.union_clusters import UnionClusters
from icefire.history.data import NONE, History
from icefire.history.safety._cells import month_matching_curve
from icefire.history.similarity import pair_similarities
from icefire.history.theory.clusters import OverlapModel
from icefire.history.theory.fitted import Fitted
from icefire.history.utility.cell_loss import CellLoss
from icefire.report import charts, sections
from icefire.report.words import Phrases

MOST_CUSTOMERS = 2_000
MOST_CONCEALED = 150
CONCEALED = (2, 3, 4, 5, 7, 10)
SHARES = (0.1, 0.15, 0.2, 0.25, 0.33, 0.5)


def chapter(judged: Sequence[Assessment], recipe: str, language: Language = "en") -> Chapter:
    say = Phrases(language)
    original: History = judged[0].release.original
    size = say("records", m=f"{original.height:,}", n=f"{len(original.users):,}", d=len(original.periods))
    cost = [_cost(judged, say)] if 20 <= len(original.users) <= MOST_CUSTOMERS else []
    few = few_records.section(original, say)
    more = [*cost, *([few] if few else [])]
    return sections.chapter(judged, size, [_curves(judged, say)], more, recipe, say)


def _curves(judged: Sequence[Assessment], say: Phrases) -> Section:
    """MM at each release: for every period the attack that is strongest by then."""
    labels = judged[0].release.original.periods.labels
    rows = []
    for result in judged:
        found = [
            month_matching_curve(result.release, run.guess) for run in result.runs if result.score_of(run) is not None
        ]
        for period, label in enumerate(labels):
            values = [value for curve in found if (value := curve[period]) is not None]
            if values:
                rows.append({"release": label, "group": result.name, "share": max(values)})
    names = [result.name for result in judged]
    chart = charts.curves(rows, labels, names, say("gate axis"), say("found axis"))
    return Section(say("curves title"), say("curves text"), chart, chart_width=480)


def _cost(judged: Sequence[Assessment], say: Phrases) -> Section:
    """Dummy records against re-identification: what the models expect, and what clusterings really need."""
    original: History = judged[0].release.original
    sets = item_sets(original)
    users, sizes, fitted = sets.shape[0], np.diff(sets.indptr), Fitted.of(original)
    overlap = OverlapModel(users, float(sizes.mean()), float(pair_similarities(original)[0].mean()))
    rows: list[dict[str, object]] = []
    cells: list[list[str]] = []
    counts = sorted({max(2, round(share * users)) for share in SHARES})
    for clusters in counts:
        rng = np.random.default_rng(0)
        models = fitted.dummies(min(clusters, fitted.users))
        measured = {
            "cost model": overlap.dummies(clusters) if clusters >= overlap.fewest_clusters else None,
            "cost uniform": models["E"],
            "cost fitted": models["E3"],
            "cost method 2": union_cost(sets, Method2(clusters).labels(sets, rng)),
            "cost union": union_cost(sets, UnionClusters(clusters).labels(sets, rng)),
        }
        shown = [*models.values(), measured["cost method 2"], measured["cost union"]]
        cells.append([str(clusters), *(f"{value:,.0f}" for value in shown)])
        rows += [
            {"x": clusters / users, "group": say(name), "value": value} for name, value in measured.items() if value
        ]
    groups = [say(name) for name in ("cost model", "cost uniform", "cost fitted", "cost method 2", "cost union")]
    concealed = _concealment_cost(original) if users <= MOST_CONCEALED else {}
    if concealed:
        rows += [{"x": 1 / k, "group": say("cost conceal"), "value": value} for k, value in concealed.items()]
        groups.append(say("cost conceal"))
    added = {result.name: int(np.sum(result.release.rows == NONE)) for result in judged}
    own = ", ".join(f"{name}: {number:,}" for name, number in added.items() if number)
    text = say("cost text") + (" " + say("cost conceal text") if concealed else "")
    text += " " + say("cost own", own=own) if own else ""
    chart = charts.costs(rows, groups, say("cost x"), say("cost y"))
    names = ("cost clusters", "cost E", "cost E2", "cost E3", "cost E4", "cost method 2", "cost union")
    table = Table([say(name) for name in names], cells, caption=say("cost table"), texts=(), folded=True)
    return Section(say("cost title"), text, chart, chart_width=440, tables=[table])


def _concealment_cost(original: History) -> dict[int, float]:
    """k: the cells lost to k-concealment, as whole records, for every k that each period has people for."""
    present = original.present
    fewest = int(present.sum(axis=0)[present.any(axis=0)].min())
    found = {}
    for k in (k for k in CONCEALED if k <= fewest):
        release = Conceal(k).anonymize(original, np.random.default_rng(0))
        found[k] = CellLoss().measure(original, release).value * original.height
    return found

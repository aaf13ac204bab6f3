"""A report on releases of one history."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from icefire.core.chapters import Chapter, Language, Section
from icefire.core.judged import Judged
from icefire.history.anonymize._clusters import Matrix, item_sets, union_cost
from icefire.history.anonymize.conceal import Conceal
from icefire.history.anonymize.method2 import Method2
from icefire.history.anonymize.union_clusters import UnionClusters
from icefire.history.data import NONE, History
from icefire.history.safety._cells import month_matching_curve
from icefire.history.theory.clusters import OverlapModel
from icefire.history.theory.dummies import expected_dummies
from icefire.history.utility.cell_loss import CellLoss
from icefire.report import charts, sections
from icefire.report.words import Phrases

MOST_CUSTOMERS = 2_000
MOST_CONCEALED = 150
CONCEALED = (2, 3, 4, 5, 7, 10)
SHARES = (0.1, 0.15, 0.2, 0.25, 0.33, 0.5)


def chapter(judged: Sequence[Judged], recipe: str, language: Language = "en") -> Chapter:
    say = Phrases(language)
    original: History = judged[0].release.original
    size = say("records", m=f"{original.height:,}", n=f"{len(original.users):,}", d=len(original.periods))
    cost = [_cost(judged, say)] if 20 <= len(original.users) <= MOST_CUSTOMERS else []
    return sections.chapter(judged, size, [_curves(judged, say)], cost, recipe, say)


def _curves(judged: Sequence[Judged], say: Phrases) -> Section:
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


def _cost(judged: Sequence[Judged], say: Phrases) -> Section:
    """Dummy records against re-identification: what the models expect, and what clusterings really need."""
    original: History = judged[0].release.original
    sets = item_sets(original)
    users, items = sets.shape
    sizes = np.diff(sets.indptr)
    overlap = OverlapModel(users, float(sizes.mean()), _mean_jaccard(sets))
    rows = []
    counts = sorted({max(2, round(share * users)) for share in SHARES})
    for clusters in counts:
        rng = np.random.default_rng(0)
        measured = {
            "cost model": overlap.dummies(clusters) if clusters >= overlap.fewest_clusters else None,
            "cost uniform": expected_dummies(users, original.height, items, clusters),
            "cost method 2": union_cost(sets, Method2(clusters).labels(sets, rng)),
            "cost union": union_cost(sets, UnionClusters(clusters).labels(sets, rng)),
        }
        rows += [
            {"x": clusters / users, "group": say(name), "value": value} for name, value in measured.items() if value
        ]
    groups = [say(name) for name in ("cost model", "cost uniform", "cost method 2", "cost union")]
    concealed = _concealment_cost(original) if users <= MOST_CONCEALED else {}
    if concealed:
        rows += [{"x": 1 / k, "group": say("cost conceal"), "value": value} for k, value in concealed.items()]
        groups.append(say("cost conceal"))
    added = {result.name: int(np.sum(result.release.rows == NONE)) for result in judged}
    own = ", ".join(f"{name}: {number:,}" for name, number in added.items() if number)
    text = say("cost text") + (" " + say("cost conceal text") if concealed else "")
    text += " " + say("cost own", own=own) if own else ""
    return Section(say("cost title"), text, charts.costs(rows, groups, say("cost x"), say("cost y")), chart_width=440)


def _concealment_cost(original: History) -> dict[int, float]:
    """k: the cells lost to k-concealment, as whole records, for every k that each period has people for."""
    present = original.present
    fewest = int(present.sum(axis=0)[present.any(axis=0)].min())
    found = {}
    for k in (k for k in CONCEALED if k <= fewest):
        release = Conceal(k).anonymize(original, np.random.default_rng(0))
        found[k] = CellLoss().measure(original, release).value * original.height
    return found


def _mean_jaccard(sets: Matrix) -> float:
    common = np.asarray((sets @ sets.T).todense())
    totals = common.diagonal()
    jaccard = common / np.maximum(totals[:, None] + totals[None, :] - common, 1.0)
    return float(jaccard[np.triu_indices(len(totals), 1)].mean())

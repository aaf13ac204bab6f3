"""Figures of a study."""

from __future__ import annotations

from icefire.core.chapters import Chart, Language
from icefire.report.plots import Axis, dash_of, plot
from icefire.study.config import Figure, Label
from icefire.study.results import Point, Results
from icefire.study.tables import shown_label


def make_figure(figure: Figure, results: Results, language: Language) -> Chart:
    study = results.study
    rows = []
    for run, line in figure.lines:
        for point in results.select(run, line.y, line.where):
            x = _across(run, figure.x, point, results)
            if x is None or point.value is None:
                continue
            if line.by is not None:
                group = study.called(shown_label(point.labels.get(line.by, "")), language)
            elif figure.also:
                group = line.name.told(language) if line.name else study.called(line.y, language)
            else:
                group = " "
            rows.append({"x": x, "y": point.value, "group": group or " "})
    groups = list(dict.fromkeys(str(row["group"]) for row in rows))
    names = any(isinstance(row["x"], str) for row in rows) or figure.kind == "bars"
    drawn = [
        {
            **row,
            "x": study.called(shown_label(row["x"]), language) if names else row["x"],
            "dash": dash_of(str(row["group"]), groups),
        }
        for row in rows
    ]
    titles = [
        (given.told(language) if given else study.called(name, language))
        for given, name in ((figure.x_title, figure.x), (figure.y_title, figure.y))
    ]
    whole = not names and all(float(row["x"]).is_integer() for row in rows)
    across = Axis(titles[0], figure.log_x, names, whole)
    return plot(drawn, figure.kind, across, Axis(titles[1], figure.log_y, zero=figure.kind != "points"), groups)


def _across(run: str, x: str, point: Point, results: Results) -> Label | None:
    """The place of a point on the x axis: a label, or another quantity that was measured at the same place."""
    if x in point.labels:
        return point.labels[x]
    found = results.select(run, x, point.labels) or results.select(
        run, x, {k: v for k, v in point.labels.items() if k not in ("attack", "attacker", "method")}
    )
    return found[0].value if found else None

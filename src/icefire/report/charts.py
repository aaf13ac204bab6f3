"""Charts as Vega-Lite documents. They have no colours of paper or ink: the page sets those for light and dark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from icefire.core.chapters import Chart
from icefire.core.errors import need

ICE, FIRE = "#3b8fd9", "#e8603c"
Rows = list[dict[str, Any]]


def _document(chart: Any, height: int) -> Chart:
    document: Chart = chart.properties(width="container", height=height).to_dict()
    document.pop("config", None)
    return document


def _data(altair: Any, rows: Rows) -> Any:
    return altair.Data(values=rows)


def scatter(points: Rows, x_title: str, y_title: str) -> Chart:
    """Points {name, x, y, attack}: y is a share, x a loss."""
    alt = need("altair", "report")
    right = max((point["x"] for point in points), default=0.0) * 1.1 or 1.0
    x = alt.X("x:Q", title=x_title, scale=alt.Scale(domain=[0, right], nice=True), axis=alt.Axis(tickCount=6))
    y = alt.Y(
        "y:Q",
        title=y_title,
        scale=alt.Scale(domain=[0, 1.05]),
        axis=alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1]),
    )
    base = alt.Chart(_data(alt, apart(points, right))).encode(
        x=x,
        tooltip=[
            alt.Tooltip("name:N"),
            alt.Tooltip("x:Q", format=".4f", title=x_title),
            alt.Tooltip("y:Q", format=".1%", title=y_title),
            alt.Tooltip("attack:N"),
        ],
    )
    colour = alt.Color(
        "y:Q", scale=alt.Scale(domain=[0, 0.5, 1], range=[ICE, "#e9b44c", FIRE], interpolate="rgb"), legend=None
    )
    dots = base.mark_circle(size=180, opacity=0.95).encode(y=y, color=colour)
    leaders = base.mark_rule(opacity=0.35, color="#888").encode(y=y, y2="label:Q")
    words = base.encode(y=alt.Y("label:Q"), text="name:N")
    on_the_right = words.mark_text(align="left", dx=11, fontSize=12).transform_filter(f"datum.x <= {right / 2}")
    on_the_left = words.mark_text(align="right", dx=-11, fontSize=12).transform_filter(f"datum.x > {right / 2}")
    return _document(leaders + dots + on_the_right + on_the_left, 400)


def apart(points: Rows, right: float) -> Rows:
    """Each point with the height of its label, pushed down where it would cover another label or dot, or up from the bottom."""
    reach = 0.3 * right
    placed: Rows = []
    for point in sorted(points, key=lambda p: (-round(p["y"], 1), -p["x"])):
        dots = [p["y"] for p in points if p is not point and 0 <= p["x"] - point["x"] < reach]
        labels = [p["label"] for p in placed if abs(p["x"] - point["x"]) < reach]
        below = [point["y"] - step / 100 for step in range(int(point["y"] * 100) + 1)]
        above = [point["y"] + step / 100 for step in range(1, 100)]
        free = (height for height in (*below, *above) if all(abs(o - height) >= 0.05 for o in (*dots, *labels)))
        placed.append({**point, "label": next(free, 0.0)})
    return placed


def risk_lines(points: Rows, levels: Sequence[str], x_title: str, y_title: str) -> Chart:
    """Points {release, level, method, share}: a line for each release and knowledge of the method, the least known first."""
    alt = need("altair", "report")
    base = alt.Chart(_data(alt, points)).encode(
        x=alt.X("level:N", sort=list(levels), title=x_title, axis=alt.Axis(labelAngle=0, labelLimit=140)),
        y=alt.Y("share:Q", title=y_title, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=5)),
        color=alt.Color(
            "method:N", sort=None, scale=alt.Scale(range=[ICE, FIRE]), legend=alt.Legend(title=None, orient="top")
        ),
        detail="release:N",
        tooltip=["release:N", "level:N", "method:N", alt.Tooltip("share:Q", format=".1%", title=y_title)],
    )
    return _document(base.mark_line(strokeWidth=2, opacity=0.7) + base.mark_circle(size=70, opacity=1), 260)


def risk_bars(points: Rows, x_title: str, limit: float | None) -> Chart:
    """Horizontal bars {level, method, share}: two for each attacker, and the share that is accepted as a dashed rule."""
    alt = need("altair", "report")
    levels = list(dict.fromkeys(point["level"] for point in points))
    methods = list(dict.fromkeys(point["method"] for point in points))
    base = alt.Chart(_data(alt, points)).encode(
        y=alt.Y("level:N", sort=levels, title=None, axis=alt.Axis(labelLimit=160)),
        yOffset=alt.YOffset("method:N", sort=methods),
        x=alt.X("share:Q", title=x_title, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=5)),
        tooltip=["level:N", "method:N", alt.Tooltip("share:Q", format=".1%", title=x_title)],
    )
    colours = alt.Color(
        "method:N",
        sort=methods,
        scale=alt.Scale(domain=methods, range=[ICE, FIRE][-len(methods) :]),
        legend=alt.Legend(title=None, orient="top", columns=1),
    )
    chart = base.mark_bar(cornerRadiusEnd=2).encode(color=colours)
    if limit is not None:
        rule = alt.Chart(_data(alt, [{"limit": limit}])).encode(x=alt.X("limit:Q", title=x_title))
        chart = chart + rule.mark_rule(strokeDash=[6, 4], color="#888", strokeWidth=1.5)
    return _document(chart, 30 + 44 * len(levels))


def heat_map(cells: Rows, attacks: Sequence[str], releases: Sequence[str], value_title: str) -> Chart:
    """Cells {attack, release, share}."""
    alt = need("altair", "report")
    base = alt.Chart(_data(alt, cells)).encode(
        x=alt.X(
            "release:N", sort=list(releases), title=None, axis=alt.Axis(labelAngle=-30, orient="bottom", labelLimit=180)
        ),
        y=alt.Y("attack:N", sort=list(attacks), title=None, axis=alt.Axis(labelLimit=220)),
        tooltip=["attack:N", "release:N", alt.Tooltip("share:Q", format=".2%", title=value_title)],
    )
    scale = alt.Scale(domain=[0, 0.1, 0.5, 1], range=["#e8f1f9", "#fbe3d3", "#f3a27c", "#d2401c"], interpolate="rgb")
    squares = base.mark_rect(cornerRadius=3).encode(color=alt.Color("share:Q", scale=scale, legend=None))
    dark_on_light = alt.condition("datum.share > 0.7", alt.value("white"), alt.value("#222"))
    numbers = base.mark_text(fontSize=11).encode(text=alt.Text("share:Q", format=".0%"), color=dark_on_light)
    return _document(squares + numbers, 24 * len(attacks))


def grouped_bars(rows: Rows, order: Sequence[str], x_title: str, groups: Sequence[str]) -> Chart:
    """Horizontal bars {name, group, value} on a logarithmic scale, two bars a name."""
    alt = need("altair", "report")
    values = [row["value"] for row in rows if row["value"] > 0]
    floor = 10.0 ** math.floor(math.log10(min(values))) if values else 1e-6
    chart = (
        alt.Chart(_data(alt, [{**row, "floor": floor} for row in rows]))
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            y=alt.Y("name:N", sort=list(order), title=None, axis=alt.Axis(labelLimit=200)),
            yOffset=alt.YOffset("group:N", sort=list(groups)),
            x=alt.X(
                "value:Q",
                title=x_title,
                scale=alt.Scale(type="log", domainMin=floor, nice=False),
                axis=alt.Axis(format="~e", values=_powers(floor)),
            ),
            x2="floor:Q",
            color=_two_colours(alt, groups),
            tooltip=["name:N", "group:N", alt.Tooltip("value:Q", format=".3~g")],
        )
    )
    return _document(chart, 30 * len(order))


def _powers(floor: float) -> list[float]:
    return [10.0**power for power in range(round(math.log10(floor)), 1)]


def histogram(rows: Rows, bins: Sequence[str], x_title: str, y_title: str, groups: Sequence[str]) -> Chart:
    """Bars {bin, group, share}, two bars a bin."""
    alt = need("altair", "report")
    chart = (
        alt.Chart(_data(alt, rows))
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            x=alt.X("bin:N", sort=list(bins), title=x_title, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("group:N", sort=list(groups)),
            y=alt.Y("share:Q", title=y_title, axis=alt.Axis(format="%")),
            color=_two_colours(alt, groups),
            tooltip=["bin:N", "group:N", alt.Tooltip("share:Q", format=".1%")],
        )
    )
    return _document(chart, 280)


PALETTE = ["#e8603c", "#e9b44c", "#3b8fd9", "#7bc8a4", "#9b7ede", "#d46a9f", "#6b7f8f", "#b08d57", "#4aa3a2"]


def curves(
    rows: Rows, order: Sequence[str], groups: Sequence[str], x_title: str, y_title: str, limit: float | None = None
) -> Chart:
    """Lines {release, group, share} over releases, with the limit as a dashed rule."""
    alt = need("altair", "report")
    base = alt.Chart(_data(alt, rows)).encode(
        x=alt.X("release:N", sort=list(order), title=x_title, axis=alt.Axis(labelAngle=-40)),
        y=alt.Y(
            "share:Q",
            title=y_title,
            scale=alt.Scale(domain=[0, 1.02]),
            axis=alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1]),
        ),
        color=alt.Color(
            "group:N",
            sort=list(groups),
            scale=alt.Scale(domain=list(groups), range=PALETTE[: len(groups)]),
            legend=alt.Legend(title=None, orient="top", columns=2, labelLimit=320),
        ),
        tooltip=["release:N", "group:N", alt.Tooltip("share:Q", format=".1%", title=y_title)],
    )
    chart = base.mark_line(strokeWidth=2.5) + base.mark_circle(size=60, opacity=1)
    if limit is not None:
        rule = alt.Chart(_data(alt, [{"limit": limit}])).encode(y=alt.Y("limit:Q", title=y_title))
        chart = chart + rule.mark_rule(strokeDash=[6, 4], color="#888", strokeWidth=1.5)
    return _document(chart, 320)


def costs(rows: Rows, groups: Sequence[str], x_title: str, y_title: str) -> Chart:
    """Lines {x, group, value}: a share on the x axis, a count on a logarithmic y axis."""
    alt = need("altair", "report")
    base = alt.Chart(_data(alt, rows)).encode(
        x=alt.X("x:Q", title=x_title, axis=alt.Axis(format="%", tickCount=5, labelOverlap=True)),
        y=alt.Y("value:Q", title=y_title, scale=alt.Scale(type="log"), axis=alt.Axis(format="~s", tickCount=6)),
        color=alt.Color(
            "group:N",
            sort=list(groups),
            scale=alt.Scale(domain=list(groups), range=PALETTE[: len(groups)]),
            legend=alt.Legend(title=None, orient="top", columns=2, labelLimit=320),
        ),
        tooltip=[
            "group:N",
            alt.Tooltip("x:Q", format=".1%", title=x_title),
            alt.Tooltip("value:Q", format=",.0f", title=y_title),
        ],
    )
    return _document(base.mark_line(strokeWidth=2.5) + base.mark_circle(size=60, opacity=1), 320)


def density(rows: Rows, groups: Sequence[str], sides: tuple[int, int]) -> Chart:
    """Maps {x, y, share, group} side by side, one for each group."""
    alt = need("altair", "report")
    chart = (
        alt.Chart(_data(alt, rows))
        .mark_rect()
        .encode(
            x=alt.X("x:O", title=None, axis=None),
            y=alt.Y("y:O", sort="descending", title=None, axis=None),
            color=alt.Color(
                "share:Q",
                scale=alt.Scale(type="sqrt", range=["#dfeaf4", ICE, "#123a63"], interpolate="rgb"),
                legend=None,
            ),
            tooltip=["group:N", "x:O", "y:O", alt.Tooltip("share:Q", format=".3%")],
        )
        .properties(width=280, height=round(280 * sides[0] / sides[1]))
        .facet(alt.Facet("group:N", sort=list(groups), title=None, header=alt.Header(labelFontSize=12)), columns=2)
    )
    document: Chart = chart.to_dict()
    document.pop("config", None)
    return document


def paths(rows: Rows, panels: Sequence[str], groups: Sequence[str], sides: tuple[int, int]) -> Chart:
    """Ways {x, y, time, panel, group} over a map, one map for each panel."""
    alt = need("altair", "report")
    base = alt.Chart(_data(alt, rows)).encode(
        x=alt.X("x:Q", title=None, axis=None, scale=alt.Scale(domain=[0, sides[1] + 1])),
        y=alt.Y("y:Q", title=None, axis=None, scale=alt.Scale(domain=[0, sides[0] + 1])),
        order="time:Q",
        color=alt.Color(
            "group:N",
            sort=list(groups),
            scale=alt.Scale(domain=list(groups), range=["#8a8f98", ICE, FIRE]),
            legend=alt.Legend(title=None, orient="top"),
        ),
        tooltip=["group:N", "time:Q", "x:Q", "y:Q"],
    )
    layers = base.mark_line(strokeWidth=1.5, opacity=0.8) + base.mark_circle(size=45, opacity=0.9)
    chart = layers.properties(width=190, height=round(190 * sides[0] / sides[1])).facet(
        alt.Facet("panel:N", sort=list(panels), title=None, header=alt.Header(labelFontSize=12)), columns=3
    )
    document: Chart = chart.to_dict()
    document.pop("config", None)
    return document


def _two_colours(alt: Any, groups: Sequence[str]) -> Any:
    legend = alt.Legend(title=None, orient="top")
    return alt.Color(
        "group:N", sort=list(groups), scale=alt.Scale(domain=list(groups), range=[FIRE, ICE]), legend=legend
    )

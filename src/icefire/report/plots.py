"""Plain plots of studies, as Vega-Lite documents without colours of paper or ink."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from icefire.core.chapters import Chart
from icefire.core.errors import need
from icefire.report.charts import ICE, PALETTE, Rows, apart

HEIGHT = 340
DASHES = ([1, 0], [6, 3], [2, 2])


@dataclass(frozen=True)
class Axis:
    """Its title and its scale."""

    title: str
    log: bool = False
    names: bool = False
    """Whether it holds names, which stand at even distances."""
    whole: bool = False
    """Whether it counts: no ticks between whole numbers."""
    zero: bool = False
    """Whether it begins at 0."""

    def drawn(self, alt: Any, channel: Any, field: str) -> Any:
        if self.names:
            # An angle keeps long names whole.
            axis = alt.Axis(labelAngle=-30, labelLimit=170, labelOverlap=False)
            return channel(f"{field}:N", title=self.title, sort=None, axis=axis)
        scale = alt.Scale(type="log") if self.log else alt.Scale(zero=self.zero, nice=True)
        axis = alt.Axis(tickCount=6)
        if self.log:
            # Thousands are k; thousandths would be m, which nobody reads.
            axis.format = "~s"
            axis.labelExpr = "datum.label && datum.value < 1 ? format(datum.value, '~g') : datum.label"
        if self.whole:
            axis.tickMinStep = 1
        return channel(f"{field}:Q", title=self.title, scale=scale, axis=axis)


def plot(rows: Rows, kind: str, x: Axis, y: Axis, groups: Sequence[str]) -> Chart:
    """Lines, points or bars {x, y, group, name}, a colour for each group."""
    alt = need("altair", "report")
    colours = [PALETTE[place % len(PALETTE)] for place in range(len(groups))] if len(groups) > 1 else [ICE]
    colour = alt.Color(
        "group:N",
        sort=list(groups),
        scale=alt.Scale(domain=list(groups), range=colours),
        legend=_legend(alt, groups) if len(groups) > 1 else None,
    )
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=x.drawn(alt, alt.X, "x"),
        y=y.drawn(alt, alt.Y, "y"),
        color=colour,
        tooltip=[
            "group:N",
            alt.Tooltip("x", type="nominal" if x.names else "quantitative", title=x.title),
            alt.Tooltip("y:Q", title=y.title),
        ],
    )
    if kind == "bars":
        chart = base.mark_bar(cornerRadiusEnd=2)
        if len(groups) > 1:
            chart = chart.encode(xOffset=alt.XOffset("group:N", sort=list(groups)))
    elif kind == "points" and len(groups) > len(PALETTE):
        return _document(_named_points(alt, rows, x, y))
    else:
        chart = base.mark_circle(size=60, opacity=0.9)
        if kind == "lines":
            # More groups than colours are told apart by dashes.
            dash = alt.StrokeDash("dash:N", scale=alt.Scale(domain=["0", "1", "2"], range=list(DASHES)), legend=None)
            chart = base.mark_line(strokeWidth=2).encode(strokeDash=dash) + chart
        if kind == "points":
            chart += _counts(alt, rows, x, y)
    return _document(chart)


def _counts(alt: Any, rows: Rows, x: Axis, y: Axis) -> Any:
    """How many points lie on each other, where more than one does."""
    numbers = Counter((row["x"], row["y"]) for row in rows)
    several = [{"x": x, "y": y, "count": f"×{count}"} for (x, y), count in numbers.items() if count > 1]
    base = alt.Chart(alt.Data(values=several)).encode(x=x.drawn(alt, alt.X, "x"), y=y.drawn(alt, alt.Y, "y"))
    return base.mark_text(dx=10, dy=-9, fontSize=11).encode(text="count:N")


def _legend(alt: Any, groups: Sequence[str]) -> Any:
    """Fewer columns for long names. Fonts of readers may be wider than the one that names were measured with."""
    longest = max(sum(1 if sign.isascii() else 2 for sign in name) for name in groups)
    return alt.Legend(
        title=None, orient="top", columns=max(1, min(4, 90 // (longest + 6))), labelLimit=420, columnPadding=28
    )


def _document(chart: Any) -> Chart:
    # Room for the last label of the x axis.
    room = {"left": 5, "top": 5, "right": 20, "bottom": 5}
    document: Chart = chart.properties(width="container", height=HEIGHT, padding=room).to_dict()
    document.pop("config", None)
    return document


def _named_points(alt: Any, rows: Rows, x: Axis, y: Axis) -> Any:
    """Points with their names beside them, where there are more groups than colours."""
    top = max((abs(row["y"]) for row in rows), default=1.0) or 1.0
    right = max((row["x"] for row in rows), default=1.0) * 1.1 or 1.0
    placed = apart([{**row, "y": row["y"] / top} for row in rows], right)
    named = [{**row, "y": row["y"] * top, "label": row["label"] * top} for row in placed]
    base = alt.Chart(alt.Data(values=named)).encode(
        x=x.drawn(alt, alt.X, "x"),
        tooltip=["group:N", alt.Tooltip("x:Q", title=x.title), alt.Tooltip("y:Q", title=y.title)],
    )
    dots = base.mark_circle(size=70, opacity=0.9, color=ICE).encode(y=y.drawn(alt, alt.Y, "y"))
    leaders = base.mark_rule(opacity=0.35, color="#888").encode(y=y.drawn(alt, alt.Y, "y"), y2="label:Q")
    words = base.encode(y=alt.Y("label:Q"), text="group:N")
    left = words.mark_text(align="left", dx=8, fontSize=11).transform_filter(f"datum.x <= {right / 2}")
    other = words.mark_text(align="right", dx=-8, fontSize=11).transform_filter(f"datum.x > {right / 2}")
    return leaders + dots + left + other


def dash_of(group: str, groups: Sequence[str]) -> str:
    """Which dashes a group has: the palette begins again with other ones."""
    return str(list(groups).index(group) // len(PALETTE) % len(DASHES))


def as_svg(chart: Chart, dark: bool = False) -> str:
    """The chart as it is printed, black on white; or for dark pages, whose paper shines through."""
    ink, line, paper = ("#e8ecef", "#363e45", None) if dark else ("#222", "#ddd", "white")
    axis = {"labelColor": ink, "titleColor": ink, "gridColor": line, "domainColor": "#888", "tickColor": "#888"}
    config = {
        "axis": axis,
        "legend": {"labelColor": ink},
        "text": {"color": ink},
        "view": {"stroke": None},
        "font": "sans-serif",
    }
    svg: str = need("vl_convert", "report").vegalite_to_svg(
        {**chart, "width": 640, "background": paper, "config": config}
    )
    return svg

"""Tables of a study: for the page, as CSV and as LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from icefire.core.chapters import Language
from icefire.study.config import Label, Table
from icefire.study.results import Point, Results

SPECIAL = {"\\": r"\textbackslash{}", **{sign: f"\\{sign}" for sign in "&%$#_{}"}, "~": r"\textasciitilde{}"}


@dataclass(frozen=True)
class Made:
    """A table with its numbers: labels, then the points of each column."""

    header: Sequence[str]
    texts: int
    """How many columns hold labels."""
    rows: Sequence[tuple[Sequence[Label], Sequence[Point | None]]]

    def cells(self, between: str = " ") -> list[list[str]]:
        """The cells as texts; the deviation follows its value after a blank, or in the line below."""
        return [
            [*map(shown_label, labels), *(shown_point(point, between) for point in points)]
            for labels, points in self.rows
        ]

    @property
    def words(self) -> tuple[int, ...]:
        """The columns that hold words; numbers that are labels stand like other numbers."""
        return tuple(
            place for place in range(self.texts) if any(isinstance(labels[place], str) for labels, _ in self.rows)
        )

    def csv(self) -> str:
        """Full digits, and a column with the deviation where there are repetitions."""
        deviates = any(point is not None and point.spread is not None for _, points in self.rows for point in points)
        header = [*self.header[: self.texts]]
        for name in self.header[self.texts :]:
            header += [name, f"{name}_sd"] if deviates else [name]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(header)
        for labels, points in self.rows:
            line: list[object] = list(labels)
            for point in points:
                value, spread = (None, None) if point is None else (point.value, point.spread)
                line += [value, spread] if deviates else [value]
            writer.writerow(["" if cell is None else cell for cell in line])
        return text.getvalue()

    def latex(self, caption: str, label: str) -> str:
        """A table with rules of booktabs."""
        lines = [
            r"\begin{table}",
            r"  \centering",
            f"  \\caption{{{escaped(caption)}}}",
            f"  \\label{{tab:{label}}}",
            f"  \\begin{{tabular}}{{{'l' * self.texts + 'r' * (len(self.header) - self.texts)}}}",
            r"    \toprule",
            "    " + " & ".join(map(escaped, self.header)) + r" \\",
            r"    \midrule",
            *("    " + " & ".join(map(escaped, row)) + r" \\" for row in self.cells()),
            r"    \bottomrule",
            r"  \end{tabular}",
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"


def make_table(table: Table, results: Results, language: Language) -> Made:
    study = results.study
    columns: list[tuple[str, str, dict[str, Label]]] = []
    spread = _values_of(table.columns, table, results) if table.columns is not None else [None]
    for value in spread:
        for quantity in table.quantities:
            where = {} if table.columns is None or value is None else {table.columns: value}
            names = [study.called(quantity, language)] if len(table.quantities) > 1 or not where else []
            title = " ".join([*(study.called(shown_label(v), language) for v in where.values()), *names])
            columns.append((title, quantity, where))
    keys = _rows_of(table, results)
    rows = []
    for key in keys:
        where = {**table.where, **key}
        found = [results.select(table.run, quantity, {**where, **more}) for _, quantity, more in columns]
        labels = [study.called(value, language) if isinstance(value, str) else value for value in key.values()]
        rows.append((labels, [points[0] if points else None for points in found]))
    header = [*(study.called(name, language) for name in table.rows), *(title for title, _, _ in columns)]
    return Made(header, len(table.rows), rows)


def _points(table: Table, results: Results) -> list[Point]:
    return [point for quantity in table.quantities for point in results.select(table.run, quantity, table.where)]


def _values_of(name: str, table: Table, results: Results) -> list[Label | None]:
    """The values of a label, in the order in which they were measured."""
    return list(dict.fromkeys(point.labels[name] for point in _points(table, results) if name in point.labels))


def _rows_of(table: Table, results: Results) -> list[Mapping[str, Label]]:
    found = {
        tuple(point.labels[name] for name in table.rows): None
        for point in _points(table, results)
        if all(name in point.labels for name in table.rows)
    }
    # The values of each label stay in the order in which they were measured.
    places = [{value: place for place, value in enumerate(dict.fromkeys(side))} for side in zip(*found, strict=True)]
    ordered = sorted(found, key=lambda key: [place[value] for place, value in zip(places, key, strict=True)])
    return [dict(zip(table.rows, key, strict=True)) for key in ordered]


def shown_label(value: Label) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def shown(value: float | None) -> str:
    """
    >>> shown(0.32173), shown(182897.4), shown(0.000144), shown(3.0), shown(None)
    ('0.3217', '182,897', '1.440e-04', '3', '–')
    """
    if value is None:
        return "–"
    if float(value).is_integer() and abs(value) < 1e12:
        return f"{value:,.0f}"
    if abs(value) < 0.001:
        return f"{value:.3e}"
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:,.4g}"


def shown_point(point: Point | None, between: str = " ") -> str:
    if point is None or point.value is None:
        return "–"
    return shown(point.value) + shown_spread(point.spread, between)


def shown_spread(spread: float | None, between: str = " ") -> str:
    """
    >>> shown_spread(24853.2), shown_spread(0.0014843), shown_spread(0.0)
    (' ± 25,000', ' ± 0.0015', '')
    """
    if not spread:
        return ""
    rounded = float(f"{spread:.2g}")
    return f"{between}± {rounded:,.0f}" if rounded >= 10 else f"{between}± {rounded:g}"


def escaped(text: str) -> str:
    """
    >>> escaped("100% of own_items")
    '100\\\\% of own\\\\_items'
    """
    return "".join(SPECIAL.get(sign, sign) for sign in text).replace("±", r"$\pm$").replace("–", "--")

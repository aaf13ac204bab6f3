"""Output of commands: tables and progress for people, a single JSON document for programs."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from icefire.cli.speech import echo
from icefire.core.deadline import Deadline
from icefire.core.values import Score
from icefire.evaluation.runs import Outcome
from icefire.words import label, translated

if TYPE_CHECKING:
    from rich.console import Console

DIRECTIONS = {"higher": "↑", "lower": "↓"}
LONG = 60.0
"""Seconds from which on it is said beforehand how long something may take."""
EVERY = 20.0
"""Seconds between two lines of progress."""


def print_json(document: object) -> None:
    click.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False, default=str))


def console() -> Console:
    from rich.console import Console

    # A pipe gets lines as long as they are; only a terminal has a width.
    return Console() if sys.stdout.isatty() else Console(width=200)


def print_table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[object]], left: int = 1, names: Collection[str] = ()
) -> None:
    """A table whose first columns are texts and whose others are numbers; nothing if it has no rows.

    The first column holds names, which stay as they are. With `names` of columns of the data, the whole table is data.
    """
    if not rows:
        return
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(label(title)), title_justify="left", title_style="bold")
    for position, name in enumerate(header):
        table.add_column(
            escape(name if name in names else label(name)),
            justify="left" if position < left else "right",
            overflow="fold",
        )
    for row in rows:
        cells = [number(cell) if isinstance(cell, float) else str(cell) for cell in row]
        told = cells if names else [*cells[:1], *map(translated, cells[1:])]
        # Square brackets are text here, not markup.
        table.add_row(*map(escape, told))
    console().print(table)


def print_figures(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """A table of what was computed. Its words are ours, even single ones."""
    print_table(title, ["what", "value"], [[label(cell) for cell in row] for row in rows])


def number(value: float) -> str:
    """
    >>> number(0.32173), number(1234567.0), number(0.000144), number(3.0)
    ('0.3217', '1,234,567', '1.440e-04', '3')
    """
    if abs(value) < 1e-12 or (float(value).is_integer() and abs(value) < 1e12):
        return f"{value:,.0f}"
    digits = math.floor(math.log10(abs(value)))
    if digits < -3:
        return f"{value:.3e}"
    return f"{value:,.4f}" if digits < 3 else f"{value:,.1f}"


def score_cells(score: Score) -> list[str]:
    """Value, which way is good, and its interval or what else matters."""
    note = f"{number(score.interval.low)} .. {number(score.interval.high)}" if score.interval else ""
    columns = score.by_column()
    if len(columns) > 1 and not (note and sample_note(score)):
        worst = score.direction.worst(columns.values())
        note = f"worst: {next(name for name, value in columns.items() if value == worst)} {number(worst)}"
    match score.detail:
        case {
            "before": {"ratio": float() as before},
            "after": {"ratio": float() as after, "low": float() as low, "high": float() as high},
        }:
            note = f"{number(before)} before, {number(after)} after ({number(low)} .. {number(high)})"
    if score.detail.get("flagged"):
        note += " FLAGGED"
    match score.detail:
        case {"told by": [*columns_that_tell]}:
            note = f"quasi-identifiers are told by {', '.join(map(str, columns_that_tell))}"
    note += sample_note(score)
    return [number(score.value), DIRECTIONS[score.direction.value], note]


def sample_note(score: Score) -> str:
    """How many rows, people or pseudonyms a score is about, if these were sampled."""
    match score.detail:
        case {"rows sampled": int() as sampled}:
            return f" ({sampled:,} rows sampled)"
        case {"people sampled": int() as sampled}:
            return f" ({sampled:,} people sampled)"
        case {"pseudonyms sampled": int() as sampled}:
            return f" ({sampled:,} pseudonyms sampled)"
    return ""


def outcome_rows(outcomes: Sequence[Outcome]) -> list[list[str]]:
    return [
        [o.method.title(), *(score_cells(o.score) if o.score is not None else ["-", "", o.reason])] for o in outcomes
    ]


def in_100(share: float) -> str:
    """
    >>> in_100(0.05), in_100(0.0123), in_100(0.00021), in_100(1.0), in_100(0.0)
    ('5', '1.2', '0.02', '100', '0')
    """
    return f"{100 * share:.1f}".removesuffix(".0") if share >= 0.001 or not share else f"{100 * share:.1g}"


@contextmanager
def progress(total: int | None, quiet: bool, deadline: Deadline | None = None) -> Iterator[Callable[[str], None]]:
    """A callable that names the step just begun: a bar on a terminal, elsewhere a line now and then.

    With a deadline, the bar and what is left are those of the time.
    """
    if quiet:
        yield lambda _: None
        return
    if not sys.stderr.isatty():
        yield _Lines(total, deadline).step
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=deadline.left() if deadline else total)
        begun = False

        def step(name: str) -> None:
            nonlocal begun
            if deadline:
                bar.update(task, description=translated(name), completed=deadline.gone())
            else:
                bar.update(task, description=translated(name), advance=1 if begun else 0)
            begun = True

        yield step


class _Lines:
    """Progress where there is no terminal."""

    def __init__(self, total: int | None, deadline: Deadline | None = None) -> None:
        self.total, self.done, self.deadline = total, 0, deadline
        self.begin = self.last = time.monotonic()

    def step(self, name: str) -> None:
        now = time.monotonic()
        if self.done and now - self.last >= EVERY:
            self.last = now
            gone = duration(now - self.begin)
            if self.deadline:
                left = duration(self.deadline.left())
                echo(f"{self.done} tried in {gone}, at most {left} left; now {name}", err=True)
            elif self.total:
                left = duration((now - self.begin) / self.done * (self.total - self.done))
                echo(f"{self.done} of {self.total} done in {gone}, about {left} left; now {name}", err=True)
            else:
                echo(f"{self.done} done in {gone}; now {name}", err=True)
        self.done += 1


def duration(seconds: float) -> str:
    """
    >>> duration(42.4), duration(200), duration(7300)
    ('42 s', '3 min', '2.0 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} {label('s')}"
    return f"{seconds / 60:.0f} {label('min')}" if seconds < 5400 else f"{seconds / 3600:.1f} {label('h')}"

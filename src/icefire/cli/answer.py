"""The answer on a terminal: at most thirty lines, the verdict first."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from unicodedata import east_asian_width

import click

from icefire import words
from icefire.core.chapters import RiskRow
from icefire.evaluation.assessment import Assessment
from icefire.report import answer
from icefire.report.words import Phrases

EXIT_CODES = {"release": 0, "do_not_release": 1, "inconclusive": 3}
MARKS = {"meets": ("✓", "blue"), "exceeds": ("✗", "red"), "unknown": ("?", "magenta"), "not asked": ("–", None)}
LABEL, FIGURE = 21, 10
"""Columns of a terminal for the name of a risk, and for a figure."""
MOST_LINES = 30
WIDEST = 120


def print_answer(assessment: Assessment, report: Path) -> None:
    """The verdict, the four risks, utility, the reasons, and what to do next."""
    say = Phrases(words.language())
    width = min(shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDEST, WIDEST)
    colour = "blue" if answer.tone(assessment) == "ice" else "red"
    click.echo(click.style(answer.headline(assessment, say), bold=True, fg=colour))
    click.echo(_wrap(answer.describe(assessment, say), width, ""))
    below = [
        ("utility", say("semicolon").join(answer.list_utility(assessment, say))),
        ("why", say("gap").join(answer.explain(assessment, say))),
        ("next", assessment.command),
        ("more", say("report has", report=report, attacks=len(assessment.runs))),
    ]
    tail = []
    for key, text in below:
        if text:
            # A command stays in one line, so that it can be copied.
            label = _pad(say(key), 10)
            tail += [label + text] if key == "next" else (label + _wrap(text, width - 10, " " * 10)).splitlines()
    risks = answer.list_risks(assessment, say)
    space = MOST_LINES - len(tail) - 5
    click.echo()
    click.echo(" " * LABEL + _right(say("risk"), FIGURE) + _right(say("limit"), FIGURE))
    for line in _risk_lines(risks, width, space):
        click.echo(line)
    click.echo()
    for line in tail:
        click.echo(line)


def _risk_lines(risks: Sequence[RiskRow], width: int, space: int) -> list[str]:
    """A row for each risk; explanations are cut to a line each if there is no room for more."""
    for most in (3, 2, 1):
        lines = [line for risk in risks for line in _risk_row(risk, width, most)]
        if len(lines) <= space:
            break
    return lines[:space]


def _risk_row(risk: RiskRow, width: int, most: int) -> list[str]:
    mark, colour = MARKS[risk.status]
    begin = LABEL + 2 * FIGURE
    wrapped = _wrap(risk.text, width - begin - 4, "").splitlines() or [""]
    if len(wrapped) > most:
        wrapped = [*wrapped[: most - 1], _cut(wrapped[most - 1] + " …", width - begin - 4)]
    figures = _pad(risk.label, LABEL) + _right(risk.risk, FIGURE) + _right(risk.limit, FIGURE)
    first = f"{figures}  {click.style(mark, fg=colour, bold=True)} {wrapped[0]}"
    return [first.rstrip(), *(" " * (begin + 4) + line for line in wrapped[1:])]


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _pad(text: str, columns: int) -> str:
    return text + " " * max(1, columns - _columns(text))


def _right(text: str, columns: int) -> str:
    return " " * max(1, columns - _columns(text)) + text


def _cut(text: str, columns: int) -> str:
    """The text, or its beginning and an ellipsis."""
    if _columns(text) <= columns:
        return text
    while text and _columns(text) > columns - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def _wrap(text: str, columns: int, indent: str) -> str:
    """Lines of at most so many columns; Japanese is broken between any two letters."""
    lines, line = [], ""
    for word in _pieces(text):
        if line and _columns(line + word.rstrip()) > columns:
            lines.append(line.rstrip())
            line = ""
        line += word if line else word.lstrip()
    return f"\n{indent}".join([*lines, line.rstrip()])


def _pieces(text: str) -> list[str]:
    """Where a line may be broken: after spaces, and between wide letters but before punctuation."""
    pieces: list[str] = []
    for letter in text:
        wide = east_asian_width(letter) in "WF" and letter not in "、。，．：；）」』！？ー"
        if not pieces or wide or (pieces[-1][-1] == " " and letter != " "):
            pieces.append(letter)
        else:
            pieces[-1] += letter
    return pieces

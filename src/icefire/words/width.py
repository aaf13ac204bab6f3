"""Texts by the columns they take on a terminal, where Japanese characters take two."""

from __future__ import annotations

from unicodedata import east_asian_width

NEVER_FIRST = "、。，．：；！？）」』】〕…ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;!?)]"
NEVER_LAST = "（「『【〔(["


def columns(text: str) -> int:
    """
    >>> columns("abc"), columns("匿名化")
    (3, 6)
    """
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def lines(text: str, width: int) -> list[str]:
    """A text in lines of at most so many columns, broken at blanks and between Japanese characters.

    >>> lines("提供データを攻撃し、report.html に書き出します。", 20)
    ['提供データを攻撃し、', 'report.html に書き出', 'します。']
    """
    found: list[str] = []
    line = ""
    for unit in _units(text):
        if line and columns(line + unit.rstrip()) > width:
            found.append(line.rstrip())
            line = unit.lstrip()
        else:
            line += unit
    return [*found, line.rstrip()] if line.strip() else found


def _units(text: str) -> list[str]:
    """What must not be broken: words with the blank behind them, and characters with their punctuation."""
    units: list[str] = []
    for letter in text:
        before = units[-1][-1] if units else ""
        glued = bool(before) and (
            letter in NEVER_FIRST
            or letter == " "
            or before in NEVER_LAST
            or (before != " " and columns(before) == columns(letter) == 1)
        )
        if glued:
            units[-1] += letter
        else:
            units.append(letter)
    return units

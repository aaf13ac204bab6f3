"""The text of an uploaded file, looked at while it comes in, in whatever pieces it comes in."""

from __future__ import annotations

import re

from icefire.contest.config import Limits
from icefire.core.errors import DataError

LONGEST_LINE = 1 << 20
BREAK = re.compile(rb"[\r\n]")
FORMULA = re.compile(rb"""(?<=[,;\t\r\n"'])(?:\xef\xbb\xbf)?(?:[=@]|[+-](?![\d.,;\t\r\n"']|\Z))""")
"""A cell that a spreadsheet would evaluate as a formula. Whoever opens the file may have another separator than ours."""
CONTEXT = 5
"""Bytes by which a cell is judged: a delimiter, a byte order mark, and a sign whose next byte is not there yet."""


class Scan:
    """A file of which one piece after the other is looked at. What is found does not depend on where it was cut."""

    def __init__(self, name: str, limits: Limits, table: bool) -> None:
        self._name, self._limits, self._table = name, limits, table
        # The first cell begins as one after a line end does.
        self._end = b"\n"
        self._feeds = self._returns = self._line = 0
        self._columns, self._in_header = 1, True

    def add(self, piece: bytes) -> None:
        """Look at the next piece; DataError says what is wrong, and in which line."""
        nul = piece.find(b"\0")
        if nul >= 0:
            fault = "there is a NUL byte. Save the file as plain CSV in UTF-8."
            raise DataError(f"{self._name}, line {self._line_at(piece[:nul])}: {fault}")
        self._check_formula(piece)
        self._check_line(piece)
        self._count(piece)
        if self._columns > self._limits.columns and self._table:
            raise DataError(f"{self._name} has more than {self._limits.columns:,} columns")
        if self._line_at(b"") > self._limits.rows + 2:
            raise DataError(f"{self._name} has more than {self._limits.rows:,} rows")

    def _check_formula(self, piece: bytes) -> None:
        text = self._end + piece
        formula = FORMULA.search(text)
        if formula:
            line = self._line_at(piece[: max(0, formula.end() - 1 - len(self._end))])
            sign = formula[0][-1:].decode()
            raise DataError(
                f"{self._name}, line {line}: a cell begins with {sign!r}, which spreadsheets take for a formula"
            )
        self._end = text[-CONTEXT:]

    def _check_line(self, piece: bytes) -> None:
        # A piece is shorter than the longest line: only the line that began before it can be too long.
        first = BREAK.split(piece, maxsplit=1)[0]
        if self._table and self._line + len(first) > LONGEST_LINE:
            raise DataError(f"{self._name}, line {self._line_at(b'')} is longer than a million bytes")

    def _count(self, piece: bytes) -> None:
        self._feeds += piece.count(b"\n")
        self._returns += piece.count(b"\r")
        last = max(piece.rfind(b"\n"), piece.rfind(b"\r"))
        self._line = self._line + len(piece) if last < 0 else len(piece) - last - 1
        if self._in_header:
            header = BREAK.split(piece, maxsplit=1)
            self._columns += header[0].count(b",")
            self._in_header = len(header) == 1

    def _line_at(self, before: bytes) -> int:
        """The line that begins or goes on after these bytes of the next piece. Old files end lines by CR alone."""
        return 1 + max(self._feeds + before.count(b"\n"), self._returns + before.count(b"\r"))

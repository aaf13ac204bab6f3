"""The parts of a report: chapters of sections, each with text, a chart and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from icefire.core.documents import Json
from icefire.words import Language as Language

Chart: TypeAlias = "dict[str, Json]"
"""A Vega-Lite document."""


@dataclass(frozen=True)
class Table:
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    """Cells; what stands in the second line of a cell is an explanation in small print."""
    caption: str = ""
    texts: Sequence[int] = (0,)
    """Positions of the columns that hold words rather than numbers."""
    folded: bool = False
    """Whether the table is collapsed under its caption at first."""


@dataclass(frozen=True)
class Section:
    title: str
    text: str = ""
    chart: Chart | None = None
    chart_width: int = 300
    """Least width in pixels; a narrower screen scrolls."""
    tables: Sequence[Table] = ()
    code: str = ""
    warning: str = ""
    folded: bool = False
    """Whether the section is collapsed under its title at first."""


@dataclass(frozen=True)
class RiskRow:
    """One of the four risks for one attacker: a bar from 0 to 1 with its limit, and the words beside it."""

    label: str
    """Which risk; empty if the row before says it."""
    risk: str
    limit: str
    text: str
    """Whose risk it is, and by which attack."""
    status: Literal["meets", "exceeds", "unknown", "not asked"]
    status_text: str
    share: float | None = None
    interval: tuple[float, float] | None = None
    baseline: float | None = None
    limit_share: float | None = None


@dataclass(frozen=True)
class Chapter:
    """All about one kind of data, or about one question."""

    title: str
    verdict: str
    lead: str
    sections: Sequence[Section]
    tiles: Sequence[tuple[str, str, str]] = field(default_factory=tuple)
    """(big text, what it is, "ice" or "fire")."""
    answer: tuple[str, str] | None = None
    """The headline, and "ice" or "fire"."""
    described: str = ""
    """What the headline is about."""
    risks: Sequence[RiskRow] = ()
    limit_word: str = ""
    """What stands before a limit."""
    utility: Sequence[str] = ()
    """What is left of the utility, in short."""
    utility_word: str = ""
    """What stands above it."""
    command: str = ""
    """What to type next."""

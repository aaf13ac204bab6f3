"""Self-contained HTML reports that open offline."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from icefire.report.judged import Judged
from icefire.report.page import Chapter
from icefire.report.words import Language


def chapter(judged: Sequence[Judged], recipe: str, language: Language) -> Chapter:
    """What there is to say about releases, by the module that is named after their kind."""
    made: Chapter = import_module(f"icefire.report.{judged[0].kind.name}").chapter(judged, recipe, language)
    return made

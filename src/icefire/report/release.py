"""The page about one release."""

from __future__ import annotations

from icefire import __version__
from icefire.core.chapters import Language
from icefire.evaluation.assessment import Assessment
from icefire.report.page import Page
from icefire.report.words import Phrases


def release_page(judged: Assessment, recipe: str, language: Language) -> Page:
    """May it go out, against whom, and if not, what then; below, what it costs and every number."""
    say = Phrases(language)
    title = say("may it go out" if judged.decision is not None else "red team", name=judged.name)
    footer = say("made with", version=__version__)
    return Page(title, [judged.kind.chapter([judged], recipe, language)], footer, language)

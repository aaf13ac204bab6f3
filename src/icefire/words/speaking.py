"""Which language is spoken, and texts in it."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from icefire.words.catalogue import Catalogue

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = ("en", "ja")

_spoken: ContextVar[Language] = ContextVar("language", default="en")


def language() -> Language:
    """The language of the person who is spoken to."""
    return _spoken.get()


def speak(chosen: Language) -> None:
    """Choose the language, for the rest of this thread or task."""
    _spoken.set(chosen)


def of_environment(environment: Mapping[str, str]) -> Language:
    """The language that the system's settings ask for.

    >>> of_environment({"LANG": "ja_JP.UTF-8"}), of_environment({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"})
    ('ja', 'en')
    """
    settings = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "ja" if next(filter(None, settings), "").startswith("ja") else "en"


def accepted(header: str) -> Language:
    """The preferred language of a browser, by its header Accept-Language.

    >>> accepted("ja,en-US;q=0.7"), accepted("en;q=0.5, ja;q=0.9"), accepted("de, ja;q=0.2"), accepted("")
    ('ja', 'ja', 'ja', 'en')
    """
    best: tuple[float, Language] = (0.0, "en")
    for entry in header[:200].split(","):
        name, _, weight = entry.strip().partition(";q=")
        for known in LANGUAGES:
            try:
                if name.lower().startswith(known) and float(weight or 1) > best[0]:
                    best = float(weight or 1), known
            except ValueError:
                continue
    return best[1]


def translated(text: str, into: Language | None = None) -> str:
    """A text in a language, the current one if none is given; as it is if the catalogue does not have it."""
    chosen = into or language()
    return text if chosen == "en" else _catalogue().translated(text)


def label(text: str, into: Language | None = None) -> str:
    """A heading of a table or a single word, which might be a name elsewhere, in a language."""
    chosen = into or language()
    return text if chosen == "en" else _catalogue().label(text)


def term(name: str, into: Language | None = None) -> str:
    """A name that people type, such as `qi`, with what it means in a language."""
    chosen = into or language()
    return name if chosen == "en" else _catalogue().term(name)


@cache
def _catalogue() -> Catalogue:
    # Of no use to those who read English.
    from icefire.words.catalogue import Catalogue
    from icefire.words.ja import LABELS, MESSAGES, TERMS

    return Catalogue(MESSAGES, LABELS, TERMS)

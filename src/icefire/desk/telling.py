"""Documents in the language of the page."""

from __future__ import annotations

from typing import Any

from icefire.desk.sessions import Document
from icefire.words import Language, translated

TEXTS = {"reasons", "recognized", "why", "notes", "what", "summaries", "stopped"}
"""Keys of documents under which there are texts of ours; names and cells of the table stay as they are."""


def in_language(content: Document, language: Language) -> Document:
    """A document with our texts in a language."""
    if language == "en":
        return content
    return {key: _told(value, key in TEXTS, language) for key, value in content.items()}


def _told(value: Any, is_text: bool, language: Language) -> Any:
    match value:
        case str():
            return translated(value, language) if is_text else value
        case dict():
            return {key: _told(inner, key in TEXTS, language) for key, inner in value.items()}
        case list():
            return [_told(inner, is_text, language) for inner in value]
    return value

"""Answers in the language of who asks. The log keeps texts in English; they are translated when they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from fastapi import Request

from icefire.words import Language, accepted, translated

TEXTS = {"faults", "heading", "message", "rule", "undefined", "what"}
"""Keys of documents under which there are texts for people."""
Document = TypeVar("Document")


def asked_in(request: Request) -> Language:
    """The language that the sender of a request reads."""
    return accepted(request.headers.get("accept-language", ""))


def told(document: Document, request: Request) -> Document:
    """A JSON document with its texts in the language of the sender."""
    language = asked_in(request)
    return document if language == "en" else cast(Document, _told(document, language, False))


def _told(value: object, language: Language, is_text: bool) -> object:
    match value:
        case str():
            return translated(value, language) if is_text else value
        case Mapping():
            return {key: _told(inner, language, key in TEXTS) for key, inner in value.items()}
        case list() | tuple():
            return [_told(inner, language, is_text) for inner in value]
    return value

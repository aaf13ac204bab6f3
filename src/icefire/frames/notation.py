r"""Notation of generalized cells that are sets: `{a|b}`, with a backslash before `|` and `\` in a member."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MEMBER = re.compile(r"((?:[^|\\]|\\.)*)(?:\||$)")


def parse_set(text: str) -> list[str] | None:
    r"""The members of a set; None if the text is not a set.

    >>> parse_set("{a|b}"), parse_set(r"{a\|b|c}"), parse_set("a")
    (['a', 'b'], ['a|b', 'c'], None)
    """
    if not (text.startswith("{") and text.endswith("}")):
        return None
    if "\\" not in text:
        members = text[1:-1].split("|")
        return members if members[-1] or len(members) == 1 else members[:-1]
    # The pattern also matches the empty text at the end.
    return [re.sub(r"\\(.)", r"\1", member) for member in _MEMBER.findall(text[1:-1])[:-1] or [""]]


def set_text(members: Sequence[str]) -> str:
    r"""Write a set; a single member is written as it is.

    >>> set_text(["b", "a"]), set_text(["a|b", "c"]), set_text(["a"])
    ('{b|a}', '{a\\|b|c}', 'a')
    """
    escaped = [member.replace("\\", "\\\\").replace("|", "\\|") for member in members]
    return members[0] if len(members) == 1 else "{" + "|".join(escaped) + "}"

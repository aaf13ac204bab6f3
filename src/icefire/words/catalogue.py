"""Finds the translation of a text among templates.

A template is an English text with `{}` where something is filled in, or `{!r}` where it is filled in with quotation marks. Its
translation has `{}`, too, or `{0}`, `{1}` and so on in another order. All other braces are text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

PLACE = re.compile(r"\{(!r)?\}")
FILLED = re.compile(r"\{(\d*)\}")
TRIES = 200
"""Splits of a text that are tried for a template."""
LONGEST = 5_000
"""Characters of a text without a template of its own that is looked through for texts that have one."""
DEPTH = 8
LIST = "; "
"""What stands between the members of a list of texts."""


class Template:
    """A text with gaps, and its translation."""

    def __init__(self, english: str, translation: str) -> None:
        pieces = PLACE.split(english)
        self.literals, self.quoted = pieces[::2], [mark is not None for mark in pieces[1::2]]
        self.translation = translation
        self.weight = sum(map(len, self.literals))
        self.longest = max(self.literals, key=len)

    def contents(self, text: str) -> list[str] | None:
        """What fills the gaps in a text, or None if it is another text."""
        if self.longest not in text or not text.startswith(self.literals[0]) or not text.endswith(self.literals[-1]):
            return None
        end = len(text) - len(self.literals[-1])
        found, _ = self._split(text, 0, len(self.literals[0]), end, TRIES)
        return found

    def _split(self, text: str, gap: int, start: int, end: int, tries: int) -> tuple[list[str] | None, int]:
        """The contents of the gaps from `gap` on, and how many tries are left."""
        if start > end:
            return None, tries
        if gap == len(self.quoted) - 1:
            return ([text[start:end]] if self._fits(gap, text[start:end]) else None), tries
        literal, at = self.literals[gap + 1], start - 1
        while tries and (at := text.find(literal, at + 1, end)) >= 0:
            tries -= 1
            if self._fits(gap, text[start:at]):
                rest, tries = self._split(text, gap + 1, at + len(literal), end, tries)
                if rest is not None:
                    return [text[start:at], *rest], tries
        return None, tries

    def _fits(self, gap: int, content: str) -> bool:
        if not self.quoted[gap]:
            return True
        if content[:1] in ("'", '"'):
            return len(content) > 1 and content[-1] == content[0]
        return bool(content) and (content[0] in "([{" or not any(map(str.isspace, content)))

    def filled(self, contents: Sequence[str]) -> str:
        following = iter(contents)
        return FILLED.sub(lambda gap: contents[int(gap[1])] if gap[1] else next(following), self.translation)


class Catalogue:
    """Templates of messages with their translations, and of labels: words that may be names inside a message."""

    def __init__(self, messages: Mapping[str, str], labels: Mapping[str, str]) -> None:
        self._messages, self._labels = messages, labels

    @cached_property
    def _templates(self) -> list[Template]:
        """The templates with gaps, the one that says most first. Help pages do without them."""
        templates = [Template(*entry) for entry in self._messages.items() if PLACE.search(entry[0])]
        return sorted(templates, key=lambda template: -template.weight)

    def label(self, text: str) -> str:
        return self._labels.get(text) or self.translated(text)

    def translated(self, text: str) -> str:
        return self._translated(text, DEPTH)

    def _translated(self, text: str, depth: int) -> str:
        body = text.strip()
        if not body or not depth:
            return text
        if body != text:
            before, after = text[: text.index(body)], text[text.index(body) + len(body) :]
            return before + self._translated(body, depth) + after
        if text in self._messages:
            return self._messages[text]
        if " " not in text:
            return text
        found = self._found(text)
        if found is None or any(LIST in content for content in found[1]):
            # A list of texts, rather than a single one that spans its members.
            parts = text.split(LIST) if len(text) <= LONGEST else []
            told = [self._translated(part, depth - 1) for part in parts]
            if len(parts) > 1 and all(one != other for one, other in zip(parts, told, strict=True)):
                return "；".join(told)
        if found is None:
            return self._by_parts(text, depth - 1) if len(text) <= LONGEST else text
        template, contents = found
        inner = [
            content if quoted or " " not in content.strip() else self._translated(content, depth - 1)
            for content, quoted in zip(contents, template.quoted, strict=True)
        ]
        return template.filled(inner)

    def _found(self, text: str) -> tuple[Template, list[str]] | None:
        """The first template that fits, of those that fit without lists in their gaps if there are any."""
        spare = None
        for template in self._templates:
            contents = template.contents(text)
            if contents is not None:
                if not any(LIST in content for content in contents):
                    return template, contents
                spare = spare or (template, contents)
        return spare

    def _by_parts(self, text: str, depth: int) -> str:
        """Lines, members of a list, or what follows a name and a colon, each on its own."""
        for separator, most, joint in (("\n", -1, "\n"), (LIST, -1, "；"), (": ", 1, ": ")):
            parts = text.split(separator, most)
            if len(parts) > 1:
                told = [self._translated(part, depth) for part in parts]
                return joint.join(told) if told != parts else text
        return text

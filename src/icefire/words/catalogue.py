"""Finds the translation of a text among templates.

A template is an English text with `{}` where something is filled in, or `{!r}` where it is filled in with quotation marks. Its
translation has `{}`, too, or `{0}`, `{1}` and so on in another order, and `{!t}` or `{0!t}` where a term such as `qi` is told
with its meaning. All other braces are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from icefire.words.width import columns

PLACE = re.compile(r"\{(!r)?\}")
FILLED = re.compile(r"\{(\d*)(?:!t)?\}")
TERM = re.compile(r"\{(\d*)(!t)?\}")
JOINED = re.compile(r"\S+(?: (?:and|and no|and the|or) \S+)+")
"""Names with words between them."""
QUOTES, BRACKETS = ("'", '"'), {"(": ")", "[": "]", "{": "}"}
LIST = "; "
"""What stands between the members of a list of texts."""
TRIES = 200
"""Splits of a text that are tried for a template."""
LONGEST = 2_000
"""Characters of a part of a text that is looked up."""
DEPTH, MOST = 7, 2_000
"""How deep texts are looked for inside texts, and how many in all."""


class Template:
    """A text with gaps, and its translation."""

    def __init__(self, english: str, translation: str) -> None:
        pieces = PLACE.split(english)
        self.literals, self.quoted = pieces[::2], [mark is not None for mark in pieces[1::2]]
        self.translation = translation
        gaps = enumerate(TERM.findall(translation))
        self.terms = {int(place or order) for order, (place, mark) in gaps if mark}
        self.weight = sum(map(len, self.literals))
        self.longest = max(self.literals, key=len)
        self.has_lines = any("\n" in literal for literal in self.literals)

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
        """Whether a gap for a value in quotation marks holds one: a string, a list, or a word such as a number."""
        if not self.quoted[gap]:
            return True
        first, last = content[:1], content[-1:]
        if first in QUOTES:
            return len(content) > 1 and last == first and first not in content[1:-1].replace(f"\\{first}", "")
        return bool(content) and (BRACKETS.get(first) == last or not any(map(str.isspace, content)))

    def filled(self, contents: Sequence[str]) -> str:
        """The translation with its gaps filled. Blanks set off foreign words, and not Japanese ones from each other."""
        following, pieces = iter(contents), FILLED.split(self.translation)
        told = pieces[0]
        for place, literal in zip(pieces[1::2], pieces[2::2], strict=True):
            told = _set(told, contents[int(place)] if place else next(following))
            told = _set(told, literal)
        return told


def _set(before: str, after: str) -> str:
    if before.endswith(" ") and _wide(before[-2:-1]) and _wide(after[:1]):
        before = before[:-1]
    if after.startswith(" ") and _wide(before[-1:]) and _wide(after[1:2]):
        after = after[1:]
    return before + after


def _wide(letter: str) -> bool:
    return bool(letter) and columns(letter) == 2


class Catalogue:
    """Templates of messages with their translations, labels, which may be names inside a message, and terms.

    Terms are names that people type, with what they mean.
    """

    def __init__(self, messages: Mapping[str, str], labels: Mapping[str, str], terms: Mapping[str, str]) -> None:
        self._messages, self._labels, self._terms = messages, labels, terms

    @cached_property
    def _templates(self) -> list[Template]:
        """The templates with gaps. Help pages do without them.

        Of two that say as much, the one that begins with more of its own words comes first.
        """
        templates = [Template(*entry) for entry in self._messages.items() if PLACE.search(entry[0])]
        return sorted(templates, key=lambda template: (-len(template.literals[0]), -template.weight))

    def label(self, text: str) -> str:
        return self._labels.get(text) or self._terms.get(text) or self.translated(text)

    def term(self, name: str) -> str:
        return self._terms.get(name, name)

    def translated(self, text: str) -> str:
        if " " not in text:
            return self._whole(text)
        return _Reading(self._messages, self._templates, self._terms).best(text, DEPTH)[1]

    def _whole(self, text: str) -> str:
        body = text.strip()
        return text.replace(body, self._messages[body]) if body in self._messages else text


Told = tuple[int, str]
"""How many letters of a text the catalogue knows, and its translation."""


class _Reading:
    """Reads one text in the way that the catalogue knows most of."""

    def __init__(self, messages: Mapping[str, str], templates: Sequence[Template], terms: Mapping[str, str]) -> None:
        self._messages, self._templates, self._terms = messages, templates, terms
        self._known: dict[tuple[str, int], Told] = {}

    def best(self, text: str, depth: int) -> Told:
        body = text.strip()
        if (body, depth) not in self._known:
            self._known[body, depth] = (0, body) if len(self._known) > MOST else self._read(body, depth)
        weight, told = self._known[body, depth]
        return weight, text.replace(body, told, 1) if body else text

    def _read(self, text: str, depth: int) -> Told:
        if text in self._messages:
            return len(text), self._messages[text]
        if " " not in text or not depth or (len(text) > LONGEST and depth < DEPTH):
            return 0, text
        ways = [*self._by_parts(text, depth - 1), *self._by_templates(text, depth - 1)]
        return max(ways, key=lambda way: way[0], default=(0, text))

    def _by_templates(self, text: str, depth: int) -> Iterator[Told]:
        lines = "\n" in text
        for template in self._templates:
            if lines and not template.has_lines:
                continue
            contents = template.contents(text)
            if contents is not None:
                inner = [self._filling(template, gap, content, depth) for gap, content in enumerate(contents)]
                yield template.weight + sum(weight for weight, _ in inner), template.filled([told for _, told in inner])

    def _filling(self, template: Template, gap: int, content: str, depth: int) -> Told:
        if gap in template.terms and content in self._terms:
            return 0, self._terms[content]
        return (0, content) if template.quoted[gap] or " " not in content.strip() else self.best(content, depth)

    def _by_parts(self, text: str, depth: int) -> Iterator[Told]:
        """Lines, members of a list, or what follows a name and a colon, each on its own."""
        if len(text) > LONGEST and "\n" not in text:
            return
        head, colon, rest = text.partition(": ")
        if colon and "\n" not in head:
            yield self._joined([head, rest], ": ", depth)
        if "\n" in text:
            yield self._joined(text.split("\n"), "\n", depth + 1)
            return
        members = self._joined(text.split(LIST), "；", depth, all_known=True)
        if members[0]:
            yield members
        if JOINED.fullmatch(text):
            yield 1, re.sub(r" (and|and no|and the) ", " と ", text).replace(" or ", " または ")

    def _joined(self, parts: list[str], joint: str, depth: int, all_known: bool = False) -> Told:
        if len(parts) < 2:
            return 0, parts[0]
        told = [self.best(part, depth) for part in parts]
        if all_known and not all(weight for weight, _ in told):
            return 0, joint.join(parts)
        return sum(weight for weight, _ in told), joint.join(words for _, words in told)

"""Finds the translation of a text among templates, and leaves everything that was filled in as it is.

A template is an English text with `{}` where something is filled in, or `{!r}` where it is filled in with quotation marks. Its
translation has `{}`, too, or `{0}`, `{1}` and so on in another order; `{!t}` or `{0!t}` where a term such as `qi` is told with
its meaning, `{!m}` or `{0!m}` where a text of ours is filled in, which is translated as well, and `{!p}` or `{0!p}` where a
place is filled in such as `FILE, line 3`. All other braces are text.

Where a value ends is not written in a text. If it can be read in several ways, and the translation of one would not show what
is filled in by another one, the text stays English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from icefire.words.width import columns

PLACE = re.compile(r"\{(!r)?\}")
FILLED = re.compile(r"\{(\d*)(?:![tmp])?\}")
MARKED = re.compile(r"\{(\d*)(?:!([tmp]))?\}")
STRING = re.compile(r"(?<![\w\\])'(?:[^'\\]|\\.)*'(?!\w)", re.DOTALL)
SPLITTING = re.compile(r"[\s:;,]")
"""What a value in quotation marks is hidden for: it might be taken for a part of a message."""
TOKEN = re.compile("\ue000\\d+\ue001")
QUOTES, BRACKETS = ("'", '"'), {"(": ")", "[": "]", "{": "}", "\ue000": "\ue001"}
LIST = "; "
"""What stands between the members of a list of texts."""
TRIES = 200
"""Splits of a text that are tried for a template."""
LONGEST = 2_000
"""Characters of a part of a text that is looked up."""
DEPTH, MOST = 7, 2_000
"""How deep texts are looked for inside texts, and how many in all."""

Span = tuple[int, int]


class Unclear(Exception):
    """There are too many ways to read a text."""


class Template:
    """A text with gaps, and its translation."""

    def __init__(self, english: str, translation: str) -> None:
        pieces = PLACE.split(english)
        self.literals, self.quoted = pieces[::2], [mark is not None for mark in pieces[1::2]]
        self.translation = translation
        marks = {int(place or order): mark for order, (place, mark) in enumerate(MARKED.findall(translation))}
        self.terms = {gap for gap, mark in marks.items() if mark == "t"}
        self.texts = {gap for gap, mark in marks.items() if mark == "m"}
        self.places = {gap for gap, mark in marks.items() if mark == "p"}
        self.weight = sum(map(len, self.literals))
        self.longest = max(self.literals, key=len)
        self.has_lines = any("\n" in literal for literal in self.literals)

    def contents(self, text: str) -> list[str] | None:
        """What fills the gaps in a text, or None if it is another text."""
        spans = next(self.splits(text), None)
        return None if spans is None else [text[start:end] for start, end in spans]

    def splits(self, text: str) -> Iterator[list[Span]]:
        """Where the gaps of a text may be, in every way; `Unclear` if there are too many."""
        if self.longest not in text or not text.startswith(self.literals[0]) or not text.endswith(self.literals[-1]):
            return iter(())
        end = len(text) - len(self.literals[-1])
        return self._splits(text, 0, len(self.literals[0]), end, [TRIES])

    def _splits(self, text: str, gap: int, start: int, end: int, tries: list[int]) -> Iterator[list[Span]]:
        """The places of the gaps from `gap` on."""
        if start > end:
            return
        if gap == len(self.quoted) - 1:
            if self._fits(gap, text[start:end]):
                yield [(start, end)]
            return
        literal, at = self.literals[gap + 1], start - 1
        while (at := text.find(literal, at + 1, end)) >= 0:
            tries[0] -= 1
            if tries[0] < 0:
                raise Unclear
            if self._fits(gap, text[start:at]):
                rests = self._splits(text, gap + 1, at + len(literal), end, tries)
                yield from ([(start, at), *rest] for rest in rests)

    def _fits(self, gap: int, content: str) -> bool:
        """Whether a gap for a value in quotation marks holds one: a string, a list, or a word such as a number."""
        if not self.quoted[gap]:
            # Apostrophes of two values may look like a value in quotation marks.
            return gap in self.texts | self.places or not TOKEN.search(content)
        first, last = content[:1], content[-1:]
        if first in QUOTES:
            return len(content) > 1 and last == first and first not in content[1:-1].replace(f"\\{first}", "")
        return bool(content) and (BRACKETS.get(first) == last or not any(map(str.isspace, content)))

    def filled(self, contents: Sequence[str]) -> str:
        """The translation with its gaps filled. Blanks set off foreign words, and not Japanese ones from each other."""
        pieces = FILLED.split(self.translation)
        order = [int(place or number) for number, place in enumerate(pieces[1::2])]
        values = ["", *(contents[gap] for gap in order), ""]
        literals = [_set(*near) for near in zip(values, pieces[::2], values[1:], strict=False)]
        return "".join(part for pair in zip(literals, values[1:], strict=True) for part in pair)


def _set(before: str, literal: str, after: str) -> str:
    """The words between two values, without blanks between Japanese ones. Blanks of values stay."""
    if literal.startswith(" ") and _wide(before[-1:]) and _wide((literal + after)[1:2]):
        literal = literal[1:]
    if literal.endswith(" ") and _wide((before + literal)[-2:-1]) and _wide(after[:1]):
        literal = literal[:-1]
    return literal


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
        values: list[str] = []
        hidden = self._hide(text, values)
        told = self._read(hidden)
        if values and told == hidden:
            return self._read(text)
        return TOKEN.sub(lambda token: values[int(token[0][1:-1])], told)

    def _hide(self, text: str, values: list[str]) -> str:
        """The text with a single word in place of each value in quotation marks that could be taken for a part of a message."""
        if TOKEN.search(text):
            return text

        def word(string: re.Match[str]) -> str:
            if not SPLITTING.search(string[0]) or string[0] in self._strings:
                return string[0]
            values.append(string[0])
            return f"\ue000{len(values) - 1}\ue001"

        return STRING.sub(word, text)

    @cached_property
    def _strings(self) -> set[str]:
        """What stands in quotation marks in texts of ours."""
        return {string for text in self._messages for string in STRING.findall(text)}

    def _read(self, text: str) -> str:
        return _Reading(self._messages, self._templates, self._terms).best(text, DEPTH).words

    def _whole(self, text: str) -> str:
        body = text.strip()
        return text.replace(body, _unmarked(self._messages[body])) if body in self._messages else text


def _unmarked(translation: str) -> str:
    """The translation of a template that stands for itself, for others to fill."""
    return MARKED.sub(r"{\1}", translation)


class Told(NamedTuple):
    """A translation, how many letters of the text the catalogue knows, and where values lie in it."""

    weight: int
    words: str
    values: tuple[Span, ...]


Match = tuple[Template, list[list[Span]]]
"""A template, and where its gaps may be."""


class _Reading:
    """Reads one text in the way that the catalogue knows most of."""

    def __init__(self, messages: Mapping[str, str], templates: Sequence[Template], terms: Mapping[str, str]) -> None:
        self._messages, self._templates, self._terms = messages, templates, terms
        self._known: dict[tuple[str, int], Told] = {}

    def best(self, text: str, depth: int) -> Told:
        if (text, depth) not in self._known:
            too_many = len(self._known) > MOST
            self._known[text, depth] = _unknown(text) if too_many else self._indented(text, depth)
        return self._known[text, depth]

    def _indented(self, text: str, depth: int) -> Told:
        """Blanks before a text and empty lines behind it stay there."""
        body = text.strip()
        end = text.rstrip("\n") if body else text
        start = len(end) - len(end.lstrip())
        told = self._read(end[start:], depth) if body else _unknown(text)
        first = next((span for span in told.values if span[0] == 0), None)
        if start and first and not told.words.startswith(end[start : start + first[1]]):
            # The blanks may belong to a value, which no longer comes first.
            return _unknown(text)
        return Told(told.weight, text[:start] + told.words + text[len(end) :], _moved(told.values, start))

    def _read(self, text: str, depth: int) -> Told:
        if text in self._messages:
            return Told(len(text), _unmarked(self._messages[text]), ())
        if " " not in text or not depth or (len(text) > LONGEST and depth < DEPTH):
            return _unknown(text)
        try:
            matches = [(template, list(template.splits(text))) for template in self._candidates(text)]
            ways = [
                *self._by_members(text, depth - 1),
                *(self._by_template(template, spans[0], text, depth - 1) for template, spans in matches if spans),
                *self._by_parts(text, depth - 1),
            ]
            best = max(ways, key=lambda way: way.weight, default=_unknown(text))
            return best if best.weight and self._shows_all(text, best, matches, depth - 1) else _unknown(text)
        except Unclear:
            return _unknown(text)

    def _candidates(self, text: str) -> Iterator[Template]:
        """No value has several lines."""
        return (template for template in self._templates if template.has_lines or "\n" not in text)

    def _by_template(self, template: Template, spans: Sequence[Span], text: str, depth: int) -> Told:
        inner = self._fillings(template, spans, text, depth)
        values = [span for told, (start, _) in zip(inner, spans, strict=True) for span in _moved(told.values, start)]
        weight = template.weight + sum(told.weight for told in inner)
        return Told(weight, template.filled([told.words for told in inner]), tuple(values))

    def _fillings(self, template: Template, spans: Sequence[Span], text: str, depth: int) -> list[Told]:
        return [self._filling(template, gap, text[slice(*span)], depth) for gap, span in enumerate(spans)]

    def _filling(self, template: Template, gap: int, content: str, depth: int) -> Told:
        if gap in template.terms and content in self._terms:
            return Told(0, self._terms[content], ())
        if gap in template.places:
            return self._place(content, depth)
        return self.best(content, depth) if gap in template.texts else _unknown(content)

    def _place(self, text: str, depth: int) -> Told:
        """A name, behind which there may be a line or a column."""
        told = self.best(text, depth)
        is_place = told.values and told.values[0][0] == 0 and text.startswith(", ", told.values[0][1])
        return told if is_place else _unknown(text)

    def _by_parts(self, text: str, depth: int) -> Iterator[Told]:
        """Lines, or what follows a name and a colon, each on its own."""
        if len(text) > LONGEST and "\n" not in text:
            return
        head, colon, rest = text.partition(": ")
        if colon and "\n" not in head:
            told = _joined([self._place(head, depth), self.best(rest, depth)], [head, rest], ": ")
            # The colon may be one of a name.
            yield told._replace(values=(*told.values, (len(head), len(head) + len(colon))))
        if "\n" in text:
            lines = text.split("\n")
            yield _joined([self.best(line, depth + 1) for line in lines], lines, "\n")

    def _by_members(self, text: str, depth: int) -> Iterator[Told]:
        """The members of a list of texts, if all are known."""
        members = [] if "\n" in text or len(text) > LONGEST else text.split(LIST)
        told = [self.best(member, depth) for member in members] if len(members) > 1 else []
        if told and all(member.weight for member in told):
            yield _joined(told, members, LIST, "；")

    def _shows_all(self, text: str, best: Told, matches: Sequence[Match], depth: int) -> bool:
        """Whether the translation holds the values of every other way to read the text, too.

        Ways that differ in our own words alone, and would do so whatever was filled in, do not count.
        """
        others = [(template, spans) for template, splits in matches for spans in splits]
        for template, spans in others:
            if _cut(best.values, _between(spans, len(text))):
                told = enumerate(self._fillings(template, spans, text, depth))
                # A text of ours that the catalogue does not know is none.
                parts = [one.words for gap, one in told if one.weight or gap not in template.texts]
                if not _holds(best.words, parts):
                    return False
        return True


def _holds(text: str, parts: Sequence[str]) -> bool:
    """Whether the parts are in a text, each in a place of its own."""
    for part in sorted(filter(None, parts), key=len, reverse=True):
        if part not in text:
            return False
        text = text.replace(part, "\0", 1)
    return True


def _unknown(text: str) -> Told:
    return Told(0, text, ((0, len(text)),))


def _moved(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    return tuple((start + by, end + by) for start, end in spans)


def _between(spans: Sequence[Span], length: int) -> list[Span]:
    """Where the words around gaps lie."""
    edges = [0, *(edge for span in spans for edge in span), length]
    return [(start, end) for start, end in list(pairwise(edges))[::2] if start < end]


def _cut(values: Sequence[Span], words: Sequence[Span]) -> bool:
    """Whether one of the words lies in a value."""
    return any(start < last and first < end for start, end in values for first, last in words)


def _joined(told: Sequence[Told], parts: Sequence[str], joint: str, with_joint: str | None = None) -> Told:
    start = 0
    values: list[Span] = []
    for one, part in zip(told, parts, strict=True):
        values += _moved(one.values, start)
        start += len(part) + len(joint)
    words = (joint if with_joint is None else with_joint).join(one.words for one in told)
    return Told(sum(one.weight for one in told), words, tuple(values))

"""The code blocks of a Markdown page."""

from __future__ import annotations

import re
from dataclasses import dataclass

FENCE = re.compile(r"^ {0,3}```(\w*)\s*$")
NOTE = re.compile(r"^<!--\s*(.*?)\s*-->$")
LIST_ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s")


@dataclass(frozen=True)
class Block:
    """A block of code: its language ("" if it is indented only), its text, its first line, and the comment above it."""

    language: str
    code: str
    line: int
    note: str = ""


def blocks(text: str) -> list[Block]:
    """All blocks of a page in their order, fenced or indented by four spaces.

    Example:
        >>> for block in blocks("Run\\n\\n    icefire list\\n\\n<!-- not run: a server -->\\n```sh\\nicefire contest\\n```\\n"):
        ...     print(block)
        Block(language='', code='icefire list\\n', line=3, note='')
        Block(language='sh', code='icefire contest\\n', line=7, note='not run: a server')
    """
    found: list[Block] = []
    lines, at, note, in_list = text.splitlines(), 0, "", False
    while at < len(lines):
        line = lines[at]
        if fence := FENCE.match(line):
            end = next((i for i in range(at + 1, len(lines)) if lines[i].strip() == "```"), len(lines))
            indent = len(line) - len(line.lstrip())
            code = "".join(
                f"{row[indent:] if row[:indent].isspace() or not indent else row}\n" for row in lines[at + 1 : end]
            )
            found.append(Block(fence[1], code, at + 2, note))
            at, note = end + 1, ""
            continue
        indented = line.startswith("    ") and not in_list and (at == 0 or not lines[at - 1].strip())
        if indented:
            end = at
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            code = "\n".join(row[4:] for row in lines[at:end]).rstrip() + "\n"
            found.append(Block("", code, at + 1, note))
            at, note = end, ""
            continue
        if comment := NOTE.match(line.strip()):
            note = comment[1]
        elif line.strip():
            note = ""
            in_list = bool(LIST_ITEM.match(line)) or (in_list and line.startswith("  "))
        at += 1
    return found

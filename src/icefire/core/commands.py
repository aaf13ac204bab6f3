"""Commands that are proposed to people."""

from __future__ import annotations

import shlex
from collections.abc import Sequence


def shell_command(words: Sequence[str]) -> str:
    """A command to be pasted into a shell, with as few quotation marks as possible.

    >>> print(shell_command(["icefire", "anonymize", "conceal(trim='people')", "--out", "DIR"]))
    icefire anonymize "conceal(trim='people')" --out DIR
    """
    return " ".join(
        f'"{word}"' if shlex.quote(word) != word and not set(word) & set('"$`\\!') else shlex.quote(word)
        for word in words
    )

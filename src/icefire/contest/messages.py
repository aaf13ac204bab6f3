"""Messages between the operator and the teams: announcements, questions and answers."""

from __future__ import annotations

import secrets
import unicodedata

from icefire.contest.errors import NotFound, refuse_if
from icefire.contest.events.base import Event
from icefire.contest.events.messages import Announced, QuestionAnswered, QuestionAsked
from icefire.contest.state import State
from icefire.contest.store import Store
from icefire.contest.teams import require_team
from icefire.core.errors import DataError

LONGEST = 1_000
"""Characters of a message."""
MOST = 5
"""Questions of a team that may wait for an answer."""


class Messages:
    """What the operator and the teams tell each other."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def announce(self, text: str, who: str) -> None:
        """Tell everybody."""
        event = Announced(text=_checked(text))
        self._store.append(lambda _: [(who, event)], urgent=True)

    def ask(self, team: str, text: str) -> str:
        """Ask the operator, and return the id of the question."""
        question, asked = secrets.token_hex(4), _checked(text)

        def entries(state: State) -> list[tuple[str, Event]]:
            require_team(state, team)
            waiting = sum(other.team == team and other.answer is None for other in state.questions.values())
            refuse_if(waiting >= MOST, f"{MOST} questions of this team wait for an answer")
            return [(f"team:{team}", QuestionAsked(question=question, team=team, text=asked))]

        self._store.append(entries)
        return question

    def answer(self, question: str, text: str, to_all: bool, who: str) -> None:
        """Answer a question, to the team alone or to everybody."""
        event = QuestionAnswered(question=question, text=_checked(text), to_all=to_all)

        def entries(state: State) -> list[tuple[str, Event]]:
            if question not in state.questions:
                raise NotFound(f"there is no question {question!r}")
            refuse_if(
                state.questions[question].answer is not None, "this question is answered already: announce the rest"
            )
            return [(who, event)]

        self._store.append(entries, urgent=True)


def _checked(text: str) -> str:
    stripped = text.strip()
    if not 1 <= len(stripped) <= LONGEST:
        raise DataError(f"a message has 1 to {LONGEST} characters")
    if any(unicodedata.category(letter) in ("Cc", "Cs") and letter not in "\n\r\t" for letter in stripped):
        raise DataError("a message has no control characters")
    return stripped

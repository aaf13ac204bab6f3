"""Events of announcements, questions and answers. The freeze does not hold them back."""

from __future__ import annotations

from dataclasses import replace

from icefire.contest.events.base import Event
from icefire.contest.state import Announcement, Question, State


class Announced(Event):
    """The operator tells everybody something."""

    log_name = "announced"
    text: str

    def apply(self, state: State) -> State:
        return replace(state, announcements=(*state.announcements, Announcement(state.at, self.text)))


class QuestionAsked(Event):
    """A team asks the operator."""

    log_name = "question_asked"
    question: str
    """Its id."""
    team: str
    text: str

    def apply(self, state: State) -> State:
        asked = Question(self.question, self.team, self.text, state.at)
        return replace(state, questions={**state.questions, asked.id: asked})


class QuestionAnswered(Event):
    """The operator answers, to the team alone or to everybody."""

    log_name = "question_answered"
    question: str
    text: str
    to_all: bool

    def apply(self, state: State) -> State:
        asked = replace(state.questions[self.question], answer=self.text, answered_at=state.at)
        told = Announcement(state.at, self.text, asked.text)
        return replace(
            state,
            questions={**state.questions, asked.id: asked},
            announcements=(*state.announcements, told) if self.to_all else state.announcements,
        )

"""Announcements, questions and answers: who hears what, also behind the freeze."""

from __future__ import annotations

import pytest

from contest.toy_contest import Toy
from icefire.contest.errors import NotFound, NotNow
from icefire.contest.messages import MOST
from icefire.core.errors import DataError


def test_announcements_reach_everybody_behind_the_freeze(toy: Toy) -> None:
    toy.reach(1)
    toy.contest.schedule.freeze("op", "early")
    before = toy.board("public")
    toy.contest.messages.announce("  Lunch is at noon. ", "operator:mai")
    for viewer in ("public", "operator", "team:ann"):
        (told,) = toy.board(viewer)["announcements"]
        assert (told["text"], told["question"]) == ("Lunch is at noon.", None)
    assert {**toy.board("public"), "announcements": []} == before, "and nothing else changes"
    entry = toy.contest.log()[-1]
    assert (entry.what, entry.who) == ("announced", "operator:mai")


def test_an_answer_goes_to_the_team_or_to_all(toy: Toy) -> None:
    messages = toy.contest.messages
    first, second = messages.ask("ann", "May rows be left out?"), messages.ask("ann", "Is our file too large?")
    assert [asked["answer"] for asked in toy.board("team:ann")["own"]["questions"]] == [None, None]
    messages.answer(second, "No.", False, "operator:mai")
    assert toy.board("public")["announcements"] == []
    messages.answer(first, "Yes.", True, "operator:mai")
    (told,) = toy.board("public")["announcements"]
    assert (told["question"], told["text"]) == ("May rows be left out?", "Yes.")
    assert "ann" not in str(told), "the public does not hear who has asked"
    assert [asked["answer"] for asked in toy.board("team:ann")["own"]["questions"]] == ["Yes.", "No."]
    assert toy.board("team:bob")["own"]["questions"] == []
    assert [asked["team"] for asked in toy.board("operator")["questions"]] == ["ann", "ann"]
    assert "questions" not in toy.board("public")
    with pytest.raises(NotNow, match="answered already"):
        messages.answer(first, "No.", False, "operator:mai")
    with pytest.raises(NotFound, match="there is no question 'ffffffff'"):
        messages.answer("ffffffff", "No.", False, "operator:mai")


def test_questions_are_bounded(toy: Toy) -> None:
    for text in ("", "   ", "x" * 1001):
        with pytest.raises(DataError, match="1 to 1000 characters"):
            toy.contest.messages.ask("ann", text)
    for number in range(MOST):
        toy.contest.messages.ask("ann", f"Question {number}?")
    with pytest.raises(NotNow, match="wait for an answer"):
        toy.contest.messages.ask("ann", "And another one?")
    toy.contest.messages.ask("bob", "Mine?")

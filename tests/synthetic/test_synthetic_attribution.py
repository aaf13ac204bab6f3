"""Chances of hidden values, by hand and against slow, obvious code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.errors import DataError, UnknownName
from icefire.core.seeds import generator
from icefire.synthetic.attack.attribution import Attribution
from icefire.synthetic.data import Guess, People, Release, Schema
from icefire.synthetic.formats.ours import Ours
from icefire.synthetic.hits import found
from icefire.synthetic.safety.attribute_advantage import AttributeAdvantage

HIDDEN = Schema(hidden=["ill"])
MEMBERS = pl.DataFrame({"a": ["p", "p", "p", "q"], "b": ["u", "u", "v", "v"], "ill": ["x", "y", "x", "y"]})
OTHERS = pl.DataFrame({"a": ["p", "r"], "b": ["u", "v"], "ill": ["x", "x"]})
PEOPLE = People(MEMBERS, OTHERS, HIDDEN)


def test_correct_attribution_probability_by_hand() -> None:
    guess = Attribution().attack(MEMBERS, PEOPLE.known("facts"), generator(0))
    assert guess.values is not None
    told = dict(
        zip(PEOPLE.candidates.select("a", "b").rows(), guess.values.select("ill=x", "ill=y").rows(), strict=True)
    )
    # Nobody in the release is (r, v). The column a tells more about the illness than b does, but nobody has r at all, so that
    # the whole release is left: of four, two have x.
    assert told == {("p", "u"): (0.5, 0.5), ("p", "v"): (1.0, 0.0), ("q", "v"): (0.0, 1.0), ("r", "v"): (0.5, 0.5)}
    score = AttributeAdvantage().measure(Release(PEOPLE, MEMBERS), guess)
    p, q = (0.5 + 0.5 + 1 + 1) / 4, (0.5 + 0.5) / 2
    assert (score.detail["members"], score.detail["others"]) == (p, q)
    assert score.value == pytest.approx((p - q) / (1 - q))
    assert sorted(found(Release(PEOPLE, MEMBERS), guess)) == [0.5, 0.5, 0.5, 0.5, 1.0, 1.0]


def test_shares_are_those_of_the_matching_rows() -> None:
    rng = np.random.default_rng(1)
    table = pl.DataFrame({name: rng.choice(np.array(["x", "y", "z", None]), 120) for name in ("a", "b", "ill")})
    people = People(table[:80], table[80:], HIDDEN)
    guess = Attribution().attack(people.members, people.known("facts"), rng)
    assert guess.values is not None
    for candidate, told in zip(people.candidates.rows(named=True), guess.values.rows(named=True), strict=True):
        rows = [
            row for row in people.members.rows(named=True) if (row["a"], row["b"]) == (candidate["a"], candidate["b"])
        ]
        if rows:
            assert told == {f"ill={t}": pytest.approx(sum(r["ill"] == t for r in rows) / len(rows)) for t in "xyz"}


def test_numbers_are_inferred_as_medians() -> None:
    table = pl.DataFrame({"a": ["p", "p", "p", "q"], "pay": [1.0, 2.0, 9.0, None]})
    people = People(table, table, Schema(hidden=["pay"]))
    guess = Attribution().attack(table, people.known("facts"), generator(0))
    assert guess.values is not None
    assert set(zip(people.candidates["a"], guess.values["pay"], strict=True)) == {("p", 2.0), ("q", None)}


def test_chances_are_checked_and_written(tmp_path: Path) -> None:
    known = PEOPLE.knowledge
    guess = Guess(values=pl.DataFrame({"ill=x": [0.25] * 6, "ill=y": [0.75] * 6}))
    guess.check(MEMBERS, known)
    path = tmp_path / "guess-cap.csv"
    Ours().write_guess(guess, path, MEMBERS, known)
    again = Ours().read_guess(path, MEMBERS, known)
    assert again.values is not None
    assert guess.values is not None
    assert again.values.equals(guess.values)
    for wrong in ([-0.1] * 6, [0.8] * 6, [float("nan")] * 6):
        with pytest.raises(DataError, match="chances of 'ill'"):
            Guess(values=pl.DataFrame({"ill=x": wrong, "ill=y": [0.75] * 6})).check(MEMBERS, known)
    with pytest.raises(UnknownName, match="'il'"):
        Guess(values=pl.DataFrame({"il": ["x"] * 6})).check(MEMBERS, known)

"""The rules that teams read are those of the contest's file, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contest.toy_contest import Toy
from icefire.contest.config import Config
from icefire.contest.configfile import load_config
from icefire.contest.reidentification import Reidentification
from icefire.contest.rulebook import rulebook
from icefire.core.registry import Registry
from icefire.words import translated

NAMES = ["demo", *(f"pwscup{year}" for year in range(2015, 2020))]


def rules(config: Config) -> dict[str, list[tuple[str, str]]]:
    book = rulebook(Reidentification(Registry(), config))
    return {part["heading"]: [(rule["term"], rule["rule"]) for rule in part["rules"]] for part in book["sections"]}


def test_bounds_limits_formula_and_prizes_of_2019() -> None:
    found = rules(load_config(Path("pwscup2019")))
    assert [term for term, _ in found["What a release has to reach"]] == ["idp: closeness>=0.7", "trp: closeness>=0.7"]
    assert ("team000", "a release of the committee, which everybody attacks and which is not ranked") in found[
        "Data and files"
    ]
    totals = found["How totals are made"]
    assert totals[0] == ("", "the sum over the sets of what the strongest attack has left; the largest wins")
    assert ("final", "this round has the weight 9") in totals
    assert ("Attack by ID disclosure", "for the best attacker in identity") in found["The prizes"]
    assert ("1", "scored answers per target and round; the strongest counts") in found["What one may send"]
    assert ("etableNAME.csv, etracesNAME.csv", "the files of an answer") in found["Data and files"]


def test_files_that_may_be_left_out() -> None:
    files = rules(load_config(Path("pwscup2016")))["Data and files"]
    assert ("published-master.csv", "of these, the files that may be left out") in files
    assert not any("left out" in rule for _, rule in rules(load_config(Path("demo")))["Data and files"])


def test_rounds_with_rules_of_their_own() -> None:
    config = load_config(Path("demo"))
    plan = config.rounds[0].model_copy(update={"scoring": config.scoring.model_copy(update={"feedback": "none"})})
    totals = rules(config.model_copy(update={"rounds": (plan,)}))["How totals are made"]
    assert totals[0][0] == plan.name
    assert ("", "scores of answers are shown when the attack has closed") in totals


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_is_said_in_japanese(name: str) -> None:
    found = rules(load_config(Path(name)))
    texts = [*found, *(text for entries in found.values() for _, text in entries if text)]
    assert [text for text in texts if not re.search(r"[ぁ-んァ-ヶ一-龠]", translated(text, "ja"))] == []


def test_other_games_have_rules_too(toy: Toy) -> None:
    assert rulebook(toy.contest.game())["sections"]


def test_a_team_sees_its_scores_after_the_phase(toy: Toy) -> None:
    toy.reach(1)
    toy.release("ann", 0.9)
    toy.reach(66)
    upload = toy.guess("bob", "ann", 0.8)
    toy.reach(67)

    def told() -> object:
        own = toy.board("team:bob")["own"]["uploads"]
        return next(each["measures"] for each in own if each["upload"] == upload)

    assert told() == {}
    toy.reach(126)
    assert told() == {"t": {**toy.contest.state().uploads[upload].measures["t"].as_dict()}}

"""What was not attacked to the end is never called safe, whoever asks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import icefire
from icefire.cli.main import icefire as command
from icefire.core.attackers import Attacker
from icefire.core.budget import Budget
from icefire.core.errors import TooLarge
from icefire.core.formats import RECIPE
from icefire.core.registry import Registry
from icefire.evaluation.runs import Status, judge_runs, run_attacks
from icefire.evaluation.tuning import Requirement, Tuner
from icefire.history.attack import _records, informed, record_matching, shadow
from icefire.history.examples import example
from icefire.history.gate import judge
from icefire.microdata.attack.euclid import Euclid
from icefire.microdata.safety.re_identification import ReIdentification


@pytest.fixture
def table() -> icefire.front.Data:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"town": rng.choice(["a", "b"], 200), "ill": rng.choice(["no", "yes"], 200)})
    return icefire.table(frame, qi=["town"], sa=["ill"])


def refuse(*_: object) -> None:
    raise TooLarge("more than 30 pairs of a row and a person")


def test_python_says_yes_where_every_attack_was_made(table: icefire.front.Data) -> None:
    findings = table.anonymize("mondrian(k=50)", seed=1).attack()
    assert findings.decision(0.5) == "release"
    assert findings.answer(0.5).startswith("Release to everybody.")


def test_an_attack_that_refuses_is_not_finished(table: icefire.front.Data, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Euclid, "attack", refuse)
    findings = table.anonymize("mondrian(k=50)", seed=1).attack()
    refused = [run for run in findings.runs if run.status is Status.REFUSED]
    assert {run.attack.name for run in refused} == {"euclid"}
    assert all(run.incomplete for run in refused)
    assert findings.decision(0.5) == "inconclusive"
    answer = findings.answer(0.5)
    assert answer.startswith("Cannot say yet. ")
    assert "more than 30 pairs of a row and a person" in answer
    # It is not hidden by a refusal that too much was re-identified.
    assert findings.decision(0.001) == "do_not_release"


def test_python_with_a_budget_that_is_too_small_says_no_answer_yet() -> None:
    purchases = icefire.records(example(12, 6).frame, price="price", quantity="quantity")
    release = purchases.anonymize("pseudonyms", seed=1)
    with Budget(minutes=1e-9).spent():
        findings = release.attack(attacker="all")
    assert any(run.status is Status.REFUSED for run in findings.runs)
    assert findings.decision(1.0) == "inconclusive"


def test_a_guess_that_cannot_be_judged_is_no_yes(table: icefire.front.Data, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("Unable to allocate 9 TB")

    release = table.anonymize("mondrian(k=50)", seed=1)
    monkeypatch.setattr(ReIdentification, "measure", fail)
    runs = judge_runs(
        Registry().kind("microdata"), [ReIdentification()], release.secret, release.attack("euclid", attacker="qi").runs
    )
    assert [(run.incomplete, run.reason) for run in runs] == [(True, "Unable to allocate 9 TB")]


def test_attacks_that_were_not_asked_for_are_not_made(table: icefire.front.Data) -> None:
    findings = table.anonymize("mondrian(k=50)", seed=1).attack("euclid", attacker="qi")
    assert findings.decision(0.5) == "inconclusive"
    assert f"1 of {findings.attacked.planned} attacks were made" in findings.answer(0.5)


def test_attackers_who_do_not_know_the_method_are_not_enough(table: icefire.front.Data) -> None:
    findings = table.anonymize("mondrian(k=50)", seed=1).attack(method_known=False)
    assert findings.decision(0.5) == "inconclusive"
    assert "attackers who know how it was made were not tried" in findings.answer(0.5)


def test_a_release_without_recipe_is_no_clean_yes(table: icefire.front.Data, tmp_path: Path) -> None:
    table.anonymize("mondrian(k=50)", seed=1).save(tmp_path)
    words = ["redteam", "microdata", "--in", str(tmp_path), "--max-risk", "0.5", "--json"]
    known = CliRunner().invoke(command, words)
    assert (known.exit_code, json.loads(known.stdout)["answer"]["decision"]) == (0, "release")
    (tmp_path / RECIPE).unlink()
    lost = CliRunner().invoke(command, words)
    assert (lost.exit_code, json.loads(lost.stdout)["answer"]["decision"]) == (3, "inconclusive")
    shown = CliRunner().invoke(command, words[:-1]).stdout
    assert shown.startswith("Cannot say yet.")
    assert "attackers who know how it was made were not tried" in shown


def test_attacks_on_histories_refuse_by_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_records, "MOST", 1)
    monkeypatch.setattr(shadow, "MOST", 1)
    registry = Registry()
    original = registry.make("history", "dataset", "purchases(n=20)").generate(np.random.default_rng(0))
    steps = (registry.make("history", "anonymize", "pseudonyms"),)
    release = steps[0].anonymize(original, np.random.default_rng(0))
    attacker = Attacker(original, "all", steps)
    named = [record_matching.RecordMatching.name, informed.Informed.name, shadow.Shadow.name]
    runs = run_attacks(registry, registry.kind("history"), release.published, attacker, 0, named)
    assert [run.status for run in runs] == [Status.REFUSED] * 3


def test_the_gate_lets_nothing_out_that_was_not_attacked(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = Registry()
    steps = Registry().make("history", "anonymize", "pseudonyms")
    release = steps.anonymize(example(12, 6), np.random.default_rng(0))
    everything = release.until(1)
    new = tuple(everything.original.periods.labels[:1])
    passed = judge(registry, [], everything, new, 1.0, 0, lambda _: None)
    assert (passed.passes, passed.unfinished) == (True, "")
    monkeypatch.setattr(_records, "MOST", 0)
    open_ = judge(registry, [], everything, new, 1.0, 0, lambda _: None)
    assert not open_.passes
    assert "did not come to their end" in open_.unfinished


def test_tune_proposes_nothing_that_was_not_attacked(
    table: icefire.front.Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Euclid, "attack", refuse)
    registry = Registry()
    kind = registry.kind("microdata")
    wanted = Requirement.parse("re_identification<=0.5", registry, kind)
    tuner = Tuner(registry, kind, [wanted], 0, lambda _: None, "qi")
    steps = (registry.make("microdata", "anonymize", "mondrian(k=50)"),)
    trial = tuner._judge(steps, table.original, stop_early=False)
    assert trial.stopped == "euclid: more than 30 pairs of a row and a person"

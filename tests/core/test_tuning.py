"""The search for the safest release that is good enough."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from icefire.cli.main import icefire
from icefire.core.attackers import Attacker
from icefire.core.budget import Budget
from icefire.core.errors import InputError, UnknownName
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.core.suite import judge_runs, run_attacks, worst_cases
from icefire.core.tuning import Requirement, Trial, Tuner
from icefire.datasets.households import Households
from icefire.datasets.walks import Walks
from icefire.microdata.anonymize.conceal import Conceal
from icefire.microdata.examples import example

REGISTRY = Registry()
TRACE = REGISTRY.kind("trace")


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("utility", InputError, "write a metric and a bound, like utility>=0.7"),
        ("utility>=1.2.3", InputError, "write a metric and a bound, like utility>=0.7"),
        ("utility>0.7", InputError, "write a metric and a bound, like utility>=0.7"),
        ("utility>=1e999", InputError, "write a metric and a bound, like utility>=0.7"),
        ("closenes>=0.7", UnknownName, "no metric for trace 'closenes'; did you mean 'closeness'"),
    ],
)
def test_requirements_that_cannot_be_read(text: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        Requirement.parse(text, REGISTRY, TRACE)


def test_requirements_take_the_names_of_papers() -> None:
    assert Requirement.parse("s_U >= 0.7", REGISTRY, TRACE).metric == "closeness"
    assert Requirement.parse("min(s_I, s_T)>=0.7", REGISTRY, TRACE).metric == "worst_of_both"


def test_a_requirement_has_to_point_the_right_way() -> None:
    tuner = Tuner(REGISTRY, TRACE, [Requirement.parse("utility<=0.7", REGISTRY, TRACE)])
    with pytest.raises(InputError, match=r"closeness is good when it is higher: write closeness>="):
        tuner.run(Walks(n=20, rows=8, columns=8).generate(generator(0)))


@pytest.mark.slow
def test_what_is_found_holds_against_every_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("block_medoid", "decoys", "krr", "merge_similar", "planar_laplace")
    few = [method for method in REGISTRY.anonymizers("trace") if method.name in names]
    monkeypatch.setattr(Registry, "anonymizers", lambda self, kind: few)
    people = Walks(n=50, days=4, rows=8, columns=8).generate(generator(0))
    requirements = [Requirement.parse(text, REGISTRY, TRACE) for text in ("utility>=0.7", "id_safety>=0.5")]
    tuner = Tuner(REGISTRY, TRACE, requirements, seed=3)
    found = tuner.run(people, people=40)
    assert found is not None
    assert found.people == 50
    assert all(trial.people == 40 for trial in tuner.trials)
    release = Pipeline(found.steps).anonymize(people, generator(3, "anonymize"))
    runs = run_attacks(REGISTRY, TRACE, release.published, Attacker(people.knowledge, method=found.steps), 3)
    metrics = [REGISTRY.make("trace", "safety", name) for name in ("worst_of_both", "id_safety")]
    worst = {case.metric: case.score.value for case in worst_cases(judge_runs(TRACE, metrics, release, runs))}
    assert {name: found.scores[name].value for name in worst} == worst
    assert found.scores["closeness"].value >= 0.7
    assert worst["id_safety"] >= 0.5


@pytest.mark.slow
def test_early_ends_lose_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    kind, people = REGISTRY.kind("microdata"), example().take(range(24))
    requirements = [Requirement.parse("information_loss<=0.5", REGISTRY, kind)]
    quick = Tuner(REGISTRY, kind, requirements, seed=1)
    quick.run(people)
    slow = Tuner(REGISTRY, kind, requirements, seed=1)
    monkeypatch.setattr(slow, "_beaten", lambda trial: "")
    for trial in quick.trials:
        whole = slow._judge(trial.steps, people, stop_early=True)
        if whole.stopped:
            continue
        slow.trials.append(whole)
        if trial.stopped:
            assert trial.stopped.startswith("beaten by")
    assert any(trial.stopped.startswith("beaten by") for trial in quick.trials)
    ours = [(t.label(), t.scores["re_identification"].value) for t in quick.frontier()]
    assert ours == [(t.label(), t.scores["re_identification"].value) for t in slow.frontier()]


def test_microdata_is_tuned_by_its_own_headlines() -> None:
    kind = REGISTRY.kind("microdata")
    tuner = Tuner(REGISTRY, kind, [Requirement.parse("information_loss<=0.5", REGISTRY, kind)], seed=0)
    found = tuner.run(example(), people=40)
    assert found is not None
    assert found.scores["information_loss"].value <= 0.5
    # Tables are searched as a whole: a sample of people would be another crowd.
    assert {trial.people for trial in tuner.trials} == {example().height}


def test_an_attack_that_takes_too_long_is_tried_on_some_rows_of_the_whole_table() -> None:
    kind, people = REGISTRY.kind("microdata"), Households(n=300).generate(generator(0))
    tuner = Tuner(REGISTRY, kind, [], seed=0)
    step = REGISTRY.make("microdata", "anonymize", "pram(keep=0.5)")
    attack = REGISTRY.make("microdata", "attack", "euclid")
    release = Pipeline((step,)).anonymize(people, generator(0, "anonymize"))
    scores = []
    for minutes in (1e-6, 1.0):
        with Budget(minutes).spent():
            trial = tuner._attacked(Trial((step,), 300), attack, release, people)
            scores.append(trial.scores["re_identification"])
    assert [score.detail.get("rows sampled") for score in scores] == [200, None]
    assert scores[0].interval is not None
    assert scores[0].interval.low <= scores[1].value <= scores[0].interval.high


def test_steps_that_take_longer_than_the_budget_are_left_out_and_named() -> None:
    kind, people = REGISTRY.kind("microdata"), example()
    tuner = Tuner(REGISTRY, kind, [], seed=0)
    slow = [step for step in Conceal.variants(people) if step.minutes(people.height) > 1e-4]
    assert slow
    with Budget(1e-4).spent():
        tuner.run(people)
    assert {step.step() for step in slow} <= {shlex.split(label)[0] for label in tuner.left_out}
    assert not any(step in trial.steps for trial in tuner.trials for step in slow)


def test_people_of_a_table_are_not_sampled(tmp_path: Path) -> None:
    run = CliRunner().invoke
    run(icefire, ["data", "microdata", "--n", "20", "--out", str(tmp_path)])
    line = ["tune", "microdata", "--in", str(tmp_path), "--require", "utility<=0.5", "--people", "10"]
    with pytest.raises(InputError, match="a smaller crowd changes the risk"):
        run(icefire, line, catch_exceptions=False)


@pytest.mark.slow
def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = CliRunner().invoke
    few = [method for method in REGISTRY.anonymizers("trace") if method.name in ("krr", "planar_laplace")]
    monkeypatch.setattr(Registry, "anonymizers", lambda self, kind: few)
    run(icefire, ["data", "trace", "--n", "16", "--rows", "6", "--columns", "6", "--out", str(tmp_path)])
    line = ["tune", "trace", "--in", str(tmp_path), "--require", "utility>=0.8", "--seed", "5"]
    done = run(icefire, [*line, "--out", str(tmp_path / "release"), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert told["seed"] == 5
    assert told["found"]["scores"]["closeness"]["value"] >= 0.8
    assert (tmp_path / "release" / "secret.csv").is_file()
    shown = run(icefire, line)
    assert "Make it: icefire anonymize trace" in shown.output
    nothing = run(icefire, [*line[:-3], "utility>=1.5"])
    assert nothing.exit_code == 1
    assert "Nothing meets the requirements" in nothing.output

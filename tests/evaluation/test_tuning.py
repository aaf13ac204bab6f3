"""The search for the safest release that is good enough."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner

from icefire.cli.main import icefire
from icefire.core.attackers import Attacker
from icefire.core.budget import Budget, current
from icefire.core.data import Original, Release
from icefire.core.deadline import Deadline
from icefire.core.errors import InputError, OutOfBudget, OutOfMemory, UnknownName
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.roles import AnyAnonymizer, AnyAttack
from icefire.core.seeds import generator
from icefire.core.values import BAD_SHARE, Score
from icefire.datasets.households import Households
from icefire.datasets.walks import Walks
from icefire.evaluation.runs import judge_runs, run_attacks, worst_cases
from icefire.evaluation.tuning import Ended, Requirement, Trial, Tuner, _between, _doubled, _spread
from icefire.microdata.anonymize.conceal import Conceal
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.anonymize.pram import Pram
from icefire.microdata.attack.euclid import Euclid
from icefire.microdata.attack.sort import Sort
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
    found = tuner.run(people)
    assert found is not None
    # Traces are searched as a whole, too.
    assert {trial.people for trial in tuner.trials} == {found.people} == {50}
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
    monkeypatch.setattr(slow, "_better", lambda trial, rivals: None)
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
    assert {step.step() for step in slow} <= {label.split(" + ")[0] for label in tuner.left_out}
    assert not any(step in trial.steps for trial in tuner.trials for step in slow)


def test_shares_are_understood_for_every_kind() -> None:
    """The example of the help page, where the metric counts what is lost."""
    table = Requirement.parse("utility>=0.7", REGISTRY, REGISTRY.kind("microdata"))
    assert table.text == "information_loss<=0.3"
    assert Requirement.parse("safety >= 0.95", REGISTRY, REGISTRY.kind("microdata")).text == "re_identification<=0.05"
    assert Requirement.parse("utility>=0.7", REGISTRY, TRACE).text == "closeness>=0.7"
    assert Requirement.parse("information_loss<=0.3", REGISTRY, REGISTRY.kind("microdata")) == table


class Ticking:
    """A clock that goes on by a second whenever somebody looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1.0
        return self.now


def tables(limit: str = "re_identification<=0.3", **options: Any) -> Tuner:
    kind = REGISTRY.kind("microdata")
    return Tuner(REGISTRY, kind, [Requirement.parse(limit, REGISTRY, kind)], seed=0, level="qi", **options)


def test_the_search_ends_in_time_and_what_was_found_is_verified() -> None:
    whole, part = tables(), tables(deadline=Deadline(1.0, clock=Ticking()))
    whole.run(example())
    found = part.run(example())
    assert (whole.ended, part.ended) == (None, Ended.TIME)
    assert 0 < len(part.trials) < len(whole.trials)
    assert found is not None
    assert found.scores["re_identification"].value <= 0.3


def test_a_trial_does_not_take_all_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    tuner = tables(deadline=Deadline(0.02))
    monkeypatch.setattr(Tuner, "_judge", lambda self, steps, original, stop_early: time.sleep(60))
    tuner._try((), example())
    assert tuner.given_up == ["nothing"]
    assert not tuner.trials


class TwoAttacks(Tuner):
    """Two releases and the data as they are, and two attacks with known success rates; the second is too long for a search."""

    quick: ClassVar[dict[tuple[AnyAnonymizer, ...], float]] = {(): 1.0, (Mondrian(k=2),): 0.1, (Mondrian(k=8),): 0.2}
    long: ClassVar[dict[tuple[AnyAnonymizer, ...], float]] = {(): 1.0, (Mondrian(k=2),): 1.0, (Mondrian(k=8),): 0.3}

    def _search(self, sample: Original) -> None:
        for steps in self.quick:
            self._try(steps, sample)

    def _attacks(self, attacker: Attacker, release: Release) -> list[AnyAttack]:
        return [Sort(), Euclid()]

    def _attacked(self, trial: Trial, attack: AnyAttack, release: Release, knowledge: object) -> Trial:
        if isinstance(attack, Euclid) and current().minutes < 1:
            raise OutOfBudget("too long")
        rate = (self.long if isinstance(attack, Euclid) else self.quick)[trial.steps]
        return replace(
            trial, scores={**trial.scores, "re_identification": Score(rate, BAD_SHARE)}, attack=attack.step()
        )


def test_what_was_refuted_is_not_proposed() -> None:
    """The next on the frontier is, even if the search stopped it, since the refuted one seemed better."""
    kind = REGISTRY.kind("microdata")
    tuner = TwoAttacks(REGISTRY, kind, [Requirement.parse("utility>=0.01", REGISTRY, kind)])
    tuner.search(example())
    assert {trial.steps: trial.rival for trial in tuner.trials}[(Mondrian(k=8),)] == (Mondrian(k=2),)
    best = tuner.run(example())
    assert best is not None
    assert best.steps == (Mondrian(k=8),)
    assert best.scores["re_identification"].value == 0.3


def test_nothing_is_proposed_that_is_no_safer_than_the_data_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TwoAttacks, "long", dict.fromkeys(TwoAttacks.long, 1.0))
    monkeypatch.setattr("icefire.cli.tune.Tuner", TwoAttacks)
    run = CliRunner().invoke
    run(icefire, ["data", "microdata", "--n", "40", "--out", str(tmp_path)])
    line = ["tune", "microdata", "--in", str(tmp_path), "--require", "utility>=0.01"]
    done = run(icefire, [*line, "--seed", "1"])
    assert (
        "mondrian(k=2): re_identification 0.1000 in the search; when verified: re_identification 1.0000" in done.output
    )
    assert "Make it" not in done.output
    assert "nothing that was tried and meets the requirements is safer" in done.output
    # The data as they are may not even be among the best that are verified.
    monkeypatch.setattr("icefire.evaluation.tuning.VERIFIED", 2)
    done = run(icefire, [*line, "--seed", "1"])
    assert done.exit_code == 1
    assert "none that was verified is safer than the data as they are" in done.output


def test_ctrl_c_leaves_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    tuner, judge = tables(), Tuner._judge
    monkeypatch.setattr(Tuner, "_judge", interrupted(judge, 12))
    assert tuner.run(example()) is None
    assert tuner.ended is Ended.HAND
    assert len(tuner.trials) == 12
    assert tuner.frontier()


def interrupted(judge: Callable[..., Trial], after: int) -> Callable[..., Trial]:
    """The same, until somebody presses Ctrl-C."""
    calls = iter(range(after))

    def judged(*arguments: object, **options: object) -> Trial:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return judge(*arguments, **options)

    return judged


def test_more_memory_than_allowed_stops_a_trial_not_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a release does not look safe because an attack was left out."""

    def too_much(*_: object) -> None:
        raise OutOfMemory("more than 1.0 GB of memory needed")

    tuner = tables()
    monkeypatch.setattr(Euclid, "attack", too_much)
    trial = tuner._judge((Mondrian(k=5),), example(), stop_early=True)
    assert "more than 1.0 GB" in trial.stopped
    monkeypatch.setattr(Mondrian, "anonymize", too_much)
    assert "more than 1.0 GB" in tuner._judge((Mondrian(k=5),), example(), stop_early=True).stopped


def test_settings_far_apart_come_first() -> None:
    families: list[list[AnyAnonymizer]] = [
        [Mondrian(k=k) for k in (2, 3, 4, 5, 6)],
        [Pram(keep=keep) for keep in (0.9, 0.8)],
    ]
    steps = [step.step() for step in _spread(families)]
    assert steps == [
        "mondrian(k=4)", "pram", "mondrian(k=6)", "pram(keep=0.9)", "mondrian(k=2)", "mondrian(k=3)", "mondrian",
    ]  # fmt: skip
    tuner = tables()
    tuner.search(example())
    slow = [any(step.minutes(example().height) for step in trial.steps) for trial in tuner.trials]
    assert slow.index(True) > len(_spread([Mondrian.variants(example()), Pram.variants(example())]))


def test_settings_between_one_that_passes_and_one_that_does_not() -> None:
    steps = (Mondrian(k=25), Pram(keep=0.9))
    others = [(Mondrian(k=5), Pram(keep=0.9)), (Mondrian(k=10), Pram(keep=0.9)), (Mondrian(k=24), Pram(keep=0.8)), ()]
    assert list(_between(steps, others)) == [(Mondrian(k=17), Pram(keep=0.9))]
    assert list(_doubled(steps)) == [(Mondrian(k=50), Pram(keep=0.9))]


def test_a_limit_below_all_proposals_is_reached_by_stronger_ones() -> None:
    people = Households(n=300).generate(generator(0)).only(["sex", "age"])
    tuner = tables("re_identification<=0.008")
    few = [Mondrian]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Registry, "anonymizers", lambda self, kind: few)
        tuner.search(people)
    passed = [trial.steps[0] for trial in tuner.trials if not trial.stopped]
    assert passed
    assert min(step.k for step in passed if isinstance(step, Mondrian)) > 25


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

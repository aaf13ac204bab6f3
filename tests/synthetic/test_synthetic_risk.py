"""What attacks find of releases whose risk is known."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.attackers import Attacker
from icefire.core.errors import DataError, ParameterError, Undefined, UnknownName
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.datasets.cohort import Cohort
from icefire.evaluation.assessment import Assessment
from icefire.evaluation.runs import AttackRun, judge_runs, run_attacks
from icefire.synthetic.anonymize.anonymized import Anonymized
from icefire.synthetic.anonymize.noisy_marginals import NoisyMarginals
from icefire.synthetic.anonymize.private_network import PrivateNetwork
from icefire.synthetic.anonymize.randomized_response import RandomizedResponse
from icefire.synthetic.attack.nearest_record import NearestRecord
from icefire.synthetic.data import People, Release
from icefire.synthetic.formats.ours import Ours
from icefire.synthetic.privacy import concentrated, largest_advantage
from icefire.synthetic.roles import Anonymizer
from icefire.synthetic.schema import Column, Schema

REGISTRY = Registry()
KIND = REGISTRY.kind("synthetic")


def attacked(
    release: Release, seed: int, levels: tuple[str, ...] = KIND.levels, method: tuple[Anonymizer, ...] | None = None
) -> list[AttackRun]:
    runs = [
        run
        for level in levels
        for run in run_attacks(
            REGISTRY, KIND, release.published, Attacker(KIND.known(release.original, level), level, method), seed
        )
    ]
    return judge_runs(KIND, REGISTRY.safety_metrics("synthetic"), release, runs)


def headline(run: AttackRun) -> tuple[float, float]:
    """What is found, and the lower end of its interval."""
    name = KIND.headline_of(run.level)
    score = next(outcome.score for outcome in run.outcomes if outcome.method.name == name)
    assert score is not None
    assert score.interval is not None
    return score.value, score.interval.low


def test_the_original_itself_is_found_completely() -> None:
    people = Cohort(n=150).generate(generator(1))
    for run in attacked(Release(people, people.members), 2, method=()):
        value, _ = headline(run)
        if run.level in ("all", "release", "halves") and not run.attack.blind:
            assert value == 1.0, run.attack.step()
    nearest = [
        run for run in attacked(Release(people, people.members), 2, ("facts",)) if run.attack.step() == "neighbours"
    ]
    assert headline(nearest[0])[0] == 1.0


def test_a_table_of_other_people_gives_nobody_away() -> None:
    beyond, tried = [], 0
    for seed in range(4):
        people = Cohort(n=150).generate(generator(seed))
        fresh = Cohort(n=150).generate(generator(100 + seed)).members
        for run in attacked(Release(people, fresh), seed):
            tried += 1
            beyond += [run.attack.step()] if headline(run)[1] > 0 else []
    # An interval of 95% lies above 0 once in 40 times; of 60, more than 5 do once in 170 times.
    assert tried >= 60
    assert len(beyond) <= 5, beyond


def test_planted_outliers_are_the_most_exposed() -> None:
    """A synthesizer that is safe for all but a few rare people, whom it copies: the mean hides them, the list does not."""
    people = Cohort(n=300, outliers=4).generate(generator(3))
    others = Cohort(n=300).generate(generator(4)).members
    release = Release(people, pl.concat([others[4:], people.members[:4]]))
    runs = attacked(release, 5, ("all",))
    assert max(headline(run)[0] for run in runs) < 0.15
    found = KIND.exposed(Assessment("r", "", KIND, release, [], [], runs), "all", 8)
    assert set(found["row"][:4]) == {1, 2, 3, 4}
    assert found["found"][0] >= 0.8
    assert found["reason"].str.contains("=").all()


def test_the_bound_of_differential_privacy_by_hand() -> None:
    # Of two equally likely worlds, odds e^epsilon : 1 make the guess right with e^epsilon / (1 + e^epsilon).
    for epsilon in (0.1, 1.0, 3.0):
        right = math.exp(epsilon) / (1 + math.exp(epsilon))
        assert largest_advantage(epsilon) == pytest.approx(2 * right - 1)
    assert largest_advantage(0.0) == 0.0
    assert largest_advantage(1000.0) == 1.0
    rho = concentrated(2.0, 1e-5)
    assert rho + 2 * math.sqrt(rho * math.log(1e5)) == pytest.approx(2.0)


TWO = Schema(columns={"a": Column(values=("x", "y"))})


def test_an_attack_reaches_the_bound_of_a_tight_mechanism() -> None:
    """One member with one bit: randomized response tells the member from the other as well as epsilon allows, and no better."""
    people = People(pl.DataFrame({"a": ["x"]}), pl.DataFrame({"a": ["y"]}), TWO)
    number, member = 700, int(np.flatnonzero(people.membership)[0])
    for epsilon in (0.5, 2.0):
        rng, right = generator(1, "tight", str(epsilon)), 0
        for _ in range(number):
            shown = RandomizedResponse(epsilon=epsilon).anonymize(people, rng).published
            guess = NearestRecord().attack(shown, people.knowledge, rng).confidence
            assert guess is not None
            right += int(guess[member] > guess[1 - member])
        advantage, error = 2 * right / number - 1, 2 * 3 * math.sqrt(0.25 / number)
        assert abs(advantage - largest_advantage(epsilon)) < error


@pytest.mark.parametrize(
    "method", [NoisyMarginals(epsilon=0.5), PrivateNetwork(epsilon=0.5), RandomizedResponse(epsilon=0.5)]
)
def test_no_attack_exceeds_the_bound_of_differential_privacy(method: NoisyMarginals) -> None:
    values = []
    for seed in range(6):
        people = Cohort(n=60).generate(generator(seed))
        release = method.anonymize(people, generator(seed, "release"))
        runs = attacked(release, seed, ("all",), (method,))
        assert any(run.attack.knows_method for run in runs)
        values.append([headline(run)[0] for run in sorted(runs, key=lambda run: run.attack.step())])
    assert max(np.mean(values, axis=0)) <= largest_advantage(*method.budget)


def test_noise_has_the_size_that_the_budget_asks_for() -> None:
    """Laplace noise of scale 2 / epsilon in each count: another row instead of one changes two of them."""
    from icefire.synthetic.privacy import gaussian, laplace

    rng, counts = generator(1), np.zeros(200_000)
    assert np.abs(laplace(counts, 0.5, rng)).mean() == pytest.approx(4.0, rel=0.02)
    assert gaussian(counts, 0.25, rng).std() == pytest.approx(2.0, rel=0.02)


def test_differential_privacy_takes_no_domain_from_the_data() -> None:
    table = pl.DataFrame({"age": [30, 40], "sex": ["f", None]})
    bounds = {"age": Column(low=0, high=100)}
    for columns, problem in [
        ({}, "'age' has no bounds"),
        (bounds, "'sex' has no list of values"),
        ({**bounds, "sex": Column("categorical", missing=True)}, "'sex' has no list of values"),
        ({"age": Column(low=0.4, high=0.6, decimals=0)}, "'age' must have between 1 and"),
        ({"age": Column(low=0, high=1, decimals=15)}, "'age' must have between 1 and"),
    ]:
        people = People(table, table, Schema(columns=columns))
        with pytest.raises(DataError, match=problem):
            NoisyMarginals().anonymize(people, generator(0))


STEPS = {
    "drop_rows": "drop_rows(outliers=0.1)",
    "generalize": "generalize(columns=[age], width=10)",
    "round": "round(base=100)",
}


@pytest.mark.parametrize("name", sorted(method.name for method in REGISTRY.anonymizers("microdata")))
def test_every_anonymizer_of_microdata_is_a_synthesizer(name: str) -> None:
    people = Cohort(n=60).generate(generator(1))
    if name == "drop_columns":
        with pytest.raises(DataError, match="drop the column 'age'"):
            Anonymized(("drop_columns(columns=[age])",)).anonymize(people, generator(2))
        return
    release = Anonymized((STEPS.get(name, name),), ("weight", "cost", "diagnosis")).anonymize(people, generator(2))
    assert release.published.columns == list(people.names)
    assert [a.is_numeric() for a in release.published.dtypes] == [a.is_numeric() for a in people.members.dtypes]
    assert release.published.height <= 60
    assert not release.published.equals(people.members)


def test_rows_that_are_anonymized_are_kept_but_for_their_order() -> None:
    """Every cell is kept, so that everybody is found as in the original."""
    people = Cohort(n=60).generate(generator(1))
    release = Anonymized(("pram(keep=1.0)",)).anonymize(people, generator(2))
    assert sorted(release.published.rows()) == sorted(people.members.rows())
    with pytest.raises(UnknownName, match="'costs'"):
        Anonymized(sensitive=("costs",)).anonymize(people, generator(2))
    with pytest.raises(UnknownName, match="mondrain"):
        Anonymized(("mondrain",))
    with pytest.raises(ParameterError, match="at least one step"):
        Anonymized(())


def test_a_reference_sample_is_known_to_attackers(tmp_path: Path) -> None:
    """People of whom attackers know that they are no members: distances and densities are relative to them."""
    table = pl.DataFrame({"a": [0.0, 10.0, 4.0, 6.0, 5.0, 20.0]})
    people = People(table[:2], table[2:4], reference=table[4:])
    guess = NearestRecord(relative="reference").attack(table[:2], people.knowledge, generator(0)).confidence
    assert guess is not None
    # To the released 0 and 10, and to the sample's 5 and 20.
    expected = {0.0: 0 / 5, 10.0: 0 / 5, 4.0: 4 / 1, 6.0: 4 / 1}
    assert dict(zip(people.candidates["a"], guess, strict=True)) == pytest.approx(
        {a: -ratio for a, ratio in expected.items()}, abs=1e-5
    )
    Ours().write_release(Release(people, table[:2]), tmp_path, {})
    assert Ours().read_handout(tmp_path)[1].reference is not None
    again = Ours().read_release(tmp_path).original
    assert again.reference is not None
    assert again.reference["a"].to_list() == [5.0, 20.0]
    assert NearestRecord(relative="reference") in NearestRecord.variants(table, again.knowledge)
    with pytest.raises(Undefined, match="no reference sample"):
        NearestRecord(relative="reference").attack(table, People(table[:2], table[2:4]).knowledge, generator(0))
    cohort, sample = Cohort(n=150).generate(generator(1)), Cohort(n=400).generate(generator(9)).members
    known = People(cohort.members, cohort.control, cohort.schema, reference=sample)
    for run in attacked(Release(known, known.members), 2, ("all",)):
        assert run.attack.blind or headline(run)[0] == 1.0, run.attack.step()


def test_the_order_of_candidates_says_nothing() -> None:
    table = pl.DataFrame({"a": np.arange(400)})
    people = People(table[:200], table[200:])
    assert 60 < people.membership[:200].sum() < 140
    again = People(table[:200], table[200:])
    assert again.membership.tolist() == people.membership.tolist()
    others = People(table[200:], table[:200])
    assert (others.membership != ~people.membership).any()


def test_people_are_held_out_where_there_is_no_control_group() -> None:
    table = pl.DataFrame({"a": np.arange(50)})
    people = People(table)
    assert (people.people, people.control.height) == (40, 10)
    assert sorted([*people.members["a"], *people.control["a"]]) == list(range(50))
    with pytest.raises(DataError, match="too few to hold some out"):
        People(table[:2])

"""What several releases of the same people say together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest

from icefire.core.attackers import Attacker
from icefire.core.questions import Question
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.datasets.households import Households
from icefire.evaluation.assess import Other, assess
from icefire.evaluation.assessment import Assessment, Criterion, Limits, Status
from icefire.microdata.anonymize.drop_columns import DropColumns
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.anonymize.noise import Noise
from icefire.microdata.anonymize.pram import Pram
from icefire.microdata.attack.homogeneity import Homogeneity
from icefire.microdata.attack.intersection import Intersection
from icefire.microdata.composition import Composed, combine
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.formats._previous import published_elsewhere
from icefire.microdata.joint import joint_candidates
from icefire.microdata.schema import Column

REGISTRY = Registry()
KIND = REGISTRY.kind("microdata")
SCHEMA = Schema(qi=["age", "sex"], sa=["ill"])


def with_importance(people: Microdata, seed: int) -> Microdata:
    """The same table, of which other columns are to be kept."""
    rng = np.random.default_rng(seed)
    columns = {
        name: replace(people.schema.columns.get(name, Column()), importance=float(rng.choice([0.1, 1, 10])))
        for name in people.qi
    }
    return Microdata(people.frame, replace(people.schema, columns=columns))


def releases_of(people: Microdata, number: int, k: int = 10) -> list[Release]:
    return [
        Mondrian(k=k).anonymize(with_importance(people, seed), np.random.default_rng(seed)) for seed in range(number)
    ]


def assessed(release: Release, others: Sequence[Release], **settings: object) -> Assessment:
    known = Attacker(KIND.known(release.original, "qi"), "qi")
    named = [Other(f"release {number}", other.published) for number, other in enumerate(others, start=1)]
    return assess(REGISTRY, KIND, release, [known], utility=(), others=named, **settings)  # type: ignore[arg-type]


def found(assessment: Assessment, question: Question) -> float:
    """What attacks find: without other releases, and with them."""
    findings = assessment.findings
    risks = [f.risk for f in findings if f.question is Question.COMPOSITION and f.nested is question]
    assert risks
    assert risks[0] is not None
    assert risks[0].found is not None
    return risks[0].found


def test_three_releases_of_the_same_households() -> None:
    """Each of them alone reveals a fifth of the people."""
    people = Households(n=2000).generate(generator(1, "data"))
    releases = releases_of(people, 4)
    three = assessed(releases[0], releases[1:3])
    assert three.risk < 0.3
    assert found(three, Question.WHO) >= 0.76
    assert found(assessed(releases[0], releases[1:]), Question.WHO) >= 0.9


def cell(values: Sequence[str]) -> str:
    distinct = sorted(set(values))
    return distinct[0] if len(distinct) == 1 else "{" + "|".join(distinct) + "}"


def generalized(people: Microdata, rng: np.random.Generator) -> Release:
    """Classes of two or three neighbours along a random direction, with sets of their values."""
    numbers = [people.frame[name].cast(pl.Int64).to_numpy() for name in ("age", "sex")]
    score = rng.random() * numbers[0] + 3 * rng.random() * numbers[1] + rng.choice([0.1, 2]) * rng.random(people.height)
    left, cells = list(np.argsort(score)), {name: [""] * people.height for name in ("age", "sex")}
    while left:
        size = int(rng.integers(2, 4))
        size = len(left) if len(left) - size < 2 else size
        members, left = left[:size], left[size:]
        for name, column in cells.items():
            text = cell([people.frame[name][int(row)] for row in members])
            for row in members:
                column[row] = text
    table = people.frame.with_columns(pl.Series(name, column) for name, column in cells.items())
    return Release.shuffled(people, table, np.arange(people.height), rng, ["age", "sex"])


def fits(people: Microdata, table: Microdata) -> np.ndarray:
    """[row, person]"""
    return np.array(
        [
            [all(people.frame[n][p] in table.frame[n][r].strip("{}").split("|") for n in ("age", "sex")) for p in rows]
            for r, rows in product(range(table.height), [range(people.height)])
        ]
    )


def worlds(people: Microdata, tables: Sequence[Microdata]) -> np.ndarray:
    """[row of the first table, person]: share of all ways to give everybody one row of each table that has the same illness."""
    fitting = [fits(people, table) for table in tables]
    ill = [table.frame["ill"].to_list() for table in tables]
    count, total = np.zeros((people.height, people.height)), 0
    used: list[set[int]] = [set() for _ in tables]
    chosen: list[int] = []

    def choose(person: int, place: int) -> None:
        nonlocal total
        if person == people.height:
            total += 1
            for owner, row in enumerate(chosen):
                count[row, owner] += 1
            return
        if place == len(tables):
            choose(person + 1, 0)
            return
        for row in range(people.height):
            same = place == 0 or ill[place][row] == ill[0][chosen[-1]]
            if same and row not in used[place] and fitting[place][row, person]:
                used[place].add(row)
                if place == 0:
                    chosen.append(row)
                choose(person, place + 1)
                if place == 0:
                    chosen.pop()
                used[place].discard(row)

    choose(0, 0)
    return count / total


def small_tables(seed: int) -> tuple[Microdata, list[Release]]:
    rng = np.random.default_rng(seed)
    size, values = int(rng.integers(4, 7)), int(rng.choice([1, 2, 3, 20]))
    people = Microdata(
        pl.DataFrame(
            {
                "age": rng.integers(0, 6, size).astype(str),
                "sex": rng.integers(0, 2, size).astype(str),
                "ill": rng.integers(0, values, size).astype(str),
            }
        ),
        SCHEMA,
    )
    return people, [generalized(people, rng) for _ in range(int(rng.integers(2, 4)))]


def test_all_worlds_of_small_tables() -> None:
    """Nobody who may be behind a row is excluded, everybody else is, and who is certain is named."""
    errors = []
    for seed in range(60):
        people, releases = small_tables(seed)
        both = combine(releases[0], [release.published for release in releases[1:]])
        assert isinstance(both.published, Composed)
        candidates = joint_candidates(both.published, people.only(["age", "sex"]))
        chance = candidates.weights.toarray()[candidates.group_of][:, candidates.class_of].T
        exact = worlds(people, [release.published for release in releases])
        assert ((chance > 1e-9) | (exact == 0)).all()
        assert (chance[exact == 0] < 0.05).all()
        assert (chance[exact == 1] > 0.95).all()
        errors.append(np.abs(chance - exact).mean())
        # Cells never exclude the truth.
        assert fits(people, both.published)[np.arange(people.height), both.rows].all()
    assert np.mean(errors) < 0.005


def test_row_maps_are_not_looked_at() -> None:
    """Other orders of the rows give the same cells."""
    people = Households(n=300).generate(generator(2, "data"))
    first, second = releases_of(people, 2)
    cells = combine(first, [second.published]).published.frame
    mixed = np.random.default_rng(5).permutation(people.height)
    assert combine(first, [second.published.take(mixed)]).published.frame.equals(cells)
    turned = Release(people, first.published.take(mixed), np.zeros(people.height, dtype=np.int64))
    assert combine(turned, [second.published]).published.frame.equals(cells[mixed])


def test_other_people_say_nothing() -> None:
    """Rows of others are nobody's partners, and half of the people still narrow the rows of that half."""
    people, strangers = (Households(n=400).generate(generator(seed, "data")) for seed in (3, 4))
    first, second = releases_of(people, 2)
    elsewhere = releases_of(strangers, 2)[1]
    assert combine(first, [elsewhere.published]).published.frame.equals(first.published.frame)
    half = np.flatnonzero(np.random.default_rng(0).random(people.height) < 0.5)
    both = combine(first, [second.published.take(half)]).published.frame
    changed = (both.select(people.qi) != first.published.frame.select(people.qi)).select(pl.any_horizontal("*"))
    inside = np.isin(first.rows, second.rows[half])
    assert not changed.to_series().to_numpy()[~inside].any()
    assert changed.to_series().to_numpy()[inside].mean() > 0.5


def test_columns_of_another_release_are_added() -> None:
    """One release holds the ages alone, the other one everything else."""
    people = Households(n=300).generate(generator(5, "data"))
    names = [name for name in people.qi if name != "age"]
    first = DropColumns(columns=tuple(names)).anonymize(people, np.random.default_rng(0))
    second = releases_of(people, 1)[0]
    both = combine(first, [second.published]).published
    assert set(both.qi) == set(people.qi)
    assert both.sa == people.sa
    assert found(assessed(first, [second]), Question.WHO) > 0.5


def test_intersection_of_diseases() -> None:
    """Everybody's disease is one of two in each release. Where only one of them is in both, it is certain, and with it others.

    The first one is that of Ganta et al.; the last two people share their class in both releases.
    """
    ill = ["flu", "HIV", "flu", "cold", "HIV", "cold", "flu", "HIV"]
    people = Microdata(pl.DataFrame({"number": list("01234567"), "ill": ill}), Schema(["number"], ["ill"]))
    classes = [["0", "1"], ["2", "3"], ["4", "5"], ["6", "7"]], [["0", "3"], ["1", "5"], ["2", "4"], ["6", "7"]]
    rng = np.random.default_rng(0)
    made = []
    for groups in classes:
        cells = {number: cell(group) for group in groups for number in group}
        table = people.frame.select(number=pl.col("number").replace_strict(cells), ill="ill")
        made.append(Release.shuffled(people, table, np.arange(8), rng, ["number"]))
    both = combine(made[0], [made[1].published])
    guess = Homogeneity().attack(both.published, people.only(["number"]), rng)
    certain = guess.confidence["ill"] > 0.9
    assert certain.tolist() == [True] * 6 + [False] * 2
    assert guess.values["ill"].to_list()[:6] == people.frame["ill"].to_list()[:6]


def test_noise_is_averaged() -> None:
    """Amounts with errors of their own are nearer to the truth together, where something else links the rows."""
    people = Households(n=300).generate(generator(7, "data"))
    noisy = [Noise(scale=1.0, columns=("income",)).anonymize(people, np.random.default_rng(seed)) for seed in range(2)]
    truth = people.frame["income"].to_numpy()

    def error(release: Release) -> float:
        return float(np.abs(release.published.frame["income"].to_numpy() - truth[release.rows]).mean())

    assert error(combine(noisy[0], [noisy[1].published])) < 0.8 * error(noisy[0])


def test_randomized_categories_are_compared_with_both() -> None:
    """Of 600 households, three releases with errors of their own find far more than one, and nothing fails."""
    people = Households(n=600).generate(generator(1, "data"))
    step = Pram(keep=0.5, columns=people.qi)
    releases = [step.anonymize(people, np.random.default_rng(seed)) for seed in range(3)]
    assessment = assessed(releases[0], releases[1:])
    assert assessment.combined is not None
    assert not assessment.combined.unfinished
    assert found(assessment, Question.WHO) > assessment.risk + 0.1
    # Likelihoods of all three releases together would find more, so this is no yes.
    known = replace(assessment, method=(step,), combined=replace(assessment.combined, method=(step,)))
    loose = known.with_criterion(Criterion(("qi",), Limits(1.0, 1.0)))
    together = [finding for finding in loose.findings if finding.question is Question.COMPOSITION]
    assert {finding.status for finding in together} == {Status.UNKNOWN}
    assert all("region" in finding.reason for finding in together)
    assert loose.decision == "inconclusive"


def test_pseudonyms_with_the_same_key() -> None:
    """They link rows of which nothing else was published twice."""
    rng = np.random.default_rng(8)
    frame = pl.DataFrame({"age": np.arange(100), "pay": rng.permutation(100), "rent": rng.permutation(100)})
    people = Microdata(frame, Schema(["age"], ["pay", "rent"], columns={"age": Column("numeric")}))
    names = pl.DataFrame({"id": [f"p{number}" for number in range(100)]})
    cells = [
        [f"[{(age - shift) // 10 * 10 + shift}..{(age - shift) // 10 * 10 + shift + 9}]" for age in range(100)]
        for shift in (0, 5)
    ]
    made = [
        Release.shuffled(people, frame.select(pl.Series("age", column), amount), np.arange(100), rng, ["age"])
        for column, amount in zip(cells, ("pay", "rent"), strict=True)
    ]
    plain = combine(made[0], [made[1].published]).published.frame
    assert plain["age"].equals(made[0].published.frame["age"])
    linked = [release.with_pseudonyms(names) for release in made]
    both = combine(linked[0], [linked[1].published]).published.frame
    assert (both["age"] != plain["age"]).all()
    assert both["rent"].to_list() == frame["rent"].gather(linked[0].rows).to_list()


def test_whoever_holds_others_need_not_use_them() -> None:
    """What is found together is at least what is found without."""
    people = Households(n=200).generate(generator(9, "data"))
    release, other = (Noise(scale=0.3).anonymize(people, np.random.default_rng(seed)) for seed in range(2))
    assessment = assessed(release, [other])
    assert found(assessment, Question.WHO) >= assessment.risk


def test_interrupted_before_the_others() -> None:
    """Attacks on the release alone do not answer what is found together."""
    people = Households(n=60).generate(generator(10, "data"))
    release, other = releases_of(people, 2, k=5)
    assessment = assessed(release, [other], criterion=Criterion(("qi",)))
    assert assessment.combined is not None
    cut = replace(assessment.combined, runs=assessment.combined.runs[:3])
    ended = replace(assessment, combined=cut)
    findings = [finding for finding in ended.findings if finding.question is Question.COMPOSITION]
    assert ended.interrupted
    assert ended.unfinished
    assert all(finding.status in (Status.UNKNOWN, Status.EXCEEDS) for finding in findings)


def test_nothing_in_common() -> None:
    """A table without a column of the original links nobody: that is said, and is no yes."""
    people = Households(n=60).generate(generator(10, "data"))
    with pytest.raises(Exception, match="no column of the original"):
        published_elsewhere(pl.DataFrame({"weather": ["fine"]}), people, "the other table")


def test_without_others_there_is_no_intersection() -> None:
    people = Households(n=60).generate(generator(10, "data"))
    assert Intersection.variants(people, people) == []

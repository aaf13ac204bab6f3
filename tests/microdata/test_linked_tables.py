"""Persons and households in one release: judged from the two published tables alone."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from icefire.cli.main import icefire as command
from icefire.core.errors import DataError, InputError
from icefire.core.roles import AnyAnonymizer
from icefire.microdata.anonymize.global_recode import GlobalRecode
from icefire.microdata.anonymize.local_suppression import LocalSuppression
from icefire.microdata.anonymize.microaggregate import Microaggregate
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.anonymize.noise import Noise
from icefire.microdata.anonymize.pram import Pram
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.linked import Linked
from icefire.microdata.safety.k_anonymity import KAnonymity

Rng = np.random.default_rng
PERSON = Schema(["age", "sex"], ["pay"], household="home")
HOME = Schema(["town"], ["rent"], household="house")


def frames(seed: int, homes: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    rng = Rng(seed)
    sizes = rng.choice([1, 2, 3, 6], homes, p=[0.4, 0.35, 0.22, 0.03])
    home = np.repeat(np.arange(homes) * 7 + 3, sizes)
    order = rng.permutation(home.size)
    people = pl.DataFrame(
        {
            "home": home[order],
            "age": rng.integers(0, 90, home.size),
            "sex": rng.choice(["f", "m"], home.size),
            "pay": rng.permutation(home.size),
        }
    )
    houses = pl.DataFrame(
        {"house": np.arange(homes) * 7 + 3, "town": rng.choice(["a", "b"], homes), "rent": rng.permutation(homes)}
    )
    return people, houses[rng.permutation(homes)]


def linked(seed: int = 0, homes: int = 120) -> Linked:
    people, houses = frames(seed, homes)
    return Linked(Microdata(people, PERSON), Microdata(houses, HOME))


def signatures(people: pl.DataFrame, houses: pl.DataFrame) -> Counter[object]:
    """Of each household: its own cells and those of its members, in any order."""
    members: dict[object, list[tuple[str, ...]]] = {number: [] for number in houses["house"]}
    for number, *cells in people.select("home", "age", "sex").rows():
        members[number].append(tuple(map(str, cells)))
    return Counter((town, tuple(sorted(members[number]))) for number, town in houses.select("house", "town").rows())


@given(
    st.integers(0, 1000),
    st.integers(20, 80),
    st.sampled_from([Mondrian(k=3), LocalSuppression(k=3), GlobalRecode(k=3)]),
)
def test_whole_households_are_equal(seed: int, homes: int, step: AnyAnonymizer) -> None:
    original = linked(seed, homes)
    release = original.anonymize([step], Rng(seed))
    assert min(signatures(release.persons, release.households).values()) >= 3
    assert KAnonymity(copies=False).measure(release.people).value >= 3
    # Everybody whose household is published is published, in it.
    kept = np.isin(original.sizes, list(release.parts))
    assert release.households.height == kept.sum() == original.households.height - release.dropped
    persons, houses = release.rows
    assert sorted(persons) == np.flatnonzero(kept[original.homes]).tolist()
    assert release.persons["pay"].equals(original.persons.frame["pay"][persons])
    assert release.households["rent"].equals(original.households.frame["rent"][houses])
    published = dict(zip(release.households["house"], houses, strict=True))
    assert [published[number] for number in release.persons["home"]] == original.homes[persons].tolist()


def test_persons_alone_would_not_do() -> None:
    """Persons with k = 5 whose households are linked stand out by who lives together."""
    people, houses = frames(0, 120)
    joined = people.join(houses, left_on="home", right_on="house")
    alone = Mondrian(k=5).anonymize(
        Microdata(joined, Schema(["age", "sex", "town"], ["pay", "rent"], household="home")), Rng(0)
    )
    shown = alone.published.frame.with_columns(joined["home"][alone.rows].alias("home"))
    naive = signatures(shown, houses)
    assert sum(count for count in naive.values() if count == 1) > 50
    release = linked().anonymize([Mondrian(k=5)], Rng(0))
    assert min(signatures(release.persons, release.households).values()) >= 5


def test_numbers_are_new_and_drawn() -> None:
    original = linked()
    first, second = (original.anonymize([Mondrian(k=3)], Rng(seed)) for seed in (1, 2))
    assert first.households["house"].to_list() == list(range(1, first.households.height + 1))
    assert not np.array_equal(first.rows[1], second.rows[1])
    again = original.anonymize([Mondrian(k=3)], Rng(1))
    assert again.persons.equals(first.persons)
    assert again.households.equals(first.households)


def test_sizes_that_are_rare_are_left_out() -> None:
    original = linked(homes=60)
    release = original.anonymize([Mondrian(k=5)], Rng(0))
    rare = [size for size, count in Counter(original.sizes.tolist()).items() if count < 5]
    assert rare
    assert set(release.parts).isdisjoint(rare)
    assert release.dropped == sum(int((original.sizes == size).sum()) for size in rare)


def test_steps_with_several_k() -> None:
    """Averages of ten amounts say nothing about how many households are equal."""
    release = linked().anonymize([Mondrian(k=3), Microaggregate(k=10, columns=("rent",))], Rng(0))
    assert release.k == min(signatures(release.persons, release.households).values()) >= 3
    assert all(part.homes.size >= 10 for part in release.parts.values())


def test_what_is_not_safe_is_refused() -> None:
    for steps, said in (
        ([Noise(scale=1)], "need a step that makes k households equal"),
        ([Mondrian(k=5), Pram(keep=0.5, columns=("town",))], "must not change quasi-identifiers"),
    ):
        with pytest.raises(InputError, match=said):
            linked().anonymize(steps, Rng(0))
    with pytest.raises(DataError, match="fewer than 500 households of every size"):
        linked().anonymize([Mondrian(k=500)], Rng(0))


def test_tables_that_do_not_fit_are_refused() -> None:
    people, houses = frames(0, 30)

    def joined(people: pl.DataFrame, houses: pl.DataFrame, home: Schema = HOME, person: Schema = PERSON) -> Linked:
        return Linked(Microdata(people, person), Microdata(houses, home))

    with pytest.raises(DataError, match="'3' is not in the table of households"):
        joined(people, houses.filter(pl.col("house") != 3))
    with pytest.raises(DataError, match="'3' has no persons"):
        joined(people.filter(pl.col("home") != 3), houses)
    with pytest.raises(DataError, match="is listed twice"):
        joined(people, pl.concat([houses, houses[:1]]))
    with pytest.raises(DataError, match="both tables have a column 'age'"):
        joined(people, houses.rename({"town": "age"}), Schema(["age"], ["rent"], household="house"))
    with pytest.raises(DataError, match="schema of the households must name the column"):
        joined(people, houses, Schema(["town"], ["rent", "house"]))
    with pytest.raises(DataError, match="'home' of the persons has missing values"):
        joined(people.with_columns(home=pl.lit(None, dtype=pl.Int64)), houses)


def test_from_the_command_line(tmp_path: Path) -> None:
    people, houses = frames(0, 80)
    for name, frame, schema in (
        ("persons", people, 'qi = ["age", "sex"]\nsa = ["pay"]\nhousehold = "home"\n'),
        ("households", houses, 'qi = ["town"]\nsa = ["rent"]\nhousehold = "house"\n'),
    ):
        (tmp_path / name).mkdir()
        frame.write_csv(tmp_path / name / "original.csv")
        (tmp_path / name / "schema.toml").write_text(schema, encoding="utf-8")
    out = tmp_path / "release"
    told = ["link", "mondrian(k=5)", "--out", str(out), "--seed", "1"]
    told += [part for name in ("persons", "households") for part in (f"--{name}", str(tmp_path / name))]
    runner = CliRunner()
    made = runner.invoke(command, [*told, "--json"], catch_exceptions=False)
    found = json.loads(made.output)
    assert found["k"] >= 5
    assert 0 < found["found"] <= 0.2 + 1e-9
    shown = pl.read_csv(out / "published-persons.csv"), pl.read_csv(out / "published-households.csv")
    assert min(signatures(*shown).values()) >= 5
    assert (out / "secret-persons.csv").stat().st_mode & 0o77 == 0
    again = runner.invoke(command, told)
    assert isinstance(again.exception, InputError) or "choose a new folder" in again.output
    said = runner.invoke(command, [*told[:3], str(tmp_path / "other"), *told[4:]], catch_exceptions=False)
    assert "Whoever knows the quasi-identifiers of all members" in said.output

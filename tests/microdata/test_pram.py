"""Post-randomization by a matrix and within strata."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.errors import DataError, ParameterError, Undefined, UnknownName
from icefire.core.parameters import parse_step
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.microdata.anonymize.pram import Pram
from icefire.microdata.attack.informed import Informed
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.safety.re_identification import ReIdentification
from icefire.microdata.transitions import Transitions

Rng = np.random.default_rng
MATRIX = {"a": {"a": 0.7, "b": 0.2, "c": 0.1}, "b": {"b": 1.0}, "c": {"a": 0.3, "b": 0.3, "c": 0.4}}


def people(rows: int = 600, seed: int = 0) -> Microdata:
    rng = Rng(seed)
    region = rng.choice(["north", "south"], rows)
    job = np.where(region == "north", rng.choice(list("abc"), rows, p=[0.8, 0.1, 0.1]), rng.choice(list("bc"), rows))
    frame = pl.DataFrame({"region": region, "job": job, "pay": rng.integers(0, 1000, rows)})
    return Microdata(frame, Schema(["region", "job"], ["pay"]))


def became(original: Microdata, step: Pram, runs: int) -> Counter[tuple[str, str, str]]:
    """How often each stratum and value became each value."""
    found: Counter[tuple[str, str, str]] = Counter()
    for seed in range(runs):
        release = step.anonymize(original, Rng(seed))
        before = original.frame[release.rows]
        found.update(zip(before["region"], before["job"], release.published.frame["job"], strict=True))
    return found


@pytest.mark.parametrize(
    "step",
    [
        Pram(columns=("job",), matrix=MATRIX),
        Pram(columns=("job",), matrix=MATRIX, invariant=True),
        Pram(columns=("job",), matrix=MATRIX, invariant=True, strata=("region",)),
        Pram(columns=("job",), keep=0.4, strata=("region",)),
    ],
)
def test_what_is_stated_is_what_happens(step: Pram) -> None:
    original = people()
    found = became(original, step, runs=40)
    cells = original.domain("job").read(pl.Series(["a", "b", "c"]))
    stated = step.likelihood(original, "job", cells)
    assert stated is not None
    assert stated.sum(axis=0) == pytest.approx(1)
    origins = step.origins(original, "job")
    for region, job in {(region, job) for region, job, _ in found}:
        (row,) = original.frame.with_row_index().filter(region=region, job=job)["index"][:1]
        total = sum(found[region, job, other] for other in "abc")
        for place, other in enumerate("abc"):
            share = stated[place, origins[row]]
            error = 5 * np.sqrt(share * (1 - share) / total) + 1e-12
            assert found[region, job, other] / total == pytest.approx(share, abs=error)


@pytest.mark.parametrize("step", [Pram(keep=0.3, strata=("region",)),
                                  Pram(columns=("job",), matrix=MATRIX, invariant=True, strata=("region",))])  # fmt: skip
def test_strata_keep_their_frequencies(step: Pram) -> None:
    original = people(seed=3)
    runs = 60
    found = became(original, step, runs)
    before = Counter(zip(original.frame["region"], original.frame["job"], strict=True))
    for (region, job), count in before.items():
        after = sum(found[region, other, job] for other in "abc") / runs
        assert after == pytest.approx(count, abs=5 * np.sqrt(count / runs) + 1)
    assert not any(found["south", other, "a"] for other in "bc"), "no value comes from another stratum"


def test_a_matrix_is_not_invariant_by_itself() -> None:
    original = people()
    release = Pram(columns=("job",), matrix={"a": {"b": 1}, "b": {"b": 1}, "c": {"b": 1}}).anonymize(original, Rng(0))
    assert set(release.published.frame["job"]) == {"b"}


@given(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), st.integers(0, 1000))
def test_the_invariant_matrix_keeps_any_shares(shares: list[float], seed: int) -> None:
    chances = Rng(seed).dirichlet([0.5] * 3, 3)
    table = {str(i): {str(j): float(chances[i, j]) for j in range(3)} for i in range(3)}
    p = np.array(shares) / sum(shares)
    matrix = Transitions.of(table)
    invariant = matrix.invariant(p)
    assert invariant.sum(axis=1) == pytest.approx(1)
    assert p @ invariant == pytest.approx(p)


def test_files_and_steps_as_they_are_typed(tmp_path: Path) -> None:
    file = tmp_path / "job.csv"
    file.write_text("value,a,b,c\na,0.7,0.2,0.1\nb,0,1,0\nc,0.3,0.3,0.4\n", encoding="utf-8")
    inline = Pram(columns=("job",), matrix=MATRIX)
    from_file = Pram(columns=("job",), matrix=str(file))
    first, second = (step.anonymize(people(), Rng(1)).published.frame for step in (inline, from_file))
    assert first.equals(second)
    again = Registry().make("microdata", "anonymize", inline.step(full=True))
    assert again == inline
    assert parse_step("pram(columns=[sex], matrix={f: {f: 1}})")[1]["matrix"] == {"f": {"f": 1}}


def test_numbers_and_missing_values() -> None:
    frame = pl.DataFrame({"class": [1, 2, None, 2] * 50})
    table = Microdata(frame, Schema(["class"]))
    release = Pram(columns=("class",), matrix={1: {2: 1}, 2: {1: 0.5, 2: 0.5}}).anonymize(table, Rng(0))  # type: ignore[dict-item]
    shown = release.published.frame["class"]
    assert shown.dtype == frame["class"].dtype
    assert shown.is_null().equals(frame["class"][release.rows].is_null())
    assert set(shown.drop_nulls()) == {1, 2}


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        ({"a": {"a": 0.9}}, "the row of 'a' adds up to 0.9, not to 1"),
        ({"a": {"a": 1.5, "b": -0.5}, "b": {"b": 1}}, "row 'a', column 'a': 1.5 is no probability"),
        ({"a": {"z": 1}}, "'a' may become 'z', for which there is no row"),
        ({"a": {"a": 1}, "b": {"b": 1}}, "no row for the value 'c' of column 'job'"),
        ({"a": 1}, "the row of 'a' must be a table"),
        ({}, "has no rows"),
    ],
)
def test_a_wrong_matrix_is_refused_and_said_where(matrix: dict[str, dict[str, float]], said: str) -> None:
    with pytest.raises(DataError, match=said):
        Pram(columns=("job",), matrix=matrix).anonymize(people(), Rng(0))


def test_a_wrong_file_is_refused_and_said_where(tmp_path: Path) -> None:
    file = tmp_path / "job.csv"
    file.write_text("value,a,b\na,0.7,x\nb,0,1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"job.csv, line 2, column 'b': 'x' is no probability"):
        Pram(columns=("job",), matrix=str(file)).anonymize(people(), Rng(0))
    file.write_text("value,a,b\na,0.7,0.3\na,0,1\n", encoding="utf-8")
    with pytest.raises(DataError, match="line 3: the value 'a' is missing or listed twice"):
        Pram(columns=("job",), matrix=str(file)).anonymize(people(), Rng(0))


def test_parameters_that_contradict_each_other() -> None:
    with pytest.raises(ParameterError, match="needs a matrix"):
        Pram(invariant=True)
    with pytest.raises(ParameterError, match="needs 'columns'"):
        Pram(matrix=MATRIX)
    with pytest.raises(ParameterError, match="changes nothing"):
        Pram(columns=("job",), matrix=MATRIX, strata=("region",))
    with pytest.raises(ParameterError, match="must not name columns that are randomized"):
        Pram(columns=("job",), strata=("job",))
    with pytest.raises(UnknownName, match="did you mean 'region'"):
        Pram(strata=("regio",)).anonymize(people(), Rng(0))
    table = people(400)
    alone = Microdata(table.frame.with_columns(pay=np.arange(400)), table.schema)
    with pytest.raises(DataError, match=r"400 strata of Pram have a single row.*pay = "):
        Pram(columns=("job",), strata=("pay",)).anonymize(alone, Rng(0))


def test_informed_goes_by_the_stratum() -> None:
    """Everybody in the north is an a or a b, in the south a c or a d: who became what says where they live."""
    rng = Rng(0)
    region = np.array(["north", "south"] * 20)
    frame = pl.DataFrame(
        {
            "region": region,
            "job": np.where(region == "north", rng.choice(["a", "b"], 40), rng.choice(["c", "d"], 40)),
            "house": np.arange(40) // 4,
        }
    )
    original = Microdata(frame, Schema(["region", "job"], ["house"]))
    step = Pram(columns=("job",), keep=0.0, strata=("region",))
    release = step.anonymize(original, Rng(1))
    # The region itself is not published.
    shown = release.published.only(["job", "house"])
    told, other = (
        ReIdentification().measure(release, Informed().knowing([way]).attack(shown, original, Rng(2))).value
        for way in (step, Pram(columns=("job",), keep=0.0))
    )
    assert told > 1.5 * other


def test_strata_that_were_changed_before_are_not_known() -> None:
    original = people()
    steps = Pram(columns=("region",), keep=0.5), Pram(columns=("job",), keep=0.5, strata=("region",))
    release = Pipeline(steps).anonymize(original, Rng(0))
    with pytest.raises(Undefined, match="pram goes by the column 'region', which pram has changed"):
        Informed().knowing(steps).attack(release.published, original, Rng(0))

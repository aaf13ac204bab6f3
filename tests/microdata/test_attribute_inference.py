"""Guesses of sensitive values against a direct search; risk where there is none, and where a value is planted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icefire.core.errors import Undefined
from icefire.microdata.anonymize.generalize import Generalize
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.anonymize.pram import Pram
from icefire.microdata.covering import covering
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.examples import example
from icefire.microdata.safety._values import Values
from icefire.microdata.safety.attribute_inference import AttributeInference
from scores import number


def chance(votes: list[float], width: int, value: int) -> float | None:
    """The chance that the most frequent value is this one; None without votes."""
    weights = np.bincount(np.array(votes, dtype=np.int64), minlength=width)
    if not votes:
        return None
    best = np.flatnonzero(weights == weights.max())
    return 1 / best.size if value in best else 0.0


def searched(release: Release, name: str) -> tuple[list[float], list[float]]:
    """For every published row, the guess about its owner, with and without the row."""
    people, published = release.original, release.published
    fits = np.ones((published.height, people.height), dtype=bool)
    for column in people.qi:
        cells = published.cells(column, people.domain(column))
        fits &= cells.fits[cells.codes][:, people.codes(column)]
    codes = people.codes(name)[release.rows]
    width = int(codes.max()) + 1
    found: tuple[list[float], list[float]] = ([], [])
    for row, owner in enumerate(release.rows):
        for rows, left in zip(found, (range(codes.size), [r for r in range(codes.size) if r != row]), strict=True):
            mine = chance([codes[r] for r in left if fits[r, owner]], width, codes[row])
            fallback = chance([codes[r] for r in left], width, codes[row])
            rows.append(mine if mine is not None else fallback if fallback is not None else 0.0)
    return found


def overlapping(original: Microdata, rng: np.random.Generator) -> Release:
    """Cells that overlap, and some that miss their owner."""
    ages = original.frame["age"].fill_null(40).to_numpy()
    middles = ages + rng.integers(-6, 7, ages.size)
    cells = [f"[{middle - 4}..{middle + 4}]" for middle in middles]
    return Release.shuffled(
        original, original.frame.with_columns(age=pl.Series(cells)), np.arange(ages.size), rng, generalized=("age",)
    )


@given(st.integers(0, 10**6), st.integers(1, 40), st.booleans(), st.sampled_from(["none", "mondrian", "wide", "over"]))
def test_a_direct_search_guesses_the_same(seed: int, rows: int, missing: bool, method: str) -> None:
    rng = np.random.default_rng(seed)
    original = example(rows, missing, seed)
    original = Microdata(
        original.frame.with_columns(ill=pl.Series(rng.integers(0, 4, rows).astype(str))), original.schema
    )
    match method:
        case "none":
            release = Release.shuffled(original, original.frame, np.arange(rows), rng)
        case "mondrian" if rows >= 3:
            release = Mondrian(k=3).anonymize(original, rng)
        case "wide" | "mondrian":
            release = Generalize(columns=("age",), width=20).anonymize(original, rng)
        case _:
            release = overlapping(original, rng)
    values = Values.of(release, "ill")
    targets = covering(release.published, original, release.rows)
    found = values.released.successes(targets, values.original[release.rows], np.arange(rows))
    expected = searched(release, "ill")
    assert found[0] == pytest.approx(expected[0])
    assert found[1] == pytest.approx(expected[1])
    score = AttributeInference("ill").measure(release)
    assert number(score, "success") == pytest.approx(np.mean(expected[0]))
    assert number(score, "control") == pytest.approx(np.mean(expected[1]))


def people(rows: int, seed: int) -> pl.DataFrame:
    """Age, sex and town; an illness and a pay that depend on none of them."""
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 60, rows),
            "sex": rng.choice(["f", "m"], rows),
            "town": rng.integers(0, 5, rows).astype(str),
            "ill": rng.choice(["a", "b", "c"], rows, p=[0.5, 0.3, 0.2]),
            "pay": rng.lognormal(8, 0.5, rows).round(2),
        }
    )


SCHEMA = Schema(["age", "sex", "town"], ["ill", "pay"])


def mixed(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Every sensitive column in an order of its own."""
    rng = np.random.default_rng(seed)
    return frame.with_columns(frame[name][rng.permutation(frame.height)] for name in ("ill", "pay"))


@pytest.mark.parametrize("seed", range(3))
def test_independent_columns_give_nothing_away(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "others.csv"
    people(3_000, 100 + seed).write_csv(file)
    original = Microdata(people(3_000, seed), SCHEMA)
    release = Release(original, Microdata(mixed(original.frame, seed), SCHEMA), np.arange(3_000))
    for name in ("ill", "pay"):
        score = AttributeInference(name, control=str(file)).measure(release)
        assert score.interval is not None
        assert score.interval.low == 0.0
        assert score.value < 0.05


def test_own_values_in_small_classes_are_found_with_either_control(tmp_path: Path) -> None:
    """Three in ten people are alone in a class, most others share it with one or two: own rows are most of what is found."""
    file = tmp_path / "others.parquet"
    people(3_000, 9).write_parquet(file)
    original = Microdata(people(500, 8), SCHEMA)
    release = Release.shuffled(original, original.frame, np.arange(500), np.random.default_rng(0))
    inside = AttributeInference("ill").measure(release)
    outside = AttributeInference("ill", control=str(file)).measure(release)
    assert inside.value == pytest.approx(outside.value, abs=0.05)
    assert inside.interval is not None
    assert inside.interval.low > 0.4
    assert inside.detail["success"] == outside.detail["success"]


def test_what_holds_for_everybody_is_no_risk(tmp_path: Path) -> None:
    """The illness follows from the town, of people in the table and of others."""
    file = tmp_path / "others.csv"
    frame = people(4_000, 3).with_columns(ill=pl.col("town"), age=pl.lit(30))
    frame[2_000:].write_csv(file)
    original = Microdata(frame[:2_000], SCHEMA)
    release = Release.shuffled(original, original.frame, np.arange(2_000), np.random.default_rng(0))
    for metric in (AttributeInference("ill"), AttributeInference("ill", control=str(file))):
        score = metric.measure(release)
        assert (score.value, score.detail["success"], score.detail["control"]) == (0.0, 1.0, 1.0)


def test_a_planted_value_is_found() -> None:
    """The release says of every tenth person, alone in a town, what it says of nobody else."""
    frame = people(2_000, 4).with_columns(age=pl.lit(30), sex=pl.lit("f"), ill=pl.lit("a"))
    alone = pl.int_range(pl.len()) % 10 == 0
    own = pl.int_range(pl.len()).cast(pl.String)
    frame = frame.with_columns(
        town=pl.when(alone).then("x" + own).otherwise("town"), ill=pl.when(alone).then("own " + own).otherwise("ill")
    )
    original = Microdata(frame, SCHEMA)
    release = Release.shuffled(original, frame, np.arange(2_000), np.random.default_rng(0))
    score = AttributeInference("ill").measure(release)
    assert (score.value, score.detail["control"]) == (1.0, 0.9)
    assert AttributeInference().measure(release).detail["column"] == "ill"


def test_changed_values_need_a_control_group() -> None:
    original = Microdata(people(300, 5), SCHEMA)
    release = Pram(keep=0.5, columns=("ill",)).anonymize(original, np.random.default_rng(0))
    with pytest.raises(Undefined, match=r"control='others.csv'"):
        AttributeInference("ill").measure(release)
    score = AttributeInference().measure(release)
    assert score.detail["column"] == "pay"
    assert score.detail["changed columns, which need a control group"] == ["ill"]


def test_people_are_sampled_and_the_interval_holds_the_figure_of_all() -> None:
    original = Microdata(people(3_000, 6), SCHEMA)
    release = Mondrian(k=5).anonymize(original, np.random.default_rng(0))
    everybody = AttributeInference("ill").measure(release)
    some = AttributeInference("ill", people=400).measure(release)
    assert some.interval is not None
    assert some.detail["people"] == 400
    assert some.interval.low <= everybody.value <= some.interval.high


def test_amounts_are_told_apart_by_tenths_and_common_amounts_from_others() -> None:
    """0 is the pay of most people; the others have all tenths that are left."""
    pay = [0.0] * 60 + [float(amount) for amount in range(1, 41)]
    frame = pl.DataFrame({"town": ["a"] * 100, "pay": pay})
    original = Microdata(frame, Schema(["town"], ["pay"]))
    changed = Microdata(frame.with_columns(pay=pl.col("pay") + 0.2), original.schema)
    values = Values.of(Release(original, changed, np.arange(100)), "pay")
    bands = values.original
    assert set(bands[:60]) == {0}
    assert np.bincount(bands[60:]).tolist() == [0, 10, 10, 10, 10]
    assert values.unchanged(np.arange(100))
    assert values.of_others(pl.Series([-5.0, 0.1, 3.0, 1e9, None])).tolist() == [0, 0, 1, 4, 5]

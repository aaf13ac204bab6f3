"""Cells that several steps have made, labels of one's own, and what metrics and attacks read from them."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.attackers import Attacker
from icefire.core.errors import DataError, ParameterError
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.datasets.households import Households
from icefire.evaluation.runs import judge_runs, run_attacks
from icefire.microdata.anonymize.drop_rows import DropRows
from icefire.microdata.anonymize.global_recode import GlobalRecode
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.attack._candidates import candidates
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.formats.ours import Ours
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.kind import MicrodataKind
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.re_identification import ReIdentification
from icefire.microdata.safety.t_closeness import TCloseness
from icefire.microdata.schema import Column
from icefire.microdata.utility.correlation_mae import CorrelationMae
from icefire.microdata.utility.cross_count import CrossCount
from icefire.microdata.utility.cross_mean import CrossMean
from icefire.microdata.utility.information_loss import InformationLoss
from icefire.microdata.utility.loss import Loss
from icefire.microdata.utility.mean_mae import MeanMae

RNG = np.random.default_rng(0)


def release(people: Microdata, *steps: str) -> Release:
    made = tuple(Registry().make("microdata", "anonymize", step) for step in steps)
    return Pipeline(made).anonymize(people, np.random.default_rng(1))


@pytest.fixture
def people() -> Microdata:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 70, 300),
            "zip": rng.integers(100, 130, 300).astype(str),
            "pay": rng.integers(0, 1000, 300),
        }
    )
    return Microdata(frame, Schema(["age", "zip"], ["pay"]))


def covers(made: Release) -> bool:
    return all(
        (made.cells(n).membership[made.cells(n).codes, made.original.codes(n)[made.rows]] > 0).all()
        for n in made.published.qi
    )


@pytest.mark.parametrize(
    "steps",
    [
        ["generalize(columns=[zip], digits=1)"],
        ["generalize(columns=[age], digits=1)"],
        ["generalize(columns=[age], width=10)", "mondrian(k=5)"],
        ["generalize(columns=[zip], digits=2)", "mondrian(k=5)"],
        ["mondrian(k=3)", "mondrian(k=9)"],
        ["mondrian(k=3)", "generalize(columns=[age], learned=2)"],
        [
            "generalize(columns=[zip], digits=2)",
            "generalize(columns=[zip], mapping={'10*': low, '11*': high, '12*': high})",
        ],
    ],
    ids=" ".join,
)
def test_cells_stay_readable_through_steps_and_files(people: Microdata, tmp_path: Path, steps: list[str]) -> None:
    made = release(people, *steps)
    assert covers(made)
    files = Ours()
    files.write_release(made, tmp_path, {"seed": 1})
    again = files.read_release(tmp_path)
    assert covers(again)
    loss = Loss().measure(people, made).value
    assert loss > 0
    assert Loss().measure(again.original, again).value == pytest.approx(loss)
    runs = run_attacks(Registry(), MicrodataKind(), again.published, Attacker(again.original), 0)
    assert judge_runs(MicrodataKind(), [ReIdentification()], again, runs)[0].outcomes[0].score.value > 0.9  # type: ignore[union-attr]


def test_a_label_for_everything_loses_everything(people: Microdata) -> None:
    groups = ", ".join(f"'{zip_}': all" for zip_ in range(100, 130))
    made = release(people, f"generalize(columns=[zip], mapping={{{groups}}})")
    assert Loss().measure(people, made).detail["by column"] == {"age": 0.0, "zip": 1.0}
    assert candidates(made.published, made.original).counts.max() < 20


def test_an_unknown_label_tells_nothing() -> None:
    table = Microdata(pl.DataFrame({"job": ["a", "b"]}), Schema(["job"]))
    odd = Microdata(pl.DataFrame({"job": ["?", "a"]}), Schema(["job"]))
    assert Loss().measure(table, Release(table, odd, np.arange(2))).value == 0.5


def test_values_that_look_like_cells_lose_nothing() -> None:
    values = ["*", "{a|b}", "[1..2]", "a|b", ""]
    table = Microdata(pl.DataFrame({"sex": values, "pay": [1, 2, 3, 4, 5]}), Schema(["sex"], ["pay"]))
    made = release(table, "noise(columns=[pay])")
    assert Loss().measure(table, made).value == 0
    assert InformationLoss().measure(table, made).by_column()["sex"] == 0


def test_texts_that_look_like_numbers_stay_texts_in_files(tmp_path: Path) -> None:
    table = Microdata(
        pl.DataFrame({"z": ["007", "007", "008", "008", "A01"], "p": [1, 2, 3, 4, 5]}), Schema(["z"], ["p"])
    )
    files = Ours()
    files.write_release(release(table, "drop_rows(smaller_than=2)"), tmp_path, {})
    again = files.read_release(tmp_path)
    assert InformationLoss().measure(again.original, again).value == 0


def test_numbers_with_and_without_a_point_are_the_same_group() -> None:
    table = Microdata(pl.DataFrame({"q": [20.0] * 5 + [30.0] * 5, "p": range(10)}), Schema(["q"], ["p"]))
    made = Mondrian(k=5).anonymize(table, RNG)
    assert CrossCount().measure(table, made).value == 0
    assert CrossMean().measure(table, made).value == 0


def test_classes_are_counted_among_the_rows_that_stay() -> None:
    frame = pl.DataFrame({"q": [0] * 5 + [1] * 5, "p": [0, 0, 0, 900, 900, 1, 2, 1, 2, 1]})
    made = DropRows(smaller_than=4, outliers=0.2).anonymize(Microdata(frame, Schema(["q"], ["p"])), RNG)
    assert KAnonymity().measure(made).value == 5
    with pytest.raises(DataError, match="needs a QI column"):
        DropRows(smaller_than=2).anonymize(Microdata(frame, Schema([], ["q", "p"])), RNG)


@pytest.mark.parametrize(
    "step", [Mondrian(k=5, sensitive="s", t=0.2), GlobalRecode(k=3, sensitive="s", t=0.3, suppression=0.5)]
)
@pytest.mark.parametrize("seed", range(5))
def test_promised_closeness_is_measured_as_promised(step: Mondrian | GlobalRecode, seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {"q": rng.integers(0, 20, 200), "s": rng.choice(["low", "middle", "high"], 200, p=[0.6, 0.3, 0.1])}
    )
    order = Column("ordered", order=("low", "middle", "high"))
    width = Column(hierarchy=Hierarchy(widths=(5, 10)))
    table = Microdata(frame, Schema(["q"], ["s"], {"s": order, "q": width}))
    assert TCloseness("s").measure(step.anonymize(table, rng)).value <= (step.t or 0) + 1e-9


def test_a_dropped_amount_is_a_lost_amount() -> None:
    table = Microdata(pl.DataFrame({"q": [1, 2, 3], "a": [1, 2, 6], "b": [10, 20, 60]}), Schema(["q"], ["a", "b"]))
    made = release(table, "drop_columns(columns=[b])")
    assert MeanMae().measure(table, made).value == 30 / 2
    assert CrossMean(by=("q",), of="b").measure(table, made).value == 30
    assert CorrelationMae().measure(table, made).value == pytest.approx(3 / 4)


def test_dropped_categories_leave_no_trace() -> None:
    kinds = pl.Enum(["cold", "flu", "rare-disease-X"])
    frame = pl.DataFrame({"q": [1, 1, 2], "ill": pl.Series(["cold", "flu", "rare-disease-X"], dtype=kinds)})
    made = release(Microdata(frame, Schema(["q"], ["ill"])), "drop_rows(smaller_than=2)")
    assert made.published.frame["ill"].dtype == pl.String


def test_the_suite_sees_through_classes_with_noisy_amounts() -> None:
    people = Households(800).generate(np.random.default_rng(0))
    made = release(people, "mondrian(k=10)", "noise(scale=0.5)")
    shares = {
        run.label: float((run.guess.rows == made.rows).mean())
        for run in run_attacks(Registry(), MicrodataKind(), made.published, Attacker(made.original), 0)
        if run.guess is not None
    }
    assert shares["inside-assignment"] > 0.75
    assert shares["inside-assignment"] > 2 * shares["id_rand"]


@pytest.mark.parametrize("width", [0.1, 0.3, 0.7, 2.5])
def test_intervals_cover_their_values(width: float) -> None:
    values = sorted({round(i * 0.1, 1) for i in range(-30, 30)})
    table = Microdata(pl.DataFrame({"x": values}), Schema(["x"]))
    assert covers(release(table, f"generalize(columns=[x], width={width})"))


def test_hierarchies_that_would_mislead_are_refused() -> None:
    with pytest.raises(DataError, match="has the group 'b' of 'a', which is also a value"):
        Hierarchy.mapping({"a": "b", "b": "c", "c": "c"}).over("x", ["a", "b", "c"])
    with pytest.raises(DataError, match="gives 'a' 1 labels, but others 2"):
        Hierarchy(table={"a": ("x",), "b": ("y", "z")}).over("job", ["a", "b"])


def test_columns_with_very_many_values_stay_within_memory() -> None:
    rows = 12_000
    rng = np.random.default_rng(0)
    names = [f"n{i}" for i in rng.permutation(rows)]
    table = Microdata(
        pl.DataFrame({"name": names, "id": rng.permutation(rows), "pay": rng.random(rows)}), Schema(["name", "id"])
    )
    made = release(table, "noise(scale=0.1)")
    tracemalloc.start()
    assert InformationLoss().measure(table, made).value < 0.1
    assert candidates(made.published, table).counts.max() == 1
    assert tracemalloc.get_traced_memory()[1] < 200e6
    tracemalloc.stop()


def test_large_integers_are_told_apart_or_refused() -> None:
    table = Microdata(pl.DataFrame({"x": [2**60, 2**60 + 1, 2**60 + 2]}), Schema(["x"]))
    assert table.codes("x").tolist() == [0, 1, 2]
    with pytest.raises(DataError, match="beyond 64 bits"):
        Microdata(pl.DataFrame({"x": [2**63 + 5]}, schema={"x": pl.UInt64}), Schema(["x"]))


def test_a_sensitive_column_without_a_promise_is_refused(people: Microdata) -> None:
    with pytest.raises(ParameterError, match="needs 'diversity', 't'"):
        Mondrian(k=2, sensitive="pay").anonymize(people, RNG)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pl.DataFrame({"x": [[1], [2]]}), "holds List"),
        (pl.DataFrame({"__x": [1]}), "begins with two underscores"),
    ],
)
def test_columns_that_cannot_be_used_are_refused(frame: pl.DataFrame, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Microdata(frame, Schema(frame.columns))


def test_names_must_be_a_list() -> None:
    with pytest.raises(DataError, match="qi must be a list of column names"):
        Schema(qi="age")


def test_a_release_does_not_say_which_values_occur(people: Microdata, tmp_path: Path) -> None:
    for number, step in enumerate(["generalize(columns=[age], width=10)", "generalize(columns=[zip], digits=2)"]):
        Ours().write_release(release(people, step), tmp_path / str(number), {})
        assert "published" not in (tmp_path / str(number) / "schema.toml").read_text()
    groups = {str(zip_): "x" for zip_ in range(90, 140)}
    made = release(people, f"generalize(columns=[zip], mapping={groups})")
    assert len(made.original.schema.column("zip").published["x"]) == 50


def test_the_same_cells_lose_the_same_however_they_were_made(people: Microdata) -> None:
    tens = Microdata(people.frame, people.schema.with_hierarchies({"age": Hierarchy(widths=(10,))}))
    given, own = release(people, "generalize(columns=[age], width=10)"), release(tens, "generalize(columns=[age])")
    assert Loss().measure(people, given).value == Loss().measure(tens, own).value


def test_old_labels_do_not_pile_up(people: Microdata, tmp_path: Path) -> None:
    files = Ours()
    groups = {str(zip_): "x" for zip_ in range(100, 130)}
    files.write_release(release(people, f"generalize(columns=[zip], mapping={groups})"), tmp_path, {})
    assert files.read_original(tmp_path).schema.column("zip").published
    files.write_release(release(files.read_original(tmp_path), "noise"), tmp_path, {})
    assert not files.read_original(tmp_path).schema.column("zip").published


def test_a_label_means_one_thing() -> None:
    with pytest.raises(DataError, match="uses the label 'x' for two different groups"):
        Hierarchy(table={"a": ("x", "x"), "b": ("y", "x")}).over("c", ["a", "b"])
    star = Microdata(pl.DataFrame({"c": ["*", "a", "b", "d"]}), Schema(["c"]))
    for step in (Mondrian(k=4), GlobalRecode(k=4)):
        with pytest.raises(DataError, match=r"holds the value '\*', which in a release would stand for several"):
            step.anonymize(star, RNG)


@pytest.mark.parametrize(
    "settings",
    [
        {"widths": (float("inf"),)}, {"widths": (float("nan"),)}, {"widths": ()}, {"widths": (5,), "origin": float("nan")},
        {"learned": 100}, {"learned": 0}, {"learned": True}, {"digits": (-1,)},
    ],
    ids=str,
)  # fmt: skip
def test_impossible_hierarchies_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        Hierarchy(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("cell", ["[1.2.3..5]", "[29..20]", "[20..1e400]", "[..]", "{}", "{|}"])
def test_cells_that_make_no_sense_tell_nothing(cell: str) -> None:
    table = Microdata(pl.DataFrame({"age": [20, 30]}), Schema(["age"]))
    odd = Microdata(pl.DataFrame({"age": [cell, "30"]}), Schema(["age"]))
    assert Loss().measure(table, Release(table, odd, np.arange(2))).value == 0.5
    assert InformationLoss().measure(table, Release(table, odd, np.arange(2))).value == 0.5


def test_times_survive_files(tmp_path: Path) -> None:
    when = pl.datetime_range(pl.datetime(2026, 1, 1), pl.datetime(2026, 1, 8), "1d", eager=True)
    table = Microdata(pl.DataFrame({"when": when, "pay": range(8)}), Schema(["when"], ["pay"]))
    files = Ours()
    made = release(table, "mondrian(k=2)")
    for _ in range(2):
        files.write_release(made, tmp_path, {})

"""Histories in our own folders: what is written comes back, and what is wrong is named."""

from __future__ import annotations

import stat
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from icefire.cli.main import icefire
from icefire.core.errors import DataError, IcefireError
from icefire.core.pipeline import Pipeline
from icefire.history.anonymize.generalize import Generalize
from icefire.history.anonymize.pseudonyms import Pseudonyms
from icefire.history.anonymize.union_clusters import UnionClusters
from icefire.history.attack.jaccard import Jaccard
from icefire.history.data import History, Release
from icefire.history.examples import example
from icefire.history.formats.ours import Ours
from icefire.history.schema import Schema
from icefire.history.utility.cell_loss import CellLoss
from icefire.history.utility.price_ratio import PriceRatio

FILES = Ours()
RECORDS = (
    "customer,bill,day,product,cost,pieces\n"
    "ann,1,2011-01-03,tea,2.50,3\n"
    "ann,1,2011-01-03,cup,4.00,1\n"
    "bob,2,2011-02-07,tea,2.50,12\n"
)
SCHEMA = """
kind = "history"
periods = "month"

[columns]
user = "customer"
invoice = "bill"
date = "day"
item = "product"
price = "cost"
quantity = "pieces"
"""


def write(folder: Path, records: str = RECORDS, schema: str = SCHEMA, **others: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "original.csv").write_text(records)
    (folder / "schema.toml").write_text(schema)
    for name, content in others.items():
        (folder / f"{name}.csv").write_text(content)
    return folder


def test_a_folder_with_names_of_its_own(tmp_path: Path) -> None:
    original = FILES.read_original(write(tmp_path / "in"))
    assert original.users.to_list() == ["ann", "bob"]
    assert original.frame["date"].to_list() == [date(2011, 1, 3)] * 2 + [date(2011, 2, 7)]
    release = Pseudonyms().anonymize(original, np.random.default_rng(0))
    FILES.write_release(release, tmp_path / "out", {"seed": 0})
    header = (tmp_path / "out" / "published.csv").read_text().splitlines()[0]
    assert header == "customer,bill,day,product,cost,pieces"
    again = FILES.read_release(tmp_path / "out")
    assert again.published.frame.equals(release.published.frame)
    assert again.pseudonyms.tolist() == release.pseudonyms.tolist()
    assert again.rows.tolist() == release.rows.tolist()
    for name in ("original.csv", "secret.csv", "secret-rows.csv", "secret-recipe.toml"):
        assert stat.S_IMODE((tmp_path / "out" / name).stat().st_mode) == 0o600, name


@pytest.mark.parametrize("extension", [".csv", ".parquet", ".csv.gz"])
def test_generalized_cells_and_dummies_survive_the_files(tmp_path: Path, extension: str) -> None:
    original = example(30, 8)
    steps = UnionClusters(6), Generalize(item=2, date="week", price=3, quantity=3, time="hour")
    release = Pipeline(steps).anonymize(original, np.random.default_rng(0))
    FILES.write_release(release, tmp_path, {"seed": 0}, extension)
    again = FILES.read_release(tmp_path)
    assert again.published.frame.equals(release.published.frame)
    assert again.rows.tolist() == release.rows.tolist()
    guess = Jaccard().attack(again.published, again.original, np.random.default_rng(0))
    FILES.write_guess(guess, tmp_path / "guess-jaccard.csv", again.published, again.original)
    back = FILES.read_guess(tmp_path / "guess-jaccard.csv", again.published, again.original)
    assert back.table.tolist() == guess.table.tolist()
    assert back.owners.tolist() == guess.owners.tolist()


def test_nothing_of_the_original_s_ids_is_published(tmp_path: Path) -> None:
    release = Pipeline((Pseudonyms(),)).anonymize(example(50, 6), np.random.default_rng(0))
    FILES.write_release(release, tmp_path, {"seed": 0}, ".parquet")
    content = (tmp_path / "published.parquet").read_bytes()
    for secret in (b"c001", b"c049"):
        assert secret not in content
    invoices = set(release.original.frame["invoice"]) & set(release.published.frame["invoice"])
    assert not invoices


def test_pseudonyms_avoid_numbers_that_are_customers() -> None:
    frame = pl.DataFrame({"user": ["1", "2", "3", "x"], "date": [date(2011, 1, 1)] * 4, "item": ["a"] * 4})
    release = Release.made(History(frame), frame, np.arange(4), np.random.default_rng(0))
    assert not set(release.published.users) & {"1", "2", "3", "x"}


def test_windows_of_pseudonyms() -> None:
    rows = [(f"c{i}", date(2011, month, 5), "x") for i in range(6) for month in range(1, 7)]
    original = History(pl.DataFrame(rows, schema=["user", "date", "item"], orient="row"))
    for window, number in ((None, 1), (1, 6), (3, 2), (4, 2)):
        table = Pseudonyms(window=window).anonymize(original, np.random.default_rng(0)).pseudonyms
        assert all(len(set(line)) == number for line in table.tolist())
        assert len(np.unique(table)) == 6 * number
        changes = np.flatnonzero((table[:, 1:] != table[:, :-1]).all(axis=0)) + 1
        assert changes.tolist() == ([] if window is None else list(range(window, 6, window)))


@pytest.mark.parametrize("rule", ["day", "week", "month", "quarter", "year", "all"])
def test_periods_of_every_length(rule: str) -> None:
    days = [date(2010, 12, 31), date(2011, 1, 1), date(2011, 5, 2)]
    frame = pl.DataFrame({"user": ["a"] * 3, "date": days, "item": ["x"] * 3})
    history = History(frame, Schema(periods=rule))  # type: ignore[arg-type]
    expected = {"day": 123, "week": 19, "month": 6, "quarter": 3, "year": 2, "all": 1}
    assert len(history.periods) == expected[rule]
    assert history.period_codes[0] == 0
    assert history.period_codes[-1] == len(history.periods) - 1


@pytest.mark.parametrize(
    ("records", "complaint"),
    [
        (RECORDS.replace(",12\n", ",-12\n"), r"original.csv, line 4: the quantity -12 is negative"),
        (RECORDS.replace(",12\n", ",1.5\n"), r"original.csv, line 4: '1.5' is not a whole number"),
        (RECORDS.replace("2.50,3", "free,3"), r"original.csv, line 2: 'free' is not a price"),
        (RECORDS.replace("2.50,3", "-2.50,3"), r"original.csv, line 2: the price -2.5 is negative"),
        (RECORDS.replace("2.50,3", "nan,3"), r"original.csv, line 2: nan is not a price"),
        (
            RECORDS.replace("2011-02-07", "2011-02-30"),
            r"original.csv, line 4: '2011-02-30' is not a date such as 2011-02-17",
        ),
        (RECORDS.replace("bob", ""), r"original.csv, line 4: the user is missing"),
        (RECORDS.replace("cup", ""), r"original.csv, line 3: the item is missing"),
        (RECORDS.replace(",12\n", ""), r"original.csv, line 4: 5 columns where the header has 6"),
        (RECORDS.replace("pieces", "number"), r"original.csv has unknown columns: 'number'"),
        (RECORDS.replace("customer", "who"), r"has no column for the user. Its columns are who, bill"),
        ("customer,bill,day,product,cost,pieces\n", r"has a header but 0 rows"),
    ],
)
def test_bad_records_are_named_with_their_line(tmp_path: Path, records: str, complaint: str) -> None:
    with pytest.raises(IcefireError, match=complaint):
        FILES.read_original(write(tmp_path / "in", records))


@pytest.mark.parametrize(
    ("schema", "complaint"),
    [
        (SCHEMA.replace("user =", "usr ="), r"no column under \[columns\] in .*'usr'; did you mean 'user'"),
        (SCHEMA.replace('"month"', '"moon"'), r"no period length in .*'moon'"),
        (SCHEMA.replace('"history"', '"microdata"'), r'kind must be "history"'),
        (SCHEMA.replace('"bill"', '"customer"'), r"a column of the file is named twice under \[columns\]"),
        ("columns = 3", r"\[columns\] must hold lines such as"),
        ("x = [", r"schema.toml: "),
    ],
)
def test_bad_schemas_are_named(tmp_path: Path, schema: str, complaint: str) -> None:
    with pytest.raises(IcefireError, match=complaint):
        FILES.read_original(write(tmp_path / "in", schema=schema))


MASTER = SCHEMA + '\n[master]\nuser = "id"\n'


@pytest.mark.parametrize(
    ("master", "complaint"),
    [
        ("id,birth\nann,1950\nann,1951\n", r"master.csv, line 3: the customer 'ann' is listed twice"),
        ("id,birth\nann,1950\n", r"original.csv, line 4: the customer 'bob' is not among the known ones"),
        ("who,birth\nann,1950\n", r"no column of customers in .*master.csv"),
    ],
)
def test_bad_masters_are_named(tmp_path: Path, master: str, complaint: str) -> None:
    with pytest.raises(IcefireError, match=complaint):
        FILES.read_original(write(tmp_path / "in", schema=MASTER, master=master))


@pytest.fixture
def released(tmp_path: Path) -> Path:
    original = FILES.read_original(write(tmp_path / "in"))
    FILES.write_release(Pseudonyms().anonymize(original, np.random.default_rng(0)), tmp_path / "out", {"seed": 0})
    return tmp_path / "out"


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("secret.csv", lambda text: text.replace("DEL", "x1", 1), r"names the pseudonym 'x1', which was not published"),
        ("secret.csv", lambda text: text + "eve,DEL,DEL\n", r"line 4: the pseudonym table names the unknown customer 'eve'"),
        ("secret.csv", lambda text: text.rsplit("\n", 2)[0] + "\n", r"lacks 1 customers, the first is 'bob'"),
        ("secret-rows.csv", lambda text: text.splitlines()[0], r"1 entries for 3 published records"),
        ("secret-rows.csv", lambda text: text.replace("3", "9"), r"points outside the 3 original records"),
        ("published.csv", lambda text: text.replace("2011-02-07", "2013-02-07"), r"line \d: the date 2013-02-07 is outside"),
    ],
)  # fmt: skip
def test_bad_releases_are_named(released: Path, name: str, change: object, complaint: str) -> None:
    path = released / name
    path.write_text(change(path.read_text()))  # type: ignore[operator]
    with pytest.raises(IcefireError, match=complaint):
        FILES.read_release(released)


def test_two_customers_of_one_pseudonym_are_named_with_their_line(tmp_path: Path) -> None:
    both = RECORDS.replace("2011-02-07", "2011-01-09")
    original = FILES.read_original(write(tmp_path / "in", both))
    FILES.write_release(Pseudonyms().anonymize(original, np.random.default_rng(0)), tmp_path / "out", {})
    path = tmp_path / "out" / "secret.csv"
    lines = path.read_text().splitlines()
    lines[2] = lines[2].split(",")[0] + "," + lines[1].split(",")[1]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(
        IcefireError, match=r"secret.csv, line 3: the pseudonym '\d' stands for two customers in 2011-01"
    ):
        FILES.read_release(tmp_path / "out")


def test_a_release_is_not_written_over_another_original(tmp_path: Path) -> None:
    first, second = example(10, 4), example(12, 4)
    FILES.write_release(Pseudonyms().anonymize(first, np.random.default_rng(0)), tmp_path, {})
    with pytest.raises(IcefireError, match="holds another original table"):
        FILES.write_release(Pseudonyms().anonymize(second, np.random.default_rng(0)), tmp_path, {})


def test_missing_amounts_are_accepted_and_lost_columns_too(tmp_path: Path) -> None:
    gaps = RECORDS.replace("4.00,1", ",")
    original = FILES.read_original(write(tmp_path / "in", gaps))
    assert original.frame["price"].null_count() == original.frame["quantity"].null_count() == 1
    bare = "user,date,item\nann,2011-01-03,tea\nbob,2011-01-03,cup\n"
    folder = write(tmp_path / "bare", bare, "")
    result = CliRunner().invoke(icefire, ["redteam", "history", "--in", str(folder), "--json"])
    assert isinstance(result.exception, IcefireError)
    released = CliRunner().invoke(
        icefire, ["anonymize", "history", "pseudonyms", "--in", str(folder), "--out", str(tmp_path / "r")]
    )
    assert released.exit_code == 0, released.output
    judged = CliRunner().invoke(
        icefire, ["redteam", "history", "--in", str(tmp_path / "r"), "--json"], catch_exceptions=False
    )
    assert judged.exit_code == 1, "everybody is found"
    assert (tmp_path / "r" / "report.html").is_file()


def test_knowledge_from_a_file(tmp_path: Path) -> None:
    folder = write(tmp_path / "in")
    runner = CliRunner()
    out = tmp_path / "out"
    runner.invoke(icefire, ["anonymize", "history", "pseudonyms", "--in", str(folder), "--out", str(out)])
    (tmp_path / "known.csv").write_text("\n".join(RECORDS.splitlines()[:2]) + "\n")
    words = [
        "attack",
        "history",
        "jaccard",
        "--in",
        str(out),
        "--out",
        str(out),
        "--knowledge",
        str(tmp_path / "known.csv"),
    ]
    result = runner.invoke(icefire, words, catch_exceptions=False)
    assert result.exit_code == 0
    lines = (out / "guess-jaccard@known.csv").read_text().splitlines()
    assert lines[2] == "bob,DEL,DEL"
    assert not lines[1].startswith("ann,DEL")


def test_history_needs_something() -> None:
    with pytest.raises(DataError, match="has no column 'item'"):
        History(pl.DataFrame({"user": ["a"], "date": [date(2011, 1, 1)]}))
    with pytest.raises(DataError, match="0 records"):
        History(pl.DataFrame(schema={"user": pl.String, "date": pl.Date, "item": pl.String}))


@pytest.mark.parametrize("start", [1, 101, 1001, 10_001, 9_223_372_036_854_775_800])
def test_no_pipeline_gives_out_an_original_id(start: int) -> None:
    frame = pl.DataFrame(
        {"user": [str(start + i) for i in range(7)], "date": [date(2011, 1, 1)] * 7, "item": ["a"] * 7}
    )
    for steps in ((), (Pseudonyms(),), (Pseudonyms(), Pseudonyms(), Pseudonyms(window=None))):
        release = Pipeline(steps).anonymize(History(frame), np.random.default_rng(0))
        assert not set(release.published.users) & set(frame["user"])


def test_one_seed_gives_different_names_to_different_months() -> None:
    tables = []
    for day in (date(2011, 1, 5), date(2011, 2, 5)):
        history = History(pl.DataFrame({"user": list("abcdefgh"), "date": [day] * 8, "item": ["x"] * 8}))
        tables.append(Pipeline((Pseudonyms(),)).anonymize(history, np.random.default_rng(1)).pseudonyms.tolist())
    assert tables[0] != tables[1]


def test_a_single_invoice_number_is_replaced() -> None:
    frame = pl.DataFrame({"user": ["a"], "invoice": ["INV-ANN"], "date": [date(2011, 1, 1)], "item": ["x"]})
    release = Pipeline(()).anonymize(History(frame), np.random.default_rng(0))
    assert release.published.frame["invoice"].to_list() == ["1"]


@pytest.mark.parametrize(
    ("steps", "complaint"),
    [
        (["generalize"], "generalize: say what"),
        (["generalize(item=50)"], "no item is longer than 50 characters"),
        (["generalize(time=hour)"], "the records have no time"),
        (["generalize(price=2)", "generalize(price=2)"], "the price is generalized already"),
        (["generalize(date=week)", "shift_dates"], "the dates are generalized already"),
        (["generalize(price=2)", "noise"], "must be 0 where the records have no exact values"),
        (["noise(price=1000000)"], "must be a number between 0 and 3"),
        (["delete_records(share=0)"], "above 0"),
        (["delete_records(share=1)"], "would leave none"),
        (["method1(clusters=9)"], "between 1 and the 2 customers"),
    ],
)
def test_steps_that_would_do_nothing_or_harm_are_refused(tmp_path: Path, steps: list[str], complaint: str) -> None:
    folder = write(tmp_path / "in")
    words = ["anonymize", "history", *steps, "--in", str(folder), "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(icefire, words)
    assert isinstance(result.exception, IcefireError)
    assert complaint in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_missing_amounts_are_no_loss_and_erased_ones_are() -> None:
    from icefire.core.registry import Registry
    from icefire.evaluation.runs import measure_utility

    plain = example(40, 8)
    gaps = pl.Series(np.arange(plain.height) % 7 == 0)
    frame = plain.frame.with_columns(
        pl.when(gaps).then(None).otherwise(pl.col(name)).alias(name) for name in ("price", "quantity")
    )
    original = History(frame, master=plain.master)
    metrics = Registry().utility_metrics("history")
    same = Pipeline(()).anonymize(original, np.random.default_rng(0))
    for outcome in measure_utility(metrics, original, same):
        assert outcome.score is not None, outcome.reason
        assert outcome.score.value == pytest.approx(outcome.score.scale.best), outcome.method.name
    banded = Pipeline((Generalize(price=3, quantity=3),)).anonymize(original, np.random.default_rng(0))
    assert banded.published.frame["price"].null_count() == int(gaps.sum())
    erased = same.published.frame.with_columns(price=pl.lit(None, dtype=pl.Float64))
    release = Release(original, History(erased, periods=original.periods), same.pseudonyms, same.rows)
    erased_share = 1 - gaps.to_numpy().mean()
    assert PriceRatio().measure(original, release).value == pytest.approx(erased_share)
    assert CellLoss().measure(original, release).by_column()["price"] == pytest.approx(erased_share)


def test_customers_without_records_stay_out_of_clusters() -> None:
    plain = example(20, 4)
    users = pl.concat([plain.users, pl.Series(["zz"])])
    original = History(plain.frame, users=users)
    release = UnionClusters(4).anonymize(original, np.random.default_rng(0))
    assert (release.pseudonyms[-1] == -1).all()


def test_odd_times_and_years_are_named(tmp_path: Path) -> None:
    bad = "user,date,item,time\na,2011-01-01,x,9:30\na,2011-01-01,x,25:99\n"
    with pytest.raises(IcefireError, match=r"original.csv, line 3: '25:99' is not a time such as 9:30"):
        FILES.read_original(write(tmp_path / "a", bad, ""))
    ages = "user,date,item\na,0001-01-01,x\na,9999-12-31,x\n"
    with pytest.raises(IcefireError, match=r"spans 119,988 periods, 0001-01 to 9999-12"):
        FILES.read_original(write(tmp_path / "b", ages, ""))
    moments = "user,date,item\na,2011-01-05 10:00,x\n"
    with pytest.raises(IcefireError, match=r"line 2: .*\(put the time of day into a column of its own\)"):
        FILES.read_original(write(tmp_path / "c", moments, ""))


def test_a_record_is_published_once() -> None:
    original = example(4, 2)
    release = Pipeline(()).anonymize(original, np.random.default_rng(0))
    rows = release.rows.copy()
    rows[0] = rows[1]
    with pytest.raises(DataError, match="one original record for two published ones"):
        Release(original, release.published, release.pseudonyms, rows)

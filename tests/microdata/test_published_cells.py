"""Columns are named by what stands in their cells: sixty that identify people, and sixty of real tables that do not."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import icefire
from icefire.core.kinds import IdentifyingColumn
from icefire.frames.identifying import identifying_columns
from icefire.frames.patterns import PATTERNS, mask, names_of_people, to_usual_form
from icefire.history.examples import example
from icefire.history.kind import HistoryKind
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.kind import MicrodataKind
from icefire.microdata.schema import Column
from icefire.synthetic.kind import SyntheticKind
from planted_columns import ROWS, planted

DATA = os.environ.get("ICEFIRE_DATA")
NUMBERED = ("encounter_id", "patient_nbr", "id", "CustomerID", "customer_id")
"""What the documentation of the real tables calls the number of a person or a case."""


def accuse(
    frame: pl.DataFrame, role: str = "other", columns: dict[str, Column] | None = None
) -> Sequence[IdentifyingColumn]:
    """What is said of a table that is published as it is."""
    qi, sa, other = (frame.columns if role == name else [] for name in ("qi", "sa", "other"))
    table = Microdata(frame.with_columns(all=pl.lit("x")), Schema(["all", *qi], sa, columns or {}, other))
    return MicrodataKind().identifying_columns(Release(table, table, np.arange(frame.height)))


def named(findings: Sequence[IdentifyingColumn]) -> set[str]:
    return {name for finding in findings for name in finding.named}


@pytest.mark.parametrize("role", ["sa", "other", "qi"])
@pytest.mark.parametrize("seed", range(3))
def test_sixty_planted_columns(role: str, seed: int) -> None:
    frame = planted(seed)
    assert frame.width == 60
    missed = set(frame.columns) - named(accuse(frame, role))
    assert len(missed) <= 3, missed


def test_each_planted_column_beside_others_that_are_harmless() -> None:
    """Not only in each other's company; coordinates need their partner."""
    frame, rng = planted(5), np.random.default_rng(5)
    others = pl.DataFrame(
        {
            "pay": rng.lognormal(12, 0.5, ROWS).round(),
            "share": rng.uniform(0, 1, ROWS),
            "bmi": rng.normal(23, 3, ROWS).round(1),
            "kind": rng.choice(["a", "b", "c"], ROWS),
        }
    )
    pairs = [("x", "y"), ("d07", "d08"), ("d09", "d10"), ("d11", "d12")]
    together = {name: pair for pair in pairs for name in pair}
    missed = []
    for name in frame.columns:
        table = pl.concat([others, frame.select(together.get(name, (name,)))], how="horizontal")
        accused = named(accuse(table, "sa"))
        missed += [] if name in accused else [name]
        assert not accused & set(others.columns), (name, accused)
    assert len(missed) <= 3, missed


@pytest.mark.skipif(DATA is None, reason="ICEFIRE_DATA names no folder with real data")
@pytest.mark.parametrize("role", ["sa", "other"])
def test_sixty_harmless_columns(role: str) -> None:
    """The first sixty columns of five real tables, in the order of the files, but for numbers of people and cases."""
    assert DATA is not None
    tables = ("adult", "diabetes", "loans", "online_retail", "retail400_transactions")
    seen, accused = 0, []
    for name in tables:
        frame = pl.read_parquet(Path(DATA) / f"{name}.parquet")
        kept = [column for column in frame.columns if column not in NUMBERED][: 60 - seen]
        seen += len(kept)
        table = frame.select(kept).sample(fraction=1, shuffle=True, seed=1)
        accused += [(name, finding) for finding in identify(table, role)]
    assert seen == 60
    # Titles of employees and of loans are texts that people wrote, and half of them are nobody else's.
    assert len(accused) <= 2, accused


def identify(frame: pl.DataFrame, role: str) -> Sequence[IdentifyingColumn]:
    amounts = frame.columns if role == "sa" else ()
    return identifying_columns(
        frame.head(100_000), amounts, height=frame.height, count=lambda names: frame.group_by(names).len("__n")
    )


def test_examples_are_masked() -> None:
    frame = planted(0)
    for finding in accuse(frame):
        for name in finding.named:
            cells = frame[name].drop_nulls().cast(pl.String)
            assert finding.example not in cells
    assert mask("hanako@example.org", "e-mail addresses") == "h***@e***.org"
    assert mask("090-1234-5612", "phone numbers") == "090-****-**12"


def test_a_finding_says_how_many_rows_and_what() -> None:
    frame = pl.DataFrame({"c": [f"a{i}@example.org" if i % 4 == 0 else f"text {i % 30}" for i in range(200)]})
    (finding,) = accuse(frame)
    assert (finding.name, finding.reasons, finding.rows) == ("c", "contains e-mail addresses", 50)


def test_a_pair_of_coordinates_is_one_finding_and_needs_both_reasons() -> None:
    frame = planted(0).select("x", "y")
    (finding,) = accuse(frame, "sa")
    assert finding.name == "x, y"
    assert finding.named == ("x", "y")
    assert not finding.accepted
    (finding,) = accuse(frame, "sa", {"x": Column(accepted="places of clinics")})
    assert not finding.accepted
    both = {name: Column(accepted="places of clinics") for name in ("x", "y")}
    (finding,) = accuse(frame, "sa", both)
    assert finding.accepted == "places of clinics"
    data = icefire.table(frame.with_columns(town=pl.lit("t"), ill=pl.lit("a")), qi=["town"], sa=["x", "y", "ill"])
    answer = data.anonymize("mondrian(k=10)", seed=1).attack(attacker="qi").answer(max_risk=0.99)
    assert "x, y. Leave them out (drop_columns), or say in schema.toml" in answer
    assert '[columns.x] accepted = "...", [columns.y] accepted = "..."' in answer


def test_sets_are_looked_into() -> None:
    """A set of ten addresses is ten addresses, and a set of towns is no more than towns."""
    people = [f"{{a{i}@example.org|b{i}@example.org}}" for i in range(20) for _ in range(2)]
    towns = ["{north|south}", "{south|west}", "east", "{east|west}"] * 10
    codes = [f"{{{'|'.join(f'Q{10 * i + j:05}X' for j in range(10))}}}" for i in range(4) for _ in range(10)]
    findings = accuse(pl.DataFrame({"contact": people, "town": towns, "code": codes}))
    assert named(findings) == {"contact", "code"}


def test_days_of_birth_in_sets_are_exposed_and_months_are_not() -> None:
    days = [date(1940, 1, 1) + timedelta(37 * i) for i in range(400)]
    sets = ["{" + "|".join(map(str, days[i // 10 * 10 : i // 10 * 10 + 10])) + "}" for i in range(400)]
    months = [f"{day:%Y}******" for day in days]
    findings = accuse(pl.DataFrame({"sets": sets, "months": months, "days": days}))
    assert named(findings) == {"sets", "days"}


@pytest.mark.parametrize("people", [1, 2, 20])
def test_postal_codes_that_enough_people_share_are_no_finding(people: int) -> None:
    codes = [f"{100 + i // people % 900}-{i // people:04}" for i in range(600)]
    frame = pl.DataFrame({"a": codes, "zip": [int(code.replace("-", "")) for code in codes], "b": ["100****"] * 600})
    assert named(accuse(frame)) == ({"a", "zip"} if people < 3 else set())


def test_amounts_are_not_accused_of_being_different() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "v1": rng.lognormal(10, 1, 2000),
            "v2": rng.lognormal(13, 0.8, 2000).astype(int),
            "v3": rng.normal(36.5, 0.4, 2000).round(1),
            "v4": rng.normal(0, 1, 2000),
            "v5": rng.normal(0, 4000, 2000).round(2),
            "v6": rng.gamma(2, 40, 2000),
        }
    )
    assert accuse(frame, "sa") == []
    assert named(accuse(frame, "other")) >= {"v1", "v4", "v6"}


def test_categories_that_are_called_like_people() -> None:
    words = {
        "state": "Alabama Georgia Virginia Carolina Dakota Montana Nevada Washington Maryland Indiana Texas Ohio",
        "brand": "Ford Lincoln Mercedes Toyota Honda Nissan Mazda Audi Fiat Renault Opel Subaru",
        "prefecture": "福島 山口 宮崎 石川 千葉 香川 秋田 長野 東京 大阪 京都 奈良 三重 岐阜 富山 新潟 埼玉 群馬 滋賀 愛媛",
        "prefectures": "東京都 大阪府 北海道 福岡県 青森県 沖縄県",
        "some": "東京 大阪 京都 福島 宮城 長野",
        "ward": "中野区 渋谷区 品川区 目黒区 新宿区 荒川区 板橋区 練馬区 足立区 葛飾区",
        "job": "会社員 公務員 自営業 主婦 学生 無職 医師 看護師 教員 弁護士 農業 漁業",
        "race": "White Black Asian Other Indian",
    }
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({name: rng.choice(cells.split(), 1000) for name, cells in words.items()})
    assert accuse(frame) == []


def test_many_rows_are_counted_where_some_are_looked_at() -> None:
    """What looks different in a sample need not be: each code is thirty people's, and each address one's."""
    rows, rng = 60_000, np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "code": [f"K-{code:05}" for code in rng.integers(0, 2_000, rows)],
            "mail": [f"a{i}@example.org" for i in range(rows)],
            "day": [date(1960, 1, 1) + timedelta(int(i)) for i in rng.integers(0, 3_000, rows)],
        }
    )
    sample = frame.head(1_500)
    assert named(identifying_columns(sample)) == {"code", "mail", "day"}
    whole = identifying_columns(sample, height=rows, count=lambda names: frame.group_by(names).len("__n"))
    assert [(finding.name, finding.rows) for finding in whole] == [("mail", rows)]


def test_missing_cells_and_words_for_them_say_nothing() -> None:
    cells = [f"090-{i:04}-{7 * i % 10_000:04}" if i % 3 else ("不明", None, "N/A")[i // 3 % 3] for i in range(300)]
    (finding,) = accuse(pl.DataFrame({"c": cells}))
    assert (finding.reasons, finding.rows) == ("looks like phone numbers", 200)
    empty = pl.DataFrame({"c": pl.Series([None] * 30, dtype=pl.String), "d": ["不明"] * 30})
    assert accuse(empty) == []


@pytest.mark.parametrize("column", ["people", "value", "len", "share", "here", "first"])
def test_columns_may_be_called_as_ours_are(column: str) -> None:
    frame = planted(0).select(pl.col("b08").alias(column), "x", pl.col("y").alias(f"{column} 2"))
    assert named(accuse(frame, "sa")) == {column, "x", f"{column} 2"}


def test_usual_form() -> None:
    cells = pl.Series(["０３－１２３４－５６７８", "ａ＠ｂ．ｃｏ", "ﾔﾏﾀﾞ　ﾀﾛｳ", "1ー2ー3", " a  b "])
    assert to_usual_form(cells).to_list() == ["03-1234-5678", "a@b.co", "ヤマダ タロウ", "1-2-3", "a b"]


@pytest.mark.parametrize(
    ("what", "cell"),
    [
        ("e-mail addresses", "ann [at] example.org"),
        ("phone numbers", "03(1234)5678"),
        ("phone numbers", "+81-90-1234-5678"),
        ("phone numbers", "0120-123-456"),
        ("phone numbers", "212.555.0123"),
        ("social security numbers", "AB123456C"),
        ("URLs", "www.example.org/ann"),
        ("IP addresses", "2001:db8::ff00:42"),
        ("coordinates", "35°41'22\"N 139°41'30\"E"),
        ("postal codes", "SW1A 1AA"),
        ("addresses", "12 rue de la Paix, Paris"),
        ("addresses", "Hauptstraße 5, 10115 Berlin"),
        ("addresses", "西新宿二丁目8番1号"),
        ("licence plates", "品川 300 あ 12-34"),
        ("dates", "昭和55年1月31日"),
        ("dates", "Jan 31, 1980"),
        ("time stamps", "2024/01/31 9:05"),
        ("time stamps", "令和6年1月31日 9時5分"),
    ],
)
def test_patterns(what: str, cell: str) -> None:
    (pattern,) = (pattern for pattern in PATTERNS if pattern.what == what)
    assert pattern.matches(pl.Series([cell])).all()


@pytest.mark.parametrize("cell", ["2024-01-31", "1,234", "E11.9", "10:30", "12.5", "3-4 times", "100-120", "A4"])
def test_what_is_no_phone_number(cell: str) -> None:
    (pattern,) = (pattern for pattern in PATTERNS if pattern.what == "phone numbers")
    assert not pattern.matches(pl.Series([cell])).any()


def test_names_inside_texts() -> None:
    texts = ["山田様より電話", "Spoke with Mary Johnson", "no answer", "経過良好"] * 10
    matches = names_of_people(pl.Series(texts))
    assert matches is not None
    assert matches.to_list() == [True, True, False, False] * 10


def test_histories_publish_items() -> None:
    history = example(60, 6)
    release = icefire.records(history.frame).anonymize("pseudonyms", seed=1).secret
    assert HistoryKind().identifying_columns(release) == []
    texts = pl.format("order of p{}@example.org", pl.int_range(pl.len()) % 50)
    told = icefire.records(history.frame.with_columns(item=texts)).anonymize("pseudonyms", seed=1).secret
    (finding,) = HistoryKind().identifying_columns(told)
    assert (finding.name, finding.reasons, finding.rows) == ("item", "looks like e-mail addresses", history.height)


def test_synthetic_tables_publish_no_addresses_and_may_have_rare_values() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 80, 300),
            "code": [f"c{i}" for i in range(300)],
            "contact": [f"a{i}@example.org" for i in range(300)],
        }
    )
    release = icefire.members(frame).anonymize("independent", seed=1).secret
    assert named(SyntheticKind().identifying_columns(release)) == {"contact"}


@pytest.mark.parametrize(
    ("last", "given"),
    [
        ("Nguyen Tran Le Pham Hoang Phan Vu Dang", "Minh Duc Quang Lan Hung Tuan Linh Trang"),
        ("Korhonen Virtanen Mäkinen Nieminen Laine Koskinen", "Aino Eino Helmi Onni Venla Väinö"),
        ("Hargreaves Pemberton Ashworth Holloway Barlow Rowntree", "Imogen Rupert Felicity Barnaby Jasper Hugo"),
        ("村瀬 榊原 奥山 江口 浅田 手塚", "康夫 房江 キヨ 辰雄 フミ 勲"),
        ("ムラセ サカキバラ オクヤマ エグチ アサダ テヅカ", "ヤスオ フサエ キヨ タツオ フミ イサオ"),
        ("Murase Sakakibara Okuyama Eguchi Asada Tezuka", "Yasuo Fusae Kiyo Tatsuo Fumi Isao"),
    ],
)
def test_few_names_that_many_share(last: str, given: str) -> None:
    """Nobody is alone with theirs, so that nothing but what the cells say tells that they are names."""
    rng = np.random.default_rng(0)
    pairs = list(zip(rng.choice(last.split(), 500), rng.choice(given.split(), 500), strict=True))
    columns = {
        "both": [f"{second} {first}" if first.isascii() else f"{first} {second}" for first, second in pairs],
        "last": [first for first, _ in pairs],
        "given": [second for _, second in pairs],
    }
    assert named(accuse(pl.DataFrame(columns))) == {"both", "last", "given"}

"""Reading of files as people have them: what is recognized, what is said, and how a wrong guess is overruled."""

from __future__ import annotations

import gzip
import io
import sqlite3
import zipfile
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from icefire.core.errors import FileError, InputError, UnknownName
from icefire.frames.reading import Reading, Table, read_anything

PEOPLE = pl.DataFrame(
    {
        "氏名": ["山田太郎", "佐藤花子", "鈴木一郎", "高橋健"],
        "年齢": [34, 27, 61, 45],
        "郵便番号": ["0600001", "1000005", "5300001", "0640801"],
        "来院日": [date(2024, 4, 1), date(2024, 4, 2), date(2024, 12, 24), date(2025, 1, 3)],
        "費用": [1200.5, 300.0, None, 98.25],
    }
)
TITLES = "患者一覧\n\n作成日: 2025年1月4日\n作成者: 医事課\n取扱注意\n"


def lines(separator: str = ",") -> str:
    return PEOPLE.write_csv(separator=separator)


def people(table: Table) -> None:
    assert table.frame.equals(PEOPLE), table.frame


def test_shift_jis_with_title_lines(tmp_path: Path) -> None:
    path = tmp_path / "患者.csv"
    path.write_bytes((TITLES + lines()).encode("cp932"))
    table = read_anything(path)
    people(table)
    assert "encoded in cp932 (Shift_JIS)" in table.recognized
    assert "5 lines above the header left out (--skip 0 keeps them)" in table.recognized
    assert "texts, since codes begin with 0: 郵便番号" in table.recognized


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf_16", "UTF-16"),
        ("utf_16_le", "utf_16_le"),
        ("utf_16_be", "utf_16_be"),
        ("euc_jp", "EUC-JP"),
        ("cp932", "cp932 (Shift_JIS)"),
    ],
)
def test_encodings(tmp_path: Path, encoding: str, said: str) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(lines().encode(encoding))
    table = read_anything(path)
    people(table)
    assert f"encoded in {said}" in table.recognized


@pytest.mark.parametrize(
    ("encoding", "words", "said"),
    [
        ("cp932", ["世帯番号", "市町村", "札幌市", "函館市"], "cp932 (Shift_JIS)"),
        ("cp932", ["氏名", "年齢", "性別", "病名", "山田", "男", "女", "糖尿病", "なし"], "cp932 (Shift_JIS)"),
        ("cp949", ["이름", "나이", "성별", "주소", "서울", "부산", "김철수", "당뇨병", "고혈압", "없음"], "cp949"),
        ("gb18030", ["姓名", "年龄", "性别", "地址", "北京", "上海", "张伟", "高血压", "职业"], "gb18030"),
    ],
)
def test_few_words_of_a_language(tmp_path: Path, encoding: str, words: list[str], said: str) -> None:
    path = tmp_path / "small.csv"
    rows = [f"H{i:04d},{words[i % len(words)]},{i}" for i in range(60)]
    path.write_bytes("\n".join([f"id,{words[0]},n", *rows]).encode(encoding))
    table = read_anything(path)
    assert table.frame.columns[1] == words[0]
    assert f"encoded in {said}" in table.recognized


def test_utf8_goes_without_saying(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    for start in (b"", b"\xef\xbb\xbf"):
        path.write_bytes(start + lines().replace("\n", "\r\n").encode())
        table = read_anything(path)
        people(table)
        assert not any("encoded" in words for words in table.recognized)


def test_western_letters(tmp_path: Path) -> None:
    path = tmp_path / "people.txt"
    path.write_bytes("name;stadt\nMüller;Köln\nJosé;Málaga\nZoë;Besançon\n".encode("cp1252"))
    table = read_anything(path)
    assert table.frame["stadt"].to_list() == ["Köln", "Málaga", "Besançon"]
    assert table.recognized == ("encoded in Windows-1252", "columns separated by semicolons")


@pytest.mark.parametrize(("separator", "word"), [(";", "semicolons"), ("\t", "tabs"), ("|", "bars")])
def test_separators(tmp_path: Path, separator: str, word: str) -> None:
    path = tmp_path / ("people.tsv" if separator == "\t" else "people.csv")
    path.write_text(lines(separator))
    table = read_anything(path)
    people(table)
    assert f"columns separated by {word}" in table.recognized


def test_a_wrong_guess_is_overruled(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_bytes(b"a;b,c;d\n1;2,3;4\n")
    assert read_anything(path, Reading(separator=",")).frame.columns == ["a;b", "c;d"]
    assert read_anything(path, Reading(separator=";")).frame.columns == ["a", "b,c", "d"]
    path.write_bytes(b"title\nx,y\n1,2\n3,4\n")
    assert read_anything(path, Reading(skip=2, names=["p", "q"])).frame.rows() == [(1, 2), (3, 4)]
    assert read_anything(path, Reading(skip=1)).frame.columns == ["x", "y"]
    path.write_bytes("名前,n\n山,1\n".encode("euc_jp"))
    assert read_anything(path, Reading(encoding="euc-jp")).frame.columns == ["名前", "n"]
    with pytest.raises(FileError, match=r"line 1: byte 0x.. is not UTF-8"):
        read_anything(path, Reading(encoding="utf-8"))
    with pytest.raises(InputError, match="--encoding: 'klingon' is no encoding"):
        read_anything(path, Reading(encoding="klingon"))


def test_a_file_without_header(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("34,f,2024-01-01\n27,m,2024-02-01\n")
    table = read_anything(path)
    assert table.frame.columns == ["column1", "column2", "column3"]
    assert table.frame.height == 2
    assert "no header: columns are named column1, column2, ... (--names gives names)" in table.recognized
    named = read_anything(path, Reading(names=["age", "sex", "day"]))
    assert named.frame.rows()[0] == (34, "f", date(2024, 1, 1))
    with pytest.raises(InputError, match=r"--names gives 2 names, and .* has 3 columns"):
        read_anything(path, Reading(names=["age", "sex"]))


def test_columns_of_words_have_a_header(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    path.write_text("colour,town\nred,Oslo\nblue,Rome\n")
    assert read_anything(path).frame.columns == ["colour", "town"]


def test_spreadsheets(tmp_path: Path) -> None:
    xlsxwriter = pytest.importorskip("xlsxwriter")
    path = tmp_path / "people.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("患者")
        sheet.write(0, 0, "患者一覧")
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for place, name in enumerate(PEOPLE.columns):
            sheet.write(2, place, name)
        for row, values in enumerate(PEOPLE.rows(), start=3):
            for place, value in enumerate(values):
                if isinstance(value, date):
                    sheet.write_datetime(row, place, value, day)
                elif value is not None:
                    sheet.write(row, place, value)
        PEOPLE.head(2).write_excel(book, worksheet="second")
    table = read_anything(path)
    people(table)
    assert "the first of 2 sheets, '患者' (--sheet chooses another: second)" in table.recognized
    assert read_anything(path, Reading(sheet="second")).frame.height == 2
    assert read_anything(path, Reading(sheet="2")).frame.height == 2
    with pytest.raises(UnknownName, match=r"no sheet in .*'secnd'; did you mean 'second'"):
        read_anything(path, Reading(sheet="secnd"))


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    PEOPLE.write_ndjson(path)
    table = read_anything(path)
    assert table.frame.drop("来院日").equals(PEOPLE.drop("来院日"))
    assert "JSON lines" in table.recognized


def test_parquet_folders_and_several_files(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    PEOPLE[:2].write_parquet(folder / "part-0.parquet")
    PEOPLE[2:].write_parquet(folder / "part-1.parquet")
    (folder / "_SUCCESS").write_text("")
    people(read_anything(folder))
    for month, rows in (("04", PEOPLE[:2]), ("12", PEOPLE[2:])):
        (tmp_path / f"month-{month}.csv").write_bytes(rows.write_csv().encode("cp932"))
    table = read_anything(tmp_path / "month-*.csv")
    people(table)
    assert table.recognized[0] == "2 files"


def test_archives(tmp_path: Path) -> None:
    (tmp_path / "people.csv.gz").write_bytes(gzip.compress(lines().encode("cp932")))
    people(read_anything(tmp_path / "people.csv.gz"))
    with zipfile.ZipFile(tmp_path / "people.zip", "w") as archive:
        archive.writestr("sub/people.csv", lines(";").encode("cp932"))
    people(read_anything(tmp_path / "people.zip"))
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.csv", "a\n1\n")
        archive.writestr("b.csv", "a\n1\n")
    with pytest.raises(FileError, match=r"two.zip holds 2 files \(a.csv, b.csv\): unpack it"):
        read_anything(tmp_path / "two.zip")


def test_databases(tmp_path: Path) -> None:
    path = tmp_path / "clinic.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("create table people (name text, age integer, code text)")
        connection.executemany("insert into people values (?, ?, ?)", [("ann", 34, "007"), ("bob", None, "010")])
    connection.close()
    table = read_anything(path)
    assert table.frame.rows() == [("ann", 34, "007"), ("bob", None, "010")]
    assert table.recognized == ("the table 'people'",)
    assert read_anything(f"sqlite:///{path}#people").frame.height == 2
    assert read_anything(f"sqlite:///{path}#select name from people where age > 3").frame.rows() == [("ann",)]
    with pytest.raises(UnknownName, match=r"no table in .*'peple'; did you mean 'people'"):
        read_anything(path, Reading(table="peple"))
    # Reading never writes.
    with pytest.raises(FileError, match=r"readonly|Execute|statement|no results"):
        read_anything(f"sqlite:///{path}#with x as (select 1) delete from people")
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "clinic.duckdb")) as other:
        other.execute("create table a as select 1 as x; create table b as select 2 as x")
    assert read_anything(tmp_path / "clinic.duckdb", Reading(table="b")).frame["x"].to_list() == [2]
    with pytest.raises(InputError, match="holds 2 tables: choose one with --table: a, b"):
        read_anything(tmp_path / "clinic.duckdb")


@pytest.mark.parametrize(
    "text", ["氏名,性別\n佐藤,男\n", "都市,数\n東京,1\n大阪,2\n京都,3\n", "ﾅﾏｴ,年齢\n山田太郎,30\n"]
)
def test_a_few_words_of_japanese_are_enough(tmp_path: Path, text: str) -> None:
    (tmp_path / "few.csv").write_bytes(text.encode("cp932"))
    assert read_anything(tmp_path / "few.csv").frame.columns == text.splitlines()[0].split(",")


def test_lines_above_the_header_of_a_sheet_are_counted_as_the_sheet_counts_them(tmp_path: Path) -> None:
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(tmp_path / "list.xlsx") as book:
        sheet = book.add_worksheet()
        for row, cells in {1: ["List of members"], 4: ["name", "age"], 5: ["ann", 34], 7: ["bob", 35]}.items():
            sheet.write_row(row, 0, cells)
    table = read_anything(tmp_path / "list.xlsx")
    assert table.frame.rows() == [("ann", 34), ("bob", 35)]
    assert table.recognized == ("4 lines above the header left out (--skip 0 keeps them)",)
    assert read_anything(tmp_path / "list.xlsx", Reading(skip=4)).frame.equals(table.frame)
    assert read_anything(tmp_path / "list.xlsx", Reading(skip=5)).frame.columns == ["ann", "34"]


def test_postgresql(database: str) -> None:
    psycopg = pytest.importorskip("psycopg")
    with psycopg.connect(database) as connection:
        connection.execute("create table people (name text, age integer, born date, pay numeric(9, 2), code text)")
        row = ("ann", 34, date(1990, 1, 2), 1234.5, "007")
        connection.execute("insert into people values (%s, %s, %s, %s, %s), ('bob', null, null, null, '010')", row)
    table = read_anything(database)
    assert table.frame.rows() == [("ann", 34, date(1990, 1, 2), 1234.5, "007"), ("bob", None, None, None, "010")]
    assert table.frame["pay"].dtype == pl.Float64
    assert table.recognized == ("the table 'people'",)
    assert read_anything(f"{database}#select name from people where age > 3").frame.rows() == [("ann",)]
    with pytest.raises(FileError, match="read-only transaction"):
        read_anything(f"{database}#with gone as (delete from people returning name) select * from gone")


def test_numbers_and_codes(tmp_path: Path) -> None:
    path = tmp_path / "n.csv"
    path.write_text('amount,code,mixed,share\n"1,234",007,1,.5\n"12,345,678",012,x,1e3\n-5,120,3,\n')
    frame = read_anything(path).frame
    assert frame["amount"].to_list() == [1234, 12345678, -5]
    assert frame["code"].to_list() == ["007", "012", "120"]
    assert frame["mixed"].to_list() == ["1", "x", "3"]
    assert frame["share"].to_list() == [0.5, 1000.0, None]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"  \n", "is empty"),
        (b"a,b\n", "has a header but 0 rows"),
        (b"a,b\n1,2\n3\n4,5\n", "line 3: 1 columns where the header has 2"),
        (b"a,b\n1,2\n3,4,5\n", "line 3: 3 columns where the header has 2"),
        (b"a,a\n1,2\n", "the column 'a' occurs twice"),
        (b"a,,c\n1,2,3\n", "column 2: the column has no name"),
        (b"title\nmore\na,b\n1,2\n3,4\n5\n", "line 6: 1 columns where the header has 2"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(FileError, match=says):
        read_anything(path)


def test_an_archive_that_would_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.frames.reading.LARGEST", 1000)
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", b"a\n" + b"1\n" * 10_000)
    with pytest.raises(FileError, match="would unpack to"):
        read_anything(tmp_path / "bomb.zip")
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(b"a\n" + b"1\n" * 10_000))
    with pytest.raises(FileError, match="would unpack to"):
        read_anything(tmp_path / "bomb.csv.gz")


def test_quoted_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    out = io.StringIO()
    pl.DataFrame({"note": ["two\nlines", "one"], "n": [1, 2]}).write_csv(out)
    path.write_text("a title\n" + out.getvalue())
    assert read_anything(path).frame["note"].to_list() == ["two\nlines", "one"]

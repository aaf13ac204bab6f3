from __future__ import annotations

import gzip
import stat
from pathlib import Path

import polars as pl
import pytest

from icefire.core.errors import FileError, InputWarning
from icefire.frames.files import find_table, read_integers, read_table, staged


def write(folder: Path, content: bytes | str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty: expected a header and at least one row"),
        ("  \n \n", "is empty"),
        ("a,b\n", "has a header but 0 rows"),
        ("a;b\n1;2\n", "line 1: the columns are separated by semicolons. Separate them by commas."),
        ("a\tb\n1\t2\n", "separated by tabs"),
        ("a,b,a\n1,2,3\n", r"line 1: the column 'a' occurs twice \(columns 1 and 3\)"),
        ("a,,c\n1,2,3\n", "line 1, column 2: the column has no name"),
        ("a,b\nx,1\na,b\n", "line 3: the header is repeated"),
        ("a,b\n1,2\n3,4,5\n", "line 3: 3 columns where the header has 2"),
        ("a,b\n1,2\n3\n", "line 3: 1 columns where the header has 2"),
        (b"a,b\n1,caf\xe9\n", "line 2: byte 0xe9 is not UTF-8"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, content: bytes | str, message: str) -> None:
    with pytest.raises(FileError, match=message) as caught:
        read_table(write(tmp_path, content))
    assert "t.csv" in str(caught.value)


def test_bom_crlf_gzip_and_quotes_are_accepted(tmp_path: Path) -> None:
    plain = read_table(write(tmp_path, "a,b\n1,x\n2,y\n"))
    assert read_table(write(tmp_path, b"\xef\xbb\xbfa,b\r\n1,x\r\n2,y\r\n")).equals(plain)
    assert read_table(write(tmp_path, gzip.compress(b"a,b\n1,x\n2,y\n"), "t.csv.gz")).equals(plain)
    assert read_table(write(tmp_path, '"a",b\n1,"x"\n2,y')).equals(plain)


def test_text_columns_keep_leading_zeros(tmp_path: Path) -> None:
    path = write(tmp_path, "zip,n\n007,1\n010,2\n")
    assert read_table(path, texts=("zip",))["zip"].to_list() == ["007", "010"]


def test_empty_last_cell_is_a_missing_value(tmp_path: Path) -> None:
    assert read_table(write(tmp_path, "a,b\n1,x\n2,\n"))["b"].to_list() == ["x", None]


def test_unreadable_files_raise(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no file"):
        read_table(tmp_path / "absent.csv")
    with pytest.raises(FileError, match=r"must end in \.parquet, \.csv, \.csv\.gz"):
        read_table(write(tmp_path, "a\n1\n", "t.xlsx"))
    with pytest.raises(FileError, match="not a readable Parquet file"):
        read_table(write(tmp_path, "nonsense", "t.parquet"))
    with pytest.raises(FileError, match="cannot read"):
        read_table(write(tmp_path, "not gzip", "t.csv.gz"))


def test_find_table(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no folder"):
        find_table(tmp_path / "absent", "original")
    with pytest.raises(FileError, match="no file original"):
        find_table(tmp_path, "original")
    write(tmp_path, "a\n1\n", "original.csv")
    write(tmp_path, "x", "original.parquet")
    with pytest.raises(FileError, match="keep one of them"):
        find_table(tmp_path, "original")


def test_read_integers(tmp_path: Path) -> None:
    assert read_integers(write(tmp_path, b"\xef\xbb\xbf3\r\n1\r\n\r\n"), "the guess") == [3, 1]
    with pytest.raises(FileError, match=r"line 2: the guess must have one integer per line, found '1\.5'"):
        read_integers(write(tmp_path, "3\n1.5\n"), "the guess")


def test_failed_writing_leaves_no_files(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1]})

    def fail() -> None:
        with staged() as stage:
            stage.table(frame, tmp_path / "new" / "one.csv")
            stage.text("x", tmp_path / "two.txt")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_table_with_another_extension_is_replaced_and_secrets_are_private(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1]})
    for name in ("t.csv", "t.parquet", "t.csv.gz"):
        with staged() as stage:
            stage.table(frame, tmp_path / name)
            stage.text("7\n", tmp_path / "secret.csv", secret=True)
        assert find_table(tmp_path, "t").name == name
        assert read_table(find_table(tmp_path, "t")).equals(frame)
    assert stat.S_IMODE((tmp_path / "secret.csv").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "values",
    [
        ["1"] * 10_500 + ["a"],
        ["1"] * 10_500 + ["1.5"],
        [""] * 10_500 + ["7"],
        [""] * 10_500 + ["x"],
        ["true"] * 10_500 + ["maybe"],
        ["1"] * 10_500 + [str(1 << 70)],
        ["1.5"] * 10_500 + ["2"],
        ["1"] * 10_500 + [""],
    ],
)
def test_types_hold_for_all_rows_however_late_they_are_told(tmp_path: Path, values: list[str]) -> None:
    content = "number,other\n" + "".join(f"{value},x\n" for value in values)
    found = read_table(write(tmp_path, content))
    assert found.equals(pl.read_csv(content.encode(), infer_schema_length=None))
    assert found.schema == pl.read_csv(content.encode(), infer_schema_length=None).schema


def test_codes_that_begin_with_zero_are_texts_however_late_they_are_told(tmp_path: Path) -> None:
    path = write(tmp_path, "number,other\n" + "7,x\n" * 12_000 + "007,x\n")
    with pytest.warns(InputWarning, match="codes that begin with 0 stay texts: number"):
        found = read_table(path)
    assert found["number"].tail(2).to_list() == ["7", "007"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [("3\n007\n\n", [3, 7]), ("5", [5]), (" 3\n+4\n-1\n", [3, 4, -1]), ("1_0\n", [10])],
)
def test_integers_are_read_alike_however_they_are_written(tmp_path: Path, content: str, expected: list[int]) -> None:
    assert read_integers(write(tmp_path, content), "the guess") == expected


@pytest.mark.parametrize("content", ["3\n\n4\n", f"1\n{1 << 62}\n", f"{10**30}\n", '"3"\n'])
def test_what_is_not_an_integer_in_every_line_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(FileError, match="line"):
        read_integers(write(tmp_path, content), "the guess")

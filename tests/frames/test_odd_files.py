"""Tables that people and their programs write oddly: they are read, or refused with the line."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from icefire.core.errors import DataError, FileError
from icefire.frames.files import read_plain, read_table
from icefire.frames.set_bounds import bounded_sets
from icefire.games._tables import read_numbers
from icefire.synthetic.data import Schema, fitted

BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    "content",
    [BOM + BOM + b"a,b\nx,y\n", b"a,b\r\r\nx,y\r\r\n", b"a,b\r\nx,y\r\n", b'"a",b\nx,y\n'],
    ids=["two marks", "CR CR LF", "CR LF", "quotes"],
)
def test_harmless_oddities(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    assert read_table(tmp_path / "t.csv").to_dicts() == [{"a": "x", "b": "y"}]


def test_quotation_marks_in_the_name_of_a_column(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b'"a ""b""",c\nx,y\n')
    assert read_table(tmp_path / "t.csv").columns == ['a "b"', "c"]


def test_whole_numbers_that_are_none(tmp_path: Path) -> None:
    for cell in ("9999999999999999999999", "1e300", "inf", "nan", "1.5", ""):
        (tmp_path / "t.csv").write_text(f"a,b\n1,2\n2,{cell}\n")
        with pytest.raises(DataError, match=r"t.csv, line 3, b: a whole number is expected"):
            read_numbers(tmp_path / "t.csv", ["a", "b"], 2)


def test_integers_of_any_size_fit_where_numbers_are_expected(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n9999999999999999999999\n")
    like = pl.DataFrame({"a": [1, 2]})
    found = fitted(read_table(tmp_path / "t.csv"), like, Schema(), "t.csv")
    assert found["a"].to_numpy().tolist() == [1.0, 1e22]


def test_a_header_that_goes_on(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\rx,y\r")
    with pytest.raises(FileError, match="line 1: the header ends in an unusual way"):
        read_table(tmp_path / "t.csv")


def test_a_quotation_mark_without_a_partner(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b'1,2\n1,"\n' + b"1,2\n" * 70)
    with pytest.raises(FileError, match=r"t\.csv, line (2|73)"):
        read_plain(tmp_path / "t.csv", ["a", "b"])
    (tmp_path / "t.csv").write_bytes(BOM + b'1,2"\n' + b"1,2\n" * 70)
    with pytest.raises(FileError, match="line 1: a quotation mark is opened and not closed"):
        read_plain(tmp_path / "t.csv", ["a", "b"])


def test_bounds_of_sets(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\nx,{1|2|3}\ny,{1|2|3}\nz,{1;2;3;4}\nw,[1..2]\n")

    def read(size: int | None, total: int | None) -> None:
        with bounded_sets(size, total):
            read_table(path)

    read(4, 7)
    read(None, None)
    read_table(path)
    with pytest.raises(
        FileError, match=r"t\.csv, line 4, column 'b': a set of 4 values, more than 3: write an interval"
    ):
        read(3, 100)
    with pytest.raises(FileError, match=r"t\.csv: its sets list 7 values, more than 6"):
        read(4, 6)
    path.write_text("{1|{2}},b\n{{1}},b\n")
    with bounded_sets(9, 9), pytest.raises(FileError) as caught:
        read_plain(path, ["a", "b"])
    assert [line.split(": ")[0] for line in str(caught.value).splitlines()] == [
        f"{path}, line 1, column 'a'",
        f"{path}, line 2, column 'a'",
    ]


@pytest.mark.parametrize("rows", [3, 20_000])
def test_a_quotation_mark_at_the_end_of_numbers_is_refused(tmp_path: Path, rows: int) -> None:
    """polars panics there, which no `except Exception` sees."""
    (tmp_path / "a.csv").write_text("x,y\n" + "0,1\n" * rows + '0,"')
    with pytest.raises(FileError, match=f"line {rows + 2}: a quotation mark is opened and not closed"):
        read_table(tmp_path / "a.csv")

"""Cells that spreadsheets would take for formulas are refused, and no others, in whatever pieces a file comes in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.contest import uploads
from icefire.contest.config import Limits
from icefire.contest.uploads import pack, unpack
from icefire.core.errors import DataError

PLAIN = [
    b"income,mail\n<=50K,a@b\n>50K,x=y\n-1,+2\n-,+\n-.5,a-b\n",
    b"income,mail\r\n<=50K,a@b\r\n-,x+y\r\n+,a -\r\n",
    b"income,mail\r<=50K,a@b\r-,-1\r",
    b'\xef\xbb\xbfincome,mail\n"<=50K","a@b"\n"-1","+2"\n"-","a ""x"" = 1"\n',
    b"\xef\xbb\xbf-1\n+2\n-\n+",
    "名前,値\nx＝y,x\n".encode(),
]
FORMULAS = [
    (b"=1\n", 1, "="),
    (b"\xef\xbb\xbf=1\n", 1, "="),
    (b'\xef\xbb\xbf"@x"\n', 1, "@"),
    (b"a,b\n1,=2\n", 2, "="),
    (b"a,b\r\n1,2\r\n@x,4\r\n", 3, "@"),
    (b"a,b\r1,2\r3,+x\r", 3, "+"),
    (b'a,b\n1,2\n"-x",4\n', 3, "-"),
    (b"a,b\n1,\t=2\n", 2, "="),
    (b"a,b\n\t@2,1\n", 2, "@"),
    (b"a;b\n1;-x\n", 2, "-"),
    (b"a,b\n1,'+x\n", 2, "+"),
    (b"a,b\n1,2\n3,--1\n", 3, "-"),
    ("あ,い\n1,-京\n".encode(), 2, "-"),
]


def take(content: bytes, folder: Path) -> None:
    unpack(pack({"published.csv": content}), folder, ["published.csv"], Limits(), lambda _: None)
    assert (folder / "published.csv").read_bytes() == content


@pytest.mark.parametrize("content", PLAIN)
def test_plain_cells_are_taken_wherever_the_file_is_cut(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for size in range(1, len(content) + 2):
        monkeypatch.setattr(uploads, "CHUNK", size)
        take(content, tmp_path / str(size))


@pytest.mark.parametrize(("content", "line", "sign"), FORMULAS)
def test_formulas_are_refused_wherever_the_file_is_cut(
    content: bytes, line: int, sign: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for size in range(1, len(content) + 2):
        monkeypatch.setattr(uploads, "CHUNK", size)
        with pytest.raises(DataError, match=rf"published.csv, line {line}: a cell begins with '\{sign}'"):
            take(content, tmp_path / str(size))


def test_lines_and_columns_are_counted_wherever_the_file_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = b"a,b,c\r\n" + b"1,2,3\r\n" * 3
    faults = {
        (b"a,b\r\n1,2\r\n3,\x004\r\n", Limits()): "line 3: there is a NUL byte",
        (wide, Limits(columns=2)): "has more than 2 columns",
        (wide, Limits(rows=2)): "has more than 2 rows",
    }
    for (content, limits), fault in faults.items():
        for size in range(1, len(content) + 2):
            monkeypatch.setattr(uploads, "CHUNK", size)
            folder = tmp_path / f"{size}"
            with pytest.raises(DataError, match=fault):
                unpack(pack({"p.csv": content}), folder, ["p.csv"], limits, lambda _: None)
    take(wide, tmp_path / "good")


def test_the_plain_adult_table_is_taken_in_any_order(shared: Path, tmp_path: Path) -> None:
    table = pl.read_parquet(shared / "adult.parquet")
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(table.height)
        take(table[order].write_csv().encode(), tmp_path / str(seed))


def test_a_file_without_a_name_is_refused(tmp_path: Path) -> None:
    packed = pack({"": b"1", "published.csv": b"1"})
    with pytest.raises(DataError, match=r"the zip file holds '': it should hold published.csv and nothing else"):
        unpack(packed, tmp_path / "x", ["published.csv"], Limits(), lambda _: None)


def test_what_cannot_be_read_is_said_in_few_words(tmp_path: Path) -> None:
    packed = bytearray(pack({"published.csv": b"1"}))
    # The name in the header of the entry is said to be 50,000 bytes long.
    packed[26:28] = (50_000).to_bytes(2, "little")
    with pytest.raises(DataError, match="cannot be read") as caught:
        unpack(bytes(packed) + b"\0" * 60_000, tmp_path / "x", ["published.csv"], Limits(), lambda _: None)
    assert len(str(caught.value)) < 300

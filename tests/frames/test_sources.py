"""Files, folders, globs and databases are opened by the engine that is asked for, with the same answers on all."""

from __future__ import annotations

import sqlite3
import warnings
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from icefire.core.errors import FileError, InputError, InputWarning, UnknownName
from icefire.frames import engines
from icefire.frames.files import read_table
from icefire.frames.sources import Engine, open_table


@pytest.fixture(params=["polars", "duckdb", "spark"])
def engine(request: pytest.FixtureRequest) -> Engine:
    if request.param == "spark":
        request.getfixturevalue("spark")
    elif request.param == "duckdb":
        pytest.importorskip("duckdb")
    name: Engine = request.param
    return name


def rows(data: Any) -> list[tuple[Any, ...]]:
    return sorted(engines.polars(data).rows(), key=repr)


ODD = (
    "\ufeffname,n,x,yes,day,gap\r\n"
    '"a, ""b""",1,1,true,2020-01-01,\r\n'
    '"two\nlines",-2,.5,False,2020-1-1,"",\r\n'.replace('"",\r\n', '""\r\n')
    + "\r\n"
    + "c,3,1e-3,TRUE,,7\r\n"
    + ",,,,,\r\n"
    + "é,4,NaN,true,x,8\r\n"
)


def test_csv_means_the_same_on_every_engine(tmp_path: Path, engine: Engine) -> None:
    (tmp_path / "odd.csv").write_text(ODD, newline="", encoding="utf-8")
    found = engines.polars(open_table(tmp_path / "odd.csv", engine))
    assert [str(dtype) for dtype in found.dtypes] == ["String", "Int64", "Float64", "Boolean", "String", "String"]
    # Lines without any cell are no records; a cell with quotes and nothing between them is not missing.
    assert found.sort("n").fill_nan(-1.0).rows() == [
        ("two\nlines", -2, 0.5, False, "2020-1-1", ""),
        ('a, "b"', 1, 1.0, True, "2020-01-01", None),
        ("c", 3, 0.001, True, None, "7"),
        ("é", 4, -1.0, True, "x", "8"),
    ]


@pytest.mark.parametrize("content", ["a,b\n1,2\n3\n4,5,6\n", "a,b\n1,2\n3\n", "a,b\n1,2\n3,4,5\n", "a,b\nx,y\na,b\n"])
def test_malformed_lines_are_named(tmp_path: Path, engine: Engine, content: str) -> None:
    (tmp_path / "t.csv").write_text(content)
    with pytest.raises(FileError, match=r"t\.csv, line 3: "):
        open_table(tmp_path / "t.csv", engine)


def test_empty_files_and_folders(tmp_path: Path, engine: Engine) -> None:
    (tmp_path / "t.csv").write_text("a,b\n")
    (tmp_path / "none").mkdir()
    for name, message in (
        ("t.csv", "header but 0 rows"),
        ("none", "holds no files"),
        ("absent.csv", "no file"),
        ("*.parquet", "no file"),
        ("odd.xls", "must end in"),
    ):
        with pytest.raises(FileError, match=message):
            open_table(tmp_path / name, engine)


def test_folders_and_globs(tmp_path: Path, engine: Engine) -> None:
    for part in (1, 2):
        folder = tmp_path / "parts" / f"month={part}"
        folder.mkdir(parents=True)
        pl.DataFrame({"a": [part, part]}).write_parquet(folder / "x.parquet")
        pl.DataFrame({"a": [part, None], "b": ["x", "y"]}).write_csv(tmp_path / f"t{part}.csv")
    (tmp_path / "parts" / "_SUCCESS").touch()
    assert rows(open_table(tmp_path / "parts", engine)) == [(1, 1), (1, 1), (2, 2), (2, 2)]
    assert rows(open_table(tmp_path / "parts" / "*" / "*.parquet", engine)) == [(1, 1), (1, 1), (2, 2), (2, 2)]
    assert rows(open_table(tmp_path / "t*.csv", engine)) == [(1, "x"), (2, "x"), (None, "y"), (None, "y")]
    (tmp_path / "t3.csv").write_text("b,a\n1,2\n")
    with pytest.raises(FileError, match=r"t3\.csv has other columns"):
        open_table(tmp_path / "t*.csv", engine)
    with pytest.raises(FileError, match="Parquet and CSV"):
        open_table(tmp_path, engine)


CELLS = st.sampled_from(
    ["", "1", "-2", "007", "+1", "1.0", ".5", "1.", "2e3", "inf", "true", "FALSE", "x", "1 ", "a b"]
)


@pytest.mark.parametrize("name", ["polars", "duckdb"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6))
def test_types_are_those_of_the_table_in_memory(tmp_path: Path, name: Engine, cells: list[tuple[str, str]]) -> None:
    pytest.importorskip(name)
    (tmp_path / "t.csv").write_text("a,b,c\n" + "".join(f"{a},{b},z\n" for a, b in cells))
    with warnings.catch_warnings():
        # Codes such as 007 are said to be texts.
        warnings.simplefilter("ignore", InputWarning)
        expected = read_table(tmp_path / "t.csv")
    found = engines.polars(open_table(tmp_path / "t.csv", name))
    assert rows(found) == rows(expected)


def test_types_do_not_depend_on_the_first_rows(tmp_path: Path, engine: Engine) -> None:
    column = [str(i) for i in range(1500)]
    frame = pl.DataFrame(
        {"a": [*column, "0.5"], "b": [*column, "x"], "c": [*column, "1"], "d": ["true"] * 1500 + ["1"]}
    )
    frame.write_csv(tmp_path / "t.csv")
    found = engines.polars(open_table(tmp_path / "t.csv", engine))
    assert [str(dtype) for dtype in found.dtypes] == ["Float64", "String", "Int64", "String"]
    assert found.height == 1501


def test_tables_of_databases(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table sales as select 1 as a union all select 2")
    assert rows(open_table(path)) == [(1,), (2,)]
    with duckdb.connect(str(path)) as connection:
        connection.execute('create view "my view" as select a + 1 as b from sales')
    assert rows(open_table(path, "duckdb", "my view")) == [(2,), (3,)]
    with pytest.raises(InputError, match="choose one with --table: my view, sales"):
        open_table(path)
    with pytest.raises(UnknownName, match="did you mean 'sales'"):
        open_table(path, table="sale")
    with pytest.raises(InputError, match="--engine duckdb reads"):
        open_table(path, "polars", "sales")
    (tmp_path / "bad.duckdb").write_text("no database")
    with pytest.raises(FileError, match="DuckDB cannot read"):
        open_table(tmp_path / "bad.duckdb")
    with pytest.raises(InputError, match="--table names a table of a database"):
        open_table(tmp_path / "t.csv", table="sales")


def test_sqlite_is_read_where_duckdb_can(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.execute("create table sales (a integer)")
    connection.execute("insert into sales values (7)")
    connection.commit()
    connection.close()
    try:
        duckdb.connect().execute("SET autoinstall_known_extensions = false; LOAD sqlite")
    except duckdb.Error:
        with pytest.raises(FileError, match="INSTALL sqlite"):
            open_table(tmp_path / "shop.db")
    else:
        assert rows(open_table(tmp_path / "shop.db")) == [(7,)]

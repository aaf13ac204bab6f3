"""Folders that hold something else, names that lead elsewhere, and input of every wrong kind."""

from __future__ import annotations

import gzip
import json
import stat
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from icefire.cli.main import icefire
from icefire.core.chapters import Chapter, Section
from icefire.frames import files
from icefire.microdata.schema import read_hierarchy
from icefire.report.page import Page


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from icefire.cli.main import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def ok(*arguments: str | Path) -> str:
    result = CliRunner().invoke(icefire, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.stdout


def refuse(*arguments: str | Path) -> str:
    result = CliRunner().invoke(icefire, [str(argument) for argument in arguments])
    assert result.exit_code != 0
    return str(result.exception)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ok("data", "microdata", "--out", tmp_path / "data", "--n", "120")
    return tmp_path / "data"


def test_another_original_is_not_overwritten_or_mixed_up(folder: Path, tmp_path: Path) -> None:
    ok("data", "microdata", "--out", tmp_path / "other", "--n", "120", "--seed", "9")
    ok("anonymize", "microdata", "noise", "--in", folder, "--out", tmp_path / "out")
    assert "holds another original table" in refuse(
        "anonymize", "microdata", "noise", "--in", tmp_path / "other", "--out", tmp_path / "out", "--replace"
    )
    ok("anonymize", "microdata", "noise", "--in", folder, "--out", tmp_path / "out", "--replace")


def test_the_original_is_private_in_a_release(folder: Path, tmp_path: Path) -> None:
    ok("anonymize", "microdata", "noise", "--in", folder, "--out", tmp_path / "out")
    for name in ("original.csv", "secret.csv", "secret-recipe.toml"):
        assert stat.S_IMODE((tmp_path / "out" / name).stat().st_mode) == 0o600


def test_column_names_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    pl.DataFrame({"q": [1, 2, 3], "../../../evil": [1, 2, 3]}).write_csv(data / "original.csv")
    (data / "schema.toml").write_text('qi = ["q"]\nsa = ["../../../evil"]')
    ok("anonymize", "microdata", "noise", "--in", data, "--out", data)
    ok("attack", "microdata", "--in", data, "--out", tmp_path / "g" / "h")
    outside = [p for p in tmp_path.rglob("*evil*") if p.parent != tmp_path / "g" / "h"]
    assert outside == []
    assert any("evil" in p.name for p in (tmp_path / "g" / "h").iterdir())


@pytest.mark.parametrize("evil", ["</SCRIPT><img src=x>", "<!--<script>", "</script >"])
def test_names_cannot_break_out_of_the_report(evil: str) -> None:
    section = Section("s", chart={"data": {"values": [{"name": evil}]}})
    html = Page("t", [Chapter("c", "v", "l", [section])], "f").html()
    assert evil not in html


@pytest.mark.parametrize("target", ["file", "file/below", "/proc/nowhere"])
def test_folders_that_cannot_be_written(folder: Path, tmp_path: Path, target: str) -> None:
    (tmp_path / "file").write_text("")
    result = run("anonymize", "microdata", "noise", "--in", folder, "--out", tmp_path / target)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    "line",
    [
        "hierarchy = { widths = 5 }",
        'hierarchy = { widths = ["a"] }',
        'hierarchy = { digits = "3" }',
        'hierarchy = { learned = "3" }',
        'hierarchy = { mapping = ["x"] }',
        'hierarchy = { table = { a = "x" } }',
        'hierarchy = { widths = [5], origin = "x" }',
        "hierarchy = { widths = [5, 7] }",
        "hierarchy = 3",
        'hierarchy = "absent.csv"',
        "order = 3",
        'order = "abc"',
        'labels = ["a"]',
        'type = "number"',
        "typ = 1",
    ],
)
def test_wrong_schemas_are_named(folder: Path, tmp_path: Path, line: str) -> None:
    (folder / "schema.toml").write_text(f'qi = ["age", "sex"]\n[columns.age]\n{line}\n')
    result = run("anonymize", "microdata", "mondrian", "--in", folder, "--out", tmp_path / "out")
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert "schema.toml" in result.stderr or "absent.csv" in result.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("columns = 3", "expected columns: tables"),
        ('kind = "trace"', 'kind must be "microdata"'),
        ('[columns]\nage = "ordered"', "expected a table"),
    ],
)
def test_wrong_schemas_at_the_top(folder: Path, tmp_path: Path, content: str, message: str) -> None:
    (folder / "schema.toml").write_text(f'qi = ["age"]\n{content}\n')
    assert message in refuse("anonymize", "microdata", "mondrian", "--in", folder, "--out", tmp_path / "out")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("mondrian(k=5, k=6)", "each parameter is given once"),
        ("mondrian(**{'k': 3})", "each parameter is given once"),
        ("mondrian(columns=[marital-status])", "names with hyphens or spaces in quotes"),
        ("mondrian(columns=a.b)", "names with hyphens or spaces in quotes"),
    ],
)
def test_steps_that_cannot_be_read(folder: Path, tmp_path: Path, step: str, message: str) -> None:
    error = refuse("anonymize", "microdata", step, "--in", folder, "--out", tmp_path / "out")
    assert message in error or "keyword argument repeated" in error
    assert "ast." not in error


def test_a_guess_beyond_all_numbers(folder: Path) -> None:
    ok("anonymize", "microdata", "noise", "--in", folder, "--out", folder)
    (folder / "guess-x.csv").write_text("99999999999999999999\n")
    assert "is not a row number" in refuse("evaluate", "microdata", "--in", folder)


def test_an_attack_that_cannot_be_made_is_an_error(folder: Path) -> None:
    ok("anonymize", "microdata", "drop_columns(columns=[income])", "--in", folder, "--out", folder)
    error = refuse("attack", "microdata", "id_sa(column=income)", "--in", folder, "--out", folder)
    assert error == "id_sa(column='income') cannot attack this release: the column 'income' was not published"


def test_every_engine_reads_csv_by_the_same_rules(tmp_path: Path) -> None:
    ragged = tmp_path / "ragged.csv"
    ragged.write_text("a,b\n1,2\n3\n4,5,6\n")
    for engine in ("polars", "duckdb"):
        assert "line 3: 1 columns where the header has 2" in refuse("knowledge", ragged, "--engine", engine)
    odd = tmp_path / "odd.csv"
    odd.write_text("d,b\n2020-01-01,true\n2020-1-1,True\n2020-01-02,FALSE\n")
    answers = [json.loads(ok("knowledge", odd, "--engine", engine, "--json")) for engine in ("polars", "duckdb")]
    assert answers[0] == answers[1]


def test_columns_named_twice_count_once(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("a,b\n1,2\n1,3\n")
    assert set(json.loads(ok("knowledge", file, "--together", "a,a", "--json"))["columns"]) == {"a"}


def test_a_plugin_that_fails_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import no_such_thing\n")
    assert "cannot load the plugin" in refuse("--plugin", tmp_path / "bad.py", "list")


def test_numbers_stored_as_texts_are_numbers(tmp_path: Path) -> None:
    pl.DataFrame({"age": ["52", "30", " 31"], "pay": [1, 2, 3]}).write_parquet(tmp_path / "original.parquet")
    (tmp_path / "schema.toml").write_text('qi = ["age"]\nsa = ["pay"]\n[columns.age]\ntype = "numeric"\n')
    ok("anonymize", "microdata", "mondrian(k=3)", "--in", tmp_path, "--out", tmp_path)
    assert pl.read_parquet(tmp_path / "published.parquet")["age"].to_list() == ["[30..52]"] * 3


@pytest.mark.parametrize("value", ["5", "[]", '["f2"]', "[1]"])
def test_wrong_labels_are_named(folder: Path, value: str) -> None:
    ok("anonymize", "microdata", "noise", "--in", folder, "--out", folder)
    (folder / "schema.toml").write_text(f'qi = ["age", "sex"]\n[columns.sex]\npublished = {{ f2 = {value} }}\n')
    assert "published" in refuse("evaluate", "microdata", "--in", folder)


def test_broken_archives_and_headers(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(b"a,b\n" + b"1,2\n" * 1000))
    packed[14:20] = b"\xff" * 6
    (tmp_path / "t.csv.gz").write_bytes(packed)
    assert "cannot read" in refuse("knowledge", tmp_path / "t.csv.gz")
    (tmp_path / "long.csv").write_text("a" * 200_000 + ",b\n1,2\n")
    assert "line 1" in refuse("knowledge", tmp_path / "long.csv")


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("value,place,any\ntokyo,east,*\nosaka,west,*\n", "utf-8"),
        ("tokyo;east;*\nosaka;west;*\n", "utf-8"),
        ("東京;東;*\nosaka;west;*\n", "cp932"),
    ],
)
def test_hierarchy_files_have_a_header_or_none(tmp_path: Path, content: str, encoding: str) -> None:
    (tmp_path / "town.csv").write_bytes(content.encode(encoding))
    table = read_hierarchy(tmp_path / "town.csv").table
    assert table is not None
    assert list(table.values())[-1] == ("west", "*")
    assert len(table) == 2


def test_hierarchy_files_are_checked(folder: Path, tmp_path: Path) -> None:
    (folder / "schema.toml").write_text('qi = ["age", "sex"]\n[columns.sex]\nhierarchy = "sex.csv"\n')
    for content, message in (
        ("v,g\n1,x\n1,y\n", "line 3: the value '1' is listed twice"),
        ("v,g\n1,\n", "line 2"),
        ("v,g\n1,x,y\n", "line 2"),
    ):
        (folder / "sex.csv").write_text(content)
        assert message in refuse("anonymize", "microdata", "mondrian", "--in", folder, "--out", tmp_path / "out")


@pytest.mark.parametrize(
    ("kind", "form", "attack"),
    [
        ("microdata", None, "sort"),
        ("history", None, "jaccard"),
        ("history", "pwscup2017", "jaccard"),
        ("history", "pwscup2018", "jaccard"),
        ("trace", None, "home_prob"),
        ("trace", "pwscup2019", "home_prob"),
    ],
)
def test_a_new_release_takes_the_guesses_at_the_old_one_away(
    kind: str, form: str | None, attack: str, tmp_path: Path
) -> None:
    step = {"microdata": "noise", "history": "pseudonyms", "trace": "krr"}[kind]
    chosen = ["--format", form] if form else []
    ok("data", kind, "--n", "40", "--out", tmp_path, *chosen)
    for _ in range(2):
        ok("anonymize", kind, step, "--in", tmp_path, "--out", tmp_path, "--replace", *chosen)
        judged = json.loads(ok("evaluate", kind, "--in", tmp_path, "--json", *chosen))
        assert judged["attacks"] == {}
        ok("attack", kind, attack, "--in", tmp_path, "--out", tmp_path, *chosen)
        judged = json.loads(ok("evaluate", kind, "--in", tmp_path, "--json", *chosen))
        assert list(judged["attacks"]) == [attack]


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("microdata", None),
        ("history", None),
        ("history", "pwscup2017"),
        ("history", "pwscup2018"),
        ("trace", None),
        ("trace", "pwscup2019"),
    ],
)
def test_every_file_is_read_once(kind: str, form: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = ["--format", form] if form else []
    step, attack = {
        "microdata": ("noise", "sort"),
        "history": ("pseudonyms", "jaccard"),
        "trace": ("krr", "home_prob"),
    }[kind]
    data, release = tmp_path / "data", tmp_path / "release"
    ok("data", kind, "--n", "40", "--out", data, *chosen)
    ok("anonymize", kind, step, "--in", data, "--out", release, *chosen)
    ok("attack", kind, attack, "--in", release, "--out", release, *chosen)
    read: list[str] = []
    content = files._bytes

    def noted(path: Path) -> bytes:
        read.append(path.name)
        return content(path)

    monkeypatch.setattr(files, "_bytes", noted)
    one = lambda registry, kind, *_: [registry.make(kind.name, "attack", attack)]  # noqa: E731
    monkeypatch.setattr("icefire.evaluation.assess.every_attack", one)
    commands: list[list[str | Path]] = [
        ["anonymize", kind, step, "--in", data, "--out", tmp_path / "again"],
        ["attack", kind, attack, "--in", release, "--out", tmp_path],
        ["evaluate", kind, "--in", release],
        ["redteam", kind, "--in", release, "--out", tmp_path],
    ]
    for command in commands:
        read.clear()
        result = CliRunner().invoke(icefire, [str(word) for word in (*command, *chosen)])
        # A release that is not safe is an answer.
        assert result.exit_code in ((0, 1) if command[0] == "redteam" else (0,)), result.output
        assert read
        assert len(set(read)) == len(read), command

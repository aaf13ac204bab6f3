"""The command line in Japanese: by --lang anywhere or by the environment, lined up, and nothing left in English."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import said
from cli.test_start import paths
from icefire.cli.main import icefire, main
from icefire.core.formats import RECIPE
from icefire.words.width import columns

JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")


def run(*words: str, environment: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(icefire, list(words), env=environment)


@pytest.mark.parametrize("path", paths(icefire), ids=" ".join)
def test_help_pages(path: tuple[str, ...]) -> None:
    page = run(*path, "--help", "--lang", "ja").output
    assert page.startswith("使い方：icefire")
    assert "オプション：" in page
    assert "この説明を表示して終了します。" in page
    assert max(map(columns, page.splitlines())) <= 80
    # What is left in Latin letters are names: no two English words follow each other.
    words = re.sub(r"\[[^\]]*\]|'[^']*'|\"[^\"]*\"|`[^`]*`|icefire [ -~]*|--?[a-z-]+( [A-Z]+)*", "", page)
    assert not re.findall(r"\b(the|of|is|are|and|with|what|who|for)\b", words)


def test_columns_of_help_line_up() -> None:
    page = run("--lang", "ja", "redteam", "--help").output
    rows = [line for line in page.splitlines() if re.match(r"  --\w", line) and JAPANESE.search(line)]
    starts = {columns(line[: match.start()]) for line in rows if (match := JAPANESE.search(line))}
    assert len(rows) > 5
    assert min(starts) == 32


@pytest.mark.parametrize(
    "words",
    [("--lang", "ja", "data", "nothing"), ("data", "--lang=ja", "nothing"), ("data", "nothing", "--lang", "ja")],
)
def test_the_option_stands_anywhere(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "データの種類 'nothing' はありません" in _said(monkeypatch, *words, "--out", "x")


def test_the_environment_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = {"LANG": "ja_JP.UTF-8"}
    assert run("--help", environment=wanted).output.startswith("使い方")
    assert run("--help", "--lang", "en", environment=wanted).output.startswith("Usage")
    assert run("--help").output.startswith("Usage")
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert "オプション '--nothing' はありません。" in _said(monkeypatch, "demo", "--nothing")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["demo", "--n", "5"], "エラー：'--n' の値が正しくありません：5 は範囲 x>=100 の外です。"),
        (["contest", "nothing"], "エラー：コマンド 'nothing' はありません。"),
        (["submit"], "エラー：引数 '{release|guess|status|problem|target}' を指定してください。選択肢："),
        (["redteam"], "エラー：引数 'KIND' を指定してください。"),
        (["data", "microdata"], "エラー：オプション '--out' を指定してください。"),
        (["conceal", "make", "--in", "a", "--out", "b", "--design", "x"], "のいずれでもありません。"),
        (["init", "nothing.csv"], "icefire: ファイル nothing.csv がありません"),
        (["init", "a", "b"], "エラー：不要な引数があります（b）"),
    ],
)
def test_what_click_and_we_object_to(words: list[str], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert expected in _said(monkeypatch, *words, "--lang", "ja")


def test_from_data_to_a_release(tmp_path: Path) -> None:
    data, release = str(tmp_path / "data"), str(tmp_path / "release")
    assert "に書き出しました" in run("data", "microdata", "--n", "60", "--out", data, "--lang", "ja").output
    command = ["anonymize", "microdata", "mondrian(k=5)", "--in", data, "--out", release, "--seed", "1"]
    told = run(*command, "--lang", "ja").output
    assert "提供してよいのは published.csv だけです" in told
    assert "秘密情報の一部です" in Path(release, RECIPE).read_text("utf-8")
    table = run("evaluate", "microdata", "--in", release, "--lang", "ja").output
    assert "有用性" in table
    assert "世帯が分かりません" in table
    boxed = [line for line in table.splitlines() if line.startswith(("┏", "┃", "│"))]
    first = boxed[: next(place for place, line in enumerate(boxed) if line.startswith("┏") and place)]
    assert len({columns(line) for line in first}) == 1


def test_json_is_the_same_in_every_language() -> None:
    english, japanese = (run("list", "microdata", "mondrian", "--json", "--lang", name).output for name in ("en", "ja"))
    assert json.loads(english) == json.loads(japanese)


def test_commands_print_through_the_catalogue() -> None:
    """`click.echo` would print English to everybody: `icefire.cli.speech.echo` is to be used."""
    for file in sorted((said.SOURCE / "cli").glob("*.py")):
        if file.name in ("speech.py", "output.py", "main.py", "answer.py"):  # whose words are those of the report
            continue
        calls = [node.func for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Call)]
        assert not {"click.echo", "click.secho"} & {ast.unparse(call) for call in calls}, file.name


def _said(monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What the program prints about a fault."""
    said_lines: list[str] = []
    monkeypatch.setattr("sys.argv", ["icefire", *words])
    monkeypatch.setattr(click, "secho", lambda text, **_: said_lines.append(text))
    monkeypatch.setattr(click, "echo", lambda text, **_: said_lines.append(text))
    with pytest.raises(SystemExit, match="2"):
        main()
    return "\n".join(said_lines)

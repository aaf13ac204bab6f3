"""From a person's own file to a release: nothing identifying goes out, and nothing is lost."""

from __future__ import annotations

import json
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner, Result

from icefire.cli.main import icefire
from icefire.core.deadline import TimeUp
from icefire.core.errors import IcefireError
from icefire.core.registry import Registry
from icefire.evaluation.tuning import Trial, Tuner
from own_data import people

IDENTIFYING = ("氏名", "contact", "number", "birth_date", "file")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(icefire, [str(argument) for argument in arguments])


def ok(*arguments: str | Path) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.output


def refused(*arguments: str | Path) -> str:
    result = run(*arguments)
    assert isinstance(result.exception, IcefireError), result.output
    return str(result.exception)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_bytes(("患者一覧\n\n" + people().write_csv()).encode("cp932"))
    return path


def test_a_folder_for_synthetic_tables_holds_nothing_that_identifies(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "own"
    assert "icefire anonymize synthetic sequential_trees" in ok("init", file, "--synthetic", "--yes", "--out", folder)
    table = pl.read_csv(folder / "original.csv")
    assert not set(IDENTIFYING) & set(table.columns)
    schema = (folder / "schema.toml").read_text()
    assert 'hidden = ["disease", "cost"]' in schema
    assert '# [columns."sex"]' in schema
    assert "# decimals = 0" in schema
    ok("anonymize", "synthetic", "sequential_trees", "--in", folder, "--out", tmp_path / "out", "--seed", "1")
    # Differential privacy wants the domains, as they stand there behind the signs.
    private = (
        "anonymize",
        "synthetic",
        "noisy_marginals",
        "--in",
        folder,
        "--out",
        tmp_path / "private",
        "--seed",
        "1",
    )
    assert "write low and high" in refused(*private)
    lines = schema.splitlines()
    said = [line.removeprefix("# ") if line.startswith("# [") or " = " in line else line for line in lines]
    (folder / "schema.toml").write_text("\n".join(said))
    ok(*private)


def test_what_identifies_people_is_not_synthesized(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    people().write_csv(folder / "original.csv")
    said = refused("anonymize", "synthetic", "independent", "--in", folder, "--out", tmp_path / "out")
    for name in IDENTIFYING:
        assert f"\n  {name}: " in said
    assert "disease" not in said
    assert "begin with the file itself" in refused("init", folder, "--synthetic", "--yes")


def test_anonymize_stops_and_names_what_nobody_said_the_role_of(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    people().write_csv(folder / "original.csv")
    command = ("anonymize", "microdata", "mondrian(k=5)", "--in", folder, "--out", tmp_path / "out")
    said = refused(*command)
    assert "icefire init" in said
    for name in people().columns:
        assert f"\n  {name}: " in said
    (folder / "schema.toml").write_text('qi = ["age", "sex", "prefecture"]\nsa = ["disease", "cost"]')
    said = refused(*command)
    assert "contact: identifying? looks like e-mail addresses" in said
    assert "number: identifying? looks like My Numbers" in said
    assert "birth_date: identifying? " in said
    assert "label: qi? " in said
    assert "one tells the other: age" in said
    assert "file: identifying? looks like numbers of people or cases" in said
    assert "disease" not in said
    assert not (tmp_path / "out").exists()


def test_init_takes_its_own_advice(file: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "work", tmp_path / "out"
    said = ok("init", file, "--out", folder, "--yes")
    assert "encoded in cp932 (Shift_JIS)" in said
    assert "2 lines above the header left out" in said
    ok("anonymize", "microdata", "mondrian(k=5)", "--in", folder, "--out", out, "--seed", "1")
    published = pl.read_csv(out / "published.csv")
    assert not set(published.columns) & set(IDENTIFYING)
    assert set(published.columns) == {"age", "label", "prefecture", "sex", "disease", "cost"}
    for path in (out / "published.csv", out / "schema.toml", out / "original.csv"):
        assert "example.org" not in path.read_text()
    judged = json.loads(ok("evaluate", "microdata", "--in", out, "--metrics", "k_anonymity", "--json"))
    assert judged["safety"]["k_anonymity"]["value"] >= 5


def test_init_as_json_and_in_a_working_folder(file: Path, tmp_path: Path) -> None:
    found = json.loads(ok("init", file, "--out", tmp_path / "work", "--json"))
    assert found["rows"] == 400
    assert found["columns"]["label"]["copies"] == ["age"]
    assert found["recognized"][0] == "encoded in cp932 (Shift_JIS)"
    said = refused("init", tmp_path / "work")
    assert "is there already: --replace writes it anew" in said
    ok("init", tmp_path / "work", "--replace")
    said = refused("init", file, "--out", tmp_path / "work", "--replace")
    assert "holds another original table" in said


def test_a_terminal_is_asked(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.cli.init._is_terminal", lambda: True)
    answers = "\n".join(["", "", "", "", "", "identifying", *[""] * 5]) + "\n"
    result = CliRunner().invoke(icefire, ["init", str(file), "--out", str(tmp_path / "work")], input=answers)
    assert result.exit_code == 0, result.output
    schema = (tmp_path / "work" / "schema.toml").read_text(encoding="utf-8")
    assert '"label",' in schema.partition("qi = [")[0]


def test_a_second_release_does_not_destroy_the_secret_of_the_first(file: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "work", tmp_path / "out"
    ok("init", file, "--out", folder, "--yes")
    command = ("anonymize", "microdata", "mondrian(k=5)", "--in", folder, "--out", out)
    ok(*command, "--seed", "1")
    secret = (out / "secret.csv").read_text()
    for again in (command, ("conceal", "make", "microdata", "--k", "2", "--in", folder, "--out", out)):
        assert "holds a release, whose secret would be lost" in refused(*again)
    assert (out / "secret.csv").read_text() == secret
    ok(*command, "--seed", "2", "--replace")
    assert (out / "secret.csv").read_text() != secret


def test_what_init_has_said_is_not_said_again(tmp_path: Path) -> None:
    frame = pl.DataFrame({"customer_no": [f"{n:04}" for n in range(50)], "age": [20 + n % 9 for n in range(50)]})
    frame.write_csv(tmp_path / "list.csv")
    assert "codes begin with 0" in ok("init", tmp_path / "list.csv", "--out", tmp_path / "list", "--yes")
    assert not run("anonymize", "microdata", "mondrian", "--in", tmp_path / "list", "--out", tmp_path / "r").stderr


def test_errors_name_the_next_step(tmp_path: Path) -> None:
    ok("data", "microdata", "--n", "100", "--out", tmp_path / "d")
    assert "icefire anonymize makes one" in refused("redteam", "microdata", "--in", tmp_path / "d")
    (tmp_path / "empty").mkdir()
    assert "icefire init FILE" in refused(
        "anonymize", "microdata", "noise", "--in", tmp_path / "empty", "--out", tmp_path
    )
    assert "it comes first" in refused("anonymize", "mondrian(k=5)", "--in", tmp_path / "d", "--out", tmp_path / "r")
    capital = refused("anonymize", "microdata", "mondrian(K=5)", "--in", tmp_path / "d", "--out", tmp_path / "r")
    assert "did you mean 'k'?" in capital
    (tmp_path / "d" / "schema.toml").write_text('qi = ["age", "sex\n')
    assert '(at line 1, column 18): qi = ["age", "sex' in refused("redteam", "microdata", "--in", tmp_path / "d")


def test_a_table_of_identifiers_and_a_table_of_few_rows(tmp_path: Path) -> None:
    numbers = range(1000, 1040)
    pl.DataFrame({"Name": [f"Ann {n}" for n in numbers], "customer_no": numbers}).write_csv(tmp_path / "ids.csv")
    assert "Nothing is left to publish" in ok("init", tmp_path / "ids.csv", "--out", tmp_path / "ids", "--yes")
    said = refused("anonymize", "microdata", "mondrian(k=5)", "--in", tmp_path / "ids", "--out", tmp_path / "r")
    assert "nothing is left to publish: all columns of" in said
    pl.DataFrame({"age": [30], "ill": ["y"]}).write_csv(tmp_path / "one.csv")
    assert "too few people for anybody to hide among" in ok(
        "init", tmp_path / "one.csv", "--out", tmp_path / "one", "--yes"
    )


def test_columns_that_undo_the_generalization_are_named(tmp_path: Path) -> None:
    ages = [20 + i % 40 for i in range(400)]
    frame = pl.DataFrame({"age": ages, "experience": [age - 18 for age in ages], "ill": [i % 3 for i in range(400)]})
    frame.write_csv(tmp_path / "original.csv")
    (tmp_path / "schema.toml").write_text('qi = ["age"]\nsa = ["experience", "ill"]\n')
    result = run("anonymize", "microdata", "mondrian(k=5)", "--in", tmp_path, "--out", tmp_path, "--seed", "1")
    assert "quasi-identifiers follow from experience, whatever was done to them" in result.stderr
    said = ok("redteam", "microdata", "--in", tmp_path, "--attacker", "qi", "--max-risk", "0.9")
    assert "is partly undone, since they follow from experience" in said


def test_codes_keep_their_zeros(tmp_path: Path) -> None:
    (tmp_path / "original.csv").write_text(
        "zip,age,pay\n" + "".join(f"0{i % 7}1,{20 + i % 9},{i}\n" for i in range(60))
    )
    (tmp_path / "schema.toml").write_text('qi = ["zip", "age"]\nsa = ["pay"]')
    with pytest.warns(UserWarning, match="codes that begin with 0 stay texts: zip"):
        ok("anonymize", "microdata", "noise(scale=1)", "--in", tmp_path, "--out", tmp_path / "out", "--seed", "1")
    # The schema of the release says it.
    assert json.loads(ok("evaluate", "microdata", "--in", tmp_path / "out", "--metrics", "k_anonymity", "--json"))
    assert set(pl.read_csv(tmp_path / "out" / "published.csv", infer_schema=False)["zip"]) == {
        f"0{i}1" for i in range(7)
    }


def test_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people(60).select("age", "sex", "disease").write_csv(tmp_path / "original.csv")
    (tmp_path / "schema.toml").write_text('qi = ["age", "sex"]\nsa = ["disease"]')
    few = [method for method in Registry().methods("microdata", "anonymize") if method.name in ("mondrian", "pram")]
    monkeypatch.setattr(Registry, "anonymizers", lambda self, kind: few)
    command = ("advise", "microdata", "--in", tmp_path, "--seed", "1", "--budget", "0.01")
    found = json.loads(ok(*command, "--max-risk", "0.3", "--json"))
    assert found["attacker"] == "qi"
    assert next(iter(found["releases"])) == "most useful"
    for release in found["releases"].values():
        assert release["scores"]["re_identification"]["value"] <= 0.3
    words = shlex.split(found["releases"]["most useful"]["command"].replace("DIR", str(tmp_path / "out")))
    ok(*words[1:])
    nothing = run(*command, "--max-risk", "0")
    assert nothing.exit_code == 1
    assert "releases passes: accept more with --max-risk" in nothing.output
    frame = people(60).select("age", "sex", "disease").with_columns(experience=pl.col("age") - 18)
    frame.write_csv(tmp_path / "original.csv")
    (tmp_path / "schema.toml").write_text('qi = ["age", "sex"]\nsa = ["disease", "experience"]')
    assert "quasi-identifiers follow from experience" in run(*command, "--max-risk", "0").output


def few_methods(folder: Path, monkeypatch: pytest.MonkeyPatch, *names: str) -> tuple[str | Path, ...]:
    """A command that searches on a small table, with these methods only."""
    people(60).select("age", "sex", "disease").write_csv(folder / "original.csv")
    (folder / "schema.toml").write_text('qi = ["age", "sex"]\nsa = ["disease"]')
    few = [method for method in Registry().methods("microdata", "anonymize") if method.name in names]
    monkeypatch.setattr(Registry, "anonymizers", lambda self, kind: few)
    return ("advise", "microdata", "--in", folder, "--seed", "123456", "--budget", "0.01", "--max-risk", "0.3")


def test_advice_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = few_methods(tmp_path, monkeypatch, "mondrian", "swap")
    said = ok(*command)
    assert "of the best are tried, for at most 3 min (--minutes)" in said
    assert "finds at most 30 in 100" in said
    assert "found by qi+2" in said
    assert "Cut the table in two along its widest column" in said
    assert "The first row of each, as it would be published" in said
    # A seed that stands on the screen is no secret; and quotation marks are for people.
    assert "--seed" not in said
    assert "123456" not in said
    assert "'\"'\"'" not in said
    found = json.loads(ok(*command, "--json"))
    assert found["ended"] is None
    for release in found["releases"].values():
        assert release["verified"]
        assert set(release["other attackers"]) == {"qi+2", "all"}


def test_columns_that_advice_would_empty_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = few_methods(tmp_path, monkeypatch, "global_recode")
    found = json.loads(ok(*command, "--json"))["releases"]["most useful"]
    words = shlex.split(found["command"].replace("DIR", str(tmp_path / "out")))
    ok(*words[1:])
    published = pl.read_csv(tmp_path / "out" / "published.csv")
    assert found["columns lost"] == [name for name in published.columns if published[name].n_unique() == 1]
    assert found["columns lost"]
    assert f"The same in every row: {', '.join(found['columns lost'])}" in ok(*command)


@pytest.mark.parametrize("name", ["advise", "tune"])
def test_a_search_that_is_ended_shows_what_was_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, *command = few_methods(tmp_path, monkeypatch, "mondrian", "pram")
    if name == "tune":
        command = [*command[:-2], "--attacker", "qi", "--require", "safety>=0.7"]
    judge, calls = Tuner._judge, iter(range(7))

    def judged(*arguments: Any, **options: Any) -> Trial:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return judge(*arguments, **options)

    monkeypatch.setattr(Tuner, "_judge", judged)
    done = run(name, *command)
    assert done.exit_code == 130
    assert "mondrian(k=" in done.output
    assert "before all was tried and verified" in done.output
    assert ("not that nobody is found" in done.output) == (name == "advise")


def test_advice_within_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = few_methods(tmp_path, monkeypatch, "mondrian", "pram")
    search = Tuner._refine

    def late(self: Tuner, *_: object) -> None:
        raise TimeUp

    monkeypatch.setattr(Tuner, "_refine", late)
    said = ok(*command)
    assert "The search was ended when its time was up" in said
    monkeypatch.setattr(Tuner, "_refine", search)
    assert "The search was ended" not in ok(*command)


def test_passwords_and_folders_are_not_written_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.frames.reading.read_database", lambda source, table: (people(30), "sales"))
    said = ok("init", "postgresql://ann:hunter2@host/shop#sales", "--out", tmp_path / "work", "--yes")
    assert "hunter2" not in said + (tmp_path / "work" / "schema.toml").read_text()
    people(30).write_csv(tmp_path / "p.csv")
    ok("init", tmp_path / "p.csv", "--out", tmp_path / "other", "--yes")
    assert str(tmp_path) not in (tmp_path / "other" / "schema.toml").read_text()


def test_files_and_separators_that_make_no_table(tmp_path: Path) -> None:
    (tmp_path / "one.dat").write_text("x" * 200_000)
    assert "no line of it can be split into columns" in refused("init", tmp_path / "one.dat", "--out", tmp_path / "w")
    people(30).write_csv(tmp_path / "p.csv")
    said = refused("init", tmp_path / "p.csv", "--separator", ";;", "--out", tmp_path / "w")
    assert "';;' is not one character" in said


@pytest.mark.parametrize("form", ["cp932", "tsv", "xlsx", "sqlite"])
def test_knowledge_reads_what_init_reads(tmp_path: Path, form: str) -> None:
    table = pl.DataFrame({"town": ["東京", "大阪", "京都"] * 2, "age": [1, 2, 3, 1, 2, 4]})
    (plain := tmp_path / "plain.csv").write_text(table.write_csv())
    source = tmp_path / f"own.{'csv' if form == 'cp932' else form}"
    if form == "xlsx":
        table.write_excel(source)
    elif form == "sqlite":
        with closing(sqlite3.connect(source)) as base, base:
            base.execute("create table people (town text, age integer)")
            base.executemany("insert into people values (?, ?)", table.rows())
    else:
        source.write_bytes(table.write_csv(separator="\t" if form == "tsv" else ",").encode("cp932"))
    named = f"sqlite:///{source}#people" if form == "sqlite" else source
    assert json.loads(ok("knowledge", named, "--json")) == json.loads(ok("knowledge", plain, "--json"))

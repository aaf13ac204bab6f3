"""Whole stories on the command line, and what it says when something is wrong."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from icefire.cli.main import icefire
from icefire.cli.recipes import recorded_method
from icefire.core.errors import IcefireError
from icefire.core.registry import Registry
from icefire.microdata.anonymize.conceal import Conceal
from icefire.microdata.anonymize.noise import Noise
from icefire.microdata.attack.learned import Learned
from icefire.microdata.utility.loss import Loss


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(icefire, [str(argument) for argument in arguments], catch_exceptions=True)


def ok(*arguments: str | Path) -> str:
    result = run(*arguments)
    # A release that is not safe is an answer.
    codes = (0, 1) if arguments[0] == "redteam" else (0,)
    assert result.exit_code in codes, result.output + str(result.exception)
    return result.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ok("data", "microdata", "--out", tmp_path / "data", "--n", "200", "--seed", "3")
    return tmp_path / "data"


def test_a_whole_story(folder: Path, tmp_path: Path) -> None:
    release = tmp_path / "release"
    made = json.loads(
        ok(
            "anonymize",
            "microdata",
            "mondrian(k=5)",
            "noise(scale=0.1)",
            "--in",
            folder,
            "--out",
            release,
            "--seed",
            "7",
            "--json",
        )
    )
    assert made["seed"] == 7
    files = {path.name for path in release.iterdir()}
    assert files == {"original.csv", "published.csv", "schema.toml", "secret.csv", "secret-recipe.toml"}
    recipe = tomllib.loads((release / "secret-recipe.toml").read_text())
    assert recipe["seed"] == 7
    assert (
        recipe["steps"][1] == "noise(scale=0.1, unit='deviation', distribution='gaussian', columns=[], decimals=None)"
    )
    ok("anonymize", "microdata", *recipe["steps"], "--in", folder, "--out", tmp_path / "again", "--seed", "7")
    assert (tmp_path / "again" / "published.csv").read_bytes() == (release / "published.csv").read_bytes()
    attacked = json.loads(ok("attack", "microdata", "--in", release, "--out", release, "--json"))
    assert {entry["attack"] for entry in attacked["attacks"]} >= {"sort", "euclid", "euclid(match='assignment')"}
    judged = json.loads(ok("evaluate", "microdata", "--in", release, "--json"))
    assert set(judged) == {"utility", "safety", "attackers", "attacks"}
    assert judged["safety"]["k_anonymity"]["value"] >= 5
    assert judged["utility"]["rows_lost"] == {
        "title": "U6 nrow",
        "value": 0.0,
        "better": "lower",
        "range": [0.0, None],
        "good": None,
    }
    assert judged["attacks"]["euclid-assignment"]["re_identification"]["value"] > 0.5
    red = json.loads(ok("redteam", "microdata", "--in", release, "--json"))
    strongest = max(entry["re_identification"]["value"] for entry in judged["attacks"].values())
    assert red["worst"]["re_identification"]["value"] == pytest.approx(strongest)
    assert (release / "report.html").stat().st_size > 100_000
    for command in (("evaluate", "microdata", "--in", release), ("redteam", "microdata", "--all", "--in", release)):
        assert "re-id" in ok(*command)


def test_the_same_seed_gives_the_same_files(folder: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        ok("anonymize", "microdata", "swap", "pram", "--in", folder, "--out", tmp_path / name, "--seed", "5")
    for file in ("published.csv", "secret.csv", "schema.toml"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_without_a_seed_nobody_can_guess_it(folder: Path, tmp_path: Path) -> None:
    seeds = {
        json.loads(ok("anonymize", "microdata", "noise", "--in", folder, "--out", tmp_path / name, "--json"))["seed"]
        for name in ("a", "b")
    }
    assert len(seeds) == 2
    assert min(seeds) > 2**32


def test_attacks_do_not_need_the_secret(folder: Path, tmp_path: Path) -> None:
    ok("anonymize", "microdata", "noise", "--in", folder, "--out", folder)
    for secret in folder.glob("secret*"):
        secret.unlink()
    ok("attack", "microdata", "euclid", "sort", "--in", folder, "--out", tmp_path / "guesses")
    assert {path.name for path in (tmp_path / "guesses").iterdir()} == {"guess-euclid.csv", "guess-sort.csv"}
    assert run("evaluate", "microdata", "--in", folder).exception is not None


def test_published_files_hold_nothing_but_the_columns(folder: Path) -> None:
    ok("anonymize", "microdata", "mondrian(k=3)", "--in", folder, "--out", folder)
    original, published = (pl.read_csv(folder / name, infer_schema=False) for name in ("original.csv", "published.csv"))
    assert published.columns == original.columns
    kept = original.select("income", "food").rows()
    assert published.select("income", "food").rows() != kept
    assert sorted(published.select("income", "food").rows()) == sorted(kept)


@pytest.mark.parametrize("extension", [".parquet", ".csv.gz"])
def test_file_types_are_kept(folder: Path, tmp_path: Path, extension: str) -> None:
    from icefire.frames.files import staged

    with staged() as stage:
        stage.table(pl.read_csv(folder / "original.csv"), folder / f"original{extension}")
    ok("anonymize", "microdata", "noise", "--in", folder, "--out", tmp_path / "r")
    assert (tmp_path / "r" / f"published{extension}").is_file()
    ok("evaluate", "microdata", "--in", tmp_path / "r")


def test_list_names_everything() -> None:
    names = {entry["name"] for entry in json.loads(ok("list", "--json"))}
    assert {"mondrian", "global_recode", "euclid", "information_loss", "yamaoka", "households"} <= names
    assert "mondrian" in ok("list", "microdata")


def test_metrics_with_parameters(folder: Path) -> None:
    ok("anonymize", "microdata", "noise", "--in", folder, "--out", folder)
    metric = "relative_risk(exposure=working, exposed=['3'], outcome=dwelling, cases=['1'])"
    found = json.loads(ok("evaluate", "microdata", "--in", folder, "--metrics", metric, "--metrics", "S1", "--json"))
    assert found["utility"]["relative_risk"]["value"] == 0
    assert list(found["safety"]) == ["k_anonymity"]


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("relative_risc", "no metric for microdata 'relative_risc'; did you mean 'relative_risk'?"),
        ("relative_risk(exposur=sex)", "no parameter of RelativeRisk 'exposur'; did you mean 'exposure'?"),
        ("relative_risk", "The 'exposure' parameter of RelativeRisk must be given: a text."),
    ],
)
def test_metrics_that_cannot_be_made(folder: Path, metric: str, message: str) -> None:
    assert message in str(run("evaluate", "microdata", "--in", folder, "--metrics", metric).exception)


def test_knowledge_as_a_table(tmp_path: Path) -> None:
    file = tmp_path / "visits.csv"
    pl.DataFrame({"who": ["a", "a", "b", "b"], "where": ["x", "y", "x", "z"], "n": [1, 2, 2, 1]}).write_csv(file)
    more = ["--values", "2", "--users", "2", "--curve", "2"]
    text = ok("knowledge", file, "--user", "who", "--together", "where,n", "--columns", "where", *more)
    assert "where + n" in text
    assert "Most dangerous values of where" in text
    assert "Users most exposed by where" in text
    assert "Identification by several records" in text
    document = json.loads(ok("knowledge", file, "--user", "who", "--curve", "1", "--model", "sampling", "--json"))
    assert (document["records"], document["users"]) == (4, 2)
    assert set(document["columns"]) == {"where", "n"}
    assert document["seed"] == 0
    every = ["--user", "who", "--values", "2", "--users", "2", "--curve", "1", "--json"]
    assert json.loads(ok("knowledge", file, "--engine", "duckdb", *every)) == json.loads(ok("knowledge", file, *every))


def test_a_plugin_is_a_first_class_method(folder: Path, tmp_path: Path) -> None:
    plugin = tmp_path / "same_number.py"
    plugin.write_text(
        "from dataclasses import dataclass\nimport numpy as np\nfrom icefire.microdata.data import Guess\n"
        "from icefire.microdata.roles import Attack\n\n@dataclass(frozen=True)\nclass SameNumber(Attack):\n"
        '    """Nothing was shuffled."""\n\n    def attack(self, published, knowledge, rng):\n'
        "        return Guess(np.arange(published.height))\n"
    )
    ok("anonymize", "microdata", "noise", "--in", folder, "--out", folder)
    text = ok("--plugin", plugin, "attack", "microdata", "same_number", "--in", folder, "--out", folder)
    assert "guess-same_number.csv" in text


def original(folder: Path) -> pl.DataFrame:
    return pl.read_csv(folder / "original.csv")


def replace_line(path: Path, number: int, line: str) -> None:
    lines = path.read_text().splitlines()
    lines[number] = line
    path.write_text("\n".join(lines) + "\n")


def spoil(folder: Path, how: str) -> None:
    path, schema = folder / "original.csv", folder / "schema.toml"
    frame = original(folder)
    if how == "missing file":
        path.unlink()
    elif how == "empty file":
        path.write_text("")
    elif how == "wrong delimiter":
        path.write_text(path.read_text().replace(",", ";"))
    elif how == "unknown column":
        schema.write_text(schema.read_text().replace('"members"', '"member"', 1))
    elif how == "qi and sa":
        schema.write_text(schema.read_text().replace("sa = [", 'sa = ["age", '))
    elif how in ("nan", "inf"):
        frame.with_columns(food=pl.when(pl.int_range(pl.len()) == 4).then(float(how)).otherwise("food")).write_csv(path)
    elif how == "header twice":
        replace_line(path, 1, path.read_text().splitlines()[0])
    elif how == "column twice":
        replace_line(path, 0, path.read_text().splitlines()[0].replace("food", "income"))
    elif how == "non-utf-8":
        path.write_bytes(path.read_bytes().replace(b"region", b"r\xe9gion", 1))
    elif how == "0 rows":
        path.write_text(path.read_text().splitlines()[0] + "\n")
    elif how == "word among numbers":
        replace_line(path, 3, ",".join("x" for _ in frame.columns))
    elif how == "no schema":
        schema.unlink()
    elif how == "broken schema":
        schema.write_text("qi = [")
    elif how == "unknown key":
        schema.write_text("quasi = 1\n" + schema.read_text())


BAD = {
    "missing file": "no file original",
    "empty file": "is empty",
    "wrong delimiter": "separated by semicolons",
    "unknown column": "no column in .* 'member'; did you mean 'members'",
    "qi and sa": "the column 'age' is both QI and SA",
    "nan": r"row 5 \(line 6 of a CSV file\), column 'food': nan is not an amount",
    "inf": r"row 5 \(line 6 of a CSV file\), column 'food': inf is not an amount",
    "header twice": "line 2",
    "column twice": "the column 'income' occurs twice",
    "non-utf-8": "line 1: byte 0xe9 is not UTF-8",
    "0 rows": "0 rows",
    "word among numbers": "line 4 .*'x' is not a number",
    "no schema": "no file .*schema.toml",
    "broken schema": "schema.toml: ",
    "unknown key": "no key of .* 'quasi'",
}


@pytest.mark.parametrize("how", BAD)
def test_bad_input_is_named_and_nothing_is_written(folder: Path, tmp_path: Path, how: str) -> None:
    spoil(folder, how)
    before = sorted(path.name for path in folder.iterdir())
    result = run("anonymize", "microdata", "mondrian(k=5)", "--in", folder, "--out", tmp_path / "out")
    assert isinstance(result.exception, IcefireError), repr(result.exception)
    assert re.search(BAD[how], str(result.exception)), str(result.exception)
    assert not (tmp_path / "out").exists()
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["anonymize", "microdata", "mondrian(k=500)"], "must be at most the number of rows, 200. Got 500"),
        (["anonymize", "microdata", "mondrain"], "no anonymizer for microdata 'mondrain'; did you mean 'mondrian'?"),
        (["anonymize", "microdata", "mondrian(k=1)"], "must be an integer of at least 2. Got 1 instead."),
        (["anonymize", "microdata", "mondrian(columns=[agee])"], "no column for Mondrian 'agee'; did you mean 'age'?"),
        (["anonymize", "micro", "mondrian"], "no kind of data 'micro'"),
        (["anonymize", "microdata", "round"], "The 'base' parameter of Round must be given: a number above 0."),
    ],
)
def test_bad_requests(folder: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    result = run(*arguments, "--in", folder, "--out", tmp_path / "out")
    assert message in str(result.exception)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\n2\n", "the row map is too short: 2 numbers for 200 published rows"),
        ("".join(f"{i}\n" for i in range(200)), "counts rows from 0; files count them from 1"),
        ("".join(f"{i}\n" for i in range(2, 202)), r"row 200: 201 is not in 1..200"),
        ("x\n", "line 1: the row map must have one integer per line, found 'x'"),
    ],
)
def test_bad_row_maps(folder: Path, content: str, message: str) -> None:
    ok("anonymize", "microdata", "noise", "--in", folder, "--out", folder)
    (folder / "secret.csv").write_text(content)
    assert message in str(run("evaluate", "microdata", "--in", folder).exception)


def test_the_program_exits_with_2_and_no_traceback(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from icefire.cli.main import main; main()"]
    for arguments in (["knowledge", "absent.csv"], ["knowledge"], ["nonsense"], ["list", "nonsense"]):
        result = subprocess.run([*command, *arguments], capture_output=True, text=True, cwd=tmp_path, check=False)
        assert result.returncode == 2
        assert "Traceback" not in result.stderr
        assert result.stdout == ""
        assert 1 <= len(result.stderr.strip().splitlines()) <= 4
    assert subprocess.run([*command, "--version"], capture_output=True, check=False).returncode == 0
    assert subprocess.run([*command, "knowledge", "--help"], capture_output=True, check=False).returncode == 0


def test_records_are_concealed_and_checked(tmp_path: Path) -> None:
    shop, hidden = tmp_path / "shop", tmp_path / "hidden"
    ok("data", "history", "--out", shop, "--n", "30", "--seed", "1")
    made = json.loads(
        ok("conceal", "make", "history", "--in", shop, "--out", hidden, "--k", "3", "--seed", "2", "--json")
    )
    assert made["k-concealed"] >= 3
    told = json.loads(ok("conceal", "check", "history", "--in", hidden, "--k", "3", "--json"))
    assert told["records in worlds, least"] >= 3
    much = run("conceal", "check", "history", "--in", hidden, "--k", "29")
    assert much.exit_code == 1
    assert "not 29-concealed" in much.output
    refused = run("conceal", "make", "history", "--in", shop, "--out", tmp_path / "x", "--design", "ring")
    assert "no parameter of Conceal 'design'" in str(refused.exception)
    too_many = run("conceal", "make", "history", "--in", shop, "--out", tmp_path / "y", "--k", "31")
    assert "lower k" in str(too_many.exception)
    assert not (tmp_path / "y").exists()


@pytest.mark.slow
def test_a_contest_on_the_command_line(tmp_path: Path) -> None:
    told = json.loads(
        ok(
            "contest",
            "rehearse",
            "demo",
            "--seed",
            "1",
            "--out",
            tmp_path / "c",
            "--save",
            tmp_path / "o.json",
            "--json",
        )
    )
    assert told["outcome"]["final"]
    assert told["outcome"] == json.loads((tmp_path / "o.json").read_text())
    assert "the log is intact" in ok("contest", "rehearse", "demo", "--seed", "1", "--expect", tmp_path / "o.json")
    assert run("contest", "rehearse", "demo", "--seed", "2", "--expect", tmp_path / "o.json").exit_code == 1
    assert "final" in ok("contest", "status", tmp_path / "c")
    assert json.loads(ok("contest", "status", tmp_path / "c", "--as", "public", "--json"))["final"]
    assert isinstance(run("contest", "status", tmp_path / "c", "--as", "eve").exception, IcefireError)
    assert json.loads(ok("contest", "replay", tmp_path / "c", "--json"))["differences"] == []
    assert "holds the secrets" in ok("contest", "backup", tmp_path / "c", tmp_path / "b.tar.gz")
    assert "are back" in ok("contest", "restore", tmp_path / "b.tar.gz", tmp_path / "again")
    assert ok("contest", "status", tmp_path / "again", "--json") == ok("contest", "status", tmp_path / "c", "--json")
    assert "standings.csv" in ok("contest", "export", tmp_path / "c", "--out", tmp_path / "tables")
    assert "is valid" in ok("contest", "check", "pwscup2019")
    assert "publish it now" in ok("contest", "new", "demo", "--out", tmp_path / "new", "--team", "Aoi")


def test_attackers_on_the_command_line(tmp_path: Path) -> None:
    data, release = tmp_path / "data", tmp_path / "release"
    ok("data", "microdata", "--n", "80", "--out", data, "--seed", "1")
    ok("anonymize", "microdata", "pram(keep=0.5)", "noise(scale=2)", "--in", data, "--out", release, "--seed", "2")
    told = json.loads(ok("redteam", "microdata", "--in", release, "--seed", "3", "--json"))
    found = {(risk["background_knowledge"], risk["method_known"]): risk["risk"] for risk in told["risk"]}
    assert list(found) == [(level, known) for level in ("qi", "qi+2", "all") for known in (False, True)]
    assert found["all", True] > found["all", False]
    assert told["worst"]["re_identification"]["attacker"] == "known of the people: all; method known"
    shown = ok("redteam", "microdata", "--in", release, "--seed", "3", "--attacker", "qi")
    assert "knows the 14 quasi-identifiers" in shown
    assert "qi+2" not in shown
    steps = ["--method", "pram(keep=0.5)", "--method", "noise(scale=2)"]
    ok(
        "attack",
        "microdata",
        "informed",
        *steps,
        "--attacker",
        "qi+1",
        "--in",
        release,
        "--out",
        release,
        "--seed",
        "4",
    )
    assert (release / "guess-informed@qi+1.csv").is_file()


def test_attackers_that_do_not_exist(tmp_path: Path) -> None:
    ok("data", "microdata", "--n", "60", "--out", tmp_path, "--seed", "1")
    ok("anonymize", "microdata", "noise", "--in", tmp_path, "--out", tmp_path / "r", "--seed", "2")
    for words, complaint in (
        (["redteam", "microdata", "--attacker", "everything"], "no attacker of microdata 'everything'"),
        (["attack", "microdata", "informed", "--out", str(tmp_path)], "the steps that made the release are not known"),
        (["redteam", "microdata", "--knowledge", "x.csv", "--attacker", "qi"], "leave --attacker out"),
        (
            ["attack", "microdata", "--knowledge", "x", "--attacker", "qi", "--out", str(tmp_path)],
            "leave --attacker out",
        ),
        (
            ["attack", "microdata", "--method", "nose", "--out", str(tmp_path)],
            "no anonymizer for microdata 'nose'; did you mean 'noise'",
        ),
    ):
        result = CliRunner().invoke(icefire, [*words, "--in", str(tmp_path / "r")])
        assert isinstance(result.exception, IcefireError)
        assert complaint in str(result.exception)
    recipe = tmp_path / "r" / "secret-recipe.toml"
    recipe.write_text(recipe.read_text().replace("noise", "not_installed"))
    result = CliRunner().invoke(icefire, ["redteam", "microdata", "--in", str(tmp_path / "r")])
    assert "no anonymizer for microdata 'not_installed'" in str(result.exception)


def test_recipes_from_before_a_parameter_existed(tmp_path: Path) -> None:
    ok("data", "microdata", "--n", "40", "--out", tmp_path, "--seed", "1")
    ok("anonymize", "microdata", "conceal(k=3)", "noise", "--in", tmp_path, "--out", tmp_path / "r", "--seed", "2")
    recipe = tmp_path / "r" / "secret-recipe.toml"
    registry = Registry()
    method = recorded_method(registry, "microdata", tmp_path / "r")
    assert method == (Conceal(k=3, randomized=True), Noise())
    recipe.write_text(recipe.read_text().replace(", randomized=True", "").replace(", decimals=None", ""))
    assert recorded_method(registry, "microdata", tmp_path / "r") == (
        Conceal(k=3, randomized=False),
        Noise(decimals="full"),
    )


def test_recipes_say_the_decimals_of_published_numbers(tmp_path: Path) -> None:
    (tmp_path / "original.csv").write_text("age,pay,size\n" + "".join(f"{n},{n / 4},{n**0.5}\n" for n in range(20, 60)))
    (tmp_path / "schema.toml").write_text('qi = ["age"]\nsa = ["pay", "size"]\n')
    steps = ["noise(columns=[pay])", "noise(columns=[size], decimals=full)"]
    ok("anonymize", "microdata", *steps, "--in", tmp_path, "--out", tmp_path / "r", "--seed", "2")
    recipe = tomllib.loads((tmp_path / "r" / "secret-recipe.toml").read_text())
    assert recipe["decimals"] == {"pay": 2, "size": "full"}
    (method, full) = recorded_method(Registry(), "microdata", tmp_path / "r") or ()
    assert (method, full) == (Noise(columns=("pay",)), Noise(columns=("size",), decimals="full"))


def test_knowledge_that_no_attack_can_use_is_marked(tmp_path: Path) -> None:
    ok("data", "trace", "--n", "60", "--out", tmp_path, "--seed", "1")
    ok("anonymize", "trace", "merge_similar(k=3)", "--in", tmp_path, "--out", tmp_path / "r", "--seed", "2")
    command = ["redteam", "trace", "--in", str(tmp_path / "r"), "--seed", "3", "--attacker", "points:1"]
    unknown, known = json.loads(ok(*command, "--json"))["risk"]
    assert (unknown["lower_bound"], known["lower_bound"]) == (False, True)
    assert unknown["risk"] == known["risk"]
    assert "≥ " in ok(*command)
    assert "≥: no attack of icefire can use that knowledge" in (tmp_path / "r" / "report.html").read_text()


def test_guesses_name_their_attacker(tmp_path: Path) -> None:
    ok("data", "history", "--n", "20", "--out", tmp_path, "--seed", "1")
    release = tmp_path / "r"
    ok("anonymize", "history", "pseudonyms", "--in", tmp_path, "--out", release, "--seed", "2")
    known = tmp_path / "seen_in_may.csv"
    known.write_text("\n".join((tmp_path / "original.csv").read_text().splitlines()[:200]))
    for who in (["--knowledge", str(known)], ["--attacker", "records:3"], []):
        ok("attack", "history", "jaccard", "--in", release, "--out", release, *who)
    judged = json.loads(ok("evaluate", "history", "--in", release, "--json"))
    assert judged["attackers"] == {
        "jaccard": "all",
        "jaccard@records=3": "records:3",
        "jaccard@seen_in_may": "seen_in_may",
    }
    alone = json.loads(ok("evaluate", "history", "--in", release, "--attacker", "records:3", "--json"))
    assert list(alone["attacks"]) == ["jaccard@records=3"]


@pytest.mark.parametrize("kind", ["microdata", "history", "trace"])
def test_it_is_said_beforehand_how_long_it_takes(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.cli.attacking.LARGE", 20)
    name = {"microdata": "euclid", "history": "jaccard", "trace": "visit_prob"}[kind]
    ok("data", kind, "--n", "20", "--out", tmp_path, "--seed", "1")
    step = {"microdata": "mondrian(k=2)", "history": "pseudonyms", "trace": "krr"}[kind]
    ok("anonymize", kind, step, "--in", tmp_path, "--out", tmp_path / "r", "--seed", "2")
    command = ["attack", kind, name, "--in", str(tmp_path / "r"), "--out", str(tmp_path / "g")]
    said = CliRunner().invoke(icefire, command, catch_exceptions=False).stderr.splitlines()
    assert said[:2] == ["20 people, 1 attacks; NAME makes fewer", "about 0 s of processor time"]
    assert re.fullmatch(r"about 0\.\d GB of memory \(--memory\)", said[2])


def test_lines_of_progress_where_there_is_no_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icefire.cli.output.EVERY", 0.0)
    table = tmp_path / "table.csv"
    table.write_text("who,what,where\n" + "".join(f"{n % 4},{n % 3},{n % 5}\n" for n in range(40)))
    command = ["knowledge", str(table), "--user", "who", "--columns", "what,where", "--curve", "1"]
    result = CliRunner().invoke(icefire, command, catch_exceptions=False)
    done = re.findall(r"(\d+) of 4 done in \d+ s, about \d+ s left; now (\w+)", result.stderr)
    assert done == [("1", "where"), ("2", "what"), ("3", "where")]


def test_budgets_and_interruptions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ok("data", "microdata", "--n", "300", "--out", tmp_path, "--seed", "1")
    ok("anonymize", "microdata", "pram(keep=0.5)", "--in", tmp_path, "--out", tmp_path / "r", "--seed", "2")
    command = ["redteam", "microdata", "--in", str(tmp_path / "r"), "--seed", "3", "--attacker", "qi"]
    found = json.loads(ok(*command, "--budget", "0.0000001", "--json"))
    assert found["attacks"]["qi"]["euclid"]["re_identification"]["detail"] == {"rows sampled": 200}
    # A guess file needs all rows.
    ok("attack", "microdata", "euclid", "--in", tmp_path / "r", "--out", tmp_path / "g", "--seed", "3")
    assert len((tmp_path / "g" / "guess-euclid.csv").read_text().split()) == 300

    def ended(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Learned, "attack", ended)
    monkeypatch.setattr("icefire.cli.attacking.LARGE", 300)
    result = CliRunner().invoke(icefire, [*command, "--budget", "0.0000001", "--max-risk", "1"])
    assert result.exit_code == 130, result.output
    assert "attacks were made, and the others may find more" in result.stdout
    # No attack has found too much, and the others were not made: that is no yes.
    assert result.stdout.startswith("Cannot say yet.\n")
    assert "Release" not in result.stdout
    assert "attacks were made, and the others may find more" in (tmp_path / "r" / "report.html").read_text()
    said = result.stderr.splitlines()
    assert re.fullmatch(r"300 people, \d+ attacks; --attacker makes fewer", said[0])
    assert said[1:] == ["about 0 s of processor time, at most 0 s (--budget)", "about 0.4 GB of memory (--memory)"]

    guesses = tmp_path / "some"
    result = CliRunner().invoke(
        icefire,
        ["attack", "microdata", "euclid", "learned", "rank", "--in", str(tmp_path / "r"), "--out", str(guesses)],
    )
    assert result.exit_code == 130, result.output
    assert "1 of 3 attacks were made" in result.stdout
    # There is no budget, since nothing is sampled.
    assert result.stderr.splitlines()[:2] == ["300 people, 3 attacks; NAME makes fewer", "about 0 s of processor time"]
    assert [file.name for file in guesses.iterdir()] == ["guess-euclid.csv"]

    wanted = [word for name in ("cross_count", "loss", "k_anonymity") for word in ("--metrics", name)]
    with monkeypatch.context() as patch:
        patch.setattr(Loss, "measure", ended)
        result = CliRunner().invoke(icefire, ["evaluate", "microdata", "--in", str(tmp_path / "r"), *wanted, "--json"])
    assert result.exit_code == 130, result.output
    assert list(json.loads(result.stdout)["utility"]) == ["cross_count"]
    assert json.loads(result.stdout)["ended"] == "ended by hand after 1 of 3 metrics and guesses"

    def starved(*_: object) -> None:
        raise MemoryError("Unable to allocate 9 TB")

    monkeypatch.setattr(Learned, "attack", starved)
    found = json.loads(ok(*command, "--memory", "50", "--json"))
    assert found["attacks"]["qi"]["learned"] == {"undefined": "Unable to allocate 9 TB"}
    assert "did not come to their end and may find more" in found["ended"]

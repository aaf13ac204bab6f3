"""Studies: strict files, a cache by content, pages and tables, and all that ship, tried out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import CliRunner, Result

from icefire.cli.main import icefire
from icefire.core.errors import FileError, InputError
from icefire.core.registry import Registry
from icefire.study import runner
from icefire.study.cache import Cache
from icefire.study.cells import cells_of
from icefire.study.figures import make_figure
from icefire.study.file import load_study, shipped
from icefire.study.results import Results
from icefire.study.runner import Runner

STUDY = """\
name = "mine"
title = { en = "Mine", ja = "私の" }
about = { en = "About." }

[names]
k = { en = "size k", ja = "大きさ k" }

[[data]]
name = "people"
kind = "microdata"
generator = "households(n=40)"

[[run]]
name = "sweep"
data = "people"
measure = "release"
repeats = 2
sweep = { k = [2, 5] }
[run.settings]
steps = ["mondrian(k={k})"]
utility = ["information_loss", "rows_lost"]
safety = ["re_identification", "k_anonymity(copies=false)"]
attacks = ["id_rand"]
attackers = ["qi"]

[[run]]
name = "theory"
measure = "dummies"
[run.settings]
users = 400
records = 38000
items = 2700
clusters = 50

[[run]]
name = "beside"
measure = "clusters"
cases = [{ k = 2, clusters = 200 }, { k = 4, clusters = 100 }]
settings = { users = 400, items = 65, jaccard = 0.03, clusters = "{clusters}" }
small = { skip = true }

[[correlation]]
name = "together"
run = "sweep"
quantities = ["information_loss", "re_identification", "k"]
where = { attack = "id_rand", attacker = "qi" }

[[largest]]
name = "most"
run = "sweep"
over = "k"
quantities = ["information_loss"]

[[table]]
name = "sizes"
title = { en = "Sizes & losses", ja = "大きさ" }
run = "sweep"
rows = ["k"]
quantities = ["k_anonymity", "information_loss"]

[[figure]]
name = "loss"
title = { en = "Loss" }
run = "sweep"
x = "k"
y = "information_loss"

[[figure]]
name = "both"
title = { en = "Both" }
run = "sweep"
x = "k"
y = "k_anonymity"
also = [{ y = "information_loss", name = { en = "lost" } }, { run = "beside", y = "found", by = "clusters" }]

[[expected]]
run = "theory"
printed = { en = "the paper" }
quantities = ["E", "records_of_most_dummies"]
values = [[227658.4, 6000]]
relative = 0.01
because = { en = "a slip", ja = "誤り" }
small = true
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Result]:
    def call(*words: str) -> Result:
        return CliRunner().invoke(icefire, ["study", *words], catch_exceptions=False)

    return call


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    file = tmp_path / "mine.toml"
    file.write_text(STUDY, encoding="utf-8")
    return file


def computed(file: Path, cache: Path, jobs: int = 1) -> Results:
    study, path = load_study(file, Registry())
    return Results(Runner(study, (path.parent,), Registry(), Cache(cache), jobs).run())


def test_all_studies_that_ship_run(run: Callable[..., Result], tmp_path: Path) -> None:
    words = (
        "run",
        "--all",
        "--small",
        "--jobs",
        "1",
        "--out",
        str(tmp_path / "out"),
        "--cache",
        str(tmp_path / "cache"),
    )
    result = run(*words, "--json")
    found = {each["study"]: each for each in json.loads(result.stdout)["studies"]}
    assert set(found) == set(shipped())
    assert result.exit_code == 0
    assert all(each["differs"] == 0 and not each["missing"] for each in found.values())
    # What holds whatever the data is compared even here.
    assert sum(each["agrees"] for each in found.values()) >= 15
    for name in found:
        page = (tmp_path / "out" / name / "index.html").read_text("utf-8")
        assert "Tried out with little data" in page
    again = json.loads(run(*words, "--json").stdout)["studies"]
    assert all(each["reused"] == each["cells"] for each in again)


def test_every_text_of_the_studies_is_in_both_languages() -> None:
    def texts(value: Any) -> list[dict[str, str]]:
        if isinstance(value, dict):
            own = [value] if set(value) == {"en", "ja"} else []
            return own + [text for held in value.values() for text in texts(held)]
        return [text for held in value for text in texts(held)] if isinstance(value, list) else []

    for name in shipped():
        study, _ = load_study(Path(name), Registry())
        assert study.name == name
        missing = [text["en"] for text in texts(study.as_dict()) if not text["ja"]]
        assert not missing, f"{name}: {missing[0]}"


def test_what_was_printed_stands_beside_what_comes_out(mine: Path, run: Callable[..., Result], tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = run("run", str(mine), "--out", str(out), "--cache", str(tmp_path / "cache"), "--jobs", "1")
    assert result.exit_code == 0
    rows = pl.read_csv(out / "mine" / "expected.csv")
    assert rows["verdict"].to_list() == ["agrees", "explained"]
    table = pl.read_csv(out / "mine" / "tables" / "sizes.csv")
    assert table.columns == ["size k", "k_anonymity", "k_anonymity_sd", "information_loss", "information_loss_sd"]
    assert (table["k_anonymity"] >= table["size k"]).all()
    latex = (out / "mine" / "tables" / "sizes.tex").read_text("utf-8")
    assert r"\caption{Sizes \& losses}" in latex
    assert r"k\_anonymity" in latex
    assert (out / "mine" / "figures" / "loss.svg").read_text("utf-8").startswith("<svg")
    results = pl.read_parquet(out / "mine" / "results.parquet")
    assert results.filter(pl.col("quantity") == "information_loss").height == 4
    assert "a slip" in (out / "mine" / "index.html").read_text("utf-8")
    unexplained = STUDY.replace('because = { en = "a slip", ja = "誤り" }\n', "")
    mine.write_text(unexplained, encoding="utf-8")
    result = run("run", str(mine), "--out", str(out), "--cache", str(tmp_path / "cache"), "--jobs", "1")
    assert result.exit_code == 1


def test_a_changed_line_is_all_that_is_computed_again(mine: Path, tmp_path: Path) -> None:
    first = computed(mine, tmp_path / "cache")
    assert first.outcome.reused == 0
    mine.write_text(STUDY.replace("k = [2, 5]", "k = [2, 3]"), encoding="utf-8")
    second = computed(mine, tmp_path / "cache")
    assert (second.outcome.reused, len(second.outcome.values)) == (5, 7)
    # Titles and tolerances are no content.
    mine.write_text(STUDY.replace('en = "Mine"', 'en = "Yours"').replace("0.01", "0.02"), encoding="utf-8")
    assert computed(mine, tmp_path / "cache").outcome.reused == 7
    mine.write_text(STUDY.replace("n=40", "n=41"), encoding="utf-8")
    assert computed(mine, tmp_path / "cache").outcome.reused == 3


def test_lines_beside_each_other_and_the_largest_of_a_label(mine: Path, tmp_path: Path) -> None:
    results = computed(mine, tmp_path / "cache")
    _, figure = results.study.figure
    chart: Any = make_figure(figure, results, "en")
    rows = chart["data"]["values"]
    assert [(row["group"], row["x"]) for row in rows] == [
        *(("k_anonymity", k) for k in (2, 5)),
        *(("lost", k) for k in (2, 5)),
        ("200", 2),
        ("100", 4),
    ]
    assert [row["y"] for row in rows[-2:]] == [0.5, 0.25]
    [most] = results.select("most", "information_loss", {})
    assert most.value == max(row["y"] for row in rows if row["group"] == "lost")
    # A line of a run that is left out is left out with it.
    small, _ = load_study(mine, Registry(), small=True)
    assert [line.y for _, line in small.figure[1].lines] == ["k_anonymity", "information_loss"]


def test_an_interrupted_study_goes_on(mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compute = runner.compute
    made: list[Any] = []

    def interrupted(*words: Any) -> Any:
        if len(made) == 3:
            raise KeyboardInterrupt
        made.append(words)
        return compute(*words)

    monkeypatch.setattr(runner, "compute", interrupted)
    with pytest.raises(KeyboardInterrupt):
        computed(mine, tmp_path / "cache")
    monkeypatch.undo()
    assert computed(mine, tmp_path / "cache").outcome.reused == 3


def test_processes_in_parallel_compute_the_same(mine: Path, tmp_path: Path) -> None:
    alone, together = computed(mine, tmp_path / "one"), computed(mine, tmp_path / "two", jobs=2)
    assert alone.table().equals(together.table())


def test_compare_tells_what_changed(mine: Path, run: Callable[..., Result], tmp_path: Path) -> None:
    for place, text in (("a", STUDY), ("b", STUDY.replace("k = [2, 5]", "k = [2, 3]").replace("n=40", "n=41"))):
        mine.write_text(text, encoding="utf-8")
        run("run", str(mine), "--out", str(tmp_path / place), "--cache", str(tmp_path / "cache"), "--jobs", "1")
    left, right = str(tmp_path / "a" / "mine"), str(tmp_path / "b" / "mine")
    assert run("compare", left, left).exit_code == 0
    result = run("compare", left, right, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert {row["at"] for row in found["gone"]} >= {'{"k": 5}'}
    assert {row["at"] for row in found["new"]} >= {'{"k": 3}'}
    assert any(row["quantity"] == "information_loss" for row in found["changed"])


FAULTS = [
    ('name = "sizes"', 'nme = "sizes"', "table[1]: the key 'name' is missing"),
    ('measure = "dummies"', 'measure = "dumies"', "run[2].measure: no measure 'dumies'; did you mean 'dummies'?"),
    ("mondrian(k={k})", "mondrian(k={size})", "run[1].settings.steps: nothing says what 'size' is"),
    ("mondrian(k={k})", "mondrain(k={k})", "run[1].settings.steps: no anonymizer for microdata 'mondrain'"),
    ("mondrian(k={k})", "mondrian(k=-{k})", "run[1].settings: The 'k' parameter of Mondrian must be"),
    ('"id_rand"]\nattackers', '"id_rnd"]\nattackers', "run[1].settings.attacks: no attack for microdata 'id_rnd'"),
    ("households(n=40)", "household(n=40)", "data[1].generator: no dataset for microdata 'household'"),
    ('data = "people"', 'data = "peple"', "run[1].data: no data 'peple'; did you mean 'people'?"),
    (
        "clusters = 50",
        "cluster = 50",
        "run[2].settings.cluster: no setting of dummies 'cluster'; did you mean 'clusters'?",
    ),
    ("values = [[227658.4, 6000]]", "values = [[227658.4]]", "every row of values has 2 entries"),
    ('run = "theory"', 'run = "theorie"', "expected[1].run: no run 'theorie'; did you mean 'theory'?"),
    ("relative = 0.01\n", "", "give either a relative or an absolute tolerance"),
    ('run = "beside"', 'run = "besides"', "figure[2].also[2].run: no run 'besides'; did you mean 'beside'?"),
]


@pytest.mark.parametrize(("right", "wrong", "said"), FAULTS, ids=[fault[1][:20] for fault in FAULTS])
def test_faults_of_a_file_are_named_with_their_line(mine: Path, right: str, wrong: str, said: str) -> None:
    assert STUDY.count(right) == 1
    text = STUDY.replace(right, wrong)
    mine.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as error:
        load_study(mine, Registry())
    place, _, told = str(error.value).partition(": ")
    assert said in told, told
    # The line is that of the key, or the head of the table that it belongs in.
    line = text.splitlines()[int(place.rpartition(" ")[2]) - 1]
    assert line.startswith("[") or line.partition(" =")[0] in re.findall(r"\w+", told.partition(":")[0])


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('quantities = ["k_anonymity", ', 'quantities = ["k_anonymty", ', "no quantity of the run sweep 'k_anonymty'"),
        ('y = "information_loss"\n', 'y = "loss"\n', "no quantity of the run sweep 'loss'"),
        ('quantities = ["E", ', 'where = { k = 9 }\nquantities = ["E", ', "the run theory has no E at k = 9"),
    ],
)
def test_tables_of_nothing_are_refused(mine: Path, tmp_path: Path, right: str, wrong: str, said: str) -> None:
    assert STUDY.count(right) == 1
    mine.write_text(STUDY.replace(right, wrong), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        computed(mine, tmp_path / "cache").require_all()


def test_a_missing_or_changed_file_is_said(mine: Path, tmp_path: Path) -> None:
    pl.DataFrame({"age": [30, 30, 40], "ill": ["a", "b", "c"]}).write_csv(tmp_path / "people.csv")
    given = 'file = "people.csv"\nqi = ["age"]\nsa = ["ill"]'
    text = STUDY.replace('generator = "households(n=40)"', given).replace("k = [2, 5]", "k = [2]")
    mine.write_text(text, encoding="utf-8")
    assert computed(mine, tmp_path / "cache").select("sweep", "k_anonymity", {})[0].value == 3
    mine.write_text(text.replace("people.csv", "others.csv"), encoding="utf-8")
    absent = computed(mine, tmp_path / "cache").outcome.absent
    assert absent == {"sweep": "no file others.csv: name its folder with --data or ICEFIRE_DATA"}
    mine.write_text(text.replace('qi = ["age"]', 'sha256 = "0"\nqi = ["age"]'), encoding="utf-8")
    with pytest.raises(FileError, match="is not the file of this study"):
        computed(mine, tmp_path / "cache")


@pytest.mark.parametrize(("kind", "language"), [("microdata", "en"), ("history", "ja")])
def test_a_new_study_of_ones_own_data(kind: str, language: str, run: Callable[..., Result], tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    tables = {
        "microdata": pl.DataFrame(
            {"age": [30, 31] * 20, "town": list("abcd") * 10, "pay": [1.5 * i for i in range(40)]}
        ),
        "history": pl.DataFrame({"who": ["a", "b"] * 20, "day": ["2024-01-05"] * 40, "what": list("wxyz") * 10}),
    }
    tables[kind].write_csv(data)
    target = tmp_path / "own.toml"
    assert run("new", str(data), "--kind", kind, "--out", str(target), "--lang", language).exit_code == 0
    study, _ = load_study(target, Registry())
    assert len(cells_of(study)) > 3
    small = load_study(target, Registry(), small=True)[0]
    assert len(cells_of(small)) == 1
    if kind == "microdata":
        assert computed(target, tmp_path / "cache").select("settings", "found", {"k": 5, "attacker": "qi"})
    else:
        assert "自分のデータ" in target.read_text("utf-8")


def test_the_page_in_japanese(mine: Path, run: Callable[..., Result], tmp_path: Path) -> None:
    words = ("--out", str(tmp_path / "out"), "--cache", str(tmp_path / "cache"), "--jobs", "1", "--lang", "ja")
    result = run("run", str(mine), *words)
    page = (tmp_path / "out" / "mine" / "index.html").read_text("utf-8")
    assert "論文の数値2個のうち1個が再現されました" in page
    assert "大きさ k" in page
    assert "スタディ" in result.output

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

from icefire.cli import demo as demo_module
from icefire.cli.demo import Story
from icefire.cli.main import icefire
from icefire.core.chapters import Chapter, Section, Table
from icefire.core.documents import JsonObject
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.evaluation import runs as suite
from icefire.evaluation.assessment import Assessment
from icefire.knowledge import identification
from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.report import known_fact
from icefire.report.bundle import bundle
from icefire.report.charts import apart
from icefire.report.page import Page
from icefire.report.plots import Axis, as_svg, plot
from icefire.report.words import WORDS


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The report of the demo in each language, with some of its releases. The attacks, which take the time, are made once;
    `shadow`, which takes most of it, is left out."""
    judged: dict[str, list[Assessment]] = {}
    tell, every = demo_module._tell, suite.every_attack

    def quick(*given: Any) -> list[Any]:
        return [attack for attack in every(*given) if attack.name != "shadow"]

    def told(registry: Registry, story: Story, *rest: Any) -> list[Assessment]:
        if story.kind not in judged:
            judged[story.kind] = tell(registry, replace(story, releases=story.releases[:2]), *rest)
        return judged[story.kind]

    pages = {}
    for language in ("en", "ja"):
        folder = tmp_path_factory.mktemp(language)
        size = ["--n", "100", "--customers", "40", "--walkers", "40"]
        words = ["demo", *size, "--out", str(folder), "--lang", language, "--json"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(demo_module, "_tell", told)
            patch.setattr(suite, "every_attack", quick)
            result = CliRunner().invoke(icefire, words)
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)["report"] == str(folder / "report.html")
        pages[language] = (folder / "report.html").read_text()
    return pages


def test_the_report_needs_nothing_from_elsewhere(demo: dict[str, str]) -> None:
    for page in demo.values():
        assert not re.findall(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", page)
        assert "@import" not in page
        assert page.count("<script>") == 2
        assert page.count("</script>") == 2


def test_the_report_has_every_part_in_both_languages(demo: dict[str, str]) -> None:
    keys = ["what was done", "scatter title", "heat title", "identification title", "classes title", "attacks title",
            "metrics title", "how to reproduce", "curves title", "cost title", "few title", "two risks title", "density title",
            "exposed title", "length title", "example title"]  # fmt: skip
    for language, page in demo.items():
        for key in keys:
            assert f"<h2>{WORDS[key][language]}</h2>" in page  # type: ignore[index]
        assert f"icefire demo --n 100 --customers 40 --walkers 40 --seed 0 --lang {language}" in page
        charts = json.loads(re.search(r"const CHARTS=(\{.*\});\n", page)[1])  # type: ignore[index]
        assert len(charts) == 13


def test_every_phrase_has_both_languages_and_the_same_gaps() -> None:
    for key, entry in WORDS.items():
        assert set(entry) == {"en", "ja"}, key
        gaps = [sorted(re.findall(r"\{(\w+)", text)) for text in entry.values()]
        assert gaps[0] == gaps[1], key


def test_attacks_are_sorted_with_the_worst_on_top(demo: dict[str, str]) -> None:
    for table in re.findall(r"<details>.*?</details>", demo["en"], flags=re.S):
        shares = [float(share) for share in re.findall(r"<td>([\d.]+)%</td>", table)]
        assert shares == sorted(shares, reverse=True)


def test_data_cannot_break_out_of_the_page() -> None:
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    chart: JsonObject = {"mark": "bar", "data": {"values": [{"name": evil}]}}
    section = Section(evil, evil, chart, tables=[Table([evil], [[evil]], evil)], code=evil)
    chapter = Chapter(evil, evil, evil, [section], [(evil, evil, "ice")])
    page = Page(evil, [chapter, chapter], evil).html()
    assert "<img src=x" not in page.replace(json.dumps(evil)[1:-1].replace("</script", "<\\/script"), "")
    assert page.count("</script>") == 2


def test_labels_are_pushed_apart() -> None:
    points = [{"name": str(i), "x": 0.0, "y": 1.0, "attack": ""} for i in range(5)]
    for y in (1.0, 0.03, 0.0):
        heights = sorted(point["label"] for point in apart([{**point, "y": y} for point in points], 1.0))
        assert min(b - a for a, b in pairwise(heights)) >= 0.049
        assert heights[0] >= 0


def test_points_that_coincide_are_counted() -> None:
    rows = [{"x": x, "y": 0.5, "group": group, "name": group} for x, group in [(0.1, "a"), (0.1, "b"), (0.2, "c")]]
    picture = as_svg(plot(rows, "points", Axis("x"), Axis("y"), ["a", "b", "c"]))
    assert re.findall(">×[0-9]+<", picture) == [">×2<"]
    assert "×" not in as_svg(plot(rows[1:], "points", Axis("x"), Axis("y"), ["a", "b", "c"]))


def test_the_report_of_one_release_begins_with_the_answer(tmp_path: Path) -> None:
    folder, out = str(tmp_path / "in"), str(tmp_path / "out")
    run = CliRunner().invoke
    assert run(icefire, ["data", "microdata", "--n", "150", "--out", folder, "--seed", "1"]).exit_code == 0
    made = ["anonymize", "microdata", "mondrian(k=5)", "--in", folder, "--out", out, "--seed", "2"]
    assert run(icefire, made).exit_code == 0
    command = ["redteam", "microdata", "--in", out, "--attacker", "qi", "--budget", "0.01"]
    refused = run(icefire, [*command, "--max-risk", "0.01"])
    assert refused.exit_code == 1
    assert refused.stdout.startswith("Do not release.\n")
    wanted = f"icefire advise microdata --in {out} --max-risk 0.01 --max-disclosure 0.2 --attacker qi"
    assert f"  {wanted}\n" in refused.stdout
    assert len(refused.stdout.splitlines()) <= 30
    page = (tmp_path / "out" / "report.html").read_text()
    first = page.partition("<section>")[0]
    assert '<p class="answer fire">Do not release.</p>' in first
    assert f"<pre>{wanted}</pre>" in first
    for method in ("mondrian", "information_loss", "t_closeness", "euclid"):
        summary = next(m.summary() for m in Registry().methods("microdata") if m.name == method)
        assert escape(summary.partition(": ")[2] or summary)[1:] in page
    accepting = [*command, "--max-risk", "0.9", "--max-disclosure", "1"]
    passed = run(icefire, [*accepting, "--json"])
    assert passed.exit_code == 0
    answer = json.loads(passed.stdout)["answer"]
    assert answer["decision"] == "release"
    assert answer["findings"][0]["limit"] == 0.9
    shown = run(icefire, [*accepting, "--lang", "ja"]).stdout
    assert shown.startswith("判定：")


def test_the_people_who_are_found_most_often_are_listed(tmp_path: Path) -> None:
    folder, listed = tmp_path / "table", tmp_path / "found.csv"
    folder.mkdir()
    ages = [30] * 10 + [31] * 10 + [77]
    pl.DataFrame({"age": ages, "town": ["a", "b"] * 10 + ["a"], "pay": range(21)}).write_csv(folder / "original.csv")
    (folder / "schema.toml").write_text('qi = ["age", "town"]\nsa = ["pay"]\n')
    run = CliRunner().invoke
    made = ["anonymize", "microdata", "noise(scale=3, columns=[pay])", "--in", str(folder), "--out", str(folder)]
    assert run(icefire, [*made, "--seed", "2"]).exit_code == 0
    command = ["redteam", "--in", str(folder), "--attacker", "qi", "--exposed", str(listed)]
    assert run(icefire, [command[0], "microdata", *command[1:]]).exit_code == 1
    first = pl.read_csv(listed).row(0, named=True)
    assert first == {"row": 21, "found": 1.0, "columns": "age", "reason": "age = 77"}
    assert listed.stat().st_mode & 0o077 == 0
    page = (folder / "report.html").read_text().replace(str(folder), "")  # its name may have a 77 of its own
    assert "77" not in re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    refused = run(icefire, [command[0], "history", *command[1:]])
    assert "--exposed lists people of tables with a row per person" in str(refused.exception)


@pytest.mark.parametrize(
    "step", ["mondrian(k=5)", "generalize(columns=[age],width=10)", "pram(keep=0.5)", "noise(scale=1)"]
)
def test_no_fact_becomes_more_telling_by_its_labels(step: str) -> None:
    registry = Registry()
    people = registry.make("microdata", "dataset", "households(n=300)").generate(generator(1))
    method = registry.make("microdata", "anonymize", step)
    release = method.anonymize(people, generator(2))
    for name in release.published.schema.names:
        assert known_fact(release, name) <= identification(people.native, name).probability


def test_a_label_counts_as_the_values_it_covers() -> None:
    frame = pl.DataFrame({"age": [20, 21, 22, 23], "pay": [1, 2, 3, 4]})
    people = Microdata(frame, Schema(qi=["age"], sa=["pay"]))
    shown = Microdata(frame.with_columns(age=pl.Series(["[20..21]", "[20..22]", "22", "*"])), people.schema)
    release = Release(people, shown, np.arange(4))
    # 20 and 21 may be in rows 1, 2 and 4, 22 in rows 2, 3 and 4, 23 in row 4 alone.
    assert known_fact(release, "age") == pytest.approx((1 / 3 + 1 / 3 + 1 / 3 + 1) / 4)


def test_the_script_of_charts_is_put_together_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = iter(["first", "second", "third"])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("vl_convert.javascript_bundle", lambda: next(scripts))
    assert [bundle(), bundle()] == ["first", "first"]
    # Below a file no folder can be made.
    monkeypatch.setenv("XDG_CACHE_HOME", str(next((tmp_path / "icefire").iterdir())))
    assert [bundle(), bundle()] == ["second", "third"]

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any

import pytest
from click.testing import CliRunner

from icefire.cli import demo as demo_module
from icefire.cli.demo import Story
from icefire.cli.main import icefire
from icefire.core.chapters import Chapter, Section, Table
from icefire.core.documents import JsonObject
from icefire.core.judged import Judged
from icefire.core.registry import Registry
from icefire.report.charts import _apart
from icefire.report.page import Page
from icefire.report.words import WORDS


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The report of the demo in each language. The attacks, which take the time, are made once."""
    judged: dict[str, list[Judged]] = {}
    tell = demo_module._tell

    def told(registry: Registry, story: Story, *rest: Any) -> list[Judged]:
        if story.kind not in judged:
            judged[story.kind] = tell(registry, story, *rest)
        return judged[story.kind]

    pages = {}
    for language in ("en", "ja"):
        folder = tmp_path_factory.mktemp(language)
        size = ["--n", "150", "--customers", "40", "--walkers", "40"]
        words = ["demo", *size, "--out", str(folder), "--lang", language, "--json"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(demo_module, "_tell", told)
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
            "metrics title", "how to reproduce", "curves title", "cost title", "two risks title", "density title",
            "exposed title", "length title", "example title"]  # fmt: skip
    for language, page in demo.items():
        for key in keys:
            assert f"<h2>{WORDS[key][language]}</h2>" in page  # type: ignore[index]
        assert f"icefire demo --n 150 --customers 40 --walkers 40 --seed 0 --lang {language}" in page
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
    heights = sorted(point["label"] for point in _apart(points, 1.0))
    assert min(b - a for a, b in pairwise(heights)) >= 0.049

"""The page of what some jobs took at earlier versions, drawn from benchmarks/history.csv."""

from __future__ import annotations

import csv
from pathlib import Path

from icefire.core.chapters import Table
from icefire.report.page import table_html
from icefire.report.plots import Axis, as_svg, dash_of, plot
from icefire.words import Language

DATA = Path(__file__).parents[2] / "benchmarks" / "history.csv"
JOBS = {
    "k_check": {"en": "k-anonymity of 300,000 rows", "ja": "k-匿名性の検査（30万行）"},
    "mondrian": {"en": "`mondrian(k=10)`, 300,000 rows", "ja": "`mondrian(k=10)`（30万行）"},
    "conceal": {"en": "`conceal(k=5)`, 5,000 rows", "ja": "`conceal(k=5)`（5千行）"},
    "euclid": {"en": "attack `euclid`, 32,561 rows", "ja": "攻撃 `euclid`（32,561行）"},
    "jaccard": {"en": "attack `jaccard`, 400 customers", "ja": "攻撃 `jaccard`（顧客400人）"},
    "count_vectors": {"en": "attack `count_vectors`, 500 walks", "ja": "攻撃 `count_vectors`（500人の軌跡）"},
    "help": {"en": "`icefire --help`", "ja": "`icefire --help`"},
}
WORDS = {
    "title": {"en": "Benchmarks over time", "ja": "ベンチマークの推移"},
    "text": {
        "en": "The same jobs at each version, in processor time with one thread. Beside each, in the same run, stands a "
        "yardstick: polars groups and sorts three million numbers. Machines that are busy with other work make processor time "
        "longer, so compare ratios to the yardstick rather than seconds; load is how many processes wanted one of two "
        "processors. Lower is better. What is missing, a version could not do yet. `python benchmarks/history.py` adds the "
        "version at hand; earlier versions were measured afterwards from their sources, on the same machine. How icefire "
        "compares with other tools is on the page [Benchmarks](benchmarks.md).",
        "ja": "同じ処理を各バージョンで実行した CPU 時間です（1スレッド）。同じ実行の中で、基準として polars による"
        "300万個の数値の集計と整列も測っています。他の処理で混み合った計算機では CPU 時間も延びるため、"
        "秒数ではなく基準に対する比を比べてください。負荷は、2つの CPU を使おうとしていたプロセスの数です。"
        "小さいほど良い値です。値のないものは、そのバージョンにまだなかった処理です。"
        "`python benchmarks/history.py` で現在のバージョンを追加できます。"
        "過去のバージョンは、後から同じ計算機で、当時のソースを使って測りました。"
        "他のツールとの比較は[ベンチマーク](benchmarks.md)にあります。",
    },
    "chart": {"en": "Time as a multiple of the yardstick", "ja": "基準に対する時間の比"},
    "version": {"en": "version", "ja": "バージョン"},
    "job": {"en": "job", "ja": "処理"},
    "seconds": {"en": "seconds", "ja": "秒"},
    "ratio": {"en": "ratio", "ja": "比"},
    "load": {"en": "load", "ja": "負荷"},
}


def files(language: Language) -> dict[str, str]:
    """The page and its figure, by their paths in the site."""

    def say(key: str) -> str:
        return WORDS[key][language]

    rows = list(csv.DictReader(DATA.read_text(encoding="utf-8").splitlines()))
    names = {job: titles[language].replace("`", "") for job, titles in JOBS.items()}
    groups = [name for job, name in names.items() if any(row["job"] == job for row in rows)]
    points = [{"x": f"{row['date'][5:]} {row['commit']}", "y": _ratio(row), "group": names[row["job"]]} for row in rows]
    drawn = [{**point, "dash": dash_of(str(point["group"]), groups)} for point in points]
    chart = plot(drawn, "lines", Axis(say("version"), names=True), Axis(say("chart"), log=True), groups)
    header = [say(name) for name in ("job", "version", "seconds", "ratio", "load")]
    cells = [
        [
            names[row["job"]],
            f"{row['date']} {row['commit']}",
            f"{float(row['seconds']):.3g}",
            f"{_ratio(row):.2f}",
            row["load"],
        ]
        for row in sorted(rows, key=lambda row: list(JOBS).index(row["job"]))
    ]
    images = "".join(
        f'<img alt="{say("chart")}" src="benchmark-history/{shade}.svg#only-{shade}">' for shade in ("light", "dark")
    )
    page = [
        f"# {say('title')}",
        say("text"),
        f'<div class="scroll">{images}</div>',
        table_html(Table(header, cells, texts=(0, 1))),
    ]
    return {
        "benchmark-history.md": "\n\n".join(page) + "\n",
        **{f"benchmark-history/{shade}.svg": as_svg(chart, dark=shade == "dark") for shade in ("light", "dark")},
    }


def _ratio(row: dict[str, str]) -> float:
    return float(row["seconds"]) / float(row["yardstick"])

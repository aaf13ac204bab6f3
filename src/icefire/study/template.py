"""A commented file for a study of one's own data, in English and Japanese."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from icefire.core.chapters import Language
from icefire.core.registry import Registry
from icefire.frames.files import read_table, toml_value


@dataclass(frozen=True)
class Example:
    """What the study of a kind of data begins with."""

    step: str
    values: str
    loss: str
    attacker: str
    small: str


EXAMPLES = {
    "microdata": Example("mondrian(k={k})", "[2, 5, 10, 20]", "information_loss", "qi", "households(n=60)"),
    "history": Example(
        "union_clusters(clusters={k})", "[5, 10, 20]", "records_changed", "records:3", "purchases(n=30)"
    ),
}
MANY = 100
"""Different numbers beyond which a column is an amount."""


def new_study(name: str, kind: str, file: Path, language: Language) -> str:
    """The text of a study of a file: a sweep over one anonymizer, its loss, and what attackers find."""
    example, text = EXAMPLES[kind], TEXTS[language]
    filled = {"name": name, "kind": kind, "file": toml_value(file.name), "roles": _roles(kind, file, text)}
    filled |= {name: getattr(example, name) for name in ("step", "values", "loss", "attacker", "small")}
    made = TEMPLATE
    for place, words in {**text, **filled}.items():
        made = made.replace(f"<{place}>", words)
    return made


def study_of_release(kind: str, folder: Path, steps: Sequence[str], language: Language) -> str:
    """The text of a study of one release of the original in a folder: its loss, and what attackers find, over several seeds."""
    owner, made = Registry().kind(kind), OF_RELEASE
    filled = {
        "kind": kind,
        "folder": toml_value(str(folder)),
        "steps": toml_value(list(steps)),
        "label": toml_value(" + ".join(steps)),
        "loss": owner.headline_utility,
        "attackers": toml_value(list(owner.levels)),
    }
    for place, words in {**TEXTS[language], **filled}.items():
        made = made.replace(f"<{place}>", words)
    return made


def _roles(kind: str, file: Path, text: dict[str, str]) -> str:
    frame = read_table(file)
    header = frame.columns
    if kind == "history":
        names = {ours: header[min(place, len(header) - 1)] for place, ours in enumerate(("user", "date", "item"))}
        listed = ", ".join(f"{ours} = {toml_value(theirs)}" for ours, theirs in names.items())
        return f"# {text['columns']}\ncolumns = {{ {listed} }}"
    amounts = [name for name in header if _is_amount(frame[name])]
    rest = [name for name in header if name not in amounts]
    qi, sa = (rest, amounts) if rest else (header[:1], header[1:])
    return f"# {text['roles']}\nqi = {toml_value(qi)}\nsa = {toml_value(sa)}"


def _is_amount(column: pl.Series) -> bool:
    return column.dtype.is_numeric() and column.n_unique() > MANY


TEXTS: dict[Language, dict[str, str]] = {
    "en": {
        "first": "A study: what to measure on which data, and which tables and figures to make of it. Run it with:",
        "title": 'en = "A study of my data"',
        "about": 'en = "How much is lost, and what attackers find, for some settings of one anonymizer."',
        "chosen": 'en = "The release that was chosen"',
        "several": 'en = "How much is lost, and what attackers find, in several releases made the same way."',
        "original": "the original with its schema.toml; keep it to yourself",
        "more": "Further runs may try other steps. Steps and metrics:",
        "place": "beside this file, or in the folder of --data",
        "hash": "of the file: the study then refuses any other (sha256sum FILE)",
        "columns": "What the columns of the file are: user, date and item; also invoice, time, price, quantity.",
        "roles": "Quasi-identifiers are what others may know of people, sensitive columns what nobody is to learn. Check both:",
        "instead": "what --small runs on instead",
        "sweeps": "A run measures every combination of what is swept; {k} stands for the value. Steps and metrics:",
        "repeats": "with other seeds; tables show the mean and the standard deviation",
        "attacks": 'every attack there is; or name some: attacks = ["..."]',
        "found": 'en = "What the strongest attack finds"',
        "lost": 'en = "Loss"',
        "compare": "Figures to compare with, of a paper or an earlier run; the page names what lies beyond the tolerance.",
        "report": 'en = "last year\'s report"',
    },
    "ja": {
        "first": "スタディ：どのデータで何を測り、どの表と図を作るかを書きます。実行するには：",
        "title": 'en = "A study of my data", ja = "自分のデータのスタディ"',
        "about": 'en = "Loss and risk.", ja = "一つの加工方法の設定ごとに、損失と、攻撃者に特定される割合を調べます。"',
        "chosen": 'en = "The release that was chosen", ja = "選んだ加工方法"',
        "several": 'en = "Loss and risk.", ja = "同じ方法で何度か加工し、損失と、攻撃者に特定される割合を調べます。"',
        "original": "元データと schema.toml のフォルダ。外に出さないでください",
        "more": "他の加工方法を試すには [[run]] を加えます。ステップと指標の一覧：",
        "place": "このファイルと同じフォルダ、または --data のフォルダの中",
        "hash": "ファイルのハッシュ。書いておくと、別のファイルでは実行しません（sha256sum FILE）",
        "columns": "ファイルの列：user（顧客）、date（日付）、item（商品）。他に invoice、time、price、quantity も書けます。",
        "roles": "準識別子（qi）は他人が知りうる列、機微属性（sa）は誰にも知られたくない列です。必ず確かめてください：",
        "instead": "--small のときに代わりに使うデータ",
        "sweeps": "sweep の値の全ての組み合わせを測ります。{k} にはその値が入ります。ステップと指標の一覧：",
        "repeats": "乱数シードを変えて繰り返す回数。表には平均と標準偏差が載ります",
        "attacks": '全ての攻撃を試します。選ぶ場合は attacks = ["..."]',
        "found": 'en = "What the strongest attack finds", ja = "最強の攻撃による再識別率"',
        "lost": 'en = "Loss", ja = "損失"',
        "compare": "比べる数値（論文や以前の結果）。許容誤差を超えたものはページに示されます。",
        "report": 'en = "last year\'s report", ja = "昨年の報告"',
    },
}
TEMPLATE = """\
# <first> icefire study run <name>.toml --out <name>
name = "<name>"
title = { <title> }
about = { <about> }

[[data]]
name = "mine"
kind = "<kind>"
file = <file>  # <place>
# sha256 = "..."  # <hash>
<roles>
small = "<small>"  # <instead>

# <sweeps> icefire list <kind>
[[run]]
name = "settings"
data = "mine"
measure = "release"
repeats = 3  # <repeats>
sweep = { k = <values> }
[run.settings]
steps = ["<step>"]
utility = ["<loss>"]
strongest = true  # <attacks>
attackers = ["<attacker>", "all"]
[run.small]
repeats = 1
sweep = { k = [5] }

[[table]]
name = "found"
title = { <found> }
run = "settings"
rows = ["k", "attacker"]
columns = "method"
quantities = ["found"]

[[table]]
name = "loss"
title = { <lost> }
run = "settings"
rows = ["k"]
quantities = ["<loss>"]

[[figure]]
name = "found"
title = { <found> }
run = "settings"
x = "k"
y = "found"
by = "attacker"
where = { method = "known" }

# <compare>
# [[expected]]
# run = "settings"
# printed = { <report> }
# at = ["k"]
# quantities = ["<loss>"]
# values = [[5, 0.12]]
# relative = 0.05
"""
OF_RELEASE = """\
# <first> icefire study run study.toml --out study
name = "release"
title = { <chosen> }
about = { <several> }

[[data]]
name = "mine"
kind = "<kind>"
folder = <folder>  # <original>

# <more> icefire list <kind>
[[run]]
name = "release"
data = "mine"
measure = "release"
repeats = 3  # <repeats>
cases = [{ release = <label> }]
[run.settings]
steps = <steps>
utility = ["<loss>"]
strongest = true  # <attacks>
attackers = <attackers>

[[table]]
name = "found"
title = { <found> }
run = "release"
rows = ["release", "attacker"]
columns = "method"
quantities = ["found"]

[[table]]
name = "loss"
title = { <lost> }
run = "release"
rows = ["release"]
quantities = ["<loss>"]
"""

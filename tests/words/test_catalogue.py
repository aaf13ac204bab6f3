"""The Japanese catalogue: complete, nothing left over, and found fast."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import said
from icefire.core.errors import InputError, ParameterError, UnknownName
from icefire.core.parameters import parse_step
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.frames import identifying
from icefire.frames.patterns import PATTERNS
from icefire.history.anonymize.conceal import Conceal
from icefire.history.examples import example
from icefire.history.safety.k_concealment import KConcealment
from icefire.microdata.inspection import Role
from icefire.report.words import WORDS
from icefire.words import label, of_environment, term, translated
from icefire.words.catalogue import FILLED, PLACE, Catalogue, Template
from icefire.words.ja import LABELS, MESSAGES, SAID, TERMS

ROOT = Path(__file__).parents[2]
JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")


def test_every_text_of_the_source_is_in_the_catalogue() -> None:
    missing = {text: place for text, place in said.templates().items() if text not in MESSAGES}
    assert not missing, "add to src/icefire/words/ja: " + "\n".join(f"{p}: {t!r}" for t, p in missing.items())


def test_help_pages_and_methods_are_in_the_catalogue() -> None:
    texts = said.help_texts() | said.method_texts()
    assert not [text for text in texts if not JAPANESE.search(translated(text, "ja")) and text != "None"]


def test_labels_are_in_the_catalogue() -> None:
    assert sorted(said.labels() - set(LABELS)) == []


def test_the_catalogue_holds_nothing_that_the_source_does_not_say() -> None:
    spoken = set(said.templates()) | said.help_texts() | said.method_texts()
    assert sorted(text for texts in SAID for text in texts if text not in spoken) == []
    assert sum(map(len, SAID)) == len({text for texts in SAID for text in texts}), "a text stands in two files"


@pytest.mark.parametrize("texts", [*SAID, {**MESSAGES, **LABELS}])
def test_translations_have_the_same_gaps(texts: dict[str, str]) -> None:
    for english, japanese in texts.items():
        gaps = FILLED.findall(re.sub(r"\{[a-z];[a-z]\}", "", japanese))
        assert all(gaps) or not any(gaps), f"numbered and unnumbered gaps: {japanese}"
        used = {int(gap) if gap else place for place, gap in enumerate(gaps)}
        assert used == set(range(len(PLACE.findall(english)))), (english, japanese)


@pytest.mark.parametrize("texts", [*SAID, MESSAGES])
def test_every_template_finds_itself(texts: dict[str, str]) -> None:
    """No template stands in the way of another, whatever fills the gaps."""
    for english, japanese in texts.items():
        contents = [f"'x{n}'" if mark else f"x{n}" for n, mark in enumerate(PLACE.findall(english))]
        text = english
        for content in contents:
            text = PLACE.sub(content, text, count=1)
        assert translated(text, "ja") == Template(english, japanese).filled(contents), english


TEMPLATES = {english: Template(english, japanese) for english, japanese in MESSAGES.items() if PLACE.search(english)}
COUNTED = re.compile(r"(line|row|Errno|(number|integer) .*(least|above|between|and)) $")
"""What stands before a number."""
PIECES = [
    " and ",
    " or ",
    ", ",
    ": ",
    "; ",
    " ",
    "'",
    '"',
    "R",
    "D",
    "東京",
    "支店",
    "no ",
    " in ",
    " of ",
    " is ",
    "(",
    ")",
    "\\",
]
VALUES = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), min_size=1, max_size=6).map("".join)


def fill(template: Template, values: list[str]) -> tuple[str, list[str]]:
    """A text of a template, and what a user gave for it. Numbers and texts of ours are simple words."""
    text, given = template.literals[0], []
    for gap, literal in enumerate(template.literals[1:]):
        is_ours = gap in template.texts | template.terms | template.places or COUNTED.search(text)
        value = "7" if is_ours else values[gap % len(values)]
        shown = repr(value) if template.quoted[gap] else value
        given += [] if is_ours else [shown]
        text += shown + literal
    return text, given


@cache
def special_cases(english: str) -> list[Template]:
    """Texts of ours that another template would be, too, if a user gave the rest of it word for word."""
    own = TEMPLATES[english]
    texts = {other: fill(template, ["x"])[0] for other, template in TEMPLATES.items() if other != english}
    return [TEMPLATES[other] for other, text in texts.items() if own.contents(text) is not None]


@given(st.data())
@settings(max_examples=1000, deadline=None)
def test_values_come_through_unchanged(data: st.DataObject) -> None:
    """Whatever users call their files, columns and teams, or the message stays English."""
    english = data.draw(st.sampled_from(sorted(TEMPLATES)))
    values = data.draw(st.lists(VALUES.filter(lambda value: "\n" not in value), min_size=1, max_size=3))
    text, shown = fill(TEMPLATES[english], values)
    assume(not any(template.contents(text) is not None for template in special_cases(english)))
    told = translated(text, "ja")
    assert told == text or all(told.count(value) >= number for value, number in Counter(shown).items())


@pytest.mark.parametrize(
    ("value", "japanese"),
    [
        ("R and D", "フォルダ R and D がありません。既存の作業フォルダを指定してください"),
        ("売上 2024 年", "フォルダ売上 2024 年がありません。既存の作業フォルダを指定してください"),
        ("a number", "フォルダ a number がありません。既存の作業フォルダを指定してください"),
    ],
)
def test_folders_keep_their_names(value: str, japanese: str) -> None:
    assert translated(f"no folder {value}: give an existing working folder", "ja") == japanese


def test_what_can_be_read_in_two_ways_stays_english() -> None:
    catalogue = Catalogue({"{} differs from {}": "{1} と {0} は違います", "no file {}": "{} がありません"}, {}, {})
    assert catalogue.translated("a b differs from c d") == "c d と a b は違います"
    for text in ("a differs from b differs from c", "no file a differs from b"):
        assert catalogue.translated(text) == text


def test_translations_are_japanese() -> None:
    told = {**MESSAGES, **LABELS}.values()
    assert [text for text in told if re.search(r"[a-z]{3}", text) and not JAPANESE.search(text)] == [
        "cp932（Shift_JIS）"
    ]


def test_errors_are_translated_with_what_fills_them() -> None:
    error = ParameterError.of("Mondrian", "k", "an integer of at least 2", 0)
    assert (
        translated(str(error), "ja") == "Mondrian のパラメータ 'k' は 2 以上の整数でなければなりません（指定値：0）。"
    )
    unknown = UnknownName.of("attack for microdata", "sotr", ["sort", "euclid"], "icefire list microdata")
    assert translated(str(unknown), "ja") == (
        "microdata の攻撃 'sotr' はありません。'sort' のことですか？ 指定できるもの：euclid, sort（icefire list microdata）"
    )
    assert translated("a.csv, line 3: the customer 'x y' is listed twice", "ja") == (
        "a.csv、3 行目：顧客 'x y' が二度書かれています"
    )


@pytest.mark.parametrize("what", ["names", *(pattern.what for pattern in PATTERNS)])
def test_what_columns_look_like(what: str) -> None:
    reasons = [f"looks like {what}", f"contains {what}", f"{what} that fewer than 3 people share in 40% of the rows"]
    reasons += [f"its heading suggests {what}"] if what in identifying.WORDS else []
    for reason in reasons:
        assert not re.search("[a-z]", translated(reason, "ja")), reason


def test_figures_of_histories() -> None:
    release = Conceal(k=2).anonymize(example(), generator(0))
    figures = KConcealment().audit(release, 2, generator(0)).figures
    assert all(JAPANESE.search(label(name, "ja")) for name, _ in figures)


def test_names_are_not_translated() -> None:
    text = translated("the column 'the table' was not published", "ja")
    assert text == "列 'the table' は提供データにありません"
    assert translated("value", "ja") == "value"
    assert label("value", "ja") == "値"
    assert translated("an unknown text: nothing of it is known", "ja") == "an unknown text: nothing of it is known"
    assert translated("value", "en") == label("value", "en") == "value"


def test_the_template_that_says_most_wins() -> None:
    catalogue = Catalogue({"{}: {}": "甲{}乙{}", "{}: no {} here": "{0}に{1}なし", "no": "無"}, {}, {})
    assert catalogue.translated("f: no x y here") == "fにx yなし"
    assert catalogue.translated("f: g h") == "甲f乙g h"


def test_members_of_a_list_are_texts_of_their_own() -> None:
    text = "others may know it; 5 values; 0.0% of the rows are alone with theirs; 1.0% together with the columns above"
    assert translated(text, "ja") == (
        "他人が知りうる情報です；値は 5 種類；値が一意の行は 0.0%；上の列との組み合わせで一意の行は 1.0%"
    )


@pytest.mark.parametrize("cell", ["x", ", ", "; ", "'", ": ", "a: b; ", "\n", "no 'x' "])
def test_long_values_are_no_burden(cell: str) -> None:
    """Trying every split of such a text would never come to an end."""
    long = cell * (100_000 // len(cell))
    told = translated(f"a.csv, row 2 (line 3 of a CSV file), column 'c': {long!r} is not a number", "ja")
    assert told == f"a.csv、データ 2 行目（CSV ファイルの 3 行目）、列 'c'：{long!r} は数ではありません"
    translated(long, "ja")
    translated(f"no {long}", "ja")


def test_language_of_the_system() -> None:
    assert of_environment({}) == of_environment({"LANG": "en_US.UTF-8"}) == "en"
    assert of_environment({"LANG": "C", "LC_MESSAGES": "ja_JP"}) == of_environment({"LC_ALL": "", "LANG": "ja"}) == "ja"


REJECTED = {
    "乱数の種": "乱数シード",
    "加工手法": "加工方法",
    "手順": "ステップ",
    "見つけ出": "特定",
    "探し出": "特定",
    "言い当て": "正しく推定",
    "公開データ": "提供データ",
    "公開行": "提供データの行",
    "公開レコード": "提供データのレコード",
    "でたらめ": "無作為に推測",
    "当て推量": "無作為な推測",
    "一つの事実": "一つの情報",
    "雑音": "ノイズ",
    "すでに": "既に",
}
"""Words with others in their place, so that one thing has one name."""


@pytest.mark.parametrize("word", REJECTED)
def test_one_thing_has_one_name(word: str) -> None:
    told = [*MESSAGES.values(), *LABELS.values(), *TERMS.values(), *(entry["ja"] for entry in WORDS.values())]
    told += [page.read_text("utf-8") for page in (ROOT / "docs" / "ja").rglob("*.md")]
    told += [(ROOT / "docs" / "glossary.toml").read_text("utf-8")]
    told += [(said.SOURCE / "cli" / "demo.py").read_text("utf-8")]
    assert not [text for text in told if word in text], f"say {REJECTED[word]}"


def test_what_people_type_is_told_with_its_meaning() -> None:
    kinds = [Registry().kind(name) for name in ("microdata", "history", "trace", "synthetic")]
    names = {*get_args(Role), *(level for kind in kinds for level in kind.levels)}
    names |= {kind.headline_utility for kind in kinds} | {kind.headline_of(kind.levels[0]) for kind in kinds}
    for name in names:
        assert JAPANESE.search(term(name, "ja").removesuffix(f"（{name}）")), name
        assert term(name, "ja").endswith(f"（{name}）")
        assert term(name, "en") == name
    for level in (level for kind in kinds for level in kind.levels):
        assert term(level, "ja") == f"{WORDS[f'short {level}']['ja']}（{level}）"
    assert term("nothing", "ja") == "nothing"


def test_terms_inside_texts() -> None:
    assert translated("columns separated by semicolons", "ja") == "列の区切り：セミコロン"
    assert translated("Attackers know qi+2 of the people, and the method.", "ja") == (
        "攻撃者の知識：準識別子＋2列（qi+2）と加工方法"
    )
    assert translated("no folder all: give an existing working folder", "ja").startswith("フォルダ all がありません")


def test_roles_that_nobody_gave_are_read_as_a_whole() -> None:
    text = (
        "nothing is published of which nobody said what it is. Columns without a role:\n"
        "  day: identifying? 395 different values in 400 rows\n"
        "  file: identifying? its heading suggests numbers of people or cases; 400 different values in 400 rows\n"
        "Name each of them in identifying, qi, sa or other of a; `icefire init b --replace` suggests a schema."
    )
    assert translated(f"no file a: {text}", "ja").splitlines()[1:3] == [
        "  day: 識別子（identifying）ですか？ 400 行に 395 種類の値",
        "  file: 識別子（identifying）ですか？見出しから個人または案件の番号と思われます；400 行に 400 種類の値",
    ]


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        ("mondrian(k=5", "'(' が閉じられていません"),
        ("mondrian(k=5)]", "']' に対応する括弧がありません"),
        ("mondrian(k='5)", "引用符が閉じられていません"),
        ("mondrian(k=５)", "使えない文字 '５'（U+FF15）があります。半角で書いてください"),
        ("mondrian(k 5)", "書き方が正しくありません。カンマが抜けていませんか"),
        ("mondrian(5)", "パラメータは名前を付けて指定してください"),
    ],
)
def test_faults_of_steps(step: str, fault: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_step(step)
    assert f"を読めません：{fault}。" in translated(str(caught.value), "ja")


def test_a_column_of_the_schema_that_the_table_does_not_have() -> None:
    error = UnknownName.of("column in b/schema.toml", "職業種", ["職業", "年齢"])
    assert translated(str(error), "ja") == (
        "b/schema.toml に書かれた列 '職業種' は、表にありません。'職業' のことですか？ 表の列：年齢, 職業"
    )
    error = UnknownName.of("column in schema.toml", "z", [f"c{n}" for n in range(40)])
    assert translated(str(error), "ja").startswith("schema.toml に書かれた列 'z' は、表にありません。表の列：c0, c1")

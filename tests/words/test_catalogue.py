"""The Japanese catalogue: complete, nothing left over, and found fast."""

from __future__ import annotations

import re

import pytest

import said
from icefire.core.errors import ParameterError, UnknownName
from icefire.core.seeds import generator
from icefire.history.anonymize.conceal import Conceal
from icefire.history.examples import example
from icefire.history.safety.k_concealment import KConcealment
from icefire.microdata import inspection
from icefire.words import label, of_environment, translated
from icefire.words.catalogue import FILLED, PLACE, Catalogue, Template
from icefire.words.ja import LABELS, MESSAGES, SAID

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


@pytest.mark.parametrize("what", [*inspection.WORDS, *inspection.CONTENTS])
def test_what_columns_look_like(what: str) -> None:
    reasons = [f"looks like {what}"] if what in inspection.CONTENTS else [f"its heading suggests {what}"]
    assert not re.search("[a-z]", "".join(translated(reason, "ja") for reason in reasons))


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

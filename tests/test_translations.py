"""The Japanese pages say what the English ones say: the same sections, tables, code, names and figures."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
NOT_TRANSLATED = {
    "methods.md",  # generated; `icefire list --lang ja` says what methods do
    "releasing.md",  # for the maintainers
}
ONLY_JAPANESE = {("own-data.md", "appi")}
"""Sections about something that concerns Japan alone: the page, and the id of the heading."""

JAPANESE = re.compile(r"[ぁ-んァ-ヶ一-龠]")
COMMAND = re.compile(r"\s*(icefire|make|pip|python|curl|docker)\b")
FIGURE = re.compile(r"(?<![A-Za-z0-9_.])\.?\d[\d,.]*(?! (?:million|billion))(?![A-Za-z0-9_])")


@dataclass
class Section:
    """What follows a heading, up to the next one."""

    level: int
    id: str
    prose: list[str] = field(default_factory=list)
    tables: list[list[str]] = field(default_factory=list)
    blocks: list[tuple[str, str]] = field(default_factory=list)
    """Code, with the language that the fence names."""

    @property
    def names(self) -> set[str]:
        """What the prose has as code."""
        return {re.sub(r"\s+", " ", name) for name in re.findall(r"`([^`]+)`", "\n".join(self.prose))}

    @property
    def notes(self) -> list[str]:
        """Comments, which say how the code below them is run."""
        return [line.strip() for line in self.prose if line.strip().startswith("<!--")]

    @property
    def figures(self) -> set[str]:
        """Numbers of the prose, but for single digits, which may be words."""
        text = re.sub(r"`[^`]+`|\]\([^)]*\)", "", "\n".join(self.prose))
        return {number for number in figures(text) if len(number) > 1}


def figures(text: str) -> list[str]:
    return sorted(number.rstrip(".,") for number in FIGURE.findall(text))


def slug(heading: str) -> str:
    """The id that GitHub gives to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def sections(text: str) -> list[Section]:
    found = [Section(0, "")]
    lines = iter([*text.splitlines(), ""])
    before = ""
    for line in lines:
        here = found[-1]
        if fence := re.match(r" *```(\w*)", line):
            code: list[str] = []
            while not re.match(r" *```", inner := next(lines)):
                code.append(inner)
            here.blocks.append((fence[1], "\n".join(code)))
        elif heading := re.match(r"(#+) (.*?)(?: \{ #([\w-]+) \})?$", line):
            found.append(Section(len(heading[1]), heading[3] or slug(heading[2])))
        elif (re.match(r" {4}\S", line) and not before) or (line.startswith("    ") and before is CODE):
            if before is not CODE:
                here.blocks.append(("", ""))
            here.blocks[-1] = ("", here.blocks[-1][1] + line + "\n")
            line = CODE
        elif line.startswith("|"):
            if not before.startswith("|"):
                here.tables.append([])
            here.tables[-1].append(line)
        else:
            here.prose.append(line)
        before = line
    return found


CODE = "    code"
"""Stands for a line of indented code."""


def tokens(code: str, *, lists: bool) -> list[str]:
    """Of code without comments; lists of names count as one thing if `lists`."""
    code = re.sub(r"(?m)(^|\s+)#.*$", "", code)
    if lists:
        code = re.sub(r'\[("[^"\]]*"(, )?)+\]', "[names]", code)
    return re.findall(r"[\w.-]+|[^\w\s]", code)


def compare_code(where: str, english: tuple[str, str], japanese: tuple[str, str]) -> None:
    """The same but for comments, names in Japanese and asking for Japanese; what a program prints is only there or not."""
    (language, code), (_, own) = english, japanese
    own = re.sub(r' --lang ja|, language="ja"', "", own)
    if language == "console":
        code, own = ("\n".join(re.findall(r"^\$ .*", text, flags=re.M)) for text in (code, own))
    if not language and not COMMAND.match(code):
        return
    lists = JAPANESE.search(re.sub(r"#.*", "", own)) is not None
    pairs = zip_longest(tokens(code, lists=lists), tokens(own, lists=lists), fillvalue="(nothing)")
    for one, other in pairs:
        assert one == other or JAPANESE.search(other), f"{where}: code has {one}, and in Japanese {other}: {own}"


def compare_tables(where: str, english: list[str], japanese: list[str]) -> None:
    assert len(english) == len(japanese), f"{where}: {english[0]} has {len(english)} rows, in Japanese {len(japanese)}"
    for one, other in zip(english, japanese, strict=True):
        assert one.count("|") == other.count("|"), f"{where}: another number of cells: {one} / {other}"
        lacking = set(figures(one)) - set(figures(other))
        assert not lacking, f"{where}: {lacking} of the row {one} is missing: {other}"


def compare_sections(page: str, english: Section, japanese: Section) -> None:
    where = f"{page}, #{english.id}"
    assert len(english.tables) == len(japanese.tables), (
        f"{where}: {len(english.tables)} tables, in Japanese {len(japanese.tables)}"
    )
    for table, own_table in zip(english.tables, japanese.tables, strict=True):
        compare_tables(where, table, own_table)
    assert len(english.blocks) == len(japanese.blocks), (
        f"{where}: {len(english.blocks)} blocks of code, in Japanese {len(japanese.blocks)}"
    )
    for block, own_block in zip(english.blocks, japanese.blocks, strict=True):
        compare_code(where, block, own_block)
    assert english.notes == japanese.notes, f"{where}: other comments: {english.notes} / {japanese.notes}"
    assert not english.names - japanese.names, f"{where}: not named in Japanese: {english.names - japanese.names}"
    lacking = english.figures - japanese.figures
    assert not lacking, f"{where}: figures missing in Japanese: {lacking}"


PAGES = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
ENGLISH = sorted(page for page in PAGES if not page.startswith("ja/"))


@pytest.mark.parametrize("page", [page for page in ENGLISH if page not in NOT_TRANSLATED])
def test_a_page_has_the_same_content_in_japanese(page: str) -> None:
    assert (DOCS / "ja" / page).is_file(), f"docs/ja/{page} is missing: translate docs/{page}"
    english = sections((DOCS / page).read_text("utf-8"))
    japanese = sections((DOCS / "ja" / page).read_text("utf-8"))
    japanese = [section for section in japanese if (page, section.id) not in ONLY_JAPANESE]
    for one, other in zip_longest(english, japanese):
        assert one is not None, f"{page}: the English page has no section #{other.id}"
        assert other is not None, f"{page}: the Japanese page has no section #{one.id}"
        assert (one.level, one.id) == (other.level, other.id), (
            f"{page}: {'#' * one.level} {one.id}, and in Japanese {'#' * other.level} {other.id}"
        )
        compare_sections(page, one, other)


def test_differences_are_seen() -> None:
    code = "\n\n<!-- run -->\n\n    icefire list  # "
    english = f"# Title\n\nOf 120 rows, `mondrian` is{code}all\n\n| a | 1.5 |\n|---|---|\n"
    same = f"# 題名 {{ #title }}\n\n120 行、`mondrian`{code}すべて\n\n| い | 1.5 |\n|---|---|\n"
    (_, one), (_, other) = sections(english), sections(same)
    compare_sections("page", one, other)
    for old, new in [
        ("120", "12"),
        ("`mondrian`", "Mondrian"),
        ("list", "init"),
        ("1.5 |", "1.6 |"),
        ("|---|---|", ""),
        ("<!-- run -->", ""),
    ]:
        (_, changed) = sections(same.replace(old, new))
        with pytest.raises(AssertionError, match="page, #title"):
            compare_sections("page", one, changed)
    assert [section.id for section in sections('## False row maps ("Yamaoka attack")')] == [
        "",
        "false-row-maps-yamaoka-attack",
    ]


def test_lines_of_japanese_end_where_a_space_does_no_harm() -> None:
    """Browsers show the end of a line inside a paragraph as a space."""
    for page in (DOCS / "ja").rglob("*.md"):
        for section in sections(page.read_text("utf-8")):
            for line, following in pairwise(section.prose):
                torn = JAPANESE.search(line[-1:]) and JAPANESE.match(following.strip()[:1])
                assert not torn, f"docs/ja/{page.name}: a line ends inside a sentence: {line}"


def test_the_glossary_is_in_both_languages() -> None:
    terms = tomllib.loads((DOCS / "glossary.toml").read_text("utf-8"))["term"]
    for term in terms:
        assert set(term) == {"en", "ja", "reading", "meaning_en", "meaning_ja"}, term
        assert re.fullmatch("[ぁ-んー]+", term["reading"]), (
            f"{term['ja']}: the reading is not in hiragana: {term['reading']}"
        )
        assert JAPANESE.search(term["meaning_ja"]), term["en"]
        assert term["meaning_en"].endswith("."), term["en"]
        assert term["meaning_ja"].endswith("。"), term["en"]
    for key in ("en", "ja"):
        names = [term[key] for term in terms]
        assert len(names) == len(set(names)), f"a term stands there twice in {key}"
    english = [term["en"].casefold() for term in terms]
    assert english == sorted(english), "the terms are not in the order of their English names"

"""What cells look like: e-mail addresses, phone numbers, names of people and the like, as people really write them.

Every pattern is matched against the cell in its usual form (`to_usual_form`): half-width, with plain hyphens and spaces.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import polars as pl

from icefire.frames.person_names import NAME_KANJI, given_names, surnames

PLACEHOLDERS = (
    *("", "-", "--", ".", "?", "*", "x", "n/a", "na", "nan", "none", "null", "nil", "unknown", "missing", "other"),
    *("不明", "なし", "無し", "未記入", "未回答", "その他", "該当なし"),
)
"""Cells that stand for nothing, in lower case."""
NAMES_AT_LEAST, NAMES_SHAPED, SINGLE_AT_LEAST = 0.15, 0.7, 0.5
"""Of the cells of a column of names, the share that a list of frequent names knows; that looks like names; and the share
that a list knows where cells hold a surname or a given name alone, as names of towns and countries may as well."""
MENTIONED = 0.02
"""Share of the texts that mention a name, or something else that is easily mistaken, from which on a column contains it."""
CHECKED = 0.8
"""Share of numbers whose check digit has to be right: chance makes it right for one in ten."""

_SEPARATOR = r"[ ().-]{1,2}"
_START, _END = r"(?:^|[^0-9A-Za-z.+-])", r"(?:$|[^0-9-])"
_PHONE = "|".join(
    (
        # Japanese numbers, 0AB-CDE-FGHI with the area code in any of its lengths, and freephone numbers.
        rf"{_START}\(?0(?:[0-9]\)?{_SEPARATOR}[0-9]{{4}}|[0-9]{{2}}\)?{_SEPARATOR}[0-9]{{3,4}}"
        rf"|[0-9]{{3}}\)?{_SEPARATOR}[0-9]{{2,3}}|[0-9]{{4}}\)?{_SEPARATOR}[0-9]{{1,2}}){_SEPARATOR}[0-9]{{4}}{_END}",
        rf"{_START}0[5-9]0[0-9]{{8}}{_END}",
        r"^0[1-9][0-9]{8}$",
        # International ones, American ones, and those of other countries where nothing else is in the cell.
        r"\+ ?[1-9][0-9]{0,2}(?:[ ().-]{0,3}[0-9]){7,12}",
        rf"{_START}(?:1[ .-])?\(?[2-9][0-9]{{2}}\)?[ .-]{{1,2}}[2-9][0-9]{{2}}[ .-][0-9]{{4}}{_END}",
        r"^\(?0[0-9]{2,4}\)?[ /-][0-9]{3,4}[ -]?[0-9]{3,4}$",
        r"^00(?:81|82|86|1|44|49|33|39|34)[ -]?(?:[0-9][ -]?){8,11}$",
    )
)
_JAPANESE_ADDRESS = (
    r"丁目|番地|[0-9一二三四五六七八九十]番[0-9一二三四五六七八九十]*号?|[都道府県市区町村郡].*[0-9]+-[0-9]+|[市区町村郡].*[0-9]+号室"
    r"|^(?:東京都|北海道|大阪府|京都府|.{2,3}県).+[市区町村郡][^市区町村郡]{2,}"
)
_WESTERN_ADDRESS = (
    r"(?i)\b[0-9]{1,5}[a-z]?,? (?:[a-z][\w'.-]* ){1,4}(?:st|street|ave|avenue|rd|road|blvd|boulevard|lane|ln|drive|dr|court|ct"
    r"|way|place|pl|square|sq|terrace|close|crescent|highway|hwy|parkway|pkwy|circle|cir|trail|row|gardens|grove)\b"
    r"|\w+(?:straße|strasse|str\.|weg|gasse|platz|allee) ?[0-9]+|\b(?:straße|strasse) [0-9]+"
    r"|\b[0-9]+,? (?:bis,? )?(?:rue|quai|chemin|impasse|boulevard|avenue) "
    r"|\b(?:via|viale|piazza|calle|avenida|rua) [\w' ]+,? [0-9]+"
    r"|\bp\.? ?o\.? box [0-9]+|\b(?:apt|apartment|suite|flat|unit)\.? ?#?[0-9]+"
)
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = (
    r"(?:(?:1[89]|20)[0-9]{2}[-/.年] ?(?:0?[1-9]|1[0-2])[-/.月] ?(?:0?[1-9]|[12][0-9]|3[01])日?"
    r"|(?:0?[1-9]|[12][0-9]|3[01])[-/.](?:0?[1-9]|[12][0-9]|3[01])[-/.](?:(?:1[89]|20)[0-9]{2}|[0-9]{2})"
    r"|(?:明治|大正|昭和|平成|令和|[MTSHRmtshr])[ .]?(?:[0-9]{1,2}|元)[-/.年] ?[0-9]{1,2}[-/.月] ?[0-9]{1,2}日?"
    rf"|[0-9]{{1,2}}(?:st|nd|rd|th)?[ -](?i:{_MONTHS})[ ,-]+(?:[0-9]{{4}}|[0-9]{{2}})"
    rf"|(?i:{_MONTHS}) [0-9]{{1,2}}(?:st|nd|rd|th)?,? [0-9]{{4}}"
    r"|(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))"
)
_CLOCK = (
    r"(?:[01]?[0-9]|2[0-3])[:時][0-5]?[0-9](?:[:分][0-5]?[0-9](?:\.[0-9]+)?秒?|分)?"
    r"(?: ?[AaPp]\.?[Mm]\.?)?(?: ?(?:Z|JST|UTC|GMT|[+-][0-9]{2}:?[0-9]{2}))?"
)
_BETWEEN = "(?:[ T]|日 ?| ?[(（][月火水木金土日][)）] ?){1,2}"
_NUMBERED = (
    r"(?:patient|customer|client|member|account|acct|case|record|employee|emp|student|pupil|user|subject|person|policy|invoice"
    r"|order|ticket|licen[cs]e|passport|ref|chart|mrn|id|no|nr|num(?:ber)?|#|№"
    r"|患者|会員|顧客|社員|職員|学籍|受付|カルテ|整理|管理|登録|個人|証|番号|記号|識別|被保険者|保険|口座|旅券|免許)"
)


@dataclass(frozen=True)
class Pattern:
    """Something by which people are identified."""

    what: str
    """In words, as "looks like {}" goes on."""
    regex: str
    direct: bool = False
    """Whether it identifies people even if several of them share one."""
    whole: str = ""
    """What says so only if nothing else is in the cell."""
    check: Callable[[str], bool] | None = None
    """Whether the digits are a number of this kind; needed of most matches."""

    def matches(self, cells: pl.Series) -> pl.Series:
        """Which of the cells contain it; of an alternative that is checked, all or none."""
        matches = cells.str.contains(self.regex) if self.regex else pl.repeat(False, len(cells), eager=True)
        if self.check is not None and matches.any():
            numbers = cells.filter(matches).head(2000).str.extract(f"({self.regex})").str.replace_all(r"[^0-9]", "")
            right = sum(map(self.check, numbers)) / len(numbers)
            matches = matches & (right >= CHECKED)
        return matches | cells.str.contains(self.whole) if self.whole else matches


def check_my_number(digits: str) -> bool:
    """
    >>> check_my_number("123456789018"), check_my_number("123456789012")
    (True, False)
    """
    numbers = [int(digit) for digit in reversed(digits)]
    total = sum(number * (place + 1 if place <= 6 else place - 5) for place, number in enumerate(numbers[1:], start=1))
    rest = total % 11
    return numbers[0] == (0 if rest <= 1 else 11 - rest)


def check_luhn(digits: str) -> bool:
    """
    >>> check_luhn("4242424242424242"), check_luhn("4242424242424241")
    (True, False)
    """
    numbers = [int(digit) for digit in reversed(digits)]
    return sum(n if place % 2 == 0 else sum(divmod(2 * n, 10)) for place, n in enumerate(numbers)) % 10 == 0


DATES, STAMPS = "dates", "time stamps"
PATTERNS = (
    Pattern(
        "e-mail addresses",
        r"[A-Za-z0-9._%+'-]+ ?(?:@|\[at\]|\(at\)) ?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}",
        direct=True,
    ),
    Pattern(
        "My Numbers (個人番号)",
        rf"{_START}[0-9]{{4}}[ -]?[0-9]{{4}}[ -]?[0-9]{{4}}{_END}",
        direct=True,
        check=check_my_number,
    ),
    Pattern(
        "card numbers",
        rf"{_START}(?:[0-9]{{4}}[ -]?[0-9]{{4}}[ -]?[0-9]{{4}}[ -]?[0-9]{{2,4}}"
        rf"|3[47][0-9]{{2}}[ -]?[0-9]{{6}}[ -]?[0-9]{{5}}){_END}",
        direct=True,
        check=check_luhn,
    ),
    Pattern(
        "social security numbers",
        r"(?:^|[^0-9-])[0-8][0-9]{2}[ -][0-9]{2}[ -][0-9]{4}(?:$|[^0-9-])"
        r"|\b[A-CEGHJ-PR-TW-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]\b",
        direct=True,
    ),
    Pattern("phone numbers", _PHONE, direct=True),
    Pattern(
        "bank accounts",
        r"\b[A-Z]{2}[0-9]{2} ?(?:[A-Z0-9]{4} ?){3,7}[A-Z0-9]{1,4}\b|口座[^0-9]{0,6}[0-9]{7}",
        direct=True,
    ),
    Pattern(
        "licence plates",
        r"[一-龠ぁ-んァ-ヶ]{1,4} ?[0-9]{2,3} ?[ぁ-ん] ?[0-9・.]{1,2}[ -]?[0-9・.]{2}(?:$|[^0-9])",
        direct=True,
        whole=r"^[A-Z]{2}[0-9]{2} ?[A-Z]{3}$|^[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} [0-9]{1,4}$",
    ),
    Pattern("URLs", r"(?i)https?://\S+|\bwww\.[a-z0-9-]+\.\S+|\b[a-z0-9-]+\.(?:com|net|org|jp)/\S+"),
    Pattern(
        "IP addresses",
        r"(?:^|[^0-9.])(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(?:$|[^0-9.])"
        r"|(?:[0-9A-Fa-f]{1,4}:){3,7}:?[0-9A-Fa-f]{1,4}|[0-9A-Fa-f]{1,4}::[0-9A-Fa-f]{1,4}",
    ),
    Pattern(
        "random identifiers",
        r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|\b(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})\b"
        r"|\b(?:[0-9A-F]{32}|[0-9A-F]{40}|[0-9A-F]{64})\b|(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}",
    ),
    Pattern(
        "coordinates",
        r"-?[0-9]{1,3}\.[0-9]{3,}[,; /]+-?[0-9]{1,3}\.[0-9]{3,}|[0-9]{1,3} ?°|[0-9]{1,3}度[0-9]{1,2}分"
        r"|\b[NSEW] ?[0-9]{1,3}\.[0-9]{3,}|\b[0-9]{1,3}\.[0-9]{3,} ?[NSEW]\b|(?i:point) ?\(",
    ),
    Pattern(
        "postal codes",
        r"〒 ?[0-9]{3}-?[0-9]{4}",
        whole=r"^[0-9]{3}-[0-9]{4}$|^[0-9]{5}-[0-9]{4}$"
        r"|^[A-Z]{1,2}[0-9][A-Z0-9]? ?[0-9][A-Z]{2}$|^[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]$",
    ),
    Pattern("addresses", f"{_JAPANESE_ADDRESS}|{_WESTERN_ADDRESS}"),
    Pattern(
        "numbers of people or cases",
        rf"(?i)(?:\b|[^0-9a-z]){_NUMBERED}[^0-9a-z]{{0,6}}[a-z]{{0,4}}[ -]?[0-9]{{3,}}",
        whole=r"^[A-Za-z]{1,6}[-_ /#.:]?[0-9]{3,}(?:[-_/.][0-9A-Za-z]+)*$|^[0-9]{1,6}[-_/][A-Za-z]{1,5}[-_/]?[0-9]{3,}$"
        r"|^[A-Za-z]{1,5}(?:[-_/][0-9A-Za-z]{1,4})*[-_/][0-9]{3,}$",
    ),
    Pattern("user names", r"(?:^|[ (、。])@[A-Za-z0-9_.]{3,}"),
    Pattern(STAMPS, "", whole=f"^{_DATE}{_BETWEEN}{_CLOCK}$|^{_CLOCK}$|^(?:19|20)[0-9]{{12}}$"),
    Pattern(DATES, "", whole=f"^{_DATE}$"),
)
"""In the order in which they are tried: the first that most cells match says what a column is."""


def to_usual_form(cells: pl.Series) -> pl.Series:
    """Half-width digits and letters, plain hyphens, single spaces.

    >>> to_usual_form(pl.Series(["０９０－１２３４ー５６７８", "ﾔﾏﾀﾞ　ﾀﾛｳ"])).to_list()
    ['090-1234-5678', 'ヤマダ タロウ']
    """
    if not cells.is_empty() and not cells.str.contains(r"[^\x20-\x7E]|  |^ | $").any():
        return cells
    plain = cells.str.normalize("NFKC").str.replace_all(r"[‐‑‒–—―−﹣]", "-").str.replace_all(r"\s+", " ")
    for _ in range(2):
        # Where two hyphens have one digit between them, a pass finds every second one.
        plain = plain.str.replace_all(r"([0-9)])[ー一]([0-9(])", "$1-$2")
    return plain.str.strip_chars()


_KANJI, _KANA = r"[一-龠々ヶヵ]", r"[ァ-ヶー]"
_HONORIFIC = r"(?:様|さま|さん|氏|君|くん|殿|ちゃん|先生)"
_TITLE = r"(?:(?:mr|mrs|ms|miss|dr|prof|sir|mx|herr|frau|m|mme|sr|sra)\.? )?"
_SUFFIX = r"(?:,? (?:jr|sr|ii|iii|iv|md|phd)\.?)?"
_WORD = r"\p{L}[\p{L}'’-]+"
_SHAPE = (
    rf"^{_KANJI}{{1,4}}[ ・,、]?[一-龠々ヶぁ-んァ-ヶー]{{1,4}}{_HONORIFIC}?$|^[ァ-ヶー・ ]{{3,14}}$|^[ぁ-んー・ ]{{3,14}}$"
    rf"|^{_TITLE}(?:(?:{_WORD}|\p{{L}}\.?),? ){{1,3}}(?:{_WORD}|\p{{L}}\.?){_SUFFIX}$|^{_WORD},{_WORD}$"
)


def _alternatives(names: frozenset[str], letters: str) -> str:
    return "|".join(
        sorted((re.escape(name) for name in names if re.fullmatch(letters, name)), key=lambda n: (-len(n), n))
    )


@cache
def _full_name(japanese: bool) -> str:
    """Full names, in lower case, of which lists know one part at least, and what the other is made of."""
    if not japanese:
        latin = r"[^\W\d_一-龠々ぁ-んァ-ヶー]+(?:-[a-z]+)?"
        last, first = _alternatives(surnames(), latin), _alternatives(given_names(), latin)
        part = rf"(?:{_WORD}|\p{{L}}\.?)"
        return "|".join(
            (
                rf"^{_TITLE}(?:{first})(?: {part}){{0,2}} {_WORD}{_SUFFIX}$",
                rf"^{_TITLE}(?:{part} ){{1,2}}(?:{last}){_SUFFIX}$",
                rf"^(?:{last}),? {part}(?: \p{{L}}\.?)?$|^{_WORD}, ?(?:{first})(?: \p{{L}}\.?)?$",
            )
        )
    made = f"[{''.join(sorted(NAME_KANJI))}々ノ乃]"
    between = "[ ・,、]"
    names = []
    for letters, least in (("[一-龠々ヶ]", 1), ("[ァ-ヶー]", 2), ("[ぁ-んー]", 2)):
        last, first = (_alternatives(listed, f"{letters}+") for listed in (surnames(), given_names()))
        given = rf"{made}{{1,3}}|[ぁ-ん]{{2,4}}|[ァ-ヶー]{{2,5}}" if least == 1 else f"{letters}{{2,5}}"
        names.append(rf"^(?:{last}){between}?(?:{given}){_HONORIFIC}?$")
        names.append(rf"^{letters}{{{least},6}}{between}(?:{first}){_HONORIFIC}?$")
    # Without a space, names of one character might be the end of anything, as in 東京都.
    longer = _alternatives(given_names(), "[一-龠々]{2,}")
    names.append(rf"^{_KANJI}{{1,3}}(?:{longer}){_HONORIFIC}?$")
    return "|".join(names)


@cache
def _mention(japanese: bool) -> str:
    """Names inside a text."""
    if japanese:
        last, first = (_alternatives(listed, "[一-龠々ヶ]+") for listed in (surnames(), given_names()))
        kana = _alternatives(surnames() | given_names(), "[ァ-ヶー]{3,}|[ぁ-ん]{3,}")
        named = rf"(?:{last})(?:[一-龠々ヶ]{{1,2}})?{_HONORIFIC}|(?:{first}|{kana}){_HONORIFIC}"
        return rf"(?:{last})[ ]?(?:{first})|{named}"
    first = "|".join(sorted(name.capitalize() for name in given_names() if re.fullmatch("[a-z]{2,}", name)))
    last = "|".join(sorted(name.capitalize() for name in surnames() if re.fullmatch("[a-z]{2,}", name)))
    return "|".join(
        (
            rf"\b(?:{first}),? (?:\p{{Lu}}\.? )?\p{{Lu}}[\p{{Ll}}'’-]+",
            rf"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.? \p{{Lu}}\p{{Ll}}+|\b(?:{last}), (?:{first})\b",
        )
    )


_MAY_MENTION = {
    True: rf"{_KANJI}{{3,}}|{_KANJI} {_KANJI}|[一-龠々ァ-ヶぁ-ん]{_HONORIFIC}",
    False: r"\p{Lu}[\p{Ll}'’-]+,? (?:\p{Lu}\.? )?\p{Lu}\p{Ll}|\b(?:Mr|Mrs|Ms|Miss|Dr|Prof)\b",
}
"""What stands in every text that mentions a name, by whether it is Japanese; short, and found fast."""
_PREFECTURES = """
北海道 青森 岩手 宮城 秋田 山形 福島 茨城 栃木 群馬 埼玉 千葉 東京 神奈川 新潟 富山 石川 福井 山梨 長野 岐阜 静岡 愛知 三重
滋賀 京都 大阪 兵庫 奈良 和歌山 鳥取 島根 岡山 広島 山口 徳島 香川 愛媛 高知 福岡 佐賀 長崎 熊本 大分 宮崎 鹿児島 沖縄
"""
_PLACE = rf"^(?:{'|'.join(_PREFECTURES.split())})[都府県]?$|^{_KANJI}+[都道府県市区町村郡駅線]$"
MOST_PLACES = 0.6
"""Share of the cells that are places, many of which are surnames as well."""
_JAPANESE = "[一-龠々ぁ-んァ-ヶ]"


@cache
def _listed() -> tuple[pl.Series, pl.Series]:
    return pl.Series(sorted(surnames())), pl.Series(sorted(given_names()))


def names_of_people(cells: pl.Series) -> pl.Series | None:
    """Which of the cells are names, or mention some; None if the column does not hold names.

    >>> names_of_people(pl.Series(["山田 太郎", "SUZUKI HANAKO", "Abel, Ann", "不明 12", "小林 一茶"])).to_list()
    [True, True, True, False, True]
    >>> names_of_people(pl.Series(["red", "blue", "green", "dark grey", "light yellow"]))
    """
    sample = cells.head(1000)
    if _share(sample.str.contains(_PLACE)) >= MOST_PLACES:
        return None
    share = _share(sample.str.contains(_JAPANESE))
    scripts = [japanese for japanese, part in ((True, share), (False, 1 - share)) if part >= MENTIONED]
    lowered = _without_brackets(sample)
    if _share(lowered.str.contains(_SHAPE)) >= NAMES_SHAPED:
        full = "|".join(_full_name(japanese) for japanese in scripts)
        if _share(lowered.str.contains(full)) >= NAMES_AT_LEAST:
            return _without_brackets(cells).str.contains(f"{full}|{_SHAPE}")
    bare = lowered.str.replace(f"{_HONORIFIC}$", "")
    least = SINGLE_AT_LEAST if share > 0.5 else SINGLE_AT_LEAST + 0.1
    if any(_share(bare.is_in(names.implode())) >= least for names in _listed()):
        return cells.str.replace(f"{_HONORIFIC}$", "").str.len_chars() < 15
    likely = [japanese for japanese in scripts if _share(sample.str.contains(_MAY_MENTION[japanese])) >= MENTIONED]
    if not likely:
        return None
    mention = "|".join(map(_mention, likely))
    mentions = sample.str.contains(mention)
    return cells.str.contains(mention) if _share(mentions) >= MENTIONED and mentions.sum() >= 3 else None


def first_name(cell: str) -> tuple[str, str | None]:
    """A cell, and the name of a person that it mentions, if it is more than that."""
    japanese = bool(re.search(_JAPANESE, cell))
    return cell, pl.Series([cell]).str.extract(f"({_mention(japanese)})")[0]


def _without_brackets(cells: pl.Series) -> pl.Series:
    return cells.str.to_lowercase().str.replace_all(r"[()（）「」]", " ").str.strip_chars().str.replace_all("  ", " ")


def _share(matches: pl.Series) -> float:
    return float(matches.mean() or 0)  # type: ignore[arg-type]


def mask(text: str, what: str) -> str:
    """A cell of which nothing but its form can be told.

    >>> mask("ann@example.org", "e-mail addresses"), mask("090-1234-5612", "phone numbers"), mask("山田 太郎", "names")
    ('a***@e***.org', '090-****-**12', '山* **')
    """
    if what == "e-mail addresses" and (match := re.search(r"(\S)\S* ?(?:@|\[at\]|\(at\)) ?(\w)\S*(\.[A-Za-z]+)", text)):
        return f"{match[1]}***@{match[2]}***{match[3]}"
    if what == "phone numbers":
        digits = [place for place, letter in enumerate(text) if letter.isdigit()]
        shown = {*digits[:3], *digits[-2:]}
    else:
        shown = {next((place for place, letter in enumerate(text) if letter.isalnum()), 0)}
    masked = "".join(letter if place in shown or not letter.isalnum() else "*" for place, letter in enumerate(text))
    return masked if len(masked) <= 24 else masked[:23] + "…"

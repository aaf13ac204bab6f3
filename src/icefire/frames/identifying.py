"""Which columns of a table identify people by what stands in their cells, whatever they are called.

A cell is read as a value, or as the members of a set `{a|b}`. A column is named

- for what identifies people however many share it: a name, a phone number;
- for what points to somebody unless enough people share it: an address, a date, a position;
- for values that nearly nobody shares, unless they are amounts: what those tell apart is for attacks to measure.

How many people share a value v is estimated from the published cells c of a column alone,

    people(v) = sum over the cells c that v is in of rows(c) / members(c),

so that a set of ten dates that ten people stand under counts one for each date, as if they had been published one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import time
from functools import cached_property
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.kinds import IdentifyingColumn
from icefire.frames.notation import parse_set
from icefire.frames.patterns import (
    CHECKED,
    DATES,
    MENTIONED,
    PATTERNS,
    PLACEHOLDERS,
    STAMPS,
    Pattern,
    check_luhn,
    check_my_number,
    first_name,
    mask,
    names_of_people,
    to_usual_form,
)

LOOKED_AT = 100_000
"""Rows that are looked at, of a larger table."""
FEW = 20
"""Rows, or different texts, below which being different says nothing."""
MOST = 0.5
"""Share of the cells that make a column one of e-mail addresses, rather than one that contains some; and share of the rows
whose weight nobody else has from which on weights tell people apart."""
MISTAKEN = 0.002
"""Share of the cells in which digits may look like a phone number by chance."""
CROWD, EXPOSED = 3, 0.1
"""People who have to share what points to somebody, such as an address, and the share of the rows where fewer do from which
on it is named."""
ALONE, UNIQUE = 0.3, 0.9
"""Share of the rows with a text of their own, and different values per row, from which on a column is as good as a name."""
FEW_NUMBERS = 50
"""Rows below which different numbers say nothing."""
FREE_TEXT = 40
"""Mean length of texts from which on they may hold anything."""
FEW_VALUES = 0.1
"""Values per row below which a number points to nobody."""
UNIFORM = 0.06
"""Largest distance of a column of numbers that were given out from a uniform distribution (Kolmogorov-Smirnov)."""
MEMBERS = 300_000
"""Members of sets that are looked at."""

WORDS: dict[str, str] = {
    "names": r"(^|[^a-z])(first|last|full|given|family|sur|f|l)?[ _]?name(s)?($|[^a-z])|surname|forename|vorname|nachname"
    r"|pr[eé]nom($|[^a-z])|apellido|氏名|名前|姓名|^姓$|^名$|名字|苗字"
    r"|フリガナ|ふりがな|カナ|(患者|利用者|顧客|会員|社員|職員|従業員|児童|生徒|学生|本人|世帯主|担当者|保護者|代表者)名$",
    "e-mail addresses": r"e-?mail|メール",
    "phone numbers": r"(tele)?phone|mobile|(^|[^a-z])(tel|fax)($|[^a-z])|電話|携帯",
    "addresses": r"(^|[^a-z])(street|address)($|[^a-z])|住所|番地",
    "numbers of people or cases": r"(^|[^a-z])(id|ssn|uuid|guid)($|[^a-z])|[a-z]Id$|番号|マイナンバー"
    r"|(case|account|card|patient|customer|person|member|record|employee|student|insurance|passport)[ _]?"
    r"(no|num|nr|nbr|number|id)($|[^a-z])",
}
"""What the heading of a column says about it; identifying."""
PERSONAL = ("names", "e-mail addresses", "phone numbers")
"""What identifies people even where it repeats. Of the others, a code with few values, such as type_id, points to nobody."""
POSTAL = r"郵便|(^|[^a-z])(zip|postal|postcode|plz)"
WEIGHTS = (
    r"(^|[^a-z])(weights?|wgt|wght|wt|pweight|fnlwgt|weighting|expansion|raking)($|[^a-z])"
    r"|ウエイト|ウェイト|拡大係数|拡大推計|乗率|重み"
)
SURVEY = rf"{WEIGHTS}|wgt|wght|(^|[^a-z])wt|wt[0-9]*($|[^a-z])|(^|[^a-z])w($|[^a-z])"
"""Headings of weights in surveys, such as PWGTP or WTINT2YR; and of other things, so that these alone say nothing."""
SIGNIFICANT = 4
"""Digits that a weight has, which body weights have not."""
QUASI = (
    r"(^|[^a-z])(age|sex|gender|zip|postal|postcode|city|town|county|region|state|prefecture|country|nation(ality)?|native"
    r"|race|ethnic(ity)?|marital|education|school|degree|occupation|job|profession|work ?class|employer|industry|religion"
    r"|language|birth|born|dob|height|family|children)|年齢|年代|性別|郵便|住|市区町村|都道府県|県|市$|町$|国籍|地域|婚姻|配偶|学歴|職業|業種"
    r"|勤務|役職|生年|誕生|出生|家族|世帯人員"
)
SENSITIVE = (
    r"income|(^|[^a-z])inc($|[^a-z])|revenue|turnover|profit|salary|wage|pay($|[^a-z])|earning|debt|loan|balance|price|cost|amount|spend|expens|disease|diagnos|illness"
    r"|condition|treatment|drug|medic|result|score|grade|verdict|sentence|crime|offen[cs]e|religion|political|vote|sexual"
    r"|diag|procedure|hospital|patient|admission|admit|discharge|emergency|capital|gain|loss|installment|interest|rate($|[^a-z])"
    r"|収入|収益|売上|所得|年収|給与|賃金|資産|残高|額|費|料|代金|価格|単価|病|診断|症|治療|薬|検査|結果|点数|成績|犯罪|判決|宗教|信条|支持"
)
LATITUDE = r"^lat|latitude|緯度|(^|[^a-z])lat($|[^a-z])"
LONGITUDE = r"^lon|^lng|longitude|経度|(^|[^a-z])(lon|lng|long)($|[^a-z])"
AXES = r"(^|[^a-z])(x|y|e|n|east(ing)?|north(ing)?|coord(inate)?s?|utm|pos(ition)?)($|[^a-z])|[xyXY]座標|座標|位置"
SCALES = (1e5, 1e6, 1e7, 3.6e6)
"""By what degrees are multiplied to be written as integers; the last makes them thousandths of seconds."""

ALIKE = 30
"""How many times farther places may reach in one direction than in the other."""
DEGREES, METRES = "degrees of latitude and longitude", "coordinates on a grid in metres"

Count = Callable[[Sequence[str]], pl.DataFrame]
"""How many rows of the whole table, in a last column, hold each combination of cells of some columns."""
Floats = NDArray[np.float64]
_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
HERE, PEOPLE = "__here", "__people"
"""Columns of our own: how many rows that were looked at, and of all."""
SET = r"^\{.*\}$"
_INTERVAL = rf"^\[({_NUMBER})\.\.({_NUMBER})\]$"


@dataclass(frozen=True)
class Finding:
    """Why a column identifies people: how many of the rows that were looked at, and one of the cells, masked."""

    reasons: tuple[str, ...]
    share: float
    example: str
    what: str = ""
    """What the cells are, where that is known."""


class PublishedColumn:
    """A column as those read it who get it: its values, whether they stand alone or in sets, and how many share them."""

    def __init__(self, column: pl.Series, count: Count | None = None) -> None:
        if column.dtype in (pl.Categorical, pl.Enum):
            column = column.cast(pl.String)
        self.column, self.name, self._count = column, column.name, count
        self.numeric = column.dtype.is_numeric()

    @cached_property
    def values(self) -> pl.DataFrame:
        """Every value (`value`, text or as it is) with its expected number of rows (`people`), of the rows looked at."""
        counted = self.column.rename("value").drop_nulls().value_counts(name="people")
        return self._read(counted.with_columns(pl.col("people").cast(pl.Float64)))

    @cached_property
    def shared(self) -> pl.DataFrame:
        """The same, where `people` counts the rows of the whole table (`share` those that were looked at)."""
        values = self.values.rename({"people": "share"})
        if self._count is None:
            return values.with_columns(people=pl.col("share"))
        whole = self._count([self.name])
        counts = whole.select(value=pl.col(self.name), people=pl.col(whole.columns[-1]).cast(pl.Float64))
        joined = values.join(self._read(counts.drop_nulls()), on="value", how="left", maintain_order="left")
        return joined.with_columns(pl.col("people").fill_null(1.0))

    def _read(self, counted: pl.DataFrame) -> pl.DataFrame:
        if counted["value"].dtype != pl.String:
            return counted
        sets = counted["value"].str.contains(SET)
        plain = counted.filter(~sets)
        if sets.any():
            grouped = counted.filter(sets)
            members = grouped["value"].map_elements(_members, return_dtype=pl.List(pl.String))
            listed = grouped.with_columns(members, pl.col("people") / members.list.len())
            plain = pl.concat([plain, listed.head(_first(members, MEMBERS)).explode("value")])
        plain = plain.with_columns(to_usual_form(plain["value"]))
        plain = plain.filter(~pl.col("value").str.to_lowercase().is_in(PLACEHOLDERS))
        return plain.group_by("value", maintain_order=True).agg(pl.col("people").sum())

    @cached_property
    def people(self) -> float:
        """Rows whose cell says something."""
        return float(self.values["people"].sum())

    @cached_property
    def distinct(self) -> int:
        return self.values.height

    @cached_property
    def numbers(self) -> pl.Series | None:
        """The cells of all rows as numbers, of an interval its middle; None if they are no numbers."""
        if self.numeric:
            return self.column.cast(pl.Float64)
        if self.column.dtype != pl.String:
            return None
        head = self.values["value"].head(2000)
        if not len(head):
            return None
        plain = head.str.contains(rf"^{_NUMBER}$") & ~head.str.contains(r"^0[0-9]")
        if float((plain | head.str.contains(_INTERVAL)).mean() or 0) < 0.95:  # type: ignore[arg-type]
            return None
        cells = to_usual_form(self.column.fill_null(""))
        ends = [cells.str.extract(_INTERVAL, group).cast(pl.Float64, strict=False) for group in (1, 2)]
        return cells.cast(pl.Float64, strict=False).fill_null((ends[0] + ends[1]) / 2)

    @cached_property
    def measured(self) -> pl.Series:
        """The numbers without missing ones and what stands for these, such as 0 or 9999999."""
        assert self.numbers is not None
        present = self.numbers.filter(self.numbers.is_finite())
        counts = present.value_counts(sort=True, name="__n")
        usual = len(counts) > FEW and counts["__n"][0] >= max(3.0, 10 * len(present) / len(counts))
        return present.filter(present != counts[self.name][0]) if usual else present

    def alone(self) -> PublishedColumn:
        """Numbers that stand in sets, each as often as people are expected to have it."""
        times = self.values["people"].round().clip(1, None).cast(pl.Int64)
        numbers = self.values["value"].cast(pl.Float64, strict=False).repeat_by(times).explode()
        return PublishedColumn(numbers.drop_nulls().rename(self.name))

    @cached_property
    def has_sets(self) -> bool:
        return self.column.dtype == pl.String and bool(self.column.str.contains(SET).any())

    def exposed(self, fewer_than: float, among: pl.Series | None = None) -> float:
        """Share of the rows whose value fewer people share; of the values `among`, if given."""
        chosen = self.values if among is None else self.values.filter(among)
        rare = chosen["people"] < fewer_than
        share = float(chosen.filter(rare)["people"].sum()) / max(1.0, self.people)
        if self._count is None or share < EXPOSED:
            return share
        shared = self.shared if among is None else self.shared.filter(among)
        return float(shared.filter(pl.col("people") < fewer_than)["share"].sum()) / max(1.0, self.people)

    @cached_property
    def usual(self) -> float:
        """Rows that hold the value that is far more frequent than all others, such as 0 or 9999999; 0 if none is."""
        counts = self.values["people"].sort(descending=True)
        if len(counts) < FEW or counts[0] < 10 * float(counts.mean() or 0):  # type: ignore[arg-type]
            return 0.0
        return float(counts[0])

    @cached_property
    def different(self) -> bool:
        """Whether nearly every row has its own value, but for one that stands for none."""
        rows = self.people - self.usual
        if rows < FEW or self.distinct < UNIQUE * rows:
            return False
        return self._count is None or (self.shared.height >= 1 and self.exposed(1.5) >= ALONE)


def _members(text: str) -> list[str]:
    """The members of a set and of the sets in it.

    >>> _members("{{a|b}|c}"), _members("{}")
    (['a', 'b', 'c'], [''])
    """
    if "\\" not in text:
        return text.strip("{}").replace("{", "").replace("}", "").split("|")
    return [
        inner for member in parse_set(text) or [] for inner in (_members(member) if member[:1] == "{" else [member])
    ]


def _first(members: pl.Series, most: int) -> int:
    """How many of the lists have no more than so many members together."""
    return int((members.list.len().cum_sum() <= most).sum())


def heading(name: str) -> str:
    """The name of a column as the patterns read it: `patientId` keeps its capital."""
    return name if re.search(r"[a-z]Id$", name) else name.lower()


def identifying_columns(
    rows: pl.DataFrame,
    amounts: Sequence[str] = (),
    accepted: Mapping[str, str] | None = None,
    height: int | None = None,
    count: Count | None = None,
    contents_only: bool = False,
) -> list[IdentifyingColumn]:
    """The columns that identify people by themselves, and the pairs that are positions.

    Parameters:
        rows: published rows in random order, all or LOOKED_AT of them.
        amounts: columns that are not named merely because hardly two rows hold the same number.
        accepted: reasons why columns may be published, by column.
        height: rows of the whole table, if these are not all.
        count: counts the rows of the whole table.
        contents_only: names what identifies people whoever shares it, and nothing that is only rare.

    >>> rows = pl.DataFrame({"contact": [f"person{i}@example.org" for i in range(30)], "age": [20 + i % 5 for i in range(30)]})
    >>> for column in identifying_columns(rows):
    ...     print(column.name, column.reasons, column.rows, column.example)
    contact looks like e-mail addresses 30 p***@e***.org
    """
    accepted = accepted or {}
    if not rows.height:
        return []
    whole = rows.height if height is None else height
    counting = count if whole > rows.height else None
    columns = [PublishedColumn(rows[name], counting) for name in rows.columns]
    scale = whole / max(1, rows.height)
    findings: list[IdentifyingColumn] = []
    paired: set[str] = set()
    for pair, finding in [] if contents_only else find_positions(columns, counting):
        names = tuple(column.name for column in pair)
        paired |= set(names)
        # Who accepts one of the two has not said anything of the other.
        reasons = [accepted.get(name, "") for name in names]
        reason = "; ".join(dict.fromkeys(reasons)) if all(reasons) else ""
        findings.append(_named(names, finding, scale * rows.height, reason))
    singles = [column for column in columns if column.name not in paired]
    for column in singles:
        single = inspect_cells(column, column.name in amounts, contents_only)
        if single is not None:
            findings.append(_named((column.name,), single, scale * column.people, accepted.get(column.name, "")))
    order = {name: place for place, name in enumerate(rows.columns)}
    return sorted(findings, key=lambda finding: order[finding.columns[0]])


def _named(names: tuple[str, ...], finding: Finding, people: float, accepted: str) -> IdentifyingColumn:
    number = max(1, round(finding.share * people))
    return IdentifyingColumn(", ".join(names), "; ".join(finding.reasons), number, finding.example, accepted, names)


def inspect_cells(column: PublishedColumn, amount: bool = True, contents_only: bool = False) -> Finding | None:
    """Why a column identifies people by itself; None if nothing says so.

    `amount` says that different numbers are no reason. `contents_only` is for tables in which nobody has a row: what is
    rare there points to nobody.
    """
    if not column.distinct:
        return None
    if column.column.dtype.is_temporal():
        return None if contents_only else _inspect_times(column)
    if column.numbers is not None and column.has_sets:
        column = column.alone()
    if column.numbers is not None:
        found = _inspect_numbers(column, amount, contents_only)
    elif column.column.dtype == pl.String:
        found = _inspect_texts(column, contents_only)
    else:
        return None
    if contents_only or (found and found.what):
        return found
    what = suggested_by_heading(column)
    if not what:
        return found
    reason = f"its heading suggests {what}"
    if found is not None:
        return replace(found, reasons=(reason, *found.reasons))
    return Finding((reason,), 1.0, mask(str(column.values["value"][0]), what), what)


def _looks_like(what: str, share: float, cell: str, part: str | None) -> Finding:
    """A finding whose example is the part of a cell that is what it is about, and no more."""
    alike = share >= MOST and (part is None or 2 * len(part) >= len(cell))
    example = cell if alike or part is None else part.strip()
    words = f"looks like {what}" if alike else f"contains {what}"
    return Finding((words,), share, mask(example, what), what)


def _inspect_texts(column: PublishedColumn, contents_only: bool) -> Finding | None:
    cells = column.values["value"]
    named: list[Finding] = []
    for pattern in PATTERNS:
        matches = pattern.matches(cells)
        if matches.any() and (finding := _matched(column, pattern, matches, contents_only)):
            named.append(finding)
            if finding.share >= MOST:
                return finding
    names = names_of_people(cells) if column.distinct >= 5 else None
    if names is not None and names.any():
        share = _share_of(column, names)
        named.append(_looks_like("names", share, *first_name(cells.filter(names)[0])))
    if contents_only:
        return named[0] if named else None
    named.sort(key=lambda finding: -finding.share)
    if named and named[0].share >= MOST:
        return named[0]
    reasons = [reason for finding in named[:2] for reason in finding.reasons]
    reasons += _unlike_texts(column)
    if not reasons:
        return None
    share = named[0].share if named and len(reasons) == len(named[:2]) else column.exposed(1.5)
    return Finding(tuple(reasons), share, named[0].example if named else _rarest(column))


def _matched(column: PublishedColumn, pattern: Pattern, matches: pl.Series, contents_only: bool) -> Finding | None:
    number, share = int(matches.sum()), _share_of(column, matches)
    cells = column.values["value"]
    cell = cells.filter(matches)[0]
    inside = pattern.direct or share < MOST
    part = pl.Series([cell]).str.extract(f"({pattern.regex})")[0] if pattern.regex and inside else None
    if pattern.direct:
        # Five addresses in a thousand rows are those of offices. An e-mail address is not mistaken, digits may be.
        few = 1 if pattern.what == "e-mail addresses" and column.distinct > FEW else 3
        enough = number >= few and (few == 1 or share >= MISTAKEN) and column.distinct >= 5
        return _looks_like(pattern.what, share, cell, part) if enough else None
    if contents_only or number < 5 or share < MENTIONED:
        return None
    if share < MOST and (not pattern.regex or _share_of(column, cells.str.contains(pattern.regex)) < MENTIONED):
        # Some codes of articles look like those of people.
        return None
    return _looks_like(pattern.what, share, cell, part) if column.exposed(CROWD, matches) >= EXPOSED * share else None


def _share_of(column: PublishedColumn, matches: pl.Series) -> float:
    return float(column.values.filter(matches)["people"].sum()) / max(1.0, column.people)


def _unlike_texts(column: PublishedColumn) -> list[str]:
    rows = column.people
    if column.different:
        return [f"{column.distinct:,} different values in {round(rows):,} rows"]
    reasons = []
    alone = column.exposed(1.5) if column.distinct > FEW else 0.0
    if alone > ALONE:
        reasons.append(f"{alone:.0%} of the rows are alone with their text")
    lengths = column.values["value"].str.len_chars()
    if column.distinct > FEW and alone > EXPOSED / 2 and float(lengths.mean() or 0) > FREE_TEXT:  # type: ignore[arg-type]
        reasons.append("free text")
    return reasons


def _rarest(column: PublishedColumn) -> str:
    values = column.values
    return mask(str(values["value"][int(values["people"].arg_min() or 0)]), "")


def _inspect_times(column: PublishedColumn) -> Finding | None:
    """Dates and time stamps that few people share."""
    dtype = column.column.dtype
    if dtype == pl.Duration:
        return None
    what = DATES if dtype == pl.Date else STAMPS
    if dtype == pl.Datetime and bool((column.values["value"].dt.time() == time(0)).all()):
        what = DATES
    share = column.exposed(CROWD)
    if column.people < FEW or share < EXPOSED:
        return None
    return Finding((_few(what, share),), share, mask(str(column.values["value"][0]), ""), what)


def _few(what: str, share: float) -> str:
    return f"{what} that fewer than {CROWD} people share in {share:.0%} of the rows"


def _inspect_numbers(column: PublishedColumn, amount: bool, contents_only: bool) -> Finding | None:
    present = column.measured
    if len(present) < FEW:
        return None
    values = present.unique().sort().to_numpy()
    example = mask(_written(values[len(values) // 2]), "")
    whole = bool((values == np.round(values)).all()) and float(np.abs(values).max()) < 2**53
    if whole and values.size >= 5 and (what := _number_of_person(values)):
        return Finding((f"looks like {what}",), 1.0, mask(_written(values[values.size // 2]), what), what)
    if contents_only:
        return None
    lowered = heading(column.name)
    if what := _times(values, whole, lowered):
        share = column.exposed(CROWD)
        if share >= EXPOSED:
            return Finding((_few(what, share),), share, example, what)
        return None
    turns = next((limit for axis, limit in ((LATITUDE, 90), (LONGITUDE, 180)) if re.search(axis, lowered)), 0)
    if turns and not whole and np.abs(values).max() <= turns and (share := column.exposed(CROWD)) >= EXPOSED:
        return Finding((_few("coordinates", share),), share, example, "coordinates")
    if re.search(POSTAL, lowered):
        share = column.exposed(CROWD)
        return Finding((_few("postal codes", share),), share, example) if share >= EXPOSED else None
    if re.search(SURVEY, lowered) and (share := column.exposed(1.5)) > MOST and _digits(values) >= SIGNIFICANT:
        return Finding((f"{share:.0%} of the rows are alone with their weight",), share, example)
    if not column.different or len(present) < FEW_NUMBERS:
        return None
    sensitive = bool(re.search(SENSITIVE, lowered)) and not re.search(WORDS["numbers of people or cases"], lowered)
    given_out = whole and _given_out(values, len(present), strict=sensitive)
    if given_out or (not amount and not sensitive):
        return Finding(
            (f"{column.distinct:,} different values in {len(present):,} rows",), column.exposed(1.5), example
        )
    return None


def _digits(values: Floats) -> float:
    """How many significant digits numbers usually have.

    >>> _digits(np.array([72.5, 81.0, 64.2])), _digits(np.array([77516.0, 83311.0, 215646.0]))
    (3.0, 5.0)
    """
    plain = (_written(abs(value)).replace(".", "").strip("0") for value in values[:: max(1, values.size // 500)])
    return float(np.median([len(text) for text in plain]))


def _written(number: float) -> str:
    return str(int(number)) if number == round(number) and abs(number) < 1e18 else repr(float(number))


def _number_of_person(values: Floats) -> str:
    """What whole numbers are by their digits."""
    digits = [str(int(value)) for value in values[:: max(1, values.size // 1000)] if value >= 0]
    lengths = np.array([len(text) for text in digits])
    if not lengths.size:
        return ""
    if (lengths <= 12).all() and (lengths >= 11).mean() > CHECKED:
        right = sum(check_my_number(text.zfill(12)) for text in digits) / len(digits)
        if right > CHECKED:
            return "My Numbers (個人番号)"
    if ((lengths >= 14) & (lengths <= 16)).all() and sum(map(check_luhn, digits)) / len(digits) > CHECKED:
        return "card numbers"
    if (lengths == 10).mean() > 0.95 and all(
        text[:2] in ("50", "70", "80", "90") for text in digits if len(text) == 10
    ):
        # 09012345678 without the zero that a spreadsheet takes away.
        return "phone numbers"
    return ""


def recognize_times(column: pl.Series) -> str:
    """Whether numbers are days such as 19800131, or seconds since 1970: "days", "seconds", or empty."""
    numbers = column.drop_nulls().unique().sort().cast(pl.Float64).to_numpy()
    whole = bool((numbers == np.round(numbers)).all())
    if not _times(numbers, whole, "") or numbers[-1] >= 2.3e9:
        return ""
    if numbers[-1] < 1e8:
        return "days" if _are_days(numbers // 100 % 100, numbers % 100) else ""
    return "seconds"


def _are_days(month: Floats, day: Floats) -> bool:
    return bool(((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).mean() > 0.98)


def _times(values: Floats, whole: bool, lowered: str) -> str:
    """Whether numbers are days such as 19800131, or seconds since 1970."""
    if values.size < FEW:
        return ""
    low, high = float(values[0]), float(values[-1])
    first, second, third = values // 10**6, values // 10**4 % 100, values // 100 % 100
    years = values % 10_000
    # 19800131, and 800131 of this century and the last.
    year_first = (low > 18_000_000 and high < 21_010_000) or (low > 100 and 100_000 < high < 1_000_000)
    # 31011980, or 1311980 beside 12311980.
    year_last = low > 1_000_000 and high < 32_000_000 and bool(((years > 1850) & (years < 2101)).all())
    if whole and (year_first or year_last):
        pairs = ((third, values % 100),) if year_first else ((first, second), (second, first))
        return DATES if any(_are_days(*pair) for pair in pairs) else ""
    if whole and low > 1.8e13 and high < 2.2e13:
        clock = (values // 10**4 % 100 < 24).all()
        return STAMPS if clock and _are_days(values // 10**8 % 100, first % 100) else ""
    for unit in (1, 1e3, 1e6, 1e9):
        if 6e8 * unit < low and high < 2.3e9 * unit and high - low > 86_400 * unit:
            return DATES if (values % (86_400 * unit) == 0).all() else STAMPS
    if low > 10_000 and high < 70_000 and re.search(r"date|time|day|birth|dob|日", lowered):
        # Days as spreadsheets count them.
        return DATES if whole else STAMPS
    return ""


def _given_out(values: Floats, rows: int, strict: bool) -> bool:
    """Whether different whole numbers were given out to people rather than measured: they count up, or are spread evenly."""
    low, high = float(values[0]), float(values[-1])
    if high - low < (1.1 if strict else 2) * values.size:
        return True
    if np.unique(np.diff(values)).size == 1:
        return True
    if strict or low < 0:
        return False
    longest = len(str(int(high)))
    if longest < 5:
        return False
    if len(str(int(low))) == longest:
        return True
    top = 10.0**longest
    # Numbers of up to so many digits, as accounts have them.
    distance = np.abs(values / top - (np.arange(values.size) + 0.5) / values.size).max()
    return bool(distance < max(UNIFORM, 1.36 / np.sqrt(values.size)))


def suggested_by_heading(column: PublishedColumn) -> str:
    """What the heading says, if that identifies people."""
    lowered = heading(column.name)
    rows = column.people
    if re.search(POSTAL, lowered):
        return ""
    for what, pattern in WORDS.items():
        if re.search(pattern, lowered) and not (what == "names" and column.numbers is not None):
            # The name of a country or of an employer is no name of a person.
            least = FEW if what in PERSONAL and not re.search(QUASI, lowered) else FEW_VALUES * rows
            if column.distinct > min(least, FEW_VALUES * rows):
                return what
    return ""


def find_positions(
    columns: Sequence[PublishedColumn], count: Count | None
) -> list[tuple[tuple[PublishedColumn, PublishedColumn], Finding]]:
    """Pairs of columns that are coordinates of places which few people share, neighbours first."""
    candidates = [(place, column) for place, column in enumerate(columns) if _may_be_axis(column)]
    pairs = sorted(combinations(candidates, 2), key=lambda pair: (pair[1][0] - pair[0][0], pair[0][0]))
    positions = []
    taken: set[int] = set()
    for (left, first), (right, second) in pairs:
        if taken & {left, right} or not (what := _coordinates(first, second)):
            continue
        share = _shared_by_few(first, second, count)
        if share < EXPOSED:
            continue
        taken |= {left, right}
        cells = (column.column.drop_nulls()[0] for column in (first, second))
        example = ", ".join(mask(str(cell), "") for cell in cells)
        reason = f"look like {what} together, of places that fewer than {CROWD} people share in {share:.0%} of the rows"
        positions.append(((first, second), Finding((reason,), share, example, "coordinates")))
    return positions


def _may_be_axis(column: PublishedColumn) -> bool:
    lowered = heading(column.name)
    if column.distinct < FEW or re.search(f"{WEIGHTS}|{POSTAL}|{WORDS['numbers of people or cases']}", lowered):
        return False
    numbers = column.numbers
    return numbers is not None and not recognize_times(numbers)


def _shared_by_few(first: PublishedColumn, second: PublishedColumn, count: Count | None) -> float:
    both = pl.DataFrame([first.column, second.column]).drop_nulls()
    names = [first.name, second.name]
    counted = both.group_by(names).len(HERE)
    counted = counted.with_columns(pl.col(HERE).alias(PEOPLE))
    if count is not None and float((counted[PEOPLE] < CROWD).mean() or 0) >= EXPOSED:  # type: ignore[arg-type]
        whole = count(names)
        counted = counted.drop(PEOPLE).join(whole.rename({whole.columns[-1]: PEOPLE}), on=names, how="left")
    return float(counted.filter(pl.col(PEOPLE) < CROWD)[HERE].sum()) / max(1, both.height)


def _coordinates(first: PublishedColumn, second: PublishedColumn) -> str:
    """What two columns of numbers are together, in words; empty if they need not be positions."""
    headings = heading(first.name), heading(second.name)
    if any(re.search(SENSITIVE, name) and not re.search(f"{LATITUDE}|{LONGITUDE}|{AXES}", name) for name in headings):
        return ""
    both = pl.DataFrame({"first": first.numbers, "second": second.numbers}).drop_nulls()
    both = both.filter(
        pl.col("first").is_in(first.measured.implode()), pl.col("second").is_in(second.measured.implode())
    )
    if both.height < FEW:
        return ""
    x, y = (both[name].to_numpy() for name in both.columns)
    either = ((x, y, *headings), (y, x, *headings[::-1]))
    on_axes = all(re.search(AXES, name) for name in headings)
    for latitude, longitude, north, east in either:
        named = bool(re.search(LATITUDE, north) and re.search(LONGITUDE, east))
        if _are_degrees(latitude, longitude, named, on_axes):
            return DEGREES
    if _are_metres(x, y, on_axes):
        return METRES
    return DEGREES if any(_are_scaled_degrees(*pair[:2]) for pair in either) else ""


def _are_degrees(latitude: Floats, longitude: Floats, named: bool, on_axes: bool) -> bool:
    if np.abs(latitude).max() > 90 or np.abs(longitude).max() > 180:
        return False
    if named:
        return True
    (south, north), (west, east) = (np.quantile(values, [0.01, 0.99]) for values in (latitude, longitude))
    # Shares and rates lie near 0, where the ocean is; measurements are written with few decimals.
    fine = all(float((np.round(values, 2) != np.round(values, 9)).mean()) > 0.8 for values in (latitude, longitude))
    if max(abs(south), abs(north), abs(west), abs(east)) < 5 or not fine:
        return False
    if not (_differ(latitude) and _differ(longitude)):
        return False
    town_or_country = (_narrow(longitude, 1.2) and _narrow(latitude, 2)) or (
        _narrow(latitude, 1.25) and east - west < 20
    )
    other_side = (east < -2 and _narrow(latitude, 3)) or (north < -2 and _narrow(longitude, 3))
    rounded = all((np.round(values, 8) == values).all() for values in (latitude, longitude))
    world = rounded and south < 0 < north and max(abs(west), abs(east)) > 100
    return bool(on_axes or town_or_country or other_side or world)


def _are_scaled_degrees(latitude: Floats, longitude: Floats) -> bool:
    """Whether whole numbers are degrees times a power of ten: far from 0, near each other, and not round."""
    if any((values != np.round(values)).any() or (values % 10 == 0).mean() > 0.5 for values in (latitude, longitude)):
        return False
    for scale in SCALES:
        north, east = latitude / scale, longitude / scale
        possible = np.abs(north).max() <= 90 and 10 < np.abs(east).max() <= 180 and np.abs(north).max() > 2
        if (
            possible
            and _alike(north, east)
            and _narrow(north, 3)
            and _narrow(east, 3)
            and _differ(north)
            and _differ(east)
        ):
            return True
    return False


def _are_metres(x: Floats, y: Floats, named: bool) -> bool:
    """Whether two columns may be metres from a corner, as of UTM, or from the middle of a zone, as of plane coordinates."""
    reach = [np.quantile(values, [0.01, 0.99]) for values in (x, y)]
    largest = [float(np.abs(values).max()) for values in (x, y)]
    if min(float(high - low) for low, high in reach) < 50 or not 1_000 < max(largest) < 1.05e7:
        return False
    if not (_differ(x) and _differ(y) and _alike(x, y)):
        return False
    if any(float((values % 10 == 0).mean()) > 0.3 for values in (x, y)):
        return False
    if named:
        return True
    # Amounts are seldom negative, and if they are, not all of them.
    if any(high < 0 for _, high in reach):
        return max(largest) < 6e5
    return all(_narrow(values, 3) for values in (x, y)) and max(largest) > 1e5


def _alike(north: Floats, east: Floats) -> bool:
    """Whether places reach about as far in both directions."""
    spans = sorted(float(np.subtract(*np.quantile(values, [0.99, 0.01]))) for values in (north, east))
    return spans[1] <= ALIKE * spans[0]


def _narrow(values: Floats, most: float) -> bool:
    """Whether numbers have one sign, and the largest are at most so many times the smallest."""
    low, high = np.quantile(values, [0.01, 0.99])
    return bool(low * high > 0 and max(abs(low), abs(high)) <= most * min(abs(low), abs(high)))


def _differ(values: Floats) -> bool:
    """Whether most rows have a value of their own, as measured positions have."""
    return np.unique(values).size > 0.3 * values.size

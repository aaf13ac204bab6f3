"""What the columns of a table are: what they look like, whom they single out, and which are copies of each other.

People know their data and seldom what of it tells people apart. So each column is looked at, and a role is suggested with its
reasons. Suggestions err on the safe side: what nothing is known of counts as something that others may know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl

from icefire.frames.files import toml_value
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.japan import REGION_OF

Role = Literal["identifying", "qi", "sa", "other", "weight", "household"]
LOOKED_AT, COMPARED = 100_000, 20_000
"""Rows, drawn at random, by which is found out what cells look like, and which columns are copies."""
UNIQUE = 0.9
"""Values per row from which on a column is as good as a name."""
EXCEPTIONS = 0.03
"""Share of the rows that may contradict a copy."""
TELLING = 5.0
"""How many times fewer exceptions a copy has than chance would have."""
ALONG = 0.98
"""Rank correlation from which on two ordered columns tell each other."""
MEANINGS: dict[Role, str] = {
    "identifying": "Never published.",
    "qi": "Quasi-identifiers: what others may know about people. They are generalized.",
    "sa": "Sensitive: what nobody is to learn about a person.",
    "other": "Published as it is, neither of them.",
    "weight": "How many people of the population a row stands for.",
    "household": "Who lives together. Not published.",
}
FEW_VALUES, ALONE, AMOUNTS = 0.1, 0.3, 50
"""Values per row below which a number points to nobody; share of rows with a text of their own that makes it identifying; and
different integers above which they are amounts."""
FEW = 20
"""Rows below which being different says nothing."""

WORDS: dict[str, str] = {
    "names": r"(^|[^a-z])(first|last|full|given|family|sur)?[ _]?name(s)?($|[^a-z])|surname|forename|氏名|名前|姓名|^姓$|^名$"
    r"|フリガナ|ふりがな|カナ|(患者|利用者|顧客|会員|社員|職員|従業員|児童|生徒|学生|本人|世帯主|担当者|保護者|代表者)名$",
    "e-mail addresses": r"e-?mail|メール",
    "phone numbers": r"(tele)?phone|mobile|(^|[^a-z])(tel|fax)($|[^a-z])|電話|携帯",
    "addresses": r"(^|[^a-z])(street|address)($|[^a-z])|住所|番地",
    "numbers of people or cases": r"(^|[^a-z])(id|ssn|uuid|guid)($|[^a-z])|[a-z]Id$|番号|マイナンバー"
    r"|(case|account|card|patient|customer|person|member|record|employee|student|insurance|passport)[ _]?"
    r"(no|num|nr|nbr|number|id)($|[^a-z])",
}
"""What the name of a column says about it; identifying."""
PERSONAL = ("names", "e-mail addresses", "phone numbers")
"""What identifies people even where it repeats. Of the others, a code with few values, such as type_id, points to nobody."""
POSTAL = r"郵便|(^|[^a-z])(zip|postal|postcode)"
QUASI = (
    r"(^|[^a-z])(age|sex|gender|zip|postal|postcode|city|town|county|region|state|prefecture|country|nation(ality)?|native"
    r"|race|ethnic(ity)?|marital|education|school|degree|occupation|job|profession|work ?class|employer|industry|religion"
    r"|language|birth|born|dob|height|family|children)|年齢|年代|性別|郵便|住|市区町村|都道府県|県|市$|町$|国籍|地域|婚姻|配偶|学歴|職業|業種"
    r"|勤務|役職|生年|誕生|出生|家族|世帯人員"
)
SENSITIVE = (
    r"income|salary|wage|pay($|[^a-z])|earning|debt|loan|balance|price|cost|amount|spend|expens|disease|diagnos|illness"
    r"|condition|treatment|drug|medic|result|score|grade|verdict|sentence|crime|offen[cs]e|religion|political|vote|sexual"
    r"|diag|procedure|hospital|patient|admission|admit|discharge|emergency|capital|gain|loss|installment|interest|rate($|[^a-z])"
    r"|収入|所得|年収|給与|賃金|資産|残高|金額|費用|料|病|診断|症|治療|薬|検査|結果|点数|成績|犯罪|判決|宗教|信条|支持"
)
WEIGHTS = r"(^|[^a-z])(weights?|wgt|wght|wt|pweight|fnlwgt)($|[^a-z])|ウエイト|ウェイト|拡大係数|乗率"
HOUSEHOLDS = r"household.?(id|no|num|key)|(^|[^a-z])(hh|hhid|serial)($|[^a-z])|世帯(番号|ID|id|コード)"
CONTENTS: dict[str, str] = {
    "e-mail addresses": r"^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$",
    "phone numbers": r"^(\+[0-9]{1,3}[ -]?)?\(?0[0-9]{1,4}\)?[ -][0-9]{1,4}[ -][0-9]{3,4}$|^0[5-9]0[0-9]{8}$",
}


@dataclass(frozen=True)
class Look:
    """A column as it looks."""

    name: str
    role: Role
    """The suggested role."""
    reasons: tuple[str, ...]
    """Why, in words."""
    distinct: int
    missing: int
    alone: float
    """Share of the rows whose value no other row has."""
    copies: tuple[str, ...] = ()
    """Columns that it tells, or that tell it."""
    hierarchy: Hierarchy | None = None
    text: bool = False
    """Whether its cells look like numbers and are codes."""


@dataclass(frozen=True)
class Inspection:
    """Every column of a table with its suggested role.

    >>> table = pl.DataFrame({"name": [f"Ann {i}" for i in range(40)], "age": [20 + i % 5 for i in range(40)]})
    >>> [(look.name, look.role) for look in Inspection.of(table).looks]
    [('name', 'identifying'), ('age', 'qi')]
    """

    looks: tuple[Look, ...]
    rows: int
    together: dict[str, float] = field(default_factory=dict)
    """Share of the rows that are alone in the suggested quasi-identifiers up to and with this one."""

    @classmethod
    def of(cls, frame: pl.DataFrame) -> Inspection:
        sample = frame if frame.height <= LOOKED_AT else frame.sample(LOOKED_AT, seed=0)
        counted = {name: _counted(frame[name]) for name in frame.columns}
        unique = {name for name, (distinct, _, _) in counted.items() if _unlike(frame[name], distinct)}
        pairs = list(combinations([name for name in frame.columns if counted[name][0] > 1], 2))
        copies = copies_among(sample.head(COMPARED), pairs)
        looks = []
        for name in frame.columns:
            distinct, missing, alone = counted[name]
            role, reasons = _role(sample[name], name in unique, distinct, alone, frame.height)
            text = sample[name].dtype == pl.String and _looks_numeric(sample[name])
            looks.append(
                Look(name, role, tuple(reasons), distinct, missing, alone, tuple(copies.get(name, ())), None, text)
            )
        looks = [_of_copies(look, looks, unique) for look in looks]
        looks = [
            replace(look, hierarchy=_hierarchy(frame[look.name], look.distinct)) if look.role == "qi" else look
            for look in looks
        ]
        return cls(tuple(looks), frame.height, _together(frame, [look.name for look in looks if look.role == "qi"]))

    def schema_toml(self, source: str) -> str:
        """The text of schema.toml, with the reasons as comments."""
        lines = [
            'kind = "microdata"',
            f"# Suggested for {json.dumps(source, ensure_ascii=False)}: {self.rows:,} rows. Change what you know better.",
        ]
        for role, meaning in MEANINGS.items():
            looks = [look for look in self.looks if look.role == role]
            if not looks and role not in ("qi", "sa"):
                continue
            lines += ["", f"# {meaning}"]
            if role in ("weight", "household"):
                lines.append(f"{role} = {toml_value(looks[0].name)}  # {self._why(looks[0])}")
                lines += [f"# as well: {look.name}" for look in looks[1:]]
                continue
            lines.append(f"{role} = [")
            lines += [f"    {toml_value(look.name)},  # {self._why(look)}" for look in looks]
            lines.append("]")
        for look in self.looks:
            entry = hierarchy_entry(look.hierarchy)
            if entry or (look.text and look.role not in ("identifying", "household")):
                lines += ["", f"[columns.{toml_value(look.name)}]"]
                lines += ['type = "categorical"  # codes'] if look.text else []
                lines += [f"hierarchy = {toml_value(entry)}"] if entry else []
        return "\n".join(lines) + "\n"

    def _why(self, look: Look) -> str:
        facts = list(look.reasons)
        if not any("different values" in reason for reason in facts):
            facts.append(f"{look.distinct:,} values")
        if look.missing:
            facts.append(f"{look.missing / self.rows:.1%} missing")
        if look.role != "identifying":
            facts.append(f"{look.alone:.1%} of the rows are alone with theirs")
        if look.name in self.together:
            facts.append(f"{self.together[look.name]:.1%} together with the columns above")
        return "; ".join(facts).replace("\n", " ")


def questions(frame: pl.DataFrame, names: Sequence[str], folder: Path) -> str:
    """What is to be said about columns without a role, with what they look like."""
    looks = [look for look in Inspection.of(frame).looks if look.name in names]
    told = "".join(f"\n  {look.name}: {look.role}? {'; '.join(look.reasons)}" for look in looks)
    return (
        f"stopped: it is not said yet what these columns are:{told}\n"
        f"Name each of them in identifying, qi, sa or other of {folder / 'schema.toml'}; `icefire init {folder} --replace` "
        "suggests a schema."
    )


def hierarchy_entry(hierarchy: Hierarchy | None) -> dict[str, object]:
    """How schema.toml writes a hierarchy; empty if there is none."""
    if hierarchy is None:
        return {}
    entry = {key: getattr(hierarchy, key) for key in ("table", "widths", "digits", "learned")}
    return {key: value for key, value in entry.items() if value is not None}


def _counted(column: pl.Series) -> tuple[int, int, float]:
    """Different values, missing ones, and the share of rows that are alone with theirs."""
    counts = column.drop_nulls().value_counts()["count"]
    return len(counts), column.null_count(), float((counts == 1).sum()) / max(1, len(column))


def _unlike(column: pl.Series, distinct: int) -> bool:
    """Whether nearly every row has its own value, as names and numbers of people do, and amounts by chance."""
    present = len(column) - column.null_count()
    if present < FEW or distinct < UNIQUE * present or column.dtype.is_float():
        return False
    if not column.dtype.is_integer():
        return True
    low, high = column.min(), column.max()
    assert isinstance(low, int)
    assert isinstance(high, int)
    # Numbers that count up, or all of one length: amounts are neither.
    return high - low < 2 * distinct or (low >= 1000 and len(str(low)) == len(str(high)))


def identifying_reasons(column: pl.Series) -> list[str]:
    """Why a published column identifies people by itself; empty if nothing says so.

    Numbers of which nearly every row has its own are amounts here: what they tell apart, attacks say.

    >>> identifying_reasons(pl.Series("contact", [f"person{i}@example.org" for i in range(30)]))
    ['looks like e-mail addresses']
    >>> identifying_reasons(pl.Series("age", [20 + i % 5 for i in range(30)]))
    []
    """
    distinct, _, alone = _counted(column)
    if looks := _content(column):
        return [f"looks like {looks}"]
    if column.dtype.is_temporal() or re.search(POSTAL, heading(column.name)):
        return []
    unique = not column.dtype.is_numeric() and _unlike(column, distinct)
    return _identifying_reasons(column, unique, distinct, alone, len(column))


def heading(name: str) -> str:
    """The name of a column as the patterns read it: `patientId` keeps its capital."""
    return name if re.search(r"[a-z]Id$", name) else name.lower()


def _identifying_reasons(column: pl.Series, unique: bool, distinct: int, alone: float, rows: int) -> list[str]:
    reasons = []
    if what := _suggested(column, heading(column.name), distinct, rows):
        reasons.append(f"its heading suggests {what}")
    if unique:
        reasons.append(f"{distinct:,} different values in {rows:,} rows")
    texts = column.dtype == pl.String and distinct > FEW
    if texts and alone > ALONE and not unique:
        reasons.append(f"{alone:.0%} of the rows are alone with their text")
    if texts and float(column.drop_nulls().str.len_chars().mean() or 0) > 40:  # type: ignore[arg-type]
        reasons.append("free text")
    return reasons


def _role(column: pl.Series, unique: bool, distinct: int, alone: float, rows: int) -> tuple[Role, list[str]]:
    name, reasons = column.name, []
    lowered = heading(name)
    if not distinct:
        return "identifying", ["it is empty, and left out"]
    if distinct == 1 and rows >= FEW:
        return "other", ["every row has the same value"]
    if looks := _content(column):
        return "identifying", [f"looks like {looks}"]
    if re.search(POSTAL, lowered):
        return "qi", ["others may know it"]
    reasons += _identifying_reasons(column, unique, distinct, alone, rows)
    if column.dtype.is_numeric() and re.search(WEIGHTS, lowered):
        return "weight", ["its heading suggests weights"]
    if re.search(HOUSEHOLDS, lowered):
        return "household", ["its heading suggests households"]
    if reasons and not (column.dtype.is_temporal() and re.search(QUASI, lowered)):
        return "identifying", reasons
    if re.search(QUASI, lowered):
        return "qi", [*reasons, "others may know it"]
    if re.search(SENSITIVE, lowered):
        return "sa", ["its heading suggests something that people keep to themselves"]
    if column.dtype.is_float() or (column.dtype.is_integer() and distinct > AMOUNTS):
        return "sa", ["an amount"]
    return "qi", ["nothing says what it is: on the safe side, others may know it"]


def _suggested(column: pl.Series, heading: str, distinct: int, rows: int) -> str:
    """What the heading says, if that identifies people."""
    for what, pattern in WORDS.items():
        if re.search(pattern, heading) and not (what == "names" and column.dtype.is_numeric()):
            # The name of a country or of an employer is no name of a person.
            least = FEW if what in PERSONAL and not re.search(QUASI, heading) else FEW_VALUES * rows
            if distinct > min(least, FEW_VALUES * rows):
                return what
    return ""


def _content(column: pl.Series) -> str:
    """What most cells look like, if that identifies people."""
    if column.dtype != pl.String and not column.dtype.is_integer():
        return ""
    cells = column.drop_nulls().unique().head(2000).cast(pl.String)
    if len(cells) < 5:
        return ""
    for what, pattern in CONTENTS.items():
        if float(cells.str.contains(pattern).mean() or 0) > 0.8:  # type: ignore[arg-type]
            return what
    plain = cells.str.replace_all(r"[ -]", "")
    if plain.str.contains(r"^[0-9]{12}$").all() and _share(plain, _my_number) > 0.8:
        return "My Numbers (個人番号)"
    if plain.str.contains(r"^[0-9]{14,16}$").all() and _share(plain, _luhn) > 0.8:
        return "card numbers"
    words = float(cells.str.contains(r"^\p{Lu}\p{Ll}+([ -]\p{Lu}\.?)?([ -]\p{Lu}\p{Ll}+)+$").mean() or 0)  # type: ignore[arg-type]
    if words > 0.8 and len(cells) > 0.5 * min(len(column), 2000):
        return "names"
    return ""


def _share(cells: pl.Series, holds: Callable[[str], bool]) -> float:
    return sum(holds(cell) for cell in cells) / len(cells)


def _my_number(digits: str) -> bool:
    """
    >>> _my_number("123456789018"), _my_number("123456789012")
    (True, False)
    """
    numbers = [int(digit) for digit in reversed(digits)]
    total = sum(number * (place + 1 if place <= 6 else place - 5) for place, number in enumerate(numbers[1:], start=1))
    rest = total % 11
    return numbers[0] == (0 if rest <= 1 else 11 - rest)


def _luhn(digits: str) -> bool:
    """
    >>> _luhn("4242424242424242"), _luhn("4242424242424241")
    (True, False)
    """
    numbers = [int(digit) for digit in reversed(digits)]
    return sum(n if place % 2 == 0 else sum(divmod(2 * n, 10)) for place, n in enumerate(numbers)) % 10 == 0


def _looks_numeric(column: pl.Series) -> bool:
    return bool(column.drop_nulls().str.contains(r"^[0-9]+$").all())


def copies_among(sample: pl.DataFrame, pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    """Which columns tell each other: one determines the other up to a few exceptions, or both rise together.

    >>> table = pl.DataFrame({"age": [20, 21, 30, 31] * 20, "label": ["20s", "20s", "30s", "30s"] * 20, "odd": [0, 1] * 40})
    >>> copies_among(table, [("age", "label"), ("label", "odd")])
    {'age': ['label'], 'label': ['age']}
    """
    if sample.height < FEW:
        return {}
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    codes, mixed = _codes(sample.select(names))
    found: dict[str, list[str]] = {}
    for left, right in pairs:
        alike = (
            _determines(codes, mixed, left, right)
            or _determines(codes, mixed, right, left)
            or _rise_together(sample, left, right)
        )
        if alike:
            found.setdefault(left, []).append(right)
            found.setdefault(right, []).append(left)
    return found


def told_by(known: pl.DataFrame, shown: pl.DataFrame) -> dict[str, list[str]]:
    """The shown columns that follow from a known one ([]), or from which known ones follow (these), row by row.

    >>> known = pl.DataFrame({"age": [20, 21, 30, 31] * 20})
    >>> shown = pl.DataFrame({"label": ["20s", "20s", "30s", "30s"] * 20, "born": [6, 5, 96, 95] * 20, "odd": [0, 1] * 40})
    >>> told_by(known, shown)
    {'label': [], 'born': ['age'], 'odd': []}
    """
    if known.height < FEW:
        return {}
    both = pl.concat([known, shown], how="horizontal")
    codes, mixed = _codes(both)
    found: dict[str, list[str]] = {}
    for name in shown.columns:
        implied = [
            column
            for column in known.columns
            if _determines(codes, mixed, name, column) or _rise_together(both, name, column)
        ]
        if implied:
            found[name] = implied
        elif any(_determines(codes, mixed, column, name) for column in known.columns):
            found[name] = []
    return found


def _codes(table: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The values of each column as numbers, and the same in an order that says nothing."""
    codes = table.select(pl.all().rank("dense").fill_null(0).cast(pl.UInt64))
    return codes, codes.select(pl.all().shuffle(seed=1))


def _determines(codes: pl.DataFrame, mixed: pl.DataFrame, left: str, right: str) -> bool:
    share = _exceptions(codes[left], codes[right])
    if share > EXCEPTIONS:
        return False
    # Small groups agree by chance, and so do groups of whom nearly all have one value.
    return _exceptions(codes[left], mixed[right]) > max(TELLING * share, 0.05)


def _exceptions(left: pl.Series, right: pl.Series) -> float:
    """Share of the rows that do not have the usual value of the right column, given their value of the left one."""
    pairs = left * (1 << 32) + right
    counted = pairs.value_counts(name="n")
    groups = counted.group_by(pl.col(left.name) // (1 << 32)).agg(pl.col("n").max())
    return 1.0 - float(groups["n"].sum()) / max(1, len(left))


def _rise_together(sample: pl.DataFrame, left: str, right: str) -> bool:
    if not all(sample[name].dtype.is_numeric() or sample[name].dtype.is_temporal() for name in (left, right)):
        return False
    ranks = sample.select(pl.col(left, right).to_physical()).drop_nulls().select(pl.all().rank())
    if ranks.height < FEW or any(ranks[name].n_unique() == 1 for name in (left, right)):
        return False
    return abs(float(np.corrcoef(ranks[left].to_numpy(), ranks[right].to_numpy())[0, 1])) > ALONG


def _of_copies(look: Look, looks: Sequence[Look], unique: Collection[str]) -> Look:
    """A copy of what others may know is known as well."""
    known = [other.name for other in looks if other.name in look.copies and other.role == "qi"]
    if not known or look.role not in ("sa", "qi", "other"):
        return look
    finer = all(look.distinct > 2 * other.distinct for other in looks if other.name in known)
    kept = look.reasons if look.role == "qi" or finer else ()
    reasons = (*kept, f"one tells the other: {', '.join(known)}")
    if look.name in unique and any(name not in unique for name in known):
        # A coarser copy says what may be said: the age instead of the day of birth.
        own = f"{look.distinct:,} different values"
        return replace(look, role="identifying", reasons=(own, reasons[-1]))
    # An amount from which a QI follows is not what others know.
    return replace(look, role=look.role if finer else "qi", reasons=reasons)


def _hierarchy(column: pl.Series, distinct: int) -> Hierarchy | None:
    """Levels that suit the values: years for dates, regions for prefectures, fewer digits for codes, intervals for numbers."""
    if distinct <= 4:
        return None
    if column.dtype == pl.Date:
        return Hierarchy(digits=(7, 4, 3))
    if column.dtype.is_numeric():
        return _widths(column)
    values = [str(value) for value in column.drop_nulls().unique()]
    if all(value in REGION_OF for value in values):
        return Hierarchy(table={value: (REGION_OF[value],) for value in sorted(values)})
    lengths = {len(value) for value in values}
    if len(lengths) == 1 and all(re.fullmatch(r"[0-9]{3,8}|[0-9]{3}-[0-9]{4}", value) for value in values):
        length = lengths.pop()
        return Hierarchy(digits=tuple(kept for kept in (5, 3, 2, 1) if kept < length))
    return Hierarchy(learned=3) if 20 < distinct <= 2000 else None


def _widths(column: pl.Series) -> Hierarchy:
    low, high = float(column.min() or 0), float(column.max() or 0)  # type: ignore[arg-type]
    if low >= 0 and high <= 130 and column.dtype.is_integer():
        # Numbers of children or rooms would be gone after a step of five.
        return Hierarchy(widths=(2, 4, 8) if high - low < 20 else (5, 10, 20, 40))
    unit = 10.0 ** np.floor(np.log10(max((high - low) / 40, 1e-9)))
    widths = tuple(unit * factor for factor in (1, 2, 10, 20))
    return Hierarchy(widths=tuple(int(w) if float(w).is_integer() else float(w) for w in widths))


def _together(frame: pl.DataFrame, names: Sequence[str]) -> dict[str, float]:
    found = {}
    for number in range(1, len(names) + 1):
        sizes = frame.group_by(names[:number]).len()["len"]
        found[names[number - 1]] = float((sizes == 1).sum()) / frame.height
    return found

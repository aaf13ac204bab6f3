"""What the columns of a table are: what they look like, whom they single out, and which are copies of each other.

People know their data and seldom what of it tells people apart. So each column is looked at, and a role is suggested with its
reasons. Suggestions err on the safe side: what nothing is known of counts as something that others may know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl

from icefire.frames.files import toml_value
from icefire.frames.identifying import (
    FEW,
    LOOKED_AT,
    POSTAL,
    QUASI,
    SENSITIVE,
    WEIGHTS,
    Count,
    Finding,
    PublishedColumn,
    find_positions,
    heading,
    inspect_cells,
    recognize_times,
)
from icefire.frames.patterns import DATES, STAMPS
from icefire.microdata.hierarchy import Hierarchy, date_hierarchy
from icefire.microdata.japan import REGION_OF
from icefire.microdata.repeated import HOUSEHOLDS, RepeatedKey, find_repeated_key

Role = Literal["identifying", "qi", "sa", "other", "weight", "household"]
COMPARED = 20_000
"""Rows, drawn at random, by which is found out which columns are copies."""
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
KNOWN = "others may know it"
UNKNOWN = "nothing says what it is: on the safe side, others may know it"
UNCLEAR = "which is the day and which the month is not clear: write them as 1980-01-31, and they can be made coarser"
DAY, MONTH, YEAR = 86_400, 2_592_000, 31_104_000
"""Seconds; months and years of 30 and 360 days, which nest."""


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
    repeated: RepeatedKey | None = None
    """The column by which several rows belong to one person, or to people who live together."""
    together: dict[str, float] = field(default_factory=dict)
    """Share of the rows that are alone in the suggested quasi-identifiers up to and with this one."""

    @classmethod
    def of(cls, frame: pl.DataFrame) -> Inspection:
        sample = frame if frame.height <= LOOKED_AT else frame.sample(LOOKED_AT, seed=0)
        counted = {name: _counted(frame[name]) for name in frame.columns}
        pairs = list(combinations([name for name in frame.columns if counted[name][0] > 1], 2))
        copies = copies_among(sample.head(COMPARED), pairs)
        cells = {name: PublishedColumn(sample[name], _counter(frame, sample)) for name in frame.columns}
        findings = {name: inspect_cells(column) for name, column in cells.items()}
        for both, finding in find_positions(list(cells.values()), _counter(frame, sample)):
            findings |= {column.name: finding for column in both}
        unique = {name for name, finding in findings.items() if finding is not None and cells[name].different}
        looks = []
        for name in frame.columns:
            distinct, missing, alone = counted[name]
            role, reasons = _role(sample[name], findings[name], distinct, frame.height)
            text = sample[name].dtype == pl.String and _looks_numeric(sample[name])
            looks.append(
                Look(name, role, tuple(reasons), distinct, missing, alone, tuple(copies.get(name, ())), None, text)
            )
        looks = [_of_copies(look, looks, unique) for look in looks]
        repeated = find_repeated_key(frame, [look.name for look in looks if look.role == "identifying"])
        looks = [_of_repeated(look, repeated) for look in looks]
        looks = [
            replace(look, hierarchy=_hierarchy(frame[look.name], look.distinct)) if look.role == "qi" else look
            for look in looks
        ]
        return cls(
            tuple(looks), frame.height, repeated, _together(frame, [look.name for look in looks if look.role == "qi"])
        )

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


def _counter(frame: pl.DataFrame, sample: pl.DataFrame) -> Count | None:
    """How the rows of a table are counted of which only some are looked at."""
    return None if sample.height == frame.height else lambda names: frame.group_by(names).len("__rows")


def _role(column: pl.Series, finding: Finding | None, distinct: int, rows: int) -> tuple[Role, list[str]]:
    lowered = heading(column.name)
    reasons = [] if finding is None else list(finding.reasons)
    if not distinct:
        return "identifying", ["it is empty, and left out"]
    if distinct == 1 and rows >= FEW:
        return "other", ["every row has the same value"]
    if column.dtype.is_numeric() and re.search(WEIGHTS, lowered):
        return "weight", ["its heading suggests weights"]
    if re.search(HOUSEHOLDS, lowered):
        return "household", ["its heading suggests households"]
    if finding is not None and finding.what in (DATES, STAMPS):
        held = column.drop_nulls().unique()
        coarser = bool(recognize_times(held)) if column.dtype.is_numeric() else date_hierarchy(held) is not None
        return ("qi", [*reasons, KNOWN]) if coarser else ("identifying", [*reasons, UNCLEAR])
    if re.search(POSTAL, lowered) or column.dtype.is_temporal() or (finding and finding.what == "postal codes"):
        return "qi", [*reasons, KNOWN]
    if reasons:
        return "identifying", reasons
    if re.search(QUASI, lowered):
        return "qi", [KNOWN]
    if re.search(SENSITIVE, lowered):
        return "sa", ["its heading suggests something that people keep to themselves"]
    return "qi", [UNKNOWN]


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
    # What nothing is known of does not say that others know its copies.
    known = [o.name for o in looks if o.name in look.copies and o.role == "qi" and UNKNOWN not in o.reasons]
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


def _of_repeated(look: Look, repeated: RepeatedKey | None) -> Look:
    if repeated is None or look.name != repeated.column:
        return look
    facts = f"{repeated.rows:,} rows have {repeated.values:,} different values"
    if repeated.of == "household":
        return replace(look, role="household", reasons=(facts, "people who live together share it"))
    return replace(look, role="identifying", reasons=(facts, "some people have several rows"))


def _hierarchy(column: pl.Series, distinct: int) -> Hierarchy | None:
    """Levels that suit the values: years for dates, regions for prefectures, fewer digits for codes, intervals for numbers."""
    if distinct <= 4:
        return None
    if dates := date_hierarchy(column.drop_nulls().unique()):
        return dates
    if column.dtype.is_integer() and re.search(POSTAL, heading(column.name)):
        length = len(str(column.max()))
        return Hierarchy(widths=tuple(10**place for place in range(max(1, length - 3), length)))
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
    match recognize_times(column):
        case "days":
            return Hierarchy(widths=(100, 10_000, 100_000))
        case "seconds":
            return Hierarchy(widths=(DAY, MONTH, YEAR))
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

"""Whether each row of a table is a person of their own.

Every figure counts rows. If a patient has twelve of them, a class of twelve rows may be one patient, who is
then reported as one in twelve and is certain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import narwhals as nw
import polars as pl

from icefire.core.errors import DataError
from icefire.frames import engines, relational
from icefire.frames.engines import Native
from icefire.frames.identifying import WORDS, heading
from icefire.microdata.schema import Schema

DISAGREEING = 0.1
"""Share of the further rows of one value that may have other quasi-identifiers, if it is a person's."""
FEW = 0.1
"""Values per row up to which a number, such as a code of a type, need not be that of a person."""
COMMON = 5
"""How many times as often as the others a value occurs from which on it stands for "none", and for nobody."""
SHARED = ("names", "phone numbers", "addresses")
"""What two people may have in common, and seldom all of it: such columns are one key, with dates such as of birth."""
OWN = ("numbers of people or cases", "e-mail addresses")
"""What nobody shares with others."""
PERSON = (
    r"^(patient|customer|member|person|employee|student|client|subject|respondent)s?$"
    r"|^(患者|顧客|会員|個人|社員|職員|従業員|学生|児童|生徒|利用者|受診者|回答者)$"
)
"""Headings of columns that tell whose row it is."""
DATES = r"date|birth|born|(^|[^a-z])dob($|[^a-z])|生年|誕生|年月日|日付"


def require_rows_of_people(table: Native, schema: Schema, where: str) -> None:
    """Raise DataError if an identifying column shows that some people have several rows.

    It does if it holds numbers of people and repeats, or if rows that share a value have the same
    quasi-identifiers, which those of namesakes have not. A date alone is no key: many are born on one day.

    >>> visits = pl.DataFrame({"patient": [1, 1, 2, 2, 3, 3], "age": [20, 20, 30, 30, 40, 40]})
    >>> schema = Schema(["age"], identifying=["patient"])
    >>> require_rows_of_people(visits, schema, "visits.csv")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    icefire.core.errors.DataError: visits.csv: 6 rows have 3 different values of 'patient', ...
    """
    types = engines.lazy(table).collect_schema()
    known = [name for name in schema.qi if name in types]
    for key in _keys(schema, types):
        counts = rows_per_value(table, key)
        rows, values = int(counts.sum()), len(counts)
        if values == rows:
            continue
        own = _is_own(key) and values > FEW * rows
        if own or _agree(table, key, known):
            raise DataError(_message(where, rows, values, key))


def _keys(schema: Schema, types: nw.Schema) -> list[list[str]]:
    """The identifying columns, each by itself or with what is seldom shared together."""
    asked = (name for name in schema.identifying if not schema.column(name).accepted)
    present = [name for name in asked if name in types]
    dates = [n for n in present if types[n].is_temporal() or re.search(DATES, heading(n))]
    shared = [name for name in present if _suggests(SHARED, name)]
    keys = [[name] for name in present if name not in (*shared, *dates)]
    return [*keys, [*shared, *dates]] if shared else keys


def _is_own(key: Sequence[str]) -> bool:
    return len(key) == 1 and (_suggests(OWN, key[0]) or bool(re.search(PERSON, heading(key[0]))))


def _suggests(whats: Sequence[str], name: str) -> bool:
    return any(re.search(WORDS[what], heading(name)) for what in whats)


def rows_per_value(table: Native, key: Sequence[str]) -> pl.Series:
    """How many rows have each value, without missing ones and what stands for these."""
    counted = relational.collect(relational.count_by(table, key), engines.in_memory(table))
    return _without_placeholder(counted.drop_nulls(list(key))[relational.COUNT])


def _without_placeholder(counts: pl.Series) -> pl.Series:
    """Without the value that is far more frequent than all others, such as "none"."""
    ordered = counts.sort(descending=True)
    rest = ordered[1:]
    usual = float(rest.mean() or 0)  # type: ignore[arg-type]
    return rest if len(rest) and ordered[0] > COMMON * usual else ordered


def _agree(table: Native, key: Sequence[str], known: Sequence[str]) -> bool:
    """Whether rows that share the key agree in most quasi-identifiers, and not only in one, which the key may tell."""
    alike = agreement(table, key, known)
    return sum(alike) >= max(2, 2 * len(alike) / 3)


def agreement(table: Native, key: Sequence[str], known: Sequence[str]) -> list[bool]:
    """Whether rows that share the key agree in each of the columns, of those that have more than one value."""
    shares = [_disagreeing(table, key, name) for name in known]
    return [share <= DISAGREEING for share in shares if share is not None]


def _disagreeing(table: Native, key: Sequence[str], name: str) -> float | None:
    """Of the further rows with the same key, the share without the key's usual value; None for a constant.

    Three rows of one patient, two of them with the same town: one of two further rows disagrees.

    >>> towns = pl.DataFrame({"patient": [1, 1, 1, 2], "town": ["a", "a", "b", "b"]})
    >>> _disagreeing(towns, ["patient"], "town")
    0.5
    """
    pairs = relational.collect(relational.count_by(table, [*key, name]), engines.in_memory(table)).drop_nulls(list(key))
    if pairs[name].n_unique() < 2:
        return None
    by_key = pairs.group_by(key).agg(
        pl.col(relational.COUNT).sum().alias("rows"), pl.col(relational.COUNT).max().alias("usual")
    )
    further = int((by_key["rows"] - 1).sum())
    return None if not further else int((by_key["rows"] - by_key["usual"]).sum()) / further


def _message(where: str, rows: int, values: int, key: Sequence[str]) -> str:
    names = " and ".join(map(repr, key))
    return (
        f"{where}: {rows:,} rows have {values:,} different values of {names}, so some people have several "
        "rows, and figures would count rows as people. Keep one row for each person (icefire init FILE "
        f"--one-row-per {key[0]}), treat the rows as records over time (icefire init FILE --records), or, if "
        f'each row is another person, say why: accepted = "..." under [columns.{key[0]}] in schema.toml'
    )

"""Tables whose rows are not people: by which column several rows belong to one person, and what becomes of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from icefire.frames.identifying import WORDS, heading
from icefire.microdata.people import PERSON, agreement, rows_per_value

LEAST, REPEATING = 10, 1.02
"""Fewest different values of a key, and rows for each of them from which on it repeats."""
FEW_VALUES = 0.1
"""Values per row up to which a number that a heading names, such as a code of a type, need not be a person's."""
HOUSEHOLDS = r"household.?(id|no|num|key)|(^|[^a-z])(hh|hhid|serial)($|[^a-z])|世帯(番号|ID|id|コード)"
PERSONS = (
    rf"{PERSON}|(patient|customer|member|person|employee|student|client|user|subject|respondent|passenger|pupil|insured)"
    r"[ _-]?(no|num|nr|nbr|number|id|key|code)?($|[^a-z])"
    r"|(患者|顧客|会員|個人|利用者|社員|職員|学籍|受診者|被保険者|乗客|住民|生徒).*(番号|ID|id|コード)|カード番号"
)
"""Headings of what is given to a person once and for all."""
OWN = r"(^|[^a-z])(sex|gender|birth|born|dob|age|race|ethnic(ity)?)($|[^a-z])|性別|生年|誕生|年齢"
SHARED = (
    r"(^|[^a-z])(zip|postal|postcode|city|town|address|street|region|county|area)($|[^a-z])"
    r"|郵便|住所|市区町村|都道府県|地域"
)
"""What does not change between the rows of a person, and what people who live together share."""
ITEM = (
    r"item|product|stock|article|drug|diagnos|procedure|place|station|store|shop|service"
    r"|商品|品名|品目|薬|診療|行為|病名|駅|店|場所|サービス"
)
COLUMNS = {
    "price": r"price|単価|価格",
    "quantity": r"quantity|qty|数量|個数",
    "invoice": r"invoice|receipt|伝票|レシート",
    "time": r"(^|[^a-z])time($|[^a-z])|時刻",
}


@dataclass(frozen=True)
class RepeatedKey:
    """A column by which several rows belong together.

    >>> visits = pl.DataFrame({"patient": [i % 30 for i in range(90)], "sex": ["fm"[i % 30 % 2] for i in range(90)]})
    >>> find_repeated_key(visits)
    RepeatedKey(column='patient', rows=90, values=30, of='person')
    """

    column: str
    rows: int
    values: int
    of: Literal["person", "household"]


def find_repeated_key(frame: pl.DataFrame, identifying: Sequence[str] = ()) -> RepeatedKey | None:
    """The column that numbers people who have several rows, or households of several people; None if there is none.

    A heading says so, or the rows that share a value agree in what does not change: sex, birth, age, race. If they agree
    in where they live and not in these, it is a household.
    """
    own = [name for name in frame.columns if re.search(OWN, heading(name))]
    shared = [name for name in frame.columns if re.search(SHARED, heading(name))]
    for name in sorted(frame.columns, key=lambda name: not re.search(PERSONS, heading(name))):
        if name in (*own, *shared) or frame[name].dtype.is_float() or frame[name].dtype.is_temporal():
            continue
        if re.search(HOUSEHOLDS, heading(name)):
            continue
        says = bool(re.search(PERSONS, heading(name)))
        numbers = bool(re.search(WORDS["numbers of people or cases"], heading(name)))
        counts = rows_per_value(frame, [name])
        if (
            len(counts) < LEAST
            or counts.sum() < REPEATING * len(counts)
            or not (says or numbers or name in identifying or own)
        ):
            continue
        rows, values = frame[name].count(), frame[name].drop_nulls().n_unique()
        alike = agreement(frame, [name], own)
        same = len(alike) >= 2 and all(alike)
        if same or (says and (not alike or any(alike))):
            return RepeatedKey(name, rows, values, "person")
        together = agreement(frame, [name], shared)
        if (numbers or name in identifying) and together and all(together) and alike and not any(alike):
            return RepeatedKey(name, rows, values, "household")
        if numbers and not alike and FEW_VALUES * rows < values:
            return RepeatedKey(name, rows, values, "person")
    return None


def columns_of_records(frame: pl.DataFrame, user: str, item: str | None = None) -> dict[str, str] | None:
    """Which columns of a table are those of a history; None if there is no date, or nothing that somebody did.

    >>> from datetime import date
    >>> visits = pl.DataFrame({"patient": [1, 1], "day": [date(2024, 1, 3)] * 2, "drug": ["a", "b"], "price": [1.0, 2.0]})
    >>> columns_of_records(visits, "patient")
    {'user': 'patient', 'date': 'day', 'item': 'drug', 'price': 'price'}
    """
    dates = [column.name for column in frame if column.dtype in (pl.Date, pl.Datetime)]
    # A day of birth is the same in all rows of a person.
    dates = [name for name in dates if not all(agreement(frame, [user], [name]) or [False])]
    texts = [column.name for column in frame if column.dtype == pl.String and column.name != user]
    varied = [name for name in texts if not all(agreement(frame, [user], [name]) or [True])]
    likely = [name for name in frame.columns if name not in (user, *dates) and re.search(ITEM, heading(name))]
    chosen = [item] if item is not None else [*likely, *sorted(varied, key=lambda name: -frame[name].n_unique())]
    if not dates or not chosen:
        return None
    columns = {"user": user, "date": dates[0], "item": chosen[0]}
    for key, pattern in COLUMNS.items():
        others = (name for name in frame.columns if name not in columns.values() and name not in dates)
        if name := next((name for name in others if re.search(pattern, heading(name))), None):
            columns[key] = name
    return columns

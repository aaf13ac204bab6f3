"""The official files of PWSCUP 2018: T, A, A' and F' (guesses), without headers.

Names end in .csv or .txt and may go on after an underscore. A' is called A1 and F' is called F1, as by the contest's programs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.errors import DataError, FileError
from icefire.core.formats import RECIPE, Recipe
from icefire.frames import files
from icefire.frames.notation import parse_set, set_text
from icefire.frames.places import Lines, Place, reject_rows
from icefire.history import tables
from icefire.history.data import NONE, Guess, History, Ints, Release
from icefire.history.periods import Periods
from icefire.history.records import SPANS
from icefire.history.roles import Format
from icefire.history.schema import Schema
from icefire.history.sets import beginning

COLUMNS = ("user", "date", "item", "price", "quantity")
SCHEMA = Schema(periods="all")
BLANK = "*"
"""A cell that was deleted; a record is deleted if all its cells are."""
INTERVAL = r"^\[([^;]+);([^;]+)\]$"
PRICE = r"^\d+(\.\d{1,2})?$"


@dataclass(frozen=True)
class Pwscup2018(Format):
    """The official files of 2018: T, A, A' (as A1) and F' (guesses, as F1), without headers.

    A has a line for each line of T; A' is A without the deleted records, sorted. Cells are values, sets `{a;b}`, intervals
    `[lo;hi]` or `*`. T and A are enough to evaluate, T and A' to attack.
    """

    published_files: ClassVar[tuple[str, ...]] = ("A1[._]*",)
    submitted_files: ClassVar[tuple[str, ...]] = ("A[._]*",)
    known_files: ClassVar[tuple[str, ...]] = ("T[._]*",)
    guess_files: ClassVar[tuple[str, ...]] = ("F1[._]*",)

    def read_original(self, folder: Path) -> History:
        path = files.find_plain(folder, "T")
        table, place = files.read_plain(path, COLUMNS), Place(str(path), 1)
        _check_prices(table, place)
        return History(tables.parse_records(table, SCHEMA, place), SCHEMA, written=table, place=place)

    def write_original(self, original: History, folder: Path, extension: str = ".csv", seed: int = 0) -> None:
        with files.staged() as stage:
            stage.text(_csv(_official(original, original)), folder / "T.csv")

    def read_published(self, folder: Path, original: History) -> History:
        path = files.find_plain(folder, "A1")
        return _released(files.read_plain(path, COLUMNS), Place(str(path), 1), original)

    def read_handout(self, folder: Path) -> tuple[History, History]:
        original = self.read_original(folder)
        return self.read_published(folder, original), original

    def read_release(self, folder: Path, dealt: bool = False) -> Release:
        original = self.read_original(folder)
        if files.plain_files(folder, "A1"):
            return self.read_secret(folder, original, self.read_published(folder, original))
        lines, rows, place = _aligned(folder, original)
        order = _sorted(lines)
        return _linked(original, _released(lines[order], Lines.of(place, rows[order]), original), rows[order])

    def read_secret(self, folder: Path, original: History, published: History) -> Release:
        lines, rows, place = _aligned(folder, original)
        shown = published.texts()
        order, same = _sorted(shown), _sorted(lines)
        if not shown[order].equals(lines[same]):
            path = files.find_plain(folder, "A1")
            raise FileError(f"{path} does not hold the records of {Path(place.name).name} without the deleted ones")
        found = np.empty_like(rows)
        found[order] = rows[same]
        return _linked(original, published, found)

    def write_release(self, release: Release, folder: Path, recipe: Recipe, extension: str = ".csv") -> None:
        published = release.published
        for unfit, what in (
            ((release.rows == NONE).any(), "dummy records"),
            (published.has("invoice") or published.has("time"), "invoices and times"),
            (published.shared.any(), "sets of pseudonyms"),
        ):
            if unfit:
                raise DataError(f"the files of 2018 have no place for {what}: write the release in our own format")
        texts = _official(published, release.original)
        place = np.full(release.original.height, release.rows.size)
        place[release.rows] = np.arange(release.rows.size)
        aligned = pl.concat([texts, pl.DataFrame([dict.fromkeys(COLUMNS, BLANK)])])[place]
        with files.staged() as stage:
            if not files.plain_files(folder, "T"):
                stage.text(_csv(_official(release.original, release.original)), folder / "T.csv", secret=True)
            stage.remove(
                *self.outdated(folder), *(path for stem in ("A", "A1") for path in files.plain_files(folder, stem))
            )
            stage.text(_csv(texts[_sorted(texts)]), folder / "A1.csv")
            stage.text(_csv(aligned), folder / "A.csv", secret=True)
            stage.text(files.recipe_toml(recipe), folder / RECIPE, secret=True)

    def bare_release(self, line: str) -> str:
        return "A.csv"

    def bare_guess(self, line: str) -> str:
        return "F1.csv"

    def guess_path(self, folder: Path, name: str) -> Path:
        return folder / f"F1_{name}.csv"

    def read_guess(self, path: Path, published: History, knowledge: History) -> Guess:
        """Lines of a pseudonym and a customer; the first pseudonym of a customer is the one of the table."""
        table, line = files.read_counted(path, ("pseudonym", "user"))
        owners = tables.parse_owners(table, knowledge, published, Place(str(path), line))
        named = np.flatnonzero(owners != NONE)[::-1]
        codes = np.full((len(knowledge.users), len(knowledge.periods)), NONE, dtype=np.int64)
        codes[owners[named]] = named[:, None]
        return Guess(codes, owners)

    def write_guess(self, guess: Guess, path: Path, published: History, knowledge: History) -> None:
        with files.staged() as stage:
            stage.text(_csv(tables.guess_tables(guess, knowledge, published)["owners"].drop_nulls()), path)


def _aligned(folder: Path, original: History) -> tuple[pl.DataFrame, Ints, Place]:
    """The records of A that were not deleted, the original record of each, and where they stand."""
    path = files.find_plain(folder, "A")
    table, place = files.read_plain(path, COLUMNS), Place(str(path), 1)
    if table.height != original.height:
        deleted = ",".join([BLANK] * len(COLUMNS))
        raise FileError(f"{path} has {table.height} lines, T {original.height}: a deleted record is {deleted}")
    gone = table["user"] == BLANK
    mixed = gone & ~table.select(pl.all_horizontal(pl.all() == BLANK)).to_series()
    reject_rows(mixed, place, "the record has values and no pseudonym: delete all of its cells, or none")
    rows = (~gone).arg_true().to_numpy().astype(np.int64)
    return table[rows], rows, place


def _sorted(lines: pl.DataFrame) -> Ints:
    """The order of the lines as texts."""
    texts = lines.select(pl.concat_str(pl.all(), separator=",")).to_series()
    return texts.arg_sort().to_numpy().astype(np.int64)


def _released(lines: pl.DataFrame, place: Place, original: History) -> History:
    """Released records, from the cells of A or A'."""
    _check_items(lines["item"], place, original)
    _check_prices(lines, place)
    dates = original.frame["date"]
    # A date that was deleted may be any of them.
    anywhere = f"[{dates.min()!s}..{dates.max()!s}]"
    blanks = {"date": anywhere, "price": "", "quantity": ""}
    cells = [
        pl.col(name).replace(BLANK, blanks[name]).str.replace(INTERVAL, "[${1}..${2}]").alias(name) for name in SPANS
    ]
    items = pl.col("item").replace({label: _notation(label) for label in lines["item"].unique()})
    frame = tables.parse_records(lines.with_columns(*cells, items), SCHEMA, place)
    ends = [frame[name] for name in ("date", "date_to") if name in frame.columns]
    for name in (name for name in SPANS if f"{name}_to" in frame.columns):
        backwards = frame[name] > frame[f"{name}_to"]
        reject_rows(backwards, place, "the interval {value} ends before it begins", lines[name])
    periods = Periods.covering(SCHEMA.periods, pl.concat([dates, *(end.rename("date") for end in ends)]))
    return History(frame, SCHEMA, periods=periods, written=lines, place=place)


def _linked(original: History, published: History, rows: Ints) -> Release:
    pseudonyms = np.full((len(original.users), len(original.periods)), NONE, dtype=np.int64)
    backwards = np.argsort(-rows)
    pseudonyms[original.user_codes[rows[backwards]], 0] = published.user_codes[backwards]
    return Release(original, published, pseudonyms, rows, loose=True)


def _members(label: str) -> list[str]:
    return label[1:-1].split(";") if label.startswith("{") and label.endswith("}") else [label]


def _notation(label: str) -> str:
    """An item in our own notation."""
    return set_text(_members(label)) if label.startswith("{") else label


def _check_items(items: pl.Series, place: Place, original: History) -> None:
    known = {BLANK, *original.frame["item"].unique()}
    wrong = [label for label in items.unique() if not known.issuperset(_members(label))]
    problem = "{value!r} is not an item of T, a set {{a;b}} of them, or *"
    reject_rows(items.is_in(wrong), place, problem, items)


def _check_prices(lines: pl.DataFrame, place: Place) -> None:
    prices = lines["price"]
    ends = pl.DataFrame({"low": prices.str.extract(INTERVAL, 1), "high": prices.str.extract(INTERVAL, 2)})
    fits = ends.select(pl.all_horizontal(pl.all().str.contains(PRICE)).fill_null(False)).to_series()
    wrong = ~(fits | prices.str.contains(PRICE) | (prices == BLANK))
    reject_rows(wrong, place, "the price {value!r} is not a number of at most 2 decimals", prices)


def _official(history: History, original: History) -> pl.DataFrame:
    """Records as the contest wrote them."""
    if history.written is not None and tuple(history.written.columns) == COLUMNS:
        return history.written
    frame = history.frame
    missing = [pl.lit(1).alias(name) for name in ("price", "quantity") if name not in frame.columns]
    frame = frame.with_columns(missing)
    catalogue = original.frame["item"].unique().sort().to_list()
    labels = frame["item"].unique()
    items = pl.col("item").replace({label: _label(label, catalogue) for label in labels})
    return frame.select("user", _cells(frame, "date"), items, *(_cells(frame, name) for name in ("price", "quantity")))


def _label(label: str, catalogue: list[str]) -> str:
    """An item as the contest wrote it: prefixes become sets."""
    members, prefix = parse_set(label), beginning(label)
    if label in catalogue or label == BLANK or (members is None and prefix is None):
        members = [label]
    elif members is None:
        members = [item for item in catalogue if item.startswith(str(prefix))]
    if any(mark in member for member in members for mark in ",;{}"):
        raise DataError(f"the item {label!r} cannot be written into the files of 2018, which separate items by ;")
    return members[0] if len(members) == 1 else "{" + ";".join(members) + "}"


def _cells(frame: pl.DataFrame, name: str) -> pl.Expr:
    def text(column: pl.Expr) -> pl.Expr:
        if name == "date":
            return column.dt.strftime("%Y/%-m/%-d")
        return column.round(2).cast(pl.String).str.strip_suffix(".0") if name == "price" else column.cast(pl.String)

    low = text(pl.col(name))
    if f"{name}_to" in frame.columns:
        high = text(pl.col(f"{name}_to"))
        low = pl.when((low == high) | high.is_null()).then(low).otherwise(pl.format("[{};{}]", low, high))
    return low.fill_null(BLANK).alias(name)


def _csv(table: pl.DataFrame) -> str:
    return table.write_csv(include_header=False, quote_style="never")

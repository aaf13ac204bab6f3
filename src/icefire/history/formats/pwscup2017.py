"""The official files of PWSCUP 2017: M, T, AT, S, F, guesses and the attackers' tables T25 to T100, without headers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.errors import DataError, FileError
from icefire.core.formats import RECIPE, Recipe
from icefire.core.seeds import generator
from icefire.frames import files
from icefire.frames.places import Place, reject_rows
from icefire.history import tables
from icefire.history.data import NONE, Guess, History, Ints, Release
from icefire.history.formats.ours import checked_master
from icefire.history.roles import Format
from icefire.history.schema import COLUMNS, Schema

MASTER = ("user", "sex", "birth", "country")
PERCENTS = (25, 50, 75, 100)
CHARACTERS = 2
BLANK = dict.fromkeys(COLUMNS, "")


@dataclass(frozen=True)
class Pwscup2017(Format):
    """The official files of 2017: M, T, AT, S, F, guesses and the attackers' tables T25 to T100, without headers."""

    published_files: ClassVar[tuple[str, ...]] = ("S.csv",)
    submitted_files: ClassVar[tuple[str, ...]] = ("AT.csv", "S.csv", "F.csv")
    known_files: ClassVar[tuple[str, ...]] = ("M.csv", "T.csv")

    def read_original(self, folder: Path) -> History:
        path = folder / "M.csv"
        master = checked_master(files.read_plain(path, MASTER), Place(str(path), 1))
        return _read(folder / "T.csv", master=master)

    def write_original(self, original: History, folder: Path, extension: str = ".csv", seed: int = 0) -> None:
        """M and T, and for the attackers T25 to T100: so many percent of the rows, the others blank, items cut short."""
        with files.staged() as stage:
            stage.text(_csv(_master(original)), folder / "M.csv")
            texts = _official(original)
            stage.text(_csv(texts), folder / "T.csv")
            for percent in PERCENTS:
                order = generator(seed, "pwscup2017", percent).permutation(original.height)
                known = pl.Series(order < round(percent / 100 * original.height))
                short = texts.with_columns(pl.col("item").str.head(CHARACTERS))
                blank = short.with_columns(pl.when(known).then(pl.col(name)).otherwise(pl.lit("")) for name in COLUMNS)
                stage.text(_csv(blank), folder / f"T{percent}.csv")

    def read_published(self, folder: Path, original: History) -> History:
        return _read(folder / "S.csv", like=original)

    def read_handout(self, folder: Path) -> tuple[History, History]:
        original = self.read_original(folder)
        return self.read_published(folder, original), original

    def read_release(self, folder: Path) -> Release:
        original = self.read_original(folder)
        if (folder / "S.csv").is_file():
            return self.read_secret(folder, original, self.read_published(folder, original))
        # S is AT without the deleted rows: a folder without it is complete, too.
        lines, rows, place = _aligned(folder, original)
        return _linked(folder, original, _history(lines, _Lines(place, rows), original), rows, place)

    def read_secret(self, folder: Path, original: History, published: History) -> Release:
        lines, rows, place = _aligned(folder, original)
        shown = published.texts()
        order, same = (table.select(pl.struct(COLUMNS).arg_sort()).to_series().to_numpy() for table in (shown, lines))
        if not shown[order].equals(lines[same]):
            raise FileError(f"{folder / 'S.csv'} does not hold the rows of AT.csv without the deleted ones")
        found = np.empty_like(rows)
        found[order] = rows[same]
        return _linked(folder, original, published, found, place)

    def write_release(self, release: Release, folder: Path, recipe: Recipe, extension: str = ".csv") -> None:
        if (release.rows == NONE).any():
            raise DataError("the files of 2017 have no place for dummy records: write the release in our own format")
        if any(name.endswith("_to") for name in release.published.frame.columns):
            raise DataError("the files of 2017 have no place for intervals: write the release in our own format")
        texts = _official(release.published)
        place = np.full(release.original.height, release.rows.size)
        place[release.rows] = np.arange(release.rows.size)
        aligned = pl.concat([texts, pl.DataFrame([BLANK | {"user": tables.DELETED}])])[place]
        _check_deleted(aligned, Place("AT"))
        _check_rules(aligned, release.original, np.sort(release.rows), Place("AT"))
        table = tables.render_table(release.pseudonyms, release.published.users)
        pseudonyms = pl.DataFrame([release.original.users, *(t.alias(str(i)) for i, t in enumerate(table))])
        with files.staged() as stage:
            if not (folder / "T.csv").is_file():
                stage.text(_csv(_master(release.original)), folder / "M.csv", secret=True)
                stage.text(_csv(_official(release.original)), folder / "T.csv", secret=True)
            stage.remove(*self.outdated(folder))
            stage.text(_csv(texts), folder / "S.csv")
            stage.text(_csv(aligned), folder / "AT.csv", secret=True)
            stage.text(_csv(pseudonyms), folder / "F.csv", secret=True)
            stage.text(files.recipe_toml(recipe), folder / RECIPE, secret=True)

    def read_knowledge(self, path: Path, original: History) -> History:
        """An attacker's table; blank rows are not known, and items of two characters are beginnings."""
        table = files.read_plain(path, COLUMNS)
        known = (table["user"] != "").to_numpy()
        lines = table.filter(pl.Series(known))
        place = _Lines(Place(str(path), 1), np.flatnonzero(known))
        return _history(lines, place, original, users=original.users, complete=bool(known.all()))

    def read_guess(self, path: Path, published: History, knowledge: History) -> Guess:
        table = files.read_plain(path, ["user", *knowledge.periods.labels])
        codes = tables.parse_table(table, knowledge, published, "the guess", Place(str(path), 1))
        return Guess.of_table(codes, len(published.users))

    def write_guess(self, guess: Guess, path: Path, published: History, knowledge: History) -> None:
        with files.staged() as stage:
            stage.text(_csv(tables.guess_tables(guess, knowledge, published)["guess"]), path)


def _aligned(folder: Path, original: History) -> tuple[pl.DataFrame, Ints, Place]:
    """The rows of AT that were not deleted, the original record of each, and where they stand."""
    path, place = folder / "AT.csv", Place(str(folder / "AT.csv"), 1)
    aligned = files.read_plain(path, COLUMNS)
    if aligned.height != original.height:
        raise FileError(f"{path} has {aligned.height} rows, T.csv {original.height}: deleted rows are {_deleted()}")
    _check_deleted(aligned, place)
    rows = np.flatnonzero((aligned["user"] != tables.DELETED).to_numpy())
    _check_rules(aligned, original, rows, place)
    return aligned[rows], rows, place


def _linked(folder: Path, original: History, published: History, rows: Ints, place: Place) -> Release:
    """The release by its pseudonym table F."""
    table = files.read_plain(folder / "F.csv", ["user", *original.periods.labels])
    secret = Place(str(folder / "F.csv"), 1)
    pseudonyms = tables.parse_table(table, original, published, "the pseudonym table", secret, exclusive=True)
    _check_owners(original, published, pseudonyms, rows, place)
    try:
        return Release(original, published, pseudonyms, rows)
    except DataError as error:
        raise FileError(f"{secret.name}: {error}") from error


class _Lines(Place):
    """Lines of a file of which some rows were left out."""

    def __init__(self, place: Place, rows: np.ndarray) -> None:
        super().__init__(place.name, place.first_line)
        object.__setattr__(self, "rows", rows)

    rows: np.ndarray

    def at(self, row: int) -> str:
        return super().at(int(self.rows[row]))


def _read(path: Path, like: History | None = None, master: pl.DataFrame | None = None) -> History:
    return _history(files.read_plain(path, COLUMNS), Place(str(path), 1), like, master=master)


def _history(
    table: pl.DataFrame,
    place: Place,
    like: History | None,
    users: pl.Series | None = None,
    master: pl.DataFrame | None = None,
    complete: bool = True,
) -> History:
    schema = Schema()
    frame = tables.parse_records(table, schema, place)
    if users is not None and (frame["item"].str.len_chars() <= CHARACTERS).all():
        frame = frame.with_columns(pl.col("item") + "*")
    periods = None if like is None else like.periods
    return History(
        frame,
        schema,
        periods=periods,
        users=users,
        master=master,
        complete=complete,
        written=table.select(COLUMNS),
        place=place,
    )


def _master(original: History) -> pl.DataFrame:
    master = pl.DataFrame({"user": original.users}) if original.master is None else original.master
    return master.select(
        pl.col(name).cast(pl.String).fill_null("") if name in master.columns else pl.lit("").alias(name)
        for name in MASTER
    )


def _official(history: History) -> pl.DataFrame:
    """Records as the contest wrote them."""
    if history.written is not None:
        return history.written
    texts = history.texts()
    missing = {"invoice": "0", "time": "0:00", "price": "1", "quantity": "1"}
    added = [pl.lit(value).alias(name) for name, value in missing.items() if name not in texts.columns]
    return texts.with_columns(*added).with_columns(pl.col("price").str.strip_suffix(".0")).select(COLUMNS)


def _csv(table: pl.DataFrame) -> str:
    # An empty text would be written as "".
    return table.with_columns(pl.all().cast(pl.String).replace("", None)).write_csv(include_header=False)


def _deleted() -> str:
    return tables.DELETED + "," * (len(COLUMNS) - 1)


def _check_deleted(aligned: pl.DataFrame, place: Place) -> None:
    deleted = aligned["user"] == tables.DELETED
    rest = pl.concat_str([pl.col(name) for name in COLUMNS[1:]])
    mixed = deleted & (aligned.select(rest).to_series() != "")
    reject_rows(mixed, place, f"a deleted row has no other values: write {_deleted()}", aligned["user"])
    for name in COLUMNS[1:]:
        stray = (aligned[name] == tables.DELETED) & ~deleted
        reject_rows(stray, place, f"{{value}} stands in the column {name}: only a whole row is deleted", aligned[name])


def _check_rules(aligned: pl.DataFrame, original: History, rows: np.ndarray, place: Place) -> None:
    """What the contest demanded of a release, line by line."""
    if 2 * rows.size < original.height:
        raise FileError(f"{place.name} keeps {rows.size} of {original.height} rows: at least half have to stay")
    lines, there = aligned[rows], _Lines(place, rows)
    ids = original.users.implode()
    reject_rows(lines["user"].is_in(ids), there, "the pseudonym {value!r} is an original customer id", lines["user"])
    reject_rows(
        ~lines["item"].is_in(original.frame["item"].unique().implode()),
        there,
        "the item {value!r} is unknown to T",
        lines["item"],
    )
    price = ~lines["price"].str.contains(r"^\d{1,5}(\.\d{1,2})?$")
    reject_rows(price, there, "the price {value!r} has more than 5 digits or 2 decimals", lines["price"])
    reject_rows(
        ~lines["quantity"].str.contains(r"^\d{1,6}$"),
        there,
        "the quantity {value!r} is not of 1 to 6 digits",
        lines["quantity"],
    )
    frame = tables.parse_records(lines, Schema(), there)
    before = original.frame["date"].gather(rows)
    moved = (frame["date"].dt.year() != before.dt.year()) | (frame["date"].dt.month() != before.dt.month())
    reject_rows(moved, there, "the date {value} has left its month", lines["date"])


def _check_owners(
    original: History, published: History, pseudonyms: np.ndarray, rows: np.ndarray, place: Place
) -> None:
    """Row by row, the pseudonym is the one that F gives to the customer in that month."""
    users, periods = original.user_codes[rows], original.period_codes[rows]
    wrong = np.flatnonzero(pseudonyms[users, periods] != published.user_codes)
    if wrong.size:
        at = int(wrong[rows[wrong].argmin()])
        name, user = published.frame["user"][at], original.users[int(users[at])]
        label = original.periods.labels[int(periods[at])]
        raise FileError(f"{place.at(int(rows[at]))}: {name!r} is not the pseudonym that F gives to {user!r} in {label}")

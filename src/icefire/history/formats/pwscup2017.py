"""The official files of PWSCUP 2017: M, T, AT, S, F, Fh (guesses) and the attackers' tables T25 to T100, without headers.

Names end in .csv or .txt and may go on after an underscore, as in `S_aa.txt`.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from icefire.core.errors import DataError, FileError, InputWarning
from icefire.core.formats import RECIPE, Recipe
from icefire.core.seeds import generator
from icefire.frames import files
from icefire.frames.places import Lines, Place, reject_rows
from icefire.history import tables
from icefire.history.data import NONE, Guess, History, Ints, Release
from icefire.history.formats.ours import checked_master
from icefire.history.periods import Periods
from icefire.history.roles import Format
from icefire.history.schema import COLUMNS, Schema

MASTER = ("user", "sex", "birth", "country")
PERCENTS = (25, 50, 75, 100)
CHARACTERS = 2
UNKNOWN = dict.fromkeys(COLUMNS, "") | {"user": tables.DELETED}
"""A row that was deleted, or that an attacker does not know."""


@dataclass(frozen=True)
class Pwscup2017(Format):
    """The official files of 2017: M, T, AT, S, F, Fh (guesses) and the attackers' tables T25 to T100, without headers.

    F may be left out: T and AT say as much. Attackers need S and one of T, T25, T50, T75 and T100.
    """

    published_files: ClassVar[tuple[str, ...]] = ("S[._]*",)
    submitted_files: ClassVar[tuple[str, ...]] = ("AT[._]*", "S[._]*", "F[._]*")
    optional_files: ClassVar[tuple[str, ...]] = ("S[._]*", "F[._]*")
    known_files: ClassVar[tuple[str, ...]] = ("M[._]*", "T[._]*")
    level_files: ClassVar[tuple[str, ...]] = tuple(f"T{percent}[._]*" for percent in PERCENTS)
    guess_files: ClassVar[tuple[str, ...]] = ("Fh*.csv", "Fh*.txt")

    def read_original(self, folder: Path) -> History:
        return _read(files.find_plain(folder, "T"), master=_read_master(folder))

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
                blank = [
                    pl.when(known).then(pl.col(name)).otherwise(pl.lit(UNKNOWN[name])).alias(name) for name in COLUMNS
                ]
                stage.text(_csv(short.with_columns(blank)), folder / f"T{percent}.csv")

    def read_published(self, folder: Path, original: History) -> History:
        return _read(files.find_plain(folder, "S"), original.periods)

    def read_handout(self, folder: Path) -> tuple[History, History]:
        if files.plain_files(folder, "T"):
            original = self.read_original(folder)
            return self.read_published(folder, original), original
        known = [path for percent in PERCENTS for path in files.plain_files(folder, f"T{percent}")]
        if len(known) > 1:
            names = ", ".join(path.name for path in known)
            raise FileError(f"{folder} holds {names}: say which of them is known, --knowledge {known[0]}")
        return self.read_partial(folder, known[0] if known else files.find_plain(folder, "T"))

    def read_partial(self, folder: Path, knowledge: Path) -> tuple[History, History]:
        if files.plain_files(folder, "T"):
            return super().read_partial(folder, knowledge)
        # Without T, the periods are those of all dates at hand.
        shown, known = files.find_plain(folder, "S"), _read_known(knowledge)
        lines, place = files.read_plain(shown, COLUMNS), Place(str(shown), 1)
        tables_at_hand = ((lines, place), (known[0], known[1]))
        dates = pl.concat([tables.parse_records(table, Schema(), at)["date"] for table, at in tables_at_hand])
        periods = Periods.covering(Schema().periods, dates)
        if files.plain_files(folder, "M"):
            users = _read_master(folder)["user"]
        else:
            users = known[0]["user"].unique().sort()
            message = f"{folder} has no M: the guess is about the {len(users):,} customers of {knowledge.name} alone"
            warnings.warn(message, InputWarning, stacklevel=2)
        return _history(lines, place, periods), _history(known[0], known[1], periods, users=users, complete=known[2])

    def read_release(self, folder: Path, dealt: bool = False) -> Release:
        original = self.read_original(folder)
        if files.plain_files(folder, "S"):
            return self.read_secret(folder, original, self.read_published(folder, original))
        # S is AT without the deleted rows: a folder without it is complete, too.
        lines, rows, place = _aligned(folder, original)
        return _linked(folder, original, _history(lines, Lines.of(place, rows), original.periods), rows, place)

    def read_secret(self, folder: Path, original: History, published: History) -> Release:
        lines, rows, place = _aligned(folder, original)
        shown = published.texts()
        order, same = (table.select(pl.struct(COLUMNS).arg_sort()).to_series().to_numpy() for table in (shown, lines))
        if not shown[order].equals(lines[same]):
            path = files.find_plain(folder, "S")
            raise FileError(f"{path} does not hold the rows of {Path(place.name).name} without the deleted ones")
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
        aligned = pl.concat([texts, pl.DataFrame([UNKNOWN])])[place]
        _check_deleted(aligned, Place("AT"))
        _check_rules(aligned, release.original, np.sort(release.rows), Place("AT"))
        table = tables.render_table(release.pseudonyms, release.published.users)
        pseudonyms = pl.DataFrame([release.original.users, *(t.alias(str(i)) for i, t in enumerate(table))])
        with files.staged() as stage:
            if not files.plain_files(folder, "T"):
                stage.text(_csv(_master(release.original)), folder / "M.csv", secret=True)
                stage.text(_csv(_official(release.original)), folder / "T.csv", secret=True)
            stage.remove(
                *self.outdated(folder), *(p for stem in ("S", "AT", "F") for p in files.plain_files(folder, stem))
            )
            stage.text(_csv(texts), folder / "S.csv")
            stage.text(_csv(aligned), folder / "AT.csv", secret=True)
            stage.text(_csv(pseudonyms), folder / "F.csv", secret=True)
            stage.text(files.recipe_toml(recipe), folder / RECIPE, secret=True)

    def read_knowledge(self, path: Path, original: History) -> History:
        """An attacker's table; rows that are DEL or blank are not known, and items of two characters are beginnings."""
        lines, place, complete = _read_known(path)
        return _history(lines, place, original.periods, users=original.users, complete=complete)

    def level_file(self, folder: Path, level: str) -> Path | None:
        return next(iter(files.plain_files(folder, level)), None)

    def bare_release(self, line: str) -> str:
        return "AT.csv"

    def bare_guess(self, line: str) -> str:
        return "Fh.csv"

    def guess_name(self, path: Path) -> str:
        """What stands after Fh; `Fh25_aa.txt` and `Fh_T25.csv` are both called T25."""
        table = re.match(r"Fh_?T?(\d+)(?:_|$)", path.stem)
        return f"T{table[1]}" if table else path.stem.removeprefix("Fh").removeprefix("_")

    def guess_path(self, folder: Path, name: str) -> Path:
        return folder / f"Fh_{name}.csv"

    def guesses(self, folder: Path) -> list[Path]:
        return sorted(path for pattern in self.guess_files for path in folder.glob(pattern))

    def read_guess(self, path: Path, published: History, knowledge: History) -> Guess:
        table, line = files.read_counted(path, ["user", *knowledge.periods.labels])
        place = Place(str(path), line)
        codes = tables.parse_table(table, knowledge, published, "the guess", place, tolerant=True)
        return Guess.of_table(codes, len(published.users))

    def write_guess(self, guess: Guess, path: Path, published: History, knowledge: History) -> None:
        table = tables.guess_tables(guess, knowledge, published)["guess"]
        with files.staged() as stage:
            stage.text(f"{table.height}\n" + _csv(table), path)


def _read_master(folder: Path) -> pl.DataFrame:
    path = files.find_plain(folder, "M")
    return checked_master(files.read_plain(path, MASTER), Place(str(path), 1))


def _read_known(path: Path) -> tuple[pl.DataFrame, Place, bool]:
    """The rows of an attacker's table that are known, where they stand, and whether these are all rows."""
    table, place = files.read_plain(path, COLUMNS), Place(str(path), 1)
    _check_deleted(table, place)
    known = ~table["user"].is_in(["", tables.DELETED])
    return table.filter(known), Lines.of(place, known.arg_true().to_numpy()), bool(known.all())


def _aligned(folder: Path, original: History) -> tuple[pl.DataFrame, Ints, Place]:
    """The rows of AT that were not deleted, the original record of each, and where they stand."""
    path = files.find_plain(folder, "AT")
    place = Place(str(path), 1)
    aligned = files.read_plain(path, COLUMNS)
    if aligned.height != original.height:
        raise FileError(f"{path} has {aligned.height} rows, T {original.height}: deleted rows are {_deleted()}")
    _check_deleted(aligned, place)
    rows = np.flatnonzero((aligned["user"] != tables.DELETED).to_numpy())
    _check_rules(aligned, original, rows, place)
    return aligned[rows], rows, place


def _linked(folder: Path, original: History, published: History, rows: Ints, place: Place) -> Release:
    """The release, with the pseudonym table that T and AT give; F has to say the same."""
    users, periods = original.user_codes[rows], original.period_codes[rows]
    pseudonyms = np.full((len(original.users), len(original.periods)), NONE, dtype=np.int64)
    backwards = np.argsort(-rows)
    pseudonyms[users[backwards], periods[backwards]] = published.user_codes[backwards]
    if files.plain_files(folder, "F"):
        secret = files.find_plain(folder, "F")
        table, line = files.read_counted(secret, ["user", *original.periods.labels])
        at = Place(str(secret), line)
        told = tables.parse_table(table, original, published, "the pseudonym table", at)
        _check_owners(original, published, told, rows, place)
        _check_absent(original, published, told, pseudonyms, table["user"], at)
    _check_owners(original, published, pseudonyms, rows, place)
    return Release(original, published, pseudonyms, rows, loose=_shared(original, published, pseudonyms, place))


def _read(path: Path, periods: Periods | None = None, master: pl.DataFrame | None = None) -> History:
    return _history(files.read_plain(path, COLUMNS), Place(str(path), 1), periods, master=master)


def _history(
    table: pl.DataFrame,
    place: Place,
    periods: Periods | None,
    users: pl.Series | None = None,
    master: pl.DataFrame | None = None,
    complete: bool = True,
) -> History:
    schema = Schema()
    frame = tables.parse_records(table, schema, place)
    if users is not None and (frame["item"].str.len_chars() <= CHARACTERS).all():
        frame = frame.with_columns(pl.col("item") + "*")
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
    if rows.size < original.height // 2:
        raise FileError(f"{place.name} keeps {rows.size} of {original.height} rows: at least half have to stay")
    lines, there = aligned[rows], Lines.of(place, rows)
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


def _check_owners(original: History, published: History, pseudonyms: Ints, rows: Ints, place: Place) -> None:
    """Row by row, the pseudonym is the one that the table gives to the customer in that month."""
    users, periods = original.user_codes[rows], original.period_codes[rows]
    wrong = np.flatnonzero(pseudonyms[users, periods] != published.user_codes)
    if wrong.size:
        at = int(wrong[rows[wrong].argmin()])
        name, user = published.frame["user"][at], original.users[int(users[at])]
        label, code = original.periods.labels[int(periods[at])], int(pseudonyms[users[at], periods[at]])
        given = tables.DELETED if code == NONE else repr(published.users[code])
        raise FileError(
            f"{place.at(int(rows[at]))}: {name!r} is not the pseudonym that {user!r} has in {label}, {given}: a customer "
            "has one pseudonym a month"
        )


def _check_absent(
    original: History, published: History, told: Ints, pseudonyms: Ints, names: pl.Series, place: Place
) -> None:
    """F gives no pseudonym to customers of whom no record of that month is left."""
    wrong = np.argwhere(told != pseudonyms)
    if wrong.size:
        user, period = original.users[int(wrong[0][0])], original.periods.labels[int(wrong[0][1])]
        name = published.users[int(told[tuple(wrong[0])])]
        row = int((names == user).arg_true()[0])
        raise FileError(
            f"{place.at(row)}: {user!r} has {name!r} in {period}, but no record there: write {tables.DELETED}"
        )


def _shared(original: History, published: History, pseudonyms: Ints, place: Place) -> bool:
    """Whether customers share a pseudonym in a month, with a warning."""
    for period, codes in enumerate(pseudonyms.T):
        names, counts = np.unique(codes[codes != NONE], return_counts=True)
        if (counts > 1).any():
            code = names[counts > 1][0]
            first, second = (original.users[int(user)] for user in np.flatnonzero(codes == code)[:2])
            message = (
                f"{place.name}: {published.users[int(code)]!r} stands for two customers in "
                f"{original.periods.labels[period]}, {first!r} and {second!r}; the contest accepted that"
            )
            warnings.warn(message, InputWarning, stacklevel=2)
            return True
    return False

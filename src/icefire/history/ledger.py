"""The ledger of the release gate: earlier releases with their secrets and their measured risk."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias, TypedDict

import numpy as np
import polars as pl

from icefire.core.errors import DataError, FileError, InputError
from icefire.frames import files
from icefire.history.data import NONE, History, Ints, Release
from icefire.history.formats.ours import Ours
from icefire.history.periods import Periods

FILE = "ledger.json"


class Measured(TypedDict):
    """MM at a period, and the attack that reached it."""

    value: float
    attack: str


Curves: TypeAlias = dict[str, dict[str, Measured]]
"""Measurements by attacker and period."""


@dataclass(frozen=True)
class Entry:
    """An earlier release: its folder in the ledger, its periods, and what was measured for them."""

    folder: str
    periods: tuple[str, ...]
    curves: Curves


class Ledger:
    """A folder of releases in order. It holds secrets, so it is readable by its owner only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.format = Ours()

    def entries(self) -> list[Entry]:
        """The earlier releases; none if the folder is empty or does not exist."""
        path = self.folder / FILE
        if not path.is_file():
            if self.folder.is_dir() and any(self.folder.iterdir()):
                raise FileError(f"{self.folder} is not a ledger: it is not empty and has no {FILE}")
            return []
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            return [Entry(entry["folder"], tuple(entry["periods"]), entry["curves"]) for entry in content["releases"]]
        except (ValueError, KeyError, TypeError) as error:
            raise FileError(f"{path} is damaged: it is not a list of releases as icefire writes it") from error

    def releases(self) -> list[Release]:
        """Read all earlier releases."""
        for entry in self.entries():
            if not (self.folder / entry.folder).is_dir():
                raise FileError(f"the ledger {self.folder} is damaged: its release {entry.folder} is missing")
        return [self.format.read_release(self.folder / entry.folder) for entry in self.entries()]

    def record(self, release: Release, curves: Curves) -> Entry:
        """Add a release."""
        entries = self.entries()
        labels = periods_of(release)
        name = labels[0] if len(labels) == 1 else f"{labels[0]}..{labels[-1]}"
        entry = Entry(f"{len(entries) + 1:03}-{name}", labels, curves)
        self.folder.mkdir(parents=True, exist_ok=True)
        os.chmod(self.folder, 0o700)
        self.format.write_release(release, self.folder / entry.folder, {"entry": entry.folder})
        document = {
            "releases": [{"folder": e.folder, "periods": e.periods, "curves": e.curves} for e in [*entries, entry]]
        }
        with files.staged() as stage:
            stage.text(json.dumps(document, indent=2) + "\n", self.folder / FILE, secret=True)
        return entry


def periods_of(release: Release) -> tuple[str, ...]:
    """The labels of the periods in which a release has records."""
    return tuple(release.original.periods.labels[code] for code in np.unique(release.published.period_codes))


def combined(releases: list[Release]) -> Release:
    """Several releases as one. A name that occurs in two releases is the same pseudonym."""
    rules = {release.original.periods.rule for release in releases}
    if len(rules) > 1:
        raise DataError(f"releases with periods of different lengths cannot be combined: {', '.join(sorted(rules))}")
    _check_order(releases)
    releases = [_own_periods(release) for release in releases]
    original = pl.concat([release.original.frame for release in releases], how="diagonal_relaxed")
    published = pl.concat([release.published.frame for release in releases], how="diagonal_relaxed")
    users = pl.concat([release.original.users for release in releases]).unique().sort()
    schema = releases[0].original.schema
    periods = Periods.covering(schema.periods, pl.concat([original["date"], published["date"]]))
    before = History(original, schema, periods=periods, users=users)
    after = History(published, schema, periods=periods)
    pseudonyms = np.full((len(users), len(periods)), NONE, dtype=np.int64)
    rows, offset = [], 0
    for release in releases:
        owners, months = np.nonzero(release.pseudonyms != NONE)
        place = [
            periods.labels.index(label) if label in periods.labels else NONE
            for label in release.original.periods.labels
        ]
        people = _codes(release.original.users, users)[owners]
        names = _codes(release.published.users, after.users)[release.pseudonyms[owners, months]]
        pseudonyms[people, np.array(place)[months]] = names
        rows.append(np.where(release.rows == NONE, NONE, release.rows + offset))
        offset += release.original.height
    return Release(before, after, pseudonyms, np.concatenate(rows))


def _own_periods(release: Release) -> Release:
    """The release without the original records of periods in which it publishes nothing; another release covers them."""
    kept = np.isin(release.original.period_codes, np.unique(release.published.period_codes))
    if kept.all():
        return release
    place = np.where(kept, np.cumsum(kept) - 1, NONE)
    rows = np.where(release.rows == NONE, NONE, place[release.rows])
    return replace(release, original=release.original.only(kept, release.original.complete), rows=rows)


def _codes(names: pl.Series, known: pl.Series) -> Ints:
    """The position of each name in `known`; NONE for names that are not there."""
    return names.cast(pl.Enum(known), strict=False).to_physical().cast(pl.Int64).fill_null(NONE).to_numpy()


def _check_order(releases: list[Release]) -> None:
    last = ""
    for release in releases:
        labels = periods_of(release)
        if last and labels[0] <= last:
            raise InputError(
                f"{labels[0]} is not later than {last}, which has been released already: a release may only add later periods"
            )
        last = labels[-1]

"""Reader of GPS points and check-ins as traces on a grid."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
import polars as pl

from icefire.core.errors import DataError, FileError
from icefire.core.parameters import AtLeast, Between
from icefire.frames import files
from icefire.frames.places import Place, reject_rows
from icefire.trace.data import Ints, Traces
from icefire.trace.grid import Grid
from icefire.trace.roles import Dataset

COLUMNS = ("user", "timestamp", "latitude", "longitude")
KILOMETRES = 111.0
"""Length of a degree of latitude; a degree of longitude is shorter by the cosine of the latitude."""


@dataclass(frozen=True)
class Gps(Dataset):
    """GPS points or check-ins (user, timestamp, latitude, longitude) from a file, as traces on a grid.

    The grid spans all points. At each time (every `minutes` from `begin` to `end` o'clock) a user is at the last point so far,
    or else at the first point that follows. The first half of the days becomes the reference, the second half the original;
    users without points in both halves are left out.

    Parameters:
        file: path of the file.
        rows, columns: size of the grid.
        minutes: length of a time slot.
        begin, end: first and last hour of a day.

    Example:
        On the first day ann is in the south-west (region 0), on the second in the north-east (region 3).

        >>> import tempfile, numpy as np
        >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        ...     print("user,timestamp,latitude,longitude", file=file)
        ...     print("ann,2012-04-03 09:00:00,35.6,139.7", file=file)
        ...     print("ann,2012-04-04 09:00:00,35.7,139.8", file=file, flush=True)
        ...     walks = Gps(file=file.name, rows=2, columns=2, minutes=300).generate(np.random.default_rng(0))
        >>> walks.reference.tolist(), walks.original.tolist()
        ([[0, 0]], [[3, 3]])
    """

    paths: ClassVar[tuple[str, ...]] = ("file",)
    file: str
    rows: Annotated[int, AtLeast(2)] = 32
    columns: Annotated[int, AtLeast(2)] = 32
    minutes: Annotated[int, Between(1, 720)] = 30
    begin: Annotated[int, Between(0, 23)] = 8
    end: Annotated[int, Between(1, 24)] = 18

    def generate(self, rng: np.random.Generator) -> Traces:
        path = Path(self.file)
        points = self._points(path)
        grid = self._grid(points)
        day = points["timestamp"].dt.date().to_physical().to_numpy().astype(np.int64)
        days = np.unique(day)
        if days.size < 2:
            raise DataError(f"{path} has points of one day only: reference and original traces need at least two days")
        minute = (points["timestamp"].dt.hour().cast(pl.Int64) * 60 + points["timestamp"].dt.minute()).to_numpy()
        slots = (self.end - self.begin) * 60 // self.minutes
        if slots < 1:
            raise DataError(f"no time slot of {self.minutes} minutes fits between {self.begin} and {self.end} o'clock")
        half = days.size // 2
        place = np.searchsorted(days, day)
        regions = grid.locate(points["latitude"].to_numpy(), points["longitude"].to_numpy())
        users = points["user"].unique().sort()
        codes = points["user"].cast(pl.Enum(users)).to_physical().to_numpy().astype(np.int64)
        slot = np.clip((minute - self.begin * 60) // self.minutes, 0, slots - 1)
        parts = []
        for first, last in ((0, half), (days.size - half, days.size)):
            inside = (place >= first) & (place < last)
            time = (place - first) * slots + slot
            parts.append(_filled(codes[inside], time[inside], regions[inside], (len(users), half * slots)))
        known = (parts[0][:, 0] >= 0) & (parts[1][:, 0] >= 0)
        if not known.any():
            raise DataError(f"{path}: no user has points in both halves of the days")
        kept = users.filter(pl.Series(known))
        return Traces(parts[0][known], parts[1][known], grid, day=slots, users=kept)

    def _points(self, path: Path) -> pl.DataFrame:
        place = Place(str(path), first_line=2)
        table = files.read_table(path, ("user", "timestamp"))
        missing = [name for name in COLUMNS if name not in table.columns]
        if missing:
            raise FileError(f"{path} has no column {', '.join(missing)}; it has {', '.join(table.columns)}")
        stamps = table["timestamp"]
        if stamps.dtype == pl.String:
            text = stamps.str.replace("T", " ").str.strip_suffix("Z")
            parsed = text.str.to_datetime("%Y-%m-%d %H:%M:%S", strict=False)
            stamps = parsed.fill_null(text.str.to_datetime("%Y-%m-%d %H:%M", strict=False))
            problem = "{value!r} is not a time such as 2019-10-01 08:30:00"
            reject_rows(stamps.is_null(), place, problem, table["timestamp"])
        points = table.select(COLUMNS).with_columns(pl.col("user").cast(pl.String), stamps.alias("timestamp"))
        for name, largest in (("latitude", 90), ("longitude", 180)):
            bad = points[name].is_null() | ~points[name].is_between(-largest, largest)
            reject_rows(bad, place, f"{{value}} is not a {name}", points[name])
        return points.sort("timestamp", maintain_order=True)

    def _grid(self, points: pl.DataFrame) -> Grid:
        places = points.select(COLUMNS[2:]).to_numpy()
        low, high = places.min(axis=0).tolist(), places.max(axis=0).tolist()
        # The northern and eastern borders are exclusive, so they are moved outwards a little.
        north, east = (top + max(1e-9, 1e-6 * (top - bottom)) for top, bottom in zip(high, low, strict=True))
        height = (north - low[0]) * KILOMETRES / self.rows
        width = (east - low[1]) * KILOMETRES * np.cos(np.radians((north + low[0]) / 2)) / self.columns
        return Grid(self.rows, self.columns, float(height), float(width), low[0], low[1], north, east)


def _filled(users: Ints, times: Ints, regions: Ints, shape: tuple[int, int]) -> Ints:
    """[user, time]: the last region so far, or else the first; -1 for users without points."""
    table = np.full(shape, -1, dtype=np.int64)
    table[users, times] = regions
    seen = np.where(table >= 0, np.arange(shape[1]), -1)
    last = np.maximum.accumulate(seen, axis=1)
    first = np.argmax(table >= 0, axis=1)
    chosen = np.where(last >= 0, last, first[:, None])
    return np.take_along_axis(table, chosen, axis=1)

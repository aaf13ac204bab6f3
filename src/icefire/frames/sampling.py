"""A uniform sample of the values of a column, drawn in one pass by a threshold on their hash.

The values with the smallest hashes are kept, and the users of each, as KHyperLogLog does. Samples of parts of a table merge
into the sample of the table. The hash is computed by icefire itself, in batches: engines have no hash in common, and they
write numbers and times differently, so that only then all of them draw the same values.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from icefire.frames.engines import Native, lazy
from icefire.frames.ragged import distinct

Words = NDArray[np.uint64]
HASHES = 1 << 16
"""Hashes that are kept to count the distinct values: exact up to so many, with an error of 0.4% beyond."""
BATCH = 1 << 19
"""Rows of a batch."""
BLOCK = 1 << 20
"""Bytes of text that are hashed at a time."""
_PARTS = "part long, value long, user long, records long"


class ValueSample:
    """A sample of the combinations of values in some columns, and how many records and users have each.

    >>> visits = pl.DataFrame({"who": ["a", "a", "b"], "where": ["x", "x", "y"]})
    >>> sample = ValueSample(size=10, salt=1)
    >>> sample.add(visits, ["where"], "who")
    >>> sample.records, sample.values, sorted(sample.means.tolist())
    (3, 2, [1.0, 2.0])
    """

    def __init__(self, size: int, salt: int) -> None:
        self.size, self.salt = size, salt
        self.records = 0
        self._kept = max(HASHES, 2 * size)
        self._hashes: Words = np.zeros(0, dtype=np.uint64)
        self._loose: list[pl.DataFrame] = []
        self._summed: pl.DataFrame | None = None
        self._pairs = pl.DataFrame(schema={"value": pl.UInt64, "user": pl.UInt64, "records": pl.Int64})

    def add(self, batch: pl.DataFrame, names: Sequence[str], user: str | None) -> None:
        """Add some rows of the table."""
        self.records += batch.height
        values = batch.select(names).unique()
        hashes = row_hashes(values, self.salt)
        self._add_hashes(hashes)
        if user is None:
            return
        drawn = hashes <= self._threshold
        if drawn.any():
            keys = values.filter(pl.Series(drawn)).with_columns(__value=pl.Series(hashes[drawn]))
            rows = batch.select(*dict.fromkeys([*names, user])).join(keys, on=list(names), nulls_equal=True)
            pairs = rows.group_by("__value", user).agg(pl.len().alias("__records"))
            users = pl.Series(row_hashes(pairs.select(user), 0))
            self._add_pairs(pairs.select(value="__value", user=users, records=pl.col("__records").cast(pl.Int64)))

    def merge(self, other: ValueSample) -> None:
        """Add the sample of another part of the table."""
        self.records += other.records
        self._add_hashes(other._hashes)
        self._add_pairs(other._merged())

    @property
    def exact(self) -> bool:
        """Whether `values` is the exact number of distinct values."""
        return self._hashes.size < self._kept

    @property
    def values(self) -> int:
        """Number of distinct values."""
        if self.exact:
            return int(self._hashes.size)
        return round((self._kept - 1) / ((float(self._hashes[-1]) + 1.0) / 2.0**64))

    @property
    def values_error(self) -> float:
        """Relative standard error of `values`."""
        return 0.0 if self.exact else (self._kept - 2) ** -0.5

    @property
    def drawn(self) -> int:
        return min(self.size, self._hashes.size)

    @property
    def means(self) -> NDArray[np.float64]:
        """For each value that was drawn, the number of records per user; 1 if every record is a user of its own."""
        sums = self._sums()
        if sums.height == 0:
            return np.ones(self.drawn)
        return np.asarray(sums["records"].to_numpy() / sums["user"].to_numpy())

    def _sums(self) -> pl.DataFrame:
        """The number of records and of users ("user") of each value that was drawn."""
        if self._summed is not None:
            return self._summed
        counts = pl.col("records").sum(), pl.len().cast(pl.UInt64).alias("user")
        return self._merged().group_by("value").agg(*counts).sort("value")

    @property
    def _threshold(self) -> np.uint64:
        return self._hashes[self.size - 1] if self._hashes.size >= self.size else _ALL

    def _add_hashes(self, hashes: Words) -> None:
        if self._hashes.size >= self._kept:
            hashes = hashes[hashes < self._hashes[-1]]
        if hashes.size:
            self._hashes = distinct(np.concatenate([self._hashes, hashes]))[: self._kept]

    def _add_pairs(self, pairs: pl.DataFrame) -> None:
        self._loose.append(pairs.select(self._pairs.columns))
        # Merged when they have doubled, so that every pair is merged a few times only.
        if sum(part.height for part in self._loose) > max(BATCH, self._pairs.height):
            self._merged()

    def _merged(self) -> pl.DataFrame:
        """All pairs of the values that are drawn, each once."""
        if self._loose:
            both = pl.concat([self._pairs, *self._loose])
            both = both.filter(pl.col("value") <= pl.lit(self._threshold, dtype=pl.UInt64))
            self._pairs, self._loose = both.group_by("value", "user").agg(pl.col("records").sum()), []
        return self._pairs

    def to_frame(self, final: bool = False) -> pl.DataFrame:
        """The sample as a table, to be carried to where it is merged; if final, with numbers instead of users."""
        hashes = pl.DataFrame({"value": self._hashes}).select(
            pl.lit(1).alias("part"), "value", user=pl.lit(0, dtype=pl.UInt64), records=pl.lit(0, dtype=pl.Int64)
        )
        total = hashes.clear(1).select(
            pl.lit(0).alias("part"), *[pl.lit(0, dtype=pl.UInt64).alias(n) for n in ("value", "user")]
        )
        parts = [total.with_columns(records=pl.lit(self.records, dtype=pl.Int64)), hashes]
        last = self._sums() if final else self._merged()
        parts.append(last.select(pl.lit(3 if final else 2).alias("part"), "value", "user", "records"))
        signed = pl.col("value", "user").reinterpret(signed=True)
        return pl.concat(parts).with_columns(signed, pl.col("part").cast(pl.Int64))

    def add_frame(self, frame: pl.DataFrame) -> None:
        """Merge a sample that was carried as a table."""
        frame = frame.with_columns(pl.col("value", "user").reinterpret(signed=False))
        self.records += int(frame.filter(pl.col("part") == 0)["records"].sum())
        self._add_hashes(frame.filter(pl.col("part") == 1)["value"].to_numpy())
        self._add_pairs(frame.filter(pl.col("part") == 2))
        summed = frame.filter(pl.col("part") == 3)
        if summed.height:
            self._summed = summed.sort("value")


def sample_values(data: Native, names: Sequence[str], user: str | None, size: int, salt: int) -> ValueSample:
    """Draw values of the columns from a table of any engine, in one pass."""
    needed = list(dict.fromkeys([*names, *([user] if user else [])]))
    frame = lazy(data).select(*needed)
    sample = ValueSample(size, salt)
    if frame.implementation.is_pyspark():
        sample.add_frame(_on_spark(frame.to_native(), names, user, size, salt))
        return sample
    for batch in _batches(frame.to_native()):
        sample.add(batch, names, user)
    return sample


def _batches(native: Any) -> Iterator[pl.DataFrame]:
    if isinstance(native, pl.LazyFrame):
        yield from native.collect_batches(chunk_size=BATCH, maintain_order=False)
    else:
        for batch in native.to_arrow_reader(BATCH):
            found = pl.from_arrow(batch)
            assert isinstance(found, pl.DataFrame)
            yield found


def _on_spark(frame: Any, names: Sequence[str], user: str | None, size: int, salt: int) -> pl.DataFrame:
    """Samples of the partitions, made and merged by the workers: the driver gets the merged one only, without its users."""

    def draw(batches: Iterable[Any]) -> Iterator[Any]:
        sample = ValueSample(size, salt)
        for batch in batches:
            sample.add(pl.DataFrame(pl.from_arrow(batch)), names, user)
        yield from sample.to_frame().to_arrow().to_batches()

    def merge(batches: Iterable[Any]) -> Iterator[Any]:
        sample = ValueSample(size, salt)
        for batch in batches:
            sample.add_frame(pl.DataFrame(pl.from_arrow(batch)))
        yield from sample.to_frame(final=True).to_arrow().to_batches()

    with warnings.catch_warnings():
        # Spark warns of new versions of pandas, which have no part in this.
        warnings.simplefilter("ignore", FutureWarning)
        merged = frame.mapInArrow(draw, _PARTS).repartition(1).mapInArrow(merge, _PARTS)
    return pl.DataFrame(pl.from_arrow(merged.toArrow()))


def row_hashes(frame: pl.DataFrame, salt: int) -> Words:
    """A hash of each row, the same on every machine and for every width of integers and floats.

    >>> narrow = pl.DataFrame({"n": pl.Series([7, None], dtype=pl.Int8), "t": ["x", ""]})
    >>> bool((row_hashes(narrow, 3) == row_hashes(narrow.cast({"n": pl.Int64}), 3)).all())
    True
    """
    result = np.full(frame.height, salt, dtype=np.uint64)
    for column in frame.get_columns():
        result = _mixed(result * _ODD + _column_words(column))
    return result


_ODD = np.uint64(0x9E3779B97F4A7C15)
_ALL = np.uint64(2**64 - 1)
_MISSING = np.uint64(0xD1B54A32D192ED03)


def _mixed(words: Words) -> Words:
    """The finalizer of splitmix64: every bit of the input changes every bit of the output with probability 1/2."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _column_words(column: pl.Series) -> Words:
    """64 bits for each cell, the same for equal cells on every engine."""
    present = column.drop_nulls()
    dtype = present.dtype
    if dtype.is_float():
        # -0.0 equals 0.0.
        bits = (present.cast(pl.Float64).to_numpy() + 0.0).view(np.uint64)
    elif dtype == pl.Datetime:
        bits = present.dt.timestamp("us").to_numpy().view(np.uint64)
    elif dtype == pl.Boolean or dtype in (pl.Date, pl.Time) or (dtype.is_integer() and dtype != pl.Int128):
        bits = present.to_physical().cast(pl.UInt64 if dtype == pl.UInt64 else pl.Int64).to_numpy().view(np.uint64)
    else:
        bits = _text_words(present.cast(pl.String))
    words = np.full(column.len(), _MISSING, dtype=np.uint64)
    words[column.is_not_null().to_numpy()] = _mixed(bits + _ODD)
    return words


def _text_words(texts: pl.Series) -> Words:
    """A hash of each text: the sum of its 8-byte words, each mixed with its position."""
    lengths = texts.str.len_bytes().to_numpy().astype(np.int64)
    ends = np.cumsum(lengths)
    result, begin = np.zeros(lengths.size, dtype=np.uint64), 0
    while begin < lengths.size:
        spent = ends[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, spent + BLOCK, side="right")))
        content = texts[begin:end].str.join("").item().encode()
        result[begin:end] = _block_words(np.frombuffer(content, dtype=np.uint8), lengths[begin:end])
        begin = end
    return result


def _block_words(content: NDArray[np.uint8], lengths: NDArray[np.int64]) -> Words:
    counts = (lengths + 7) // 8
    last = np.cumsum(counts)
    first = last - counts
    places = np.arange(int(counts.sum())) - np.repeat(first, counts)
    starts = np.repeat(np.cumsum(lengths) - lengths, counts) + 8 * places
    padded = np.concatenate([content, np.zeros(8, dtype=np.uint8)])
    words = sliding_window_view(padded, 8)[starts].view("<u8").ravel()
    # The last word of a text ends where the text does.
    words[last[counts > 0] - 1] &= _ALL >> ((-lengths[counts > 0] % 8) * 8).astype(np.uint64)
    running = np.concatenate([[np.uint64(0)], np.cumsum(_mixed(words ^ (places.astype(np.uint64) * _ODD)))])
    sums: Words = running[last] - running[first]
    return sums + lengths.astype(np.uint64) * _ODD

"""Keyed pseudonyms: what stands for a person in several releases, and says who it is to the holder of the key alone.

A pseudonym is the beginning of HMAC-SHA-256 of the value, in hexadecimal digits. Equal values have equal pseudonyms, with the
same key in every release. Without the key, nobody can try names out: 256 random bits would have to be guessed first.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
from pathlib import Path

import polars as pl

from icefire.core.errors import DataError, FileError
from icefire.microdata.cells import as_text

DIGITS = 20
"""Digits of a pseudonym, 80 bits: among 10 million people, the chance that two share one is below one in ten billion."""
BITS = 256


def create_key(path: Path) -> None:
    """Write a new key that its owner alone can read. A file that is there is never replaced: its pseudonyms would be lost."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise FileError(
            f"{path} exists already: with a new key, the pseudonyms of earlier releases would be lost"
        ) from error
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(secrets.token_hex(BITS // 8) + "\n")


def read_key(path: Path) -> bytes:
    """Read a key; refuse it if others could have read it."""
    if not path.is_file():
        raise FileError(f"no key {path}: make one with icefire key {path}")
    if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise FileError(f"the key {path} can be read by others: chmod 600 {path}, or make a new one with icefire key")
    text = path.read_text(encoding="ascii", errors="replace").strip()
    if not re.fullmatch(f"[0-9a-f]{{{BITS // 4}}}", text):
        # The content is not shown: it may be nearly right.
        raise FileError(f"{path} is no key: it must hold {BITS // 4} hexadecimal digits, as icefire key writes them")
    return bytes.fromhex(text)


def pseudonyms(values: pl.Series, key: bytes) -> pl.Series:
    """The pseudonym of each value; missing values stay missing.

    >>> pseudonyms(pl.Series("name", ["ann", "bob", None, "ann"]), bytes(32)).to_list()
    ['78352bae17eb6789b087', '8ac86c0627fad0e06793', None, '78352bae17eb6789b087']
    """
    texts = as_text(values)
    distinct = texts.drop_nulls().unique()
    made = pl.Series([hmac.digest(key, text.encode(), "sha256").hex()[:DIGITS] for text in distinct], dtype=pl.String)
    if made.n_unique() < distinct.len():
        raise DataError(f"two values of the column {values.name!r} have the same pseudonym: make another key")
    return texts.replace_strict(distinct, made, default=None, return_dtype=pl.String)


def pseudonymized(frame: pl.DataFrame, key: bytes) -> pl.DataFrame:
    """Identifying columns as pseudonyms. A person with several rows is refused."""
    for column in frame:
        repeated = column.drop_nulls().len() - column.drop_nulls().n_unique()
        if repeated:
            raise DataError(
                f"the column {column.name!r} has {repeated:,} rows whose value is in an earlier row, too: pseudonyms would "
                "tell which rows are of the same person, which k-anonymity does not count. Publish one row per person, or "
                "treat the table as a history"
            )
    return frame.with_columns(pseudonyms(column, key) for column in frame)

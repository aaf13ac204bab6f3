"""Groups of customers by the master table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import polars as pl

from icefire.core.errors import Undefined
from icefire.history.data import History, Release

Attributes: TypeAlias = Callable[[pl.DataFrame | None], pl.DataFrame]
"""What is to be known of each user, from a master table."""


def cross_tabulation(master: pl.DataFrame | None) -> pl.DataFrame:
    """user, cell: birth decade and country."""
    if master is None or not {"birth", "country"} <= set(master.columns):
        raise Undefined("there is no master table with birth and country")
    decade = pl.col("birth").cast(pl.String).str.extract(r"(\d{3})[\d*]").fill_null("")
    country = pl.col("country").cast(pl.String).fill_null("")
    return master.select("user", pl.concat_str(decade, country, separator=" ").alias("cell"))


def with_owners(release: Release, attributes: Attributes) -> pl.DataFrame:
    """Published records, with what the published master table says of the pseudonym; if none is published, with what the
    original one says of the customer behind it."""
    published = release.published
    if published.master is not None:
        return with_attributes(published, attributes)
    ids = release.original.users.gather(release.record_owners)
    frame = published.frame.with_columns(owner=ids, **_amounts(published))
    return frame.join(attributes(release.original.master).rename({"user": "owner"}), on="owner", how="left")


def with_attributes(history: History, attributes: Attributes) -> pl.DataFrame:
    frame = history.frame.with_columns(**_amounts(history))
    return frame.join(attributes(history.master), on="user", how="left")


def _amounts(history: History) -> dict[str, pl.Series]:
    return {
        name: pl.Series(history.middle(name), nan_to_null=True) for name in ("price", "quantity") if history.has(name)
    }


def require_prices(original: History, release: Release) -> None:
    if not (original.has("price") and release.published.has("price")):
        raise Undefined("these records have no prices")

"""Groups of customers by the master table."""

from __future__ import annotations

import polars as pl

from icefire.core.errors import Undefined
from icefire.history.data import History, Release


def cross_tabulation(original: History) -> pl.DataFrame:
    """user, cell: birth decade and country."""
    master = original.master
    if master is None or not {"birth", "country"} <= set(master.columns):
        raise Undefined("there is no master table with birth and country")
    decade = pl.col("birth").cast(pl.String).str.extract(r"(\d{3})\d").alias("decade")
    return master.select("user", pl.struct(decade, "country").rank("dense").alias("cell"))


def with_owners(release: Release, attributes: pl.DataFrame) -> pl.DataFrame:
    """Published records, with what the master table says of the customer behind the pseudonym."""
    published = release.published
    ids = release.original.users.gather(release.record_owners)
    frame = published.frame.with_columns(owner=ids, **_amounts(published))
    return frame.join(attributes.rename({"user": "owner"}), on="owner", how="left")


def with_attributes(original: History, attributes: pl.DataFrame) -> pl.DataFrame:
    frame = original.frame.with_columns(**_amounts(original))
    return frame.join(attributes, on="user", how="left")


def _amounts(history: History) -> dict[str, pl.Series]:
    return {
        name: pl.Series(history.middle(name), nan_to_null=True) for name in ("price", "quantity") if history.has(name)
    }


def require_prices(original: History, release: Release) -> None:
    if not (original.has("price") and release.published.has("price")):
        raise Undefined("these records have no prices")

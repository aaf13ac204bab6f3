from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
import sqlalchemy as sa
from hypothesis import settings
from sqlalchemy.pool import Pool

from icefire.core.registry import Registry
from icefire.history.data import History
from icefire.microdata.data import Microdata, Schema

# The same examples in every run; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("steady", deadline=None, max_examples=60, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=600)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

SHARED = Path(os.environ.get("ICEFIRE_DATA", Path(__file__).parents[2] / "shared" / "data"))
ADULT_QI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]

# They hold no examples, and two of them have one name.
collect_ignore_glob = ["*/conftest.py"]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data; tests that need it skip where it is absent."""
    if not (SHARED / "adult.parquet").is_file():
        pytest.skip("the folder of real data sets is absent (set ICEFIRE_DATA to use it)")
    return SHARED


@pytest.fixture(scope="session")
def adult(shared: Path) -> Microdata:
    frame = pl.read_parquet(shared / "adult.parquet").drop("education-num", "relationship")
    return Microdata(frame, Schema(qi=ADULT_QI))


@pytest.fixture(scope="session")
def registry() -> Registry:
    return Registry()


@pytest.fixture(scope="session")
def contest(shared: Path) -> History:
    """The data of PWSCUP 2016."""
    names = {"customer_id": "user", "invoice_no": "invoice", "stock_code": "item", "unit_price": "price"}
    records = pl.read_parquet(shared / "retail400_transactions.parquet").rename(names)
    master = pl.read_csv(shared / "retail400_master.csv", infer_schema=False)
    return History(records, master=master.rename({"customer_id": "user", "birth_date": "birth"}))


@pytest.fixture(autouse=True)
def _closed_connections() -> Iterator[None]:
    """A test fails if it leaves a connection to a database open."""
    opened: set[int] = set()
    watchers = {
        "connect": lambda connection, _: opened.add(id(connection)),
        "close": lambda connection, _: opened.discard(id(connection)),
    }
    for name, watcher in watchers.items():
        sa.event.listen(Pool, name, watcher)
    yield
    for name, watcher in watchers.items():
        sa.event.remove(Pool, name, watcher)
    assert not opened, f"{len(opened)} connections were left open"

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest
from hypothesis import settings

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

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from icefire.history.data import History

NAMES = {"customer_id": "user", "invoice_no": "invoice", "stock_code": "item", "unit_price": "price"}


@pytest.fixture(scope="session")
def contest(shared: Path) -> History:
    """The data of PWSCUP 2016."""
    records = pl.read_parquet(shared / "retail400_transactions.parquet").rename(NAMES)
    master = pl.read_csv(shared / "retail400_master.csv", infer_schema=False)
    return History(records, master=master.rename({"customer_id": "user", "birth_date": "birth"}))

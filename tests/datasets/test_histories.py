"""Purchases: generated, and read from the public file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from icefire.core.errors import FileError, UnknownName
from icefire.datasets.online_retail import OnlineRetail
from icefire.datasets.purchases import Purchases
from icefire.history.anonymize._clusters import item_sets
from icefire.history.data import History


def test_generated_purchases_resemble_the_contest_data() -> None:
    histories = [Purchases().generate(np.random.default_rng(seed)) for seed in range(6)]
    records = np.mean([history.height for history in histories])
    invoices = np.mean([history.frame["invoice"].n_unique() for history in histories])
    sets = [item_sets(history) for history in histories]
    sizes = [np.diff(items.indptr) for items in sets]
    assert abs(records / 38_087 - 1) < 0.1
    assert abs(invoices / 1_763 - 1) < 0.1
    assert abs(np.mean([items.shape[1] for items in sets]) / 2_781 - 1) < 0.05
    assert abs(np.mean([size.mean() for size in sizes]) / 65 - 1) < 0.1
    jaccard = []
    for items, size in zip(sets, sizes, strict=True):
        common = (items @ items.T).toarray()
        jaccard.append((common / (size[:, None] + size - common))[np.triu_indices(400, 1)].mean())
    assert abs(np.mean(jaccard) - 0.03) < 0.003
    # Heavy tails, seasonality and repeated purchases.
    assert np.mean([size.max() / np.median(size) for size in sizes]) > 8
    months = np.bincount(np.concatenate([history.period_codes for history in histories]))
    assert months[11] > 1.5 * months[2]
    assert np.mean([history.height / size.sum() for history, size in zip(histories, sizes, strict=True)]) > 1.3


def test_single_customer() -> None:
    history = Purchases(n=1).generate(np.random.default_rng(0))
    assert len(history.users) == 1
    assert history.master is not None


def test_online_retail_gives_the_contest_data(shared: Path, contest: History) -> None:
    path = str(shared / "online_retail.parquet")
    history = OnlineRetail(file=path, customers=400).generate(np.random.default_rng(0))
    columns = ["user", "invoice", "date", "time", "item", "price", "quantity"]
    assert history.frame.select(columns).equals(contest.frame.select(columns))
    assert history.users.to_list() == contest.users.to_list()
    everything = OnlineRetail(file=path).generate(np.random.default_rng(0))
    assert everything.height > 390_000


def test_online_retail_from_csv_and_invalid_files(tmp_path: Path) -> None:
    header = "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n"
    rows = (
        "536365,85123A,LAMP,6,12/1/2010 8:26,2.55,17850,United Kingdom\n"
        "C536379,D,Discount,-1,12/1/2010 9:41,27.5,14527,United Kingdom\n"
        "536370,22728,CLOCK,24,12/1/2010 8:45,3.75,,France\n"
    )
    path = tmp_path / "retail.csv"
    path.write_text(header + rows)
    history = OnlineRetail(file=str(path)).generate(np.random.default_rng(0))
    assert history.frame.row(0, named=True) | {"date": None} == {
        "user": "17850", "invoice": "536365", "date": None, "time": "8:26", "item": "85123A", "price": 2.55, "quantity": 6,
    }  # fmt: skip
    path.write_text(header + rows.splitlines()[1] + "\n")
    with pytest.raises(FileError, match="has no sale"):
        OnlineRetail(file=str(path)).generate(np.random.default_rng(0))
    path.write_text(header.replace("StockCode", "Code") + rows)
    with pytest.raises(UnknownName, match="'StockCode'"):
        OnlineRetail(file=str(path)).generate(np.random.default_rng(0))
    path.write_text(header + rows.replace("12/1/2010 8:26", "1.12.2010"))
    with pytest.raises(FileError, match="cannot read the date"):
        OnlineRetail(file=str(path)).generate(np.random.default_rng(0))


def test_generated_ids_are_texts() -> None:
    history = Purchases(n=20).generate(np.random.default_rng(0))
    assert history.frame.schema["user"] == pl.String
    assert history.frame["item"].str.len_chars().n_unique() == 1

"""Average identification probability of all columns against a straightforward pandas loop over values."""

from __future__ import annotations

import pandas as pd
import polars as pl
from timing import SHARED, line, processor, timed

from icefire.knowledge import identification


def loop(frame: pd.DataFrame, column: str, user: str) -> float:
    total = 0.0
    for value in frame[column].unique():
        records = frame[frame[column] == value]
        total += len(records) / records[user].nunique()
    return total / len(frame)


def main() -> None:
    path = SHARED / "retail400_transactions.parquet"
    if not path.is_file():
        raise SystemExit("this benchmark needs retail400_transactions.parquet: set ICEFIRE_DATA")
    frame = pl.read_parquet(path)
    pandas = frame.to_pandas()
    user = "customer_id"
    identification(frame, "date", user)
    ours, found = timed(lambda: {c: identification(frame, c, user).probability for c in frame.columns}, repeat=5)
    theirs, expected = timed(lambda: {c: loop(pandas, c, user) for c in frame.columns})
    assert all(abs(found[c] - expected[c]) < 1e-12 for c in frame.columns)
    line(f"identification probability, {frame.height:,} records, 7 columns", ours, "pandas loop", theirs)
    names = [name for name in frame.columns if name != user]
    used, _ = processor(lambda: [identification(frame, name, user) for name in names], repeat=20)
    floor, _ = processor(lambda: [frame.group_by(name, user).len() for name in names], repeat=20)
    line(f"  6 columns, {frame.height:,} records, processor time", used, "bare group-bys", floor)
    for rows in (1_000_000, 10_000_000):
        big = frame[pl.arange(0, rows, eager=True) % frame.height]
        floor, _ = timed(lambda: big.group_by("stock_code").len())  # noqa: B023
        one, _ = timed(lambda: identification(big, "stock_code", user))  # noqa: B023
        line(f"  one column, {rows:,} records", one, "one group-by", floor)


if __name__ == "__main__":
    main()

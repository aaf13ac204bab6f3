"""Reader of the public Online Retail data set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np
import polars as pl

from icefire.core.errors import FileError, UnknownName
from icefire.core.parameters import AtLeast
from icefire.frames import files
from icefire.history.data import History
from icefire.history.roles import Dataset

COLUMNS = ("InvoiceNo", "StockCode", "Quantity", "InvoiceDate", "UnitPrice", "CustomerID", "Country")
FORMATS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%m/%d/%y %H:%M", "%m/%d/%Y %H:%M")


@dataclass(frozen=True)
class OnlineRetail(Dataset):
    """Online Retail of the UCI repository, read from a CSV or Parquet file: sales with a customer and a country.

    Cancellations, free items and customers without a country are left out. The file has no sex and birth, so the master table
    holds the country only.

    Parameters:
        file: path of the file.
        customers: number of customers to keep, those with the smallest ids; 400 gives the data of PWSCUP 2016.

    Example:
        The second line is a cancellation.

        >>> import tempfile, numpy as np
        >>> with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        ...     print("InvoiceNo,StockCode,Quantity,InvoiceDate,UnitPrice,CustomerID,Country", file=file)
        ...     print("536365,85123A,6,12/1/2010 8:26,2.55,17850,France", file=file)
        ...     print("C53637,85123A,-6,12/1/2010 9:41,2.55,17850,France", file=file, flush=True)
        ...     OnlineRetail(file=file.name).generate(np.random.default_rng(0)).frame.rows()
        [('17850', '536365', datetime.date(2010, 12, 1), '8:26', '85123A', 2.55, 6)]

    Reference:
        Chen, Sain, Guo: Data mining for the online retail industry. 2012.
    """

    paths: ClassVar[tuple[str, ...]] = ("file",)
    file: str
    customers: Annotated[int, AtLeast(1)] | None = None

    def generate(self, rng: np.random.Generator) -> History:
        path = Path(self.file)
        table = files.read_table(path, ("InvoiceNo", "StockCode", "Country", "InvoiceDate"))
        for name in COLUMNS:
            if name not in table.columns:
                raise UnknownName.of(f"column in {path}", name, table.columns)
        is_sale = (pl.col("Quantity") > 0) & (pl.col("UnitPrice") > 0) & pl.col("CustomerID").is_not_null()
        table = table.select(COLUMNS).filter(is_sale & (pl.col("Country") != "Unspecified"))
        if table.height == 0:
            raise FileError(f"{path} has no sale with a customer and a country")
        table = table.with_columns(pl.col("CustomerID").cast(pl.Int64), _timestamps(table["InvoiceDate"], path))
        if self.customers is not None:
            chosen = table["CustomerID"].unique().sort().head(self.customers)
            table = table.filter(pl.col("CustomerID").is_in(chosen.implode()))
        frame = table.select(
            user=pl.col("CustomerID").cast(pl.String),
            invoice="InvoiceNo",
            date=pl.col("InvoiceDate").dt.date(),
            time=pl.col("InvoiceDate").dt.strftime("%-H:%M"),
            item="StockCode",
            price="UnitPrice",
            quantity="Quantity",
        )
        people = table.group_by("CustomerID").agg(pl.col("Country").first()).sort("CustomerID")
        master = people.select(user=pl.col("CustomerID").cast(pl.String), country="Country")
        return History(frame, master=master)


def _timestamps(dates: pl.Series, path: Path) -> pl.Series:
    if dates.dtype.is_temporal():
        return dates.cast(pl.Datetime("ms"))
    for time_format in FORMATS:
        timestamps = dates.str.to_datetime(time_format, strict=False)
        if timestamps.null_count() == dates.null_count():
            return timestamps
    raise FileError(f"{path}: cannot read the date {dates[0]!r}: expected 2010-12-01 08:26:00 or 12/1/2010 8:26")

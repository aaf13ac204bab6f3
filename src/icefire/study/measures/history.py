"""Basic figures of a history: how many, how much, how alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from icefire.history.similarity import pair_similarities
from icefire.study.measure import Measure, Setting, Value

BINS = 50
"""Steps from 0 to 1 in the histogram of similarities."""


@dataclass(frozen=True)
class History(Measure):
    """Customers, records, invoices, items, ranges of amounts and dates, items per customer, similarity of two customers."""

    kinds: ClassVar[tuple[str, ...]] = ("history",)

    def measure(self, setting: Setting) -> Iterator[Value]:
        log, frame = setting.data, setting.data.frame
        own = frame.select("user", "item").unique().group_by("user").len()["len"].to_numpy()
        similar, common = pair_similarities(log)
        figures = {
            "customers": log.people,
            "records": log.height,
            "items": frame["item"].n_unique(),
            "items of a customer": own.mean(),
            "mean Jaccard": similar.mean(),
            "largest Jaccard": similar.max(),
            "items in common": common.mean(),
            "days": (frame["date"].max() - frame["date"].min()).days + 1,
        }
        if "invoice" in frame.columns:
            figures["invoices"] = frame["invoice"].n_unique()
        for name in ("price", "quantity"):
            if name in frame.columns:
                figures |= {f"least {name}": frame[name].min(), f"most {name}": frame[name].max()}
        for quantity, value in figures.items():
            yield Value(quantity, float(value))
        counts, edges = np.histogram(similar, bins=BINS, range=(0.0, 1.0))
        for count, edge in zip(counts, edges[:-1], strict=True):
            if count:
                yield Value("pairs", float(count), {"Jaccard": round(float(edge), 3)})

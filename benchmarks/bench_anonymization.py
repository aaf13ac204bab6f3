"""k-anonymization against anjana (global recoding) and a textbook Mondrian in pure Python."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from anjana.anonymity import k_anonymity
from timing import ADULT_QI, LIMIT, adult, line, timed, timed_apart

from icefire.microdata.anonymize.global_recode import GlobalRecode
from icefire.microdata.anonymize.mondrian import Mondrian
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.utility.loss import Loss

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "microdata"))
import textbook

HIERARCHIES = {
    "age": Hierarchy(widths=(5, 10, 20)),
    "education": Hierarchy(learned=2),
    **{name: Hierarchy(learned=1) for name in ("workclass", "occupation", "marital-status", "native-country")},
}


def anjanas(frame: pd.DataFrame, hierarchies: dict[str, Any], k: int, suppression: int) -> pd.DataFrame:
    return k_anonymity(frame, [], ADULT_QI, k, suppression, hierarchies)


def textbooks(rows: list[tuple[int, ...]], k: int) -> list[list[int]]:
    return textbook.partitions(rows, k)


def main() -> None:
    for size in (30_000, 3_000_000):
        frame = adult(size).drop("hours-per-week")
        plain = Microdata(frame, Schema(ADULT_QI))
        for k in (5, 50):
            ours, release = timed(lambda: Mondrian(k=k).anonymize(plain, np.random.default_rng(0)))  # noqa: B023
            rows = list(zip(*[plain.codes(name).tolist() for name in ADULT_QI], strict=True))
            theirs, parts = timed_apart(LIMIT, textbooks, rows, k)
            line(f"Mondrian, {size:,} rows, 8 QI, k = {k}", ours, "textbook", theirs, LIMIT)
            if parts is not None:
                domains = [plain.domain(name) for name in ADULT_QI]
                positions = [d.positions.tolist() for d in domains]
                textbook_loss = textbook.loss(rows, parts, [d.ordinal for d in domains], positions)
                loss = Loss().measure(plain, release).value
                print(
                    f"  loss (LM): icefire {loss:.4f}, textbook {textbook_loss:.4f}: {loss / textbook_loss:.2f} of it"
                )
        table = Microdata(frame, Schema(ADULT_QI).with_hierarchies(HIERARCHIES))
        levels = {name: table.domain(name).levels for name in ADULT_QI}
        theirs_hierarchies = {
            name: {i: np.array(level.labels[i])[table.codes(name)] for i in range(level.height)}
            if level is not None
            else {0: frame[name].to_numpy(), 1: np.array(["*"] * size)}
            for name, level in levels.items()
        }
        step = GlobalRecode(k=10, suppression=0.05)
        ours, release = timed(lambda: step.anonymize(table, np.random.default_rng(0)))  # noqa: B023
        pandas = frame.with_columns(age=frame["age"].cast(str)).to_pandas()
        theirs, made = timed_apart(LIMIT, anjanas, pandas, theirs_hierarchies, 10, 5)
        line(f"global recoding, {size:,} rows, 6,480 nodes, k = 10", ours, "anjana", theirs, LIMIT)
        print(f"  loss (LM): icefire {Loss().measure(table, release).value:.4f} (the optimum)")
        if made is not None:
            print(f"  rows kept: icefire {release.published.height:,}, anjana {len(made):,}")


if __name__ == "__main__":
    main()

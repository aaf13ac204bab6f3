"""Risk of each row against the k check, and SUDA2 against bare group-bys by all sets of columns; processor time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
from timing import ADULT_QI, adult, line, processor

from icefire.microdata.data import Microdata, Release, Schema
from icefire.microdata.riskiest import riskiest, rows_alike
from icefire.microdata.safety.individual_risk import IndividualRisk
from icefire.microdata.safety.k_anonymity import KAnonymity
from icefire.microdata.safety.prosecutor_risk import ProsecutorRisk
from icefire.microdata.safety.suda2 import Suda2

SETS = [list(columns) for size in range(1, len(ADULT_QI) + 1) for columns in combinations(ADULT_QI, size)]


def main() -> None:
    for rows in (32_561, 3_000_000):
        frame = adult(rows)
        table = Microdata(frame, Schema(ADULT_QI))
        release = Release(table, table, np.arange(rows))
        weighted = Microdata(frame.with_columns(weight=pl.int_range(rows) % 900 + 2), Schema(ADULT_QI, weight="weight"))
        sample = Release(weighted, table, np.arange(rows))
        check, _ = processor(lambda: KAnonymity().measure(release), repeat=3)  # noqa: B023
        for what, run in (
            ("prosecutor risk", lambda: ProsecutorRisk().measure(release)),  # noqa: B023
            ("risk of each row", lambda: 1.0 / rows_alike(table)),  # noqa: B023
            ("individual risk by sampling weights", lambda: IndividualRisk().measure(sample)),  # noqa: B023
        ):
            line(f"{what}, {rows:,} rows, 8 QI", processor(run, repeat=3)[0], "k check", check)
        # Codes are kept with a table, so each run gets a new one.
        reasons, _ = processor(lambda: riskiest(Microdata(frame, Schema(ADULT_QI))), repeat=2)  # noqa: B023
        line(f"100 riskiest rows with reasons, {rows:,} rows", reasons, "k check", check)
        floor, _ = processor(lambda: [frame.group_by(columns).len() for columns in SETS], repeat=1)  # noqa: B023
        fresh = Microdata(frame, Schema(ADULT_QI))
        taken, _ = processor(lambda: Suda2(size=8).measure(Release(fresh, fresh, np.arange(rows))), repeat=1)  # noqa: B023
        line(f"SUDA2, {len(SETS)} sets of columns, {rows:,} rows", taken, "bare group-bys", floor)


if __name__ == "__main__":
    main()

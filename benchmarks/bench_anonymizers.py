"""Anonymizers whose time used to grow with all pairs, or with all nodes of a lattice, in seconds of processor time. Beside each
what the plain way takes in the same run."""

from __future__ import annotations

import resource
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from timing import ADULT_QI, adult, line, processor

from icefire.microdata.anonymize.conceal import Conceal
from icefire.microdata.anonymize.global_recode import GlobalRecode
from icefire.microdata.anonymize.k_member import KMember
from icefire.microdata.anonymize.local_suppression import LocalSuppression
from icefire.microdata.anonymize.microaggregate import mdav
from icefire.microdata.concealing import space_of
from icefire.microdata.data import Microdata, Schema
from icefire.microdata.hierarchy import Hierarchy
from icefire.microdata.lattice import Lattice
from icefire.microdata.utility.loss import Loss

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "microdata"))
from test_local_suppression import textbook
from test_microaggregation import plain_mdav

LEARNED = ("education", "native-country", "occupation", "workclass")


def recoding() -> None:
    """Nine columns and 69,120 nodes, beside a group-by of polars for each node that was looked at."""
    names = [*ADULT_QI, "hours-per-week"]
    hierarchies = {
        "age": Hierarchy(widths=(5, 10, 20, 40)),
        "hours-per-week": Hierarchy(widths=(5, 10, 20)),
        "marital-status": Hierarchy(learned=1),
        **{name: Hierarchy(learned=2) for name in LEARNED},
    }
    frame = adult(30_000)
    table = Microdata(frame, Schema(names, ["income"]).with_hierarchies(hierarchies))
    looked: list[int] = []
    best = Lattice.best

    def counted(self: Lattice) -> Any:
        found = best(self)
        looked.append(self.evaluated)
        return found

    Lattice.best = counted  # type: ignore[method-assign]
    for k, share in ((2, 0.1), (5, 0.1), (5, 0.2)):
        step = GlobalRecode(k=k, suppression=share)
        ours, _ = processor(lambda: step.anonymize(table, np.random.default_rng(0)))  # noqa: B023
        one, _ = processor(lambda: [frame.group_by(names).agg(pl.len()) for _ in range(20)])
        line(f"global recoding, 30,000 rows, k = {k}, {share:.0%} dropped", ours, "group-bys", one / 20 * looked[-1])


def suppression() -> None:
    """Eight columns, beside a group-by of polars for each set of columns that may be kept."""
    for rows in (30_000, 300_000):
        frame = adult(rows)
        table = Microdata(frame.select(ADULT_QI), Schema(ADULT_QI))
        for k in (5, 50):
            step = LocalSuppression(k=k)
            ours, release = processor(lambda: step.anonymize(table, np.random.default_rng(0)))  # noqa: B023
            sets = [names for size in range(1, 9) for names in combinations(ADULT_QI, size)]
            floor, _ = processor(lambda: [frame.group_by(names).agg(pl.len()) for names in sets])  # noqa: B023
            line(f"local suppression, {rows:,} rows, k = {k}", ours, "group-bys", floor)
            hidden = sum(int((release.published.frame[name].cast(pl.String) == "*").sum()) for name in ADULT_QI)
            codes = list(zip(*[table.codes(name).tolist() for name in ADULT_QI], strict=True))
            print(f"  {hidden:,} cells; textbook {textbook(codes, k, [1.0] * 8):,.0f}", flush=True)


def microaggregation() -> None:
    points = np.random.default_rng(0).normal(size=(30_000, 6))
    ours, groups = processor(lambda: mdav(points, 5))
    theirs, plain = processor(lambda: plain_mdav(points, 5, 0.0))
    line("MDAV, 30,000 rows x 6, k = 5", ours, "all points every time", theirs)
    print(f"  the same groups: {np.array_equal(groups, plain)}")


def concealment() -> None:
    for rows in (32_561, 130_000):
        people = Microdata(adult(rows).drop("hours-per-week"), Schema(ADULT_QI, ["income"]))
        space = space_of(people, tuple(ADULT_QI))
        some, every = np.arange(0, rows, rows // 200), np.arange(rows)
        part, _ = processor(lambda: [space.gaps(some[i : i + 50], every) for i in range(0, some.size, 50)])  # noqa: B023
        for step in (Conceal(), KMember(k=5)):
            ours, release = processor(lambda: step.anonymize(people, np.random.default_rng(0)))  # noqa: B023
            line(f"{step.step()}, {rows:,} rows", ours, "distances of all pairs alone", part * rows / some.size)
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            print(f"  loss (LM) {Loss().measure(people, release).value:.4f}, {memory:.1f} GB at most")


if __name__ == "__main__":
    recoding()
    suppression()
    microaggregation()
    concealment()

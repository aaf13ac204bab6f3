from __future__ import annotations

import numpy as np

from icefire.datasets.households import Households
from icefire.frames import relational


def test_households_are_plausible() -> None:
    table = Households(8333).generate(np.random.default_rng(0))
    assert (table.height, len(table.qi), len(table.numeric_sa)) == (8333, 14, 11)
    frame = table.frame
    assert (frame["members"] >= 1 + frame["children"]).all()
    assert (frame["earners"] <= frame["members"]).all()
    assert (frame.select(table.sa).min_horizontal() >= 0).all()
    # Rare classes, so that k-anonymity is a real problem.
    assert relational.class_size_summary(table.native, ["industry", "occupation"])[0] == 1
    correlations = relational.correlations(table.native, table.sa)
    assert (correlations > 0).all()
    assert 0.3 < correlations[0, 1] < 0.9
    # Heavy tails: the largest spending lies far above the mean.
    assert frame["recreation"].max() > 8 * frame["recreation"].mean()  # type: ignore[operator]


def test_codes_have_labels_and_hierarchies_cover_them() -> None:
    table = Households(3000).generate(np.random.default_rng(0))
    for name in table.qi:
        column = table.schema.column(name)
        if column.type == "categorical":
            assert {str(value) for value in table.frame[name].unique()} <= set(column.labels)
        if column.hierarchy is not None:
            assert table.domain(name).levels is not None


def test_any_size() -> None:
    assert Households(1).generate(np.random.default_rng(0)).height == 1

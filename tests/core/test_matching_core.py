"""Transport plans from scores."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.matching import sinkhorn


def test_a_row_with_more_columns_than_it_needs_keeps_its_preference() -> None:
    # The lead of the best over the mean is 10 units of the exponent, so the best is e^20 times as likely.
    plan = sinkhorn(np.array([[1.0, 0.0]]))
    assert plan[0, 0] / plan[0, 1] == pytest.approx(np.exp(20.0))
    assert plan.sum() == pytest.approx(1.0)

"""What attackers of histories know."""

from __future__ import annotations

import numpy as np
import pytest

from icefire.core.errors import UnknownName
from icefire.history.examples import example
from icefire.history.kind import HistoryKind

KIND = HistoryKind()


def test_levels_of_knowledge() -> None:
    original = example(30, 12)
    counts = np.bincount(KIND.known(original, "records:3").user_codes, minlength=30)
    assert counts.tolist() == np.minimum(np.bincount(original.user_codes, minlength=30), 3).tolist()
    half = KIND.known(original, "T50")
    assert half.height == round(original.height / 2)
    assert set(half.frame["item"].str.len_chars()) == {3}
    assert set(KIND.known(original, "month").period_codes.tolist()) == {0}
    assert KIND.known(original, "all") is original
    for level in ("records:0", "T33", "qi"):
        with pytest.raises(UnknownName, match=f"no attacker of history '{level}'"):
            KIND.known(original, level)


def test_every_level_is_drawn_alike() -> None:
    original = example(30, 12)
    first, again = (KIND.known(original, "records:2").frame for _ in range(2))
    assert first.equals(again)

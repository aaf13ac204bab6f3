"""A contest of the toy game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contest.toy_contest import Toy, playing


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Toy]:
    with playing(tmp_path / "toy") as toy:
        yield toy

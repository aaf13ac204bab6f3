"""How much work one attack may take.

Attacks that compare every published row with everybody take longer than anybody waits where there are millions of them. Then
some published rows are drawn, and each is searched among all people: to sample people would make the crowd smaller and the
risk larger. The number that is drawn depends on the size of the data alone, not on the speed of the machine, so that the same
seed finds the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SPEED = 3e8
"""Comparisons of two cells that a processor makes in a second, roughly."""
LEAST = 200
"""Fewest rows that are sampled."""


@dataclass(frozen=True)
class Budget:
    """The minutes of processor time that an attack may take, roughly."""

    minutes: float = 1.0

    def part(self, share: float) -> Budget:
        return Budget(self.minutes * share)

    def sample(self, rows: int, work: float, rng: np.random.Generator) -> NDArray[np.int64] | None:
        """The rows to work on, in order, if all of them together take so many comparisons; None if that is within the budget.

        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> Budget(minutes=1).sample(1_000_000, 1e12, rng).size, Budget(minutes=60).sample(1_000_000, 1e12, rng)
        (18000, None)
        """
        allowed = self.minutes * 60 * SPEED
        if work <= allowed or rows <= LEAST:
            return None
        chosen = rng.choice(rows, max(LEAST, int(rows * (allowed / work))), replace=False)
        chosen.sort()
        return chosen

    @contextmanager
    def spent(self) -> Iterator[None]:
        """Attacks made inside have this budget."""
        token = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(token)


_CURRENT: ContextVar[Budget] = ContextVar("budget")


def current() -> Budget:
    return _CURRENT.get(Budget())

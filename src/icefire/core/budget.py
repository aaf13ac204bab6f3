"""How much work one attack may take.

Attacks that compare every published row with everybody take longer than anybody waits where there are millions of them. Then
some published rows are drawn, and each is searched among all people: to sample people would make the crowd smaller and the
risk larger. Work is counted in comparisons, not in seconds, so that the same seed finds the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from icefire.core.errors import OutOfBudget

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SPEED = 3e8
"""Comparisons of two cells that a processor makes in a second, roughly."""
LEAST = 200
"""Fewest rows that are sampled."""


@dataclass(frozen=True)
class Asked:
    """What was sampled where a guess answers two questions: who is behind a pseudonym, and which pseudonym is somebody's.

    Each of these pseudonyms was searched among all people, and each of these people among all pseudonyms. Other answers mean
    nothing.
    """

    pseudonyms: NDArray[np.int64]
    people: NDArray[np.int64]


@dataclass
class Budget:
    """The minutes of processor time that an attack may take, roughly; and what is left of them."""

    minutes: float = 1.0

    def __post_init__(self) -> None:
        self.left = self.minutes * 60 * SPEED
        """Comparisons that may still be made."""

    def anew(self, share: float = 1.0) -> Budget:
        """A budget of its own, of which nothing is spent."""
        return Budget(self.minutes * share)

    def part(self, share: float) -> Budget:
        """A share of what is left, which is no longer in this one."""
        part = self.anew(share)
        part.left = self.left * share
        self.left *= 1.0 - share
        return part

    def spend(self, work: float) -> None:
        self.left -= work

    def affords(self, rows: int, work: float) -> int:
        """How many of the rows can be worked on if each takes so many comparisons; these are spent."""
        number = rows if rows * work <= self.left else max(0, int(self.left / work))
        self.spend(number * work)
        return number

    def sample(self, rows: int, work: float, rng: np.random.Generator) -> NDArray[np.int64] | None:
        """The rows to work on, in order, if all of them together take so many comparisons; None if that is within the budget.

        >>> import numpy as np
        >>> rng = np.random.default_rng(0)
        >>> Budget(minutes=1).sample(1_000_000, 1e12, rng).size, Budget(minutes=60).sample(1_000_000, 1e12, rng)
        (18000, None)
        """
        chosen = self.drawn(rows, work, rng)
        return None if chosen.size == rows else chosen

    def drawn(self, rows: int, work: float, rng: np.random.Generator) -> NDArray[np.int64]:
        """The rows to work on, in order: all or a sample."""
        import numpy as np

        number = max(min(rows, LEAST), self.affords(rows, work / max(1, rows))) if work else rows
        if number == rows:
            return np.arange(rows)
        chosen = rng.choice(rows, number, replace=False)
        chosen.sort()
        return chosen

    def ask(self, pseudonyms: int, people: int, work: float, rng: np.random.Generator) -> Asked | None:
        """The pseudonyms and the people to look for, if comparing all with all takes so many comparisons; None if that is
        within the budget.

        >>> import numpy as np
        >>> asked = Budget(minutes=1).ask(50_000, 40_000, 1e12, np.random.default_rng(0))
        >>> (asked.pseudonyms.size, asked.people.size) if asked else None
        (450, 360)
        """
        if work <= self.left:
            self.spend(work)
            return None
        other = self.part(0.5)
        drawn = [of.drawn(size, work, rng) for of, size in ((other, pseudonyms), (self, people))]
        return Asked(*drawn)

    def require(self, work: float) -> None:
        """Raise OutOfBudget if there is not so much left, for what cannot be done for a sample."""
        if work > self.left:
            minutes = work / SPEED / 60
            raise OutOfBudget(f"takes about {minutes:,.1f} min, and less would find less: --budget allows more")
        self.spend(work)

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

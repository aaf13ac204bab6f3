"""A bound on time that is kept in the middle of a step, too."""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

Clock = Callable[[], float]


class TimeUp(BaseException):
    """The time is up. Like KeyboardInterrupt, it is nothing that a method should handle."""


class Deadline:
    """A number of minutes from now on.

    >>> Deadline(2.0, clock=lambda: 0.0).left()
    120.0
    """

    def __init__(self, minutes: float = math.inf, clock: Clock = time.monotonic) -> None:
        self.minutes, self.clock, self.begin = minutes, clock, clock()

    def gone(self) -> float:
        """Seconds since the begin."""
        return self.clock() - self.begin

    def left(self) -> float:
        """Seconds that are left, at least 0."""
        return max(0.0, 60 * self.minutes - self.gone())

    def part(self, share: float) -> Deadline:
        """A share of the minutes, from now on, and no more than what is left."""
        return Deadline(min(share * self.minutes, self.left() / 60), self.clock)

    @contextmanager
    def kept(self) -> Iterator[None]:
        """What is done inside is ended by TimeUp when the time is up.

        Steps inside libraries are not interrupted, so that it can take longer by one of them. Only the main thread is ended.
        """
        left = self.left()
        if left <= 0:
            raise TimeUp
        if math.isinf(left) or threading.current_thread() is not threading.main_thread():
            yield
            return

        def end(number: int, frame: FrameType | None) -> None:
            raise TimeUp

        before = signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, left)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

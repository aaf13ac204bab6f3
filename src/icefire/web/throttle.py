"""Limits on attempts to log in: a delay per account that grows with failures, and a bounded queue of password checks."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import anyio
import anyio.to_thread
from fastapi import HTTPException

T = TypeVar("T")
FREE = 10
"""Failures of an account before the first delay."""
FIRST, LONGEST = 1.0, 60.0
"""Seconds of the first delay, and to which it grows, twice as long after each failure."""
FORGOTTEN = 900.0
"""Seconds without an attempt after which failures are forgotten."""
MOST_ACCOUNTS = 10_000
MOST_WAITING, MOST_PER_ADDRESS = 100, 50
"""Password checks that may wait, in all and from one address; a check takes about a tenth of a second."""


class Account(NamedTuple):
    """What a delay holds for. A browser that has logged in before has a delay of its own: guesses elsewhere do not slow it."""

    login: str
    is_known_device: bool


@dataclass
class _Failures:
    count: int = 0
    last: float = -math.inf
    free_at: float = -math.inf


class Throttle:
    """Failures of accounts. An address is not counted: a whole hall may share one."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now, self._accounts = now, dict[Account, _Failures]()

    def attempt(self, account: Account) -> None:
        """Count an attempt as a failure, until `succeeded`; HTTP 429 if the account has to wait."""
        now = self._now()
        found = self._accounts.pop(account, None)
        if found is None or now - found.last > FORGOTTEN:
            found = _Failures()
        # Behind all others: the first ones are forgotten first.
        self._accounts[account] = found
        if now < found.free_at:
            wait = math.ceil(found.free_at - now)
            raise HTTPException(429, f"too many attempts for this login: wait {wait} s", {"retry-after": str(wait)})
        found.count, found.last = found.count + 1, now
        if found.count > FREE:
            found.free_at = now + min(LONGEST, FIRST * 2.0 ** (found.count - FREE - 1))
        if len(self._accounts) > MOST_ACCOUNTS:
            del self._accounts[next(iter(self._accounts))]

    def succeeded(self, account: Account) -> None:
        self._accounts.pop(account, None)


class PasswordChecks:
    """Runs password checks one at a time, each in a thread that no other request waits for, since they take time and memory.

    Known devices have a queue of their own: a flood of guesses keeps those waiting who have never logged in, but nobody else.
    """

    def __init__(self) -> None:
        self._threads = {True: anyio.CapacityLimiter(1), False: anyio.CapacityLimiter(1)}
        self._waiting: Counter[tuple[bool, str]] = Counter()

    async def run(self, step: Callable[[], T], address: str, is_known_device: bool) -> T:
        """The result of a step; HTTP 503 if too many wait before it."""
        place = is_known_device, address
        waiting = sum(count for (known, _), count in self._waiting.items() if known == is_known_device)
        if waiting >= MOST_WAITING or self._waiting[place] >= MOST_PER_ADDRESS:
            raise HTTPException(503, "too many people are logging in: try again in a few seconds", {"retry-after": "5"})
        self._waiting[place] += 1
        try:
            return await anyio.to_thread.run_sync(step, limiter=self._threads[is_known_device])
        finally:
            self._waiting[place] -= 1
            self._waiting = +self._waiting  # without zeros

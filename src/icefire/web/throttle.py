"""Limits on attempts to log in."""

from __future__ import annotations

import threading

from fastapi import HTTPException, Request
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter


class Throttle:
    """Slows down the guessing of passwords, and bounds how many are checked at a time, since each check takes memory.

    Failures are counted for a login at an address, for a login anywhere, and for an address, which may be a whole hall.
    """

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._here, self._anywhere, self._address = parse("10/minute"), parse("100/minute"), parse("300/minute")
        self.hashing = threading.BoundedSemaphore(2)

    def check(self, request: Request, login: str = "") -> None:
        """Refuse a request after too many failures."""
        if not all(self._limiter.test(limit, *key) for limit, key in self._limits(request, login)):
            raise HTTPException(429, "too many attempts: wait a minute")

    def count(self, request: Request, login: str = "") -> None:
        """Count a failure."""
        for limit, key in self._limits(request, login):
            self._limiter.hit(limit, *key)

    def _limits(self, request: Request, login: str) -> list[tuple[RateLimitItem, tuple[str, ...]]]:
        host = request.client.host if request.client else "?"
        # A household or a hall has a whole network of IPv6 addresses.
        address = ":".join(host.split(":")[:4]) if ":" in host else host
        both = [(self._anywhere, ("login", login)), (self._here, (address, login))] if login else []
        return [*both, (self._address, (address,))]

"""Base of everything that holds connections, threads or processes."""

from __future__ import annotations

from types import TracebackType
from typing import Self


class Closing:
    """A context manager that calls `close` at its end."""

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

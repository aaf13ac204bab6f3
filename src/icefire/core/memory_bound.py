"""A bound on the memory of the process, watched while it works."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from icefire.core.errors import InputError, OutOfMemory

GIGABYTE = 10**9
SECONDS = 0.1
"""How often is looked."""
PATIENCE = 20
"""Looks that are left out after the bound was passed, so that what was ended can give its memory back."""
OWN = Path("/proc/self/statm")
CONTAINER = Path("/sys/fs/cgroup/memory.max")
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, MOST = -1, -3, 2**31 - 1
"""Options of glibc's mallopt(3), and the largest number that it takes."""


_limit: int | None = None


def allowed() -> int | None:
    """Bytes that the work that is being done may take, if that is bounded."""
    return _limit


def machine() -> int | None:
    """Bytes of memory that there are for this process, in its container if it is in one; None if that cannot be found out."""
    try:
        size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
    try:
        return min(size, int(CONTAINER.read_text()))
    except (OSError, ValueError):
        return size


def used() -> int:
    """Bytes of memory that the process takes now."""
    return int(OWN.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def bounded(size: int | None) -> Iterator[None]:
    """What is done inside is ended by OutOfMemory where the process takes more than so many bytes; None: half of the machine's.

    An attack or a metric that is ended this way has no value, and the next one goes on. Steps inside libraries are not
    interrupted, so that the bound can be passed for a moment. Only the main thread can be watched.
    """
    if not OWN.exists():
        if size is not None:
            raise InputError("--memory: how much memory a process takes cannot be watched on this system")
        yield
        return
    limit = size or (machine() or 0) // 2
    if not limit or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        raise OutOfMemory(f"more than {limit / GIGABYTE:.1f} GB of memory needed: --memory allows more")

    global _limit
    _limit = limit
    _keep_freed()
    before, done = signal.signal(signal.SIGUSR1, end), threading.Event()
    watch = threading.Thread(target=_watch, args=(limit, done), daemon=True)
    watch.start()
    try:
        yield
    finally:
        _limit = None
        # A last signal of the watch must neither raise nor end the process.
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
        done.set()
        watch.join()
        signal.signal(signal.SIGUSR1, before)


def _watch(limit: int, done: threading.Event) -> None:
    while not done.wait(SECONDS):
        if used() > limit:
            _give_back()
        if used() > limit:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)
            done.wait(SECONDS * PATIENCE)


def _keep_freed() -> None:
    """Let the process keep what it frees. Otherwise each large array is got from the system anew, page by page, which takes as
    long as the work on it."""
    if (libc := _glibc()) is not None:
        for option in (M_MMAP_THRESHOLD, M_TRIM_THRESHOLD):
            libc.mallopt(option, MOST)


def _give_back() -> None:
    if (libc := _glibc()) is not None:
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "mallopt") and hasattr(libc, "malloc_trim") else None

"""Times functions and prints ratios. Everything that is compared is measured in the same run."""

from __future__ import annotations

import multiprocessing as mp
import os
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty
from typing import Any

import numpy as np
import polars as pl

SHARED = Path(os.environ.get("ICEFIRE_DATA", Path(__file__).parents[2] / "shared" / "data"))
LIMIT = float(os.environ.get("ICEFIRE_BENCH_LIMIT", 600))
"""Seconds that a peer is given."""
ADULT_QI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]


def timed(function: Callable[[], Any], repeat: int = 1) -> tuple[float, Any]:
    """Least wall-clock seconds of some runs, and the result."""
    best, result = float("inf"), None
    for _ in range(repeat):
        begin = time.perf_counter()
        result = function()
        best = min(best, time.perf_counter() - begin)
    return best, result


def processor(function: Callable[[], Any], repeat: int = 1) -> tuple[float, Any]:
    """Least processor seconds of some runs, over all threads of this process, and the result."""
    best, result = float("inf"), None
    for _ in range(repeat):
        begin = time.process_time()
        result = function()
        best = min(best, time.process_time() - begin)
    return best, result


def _child(queue: Any, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    begin = time.perf_counter()
    result = function(*arguments)
    queue.put((time.perf_counter() - begin, result))


def timed_apart(limit: float, function: Callable[..., Any], *arguments: Any) -> tuple[float | None, Any]:
    """The same in a process of its own; (None, None) if it is not done within the limit or dies."""
    queue: Any = mp.get_context("fork").Queue()
    process = mp.get_context("fork").Process(target=_child, args=(queue, function, arguments))
    process.start()
    begin = time.perf_counter()
    while time.perf_counter() - begin < limit:
        try:
            found: tuple[float, Any] = queue.get(timeout=0.2)
        except Empty:
            if not process.is_alive():
                break
        else:
            process.join()
            return found
    process.kill()
    process.join()
    return None, None


def line(what: str, ours: float, peer: str, theirs: float | None, limit: float = 0) -> None:
    """One comparison."""
    if theirs is None:
        print(f"{what:<58} icefire {ours:>9.3f} s   {peer} not done within {limit:.0f} s: over {limit / ours:,.0f} x")
    else:
        print(f"{what:<58} icefire {ours:>9.3f} s   {peer} {theirs:>9.3f} s: {theirs / ours:,.1f} x")


def adult(rows: int) -> pl.DataFrame:
    """Adult, or more rows of it: tiled, and 15% of the QI cells redrawn, since plain tiling makes k trivial."""
    path = SHARED / "adult.parquet"
    if not path.is_file():
        raise SystemExit("this benchmark needs adult.parquet: set ICEFIRE_DATA to the folder that holds it")
    frame = pl.read_parquet(path).select(*ADULT_QI, "income", "hours-per-week")
    if rows <= frame.height:
        return frame[:rows]
    rng = np.random.default_rng(1)
    big = frame[np.arange(rows) % frame.height]
    return big.with_columns(
        pl.when(pl.Series(rng.random(rows) < 0.15))
        .then(big[name].gather(pl.Series(rng.integers(0, rows, rows))))
        .otherwise(pl.col(name))
        .alias(name)
        for name in ADULT_QI
    )

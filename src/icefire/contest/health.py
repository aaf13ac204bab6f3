"""The health of a contest: what the operator has to know at once, in plain words."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from typing_extensions import TypedDict

from icefire.contest.clock import SMALL, Jumps
from icefire.contest.engine import Contest
from icefire.contest.leases import DEAD, LEASES, WORKERS
from icefire.contest.state import State
from icefire.contest.store import HEAD
from icefire.contest.vault import read_whole
from icefire.core.errors import DataError

AT_ONCE = 2.0
"""Seconds of hashing in a look; the rest waits for the next one."""
MOST = 5
"""Broken files that are named."""


class TroubleDocument(TypedDict):
    """Something that is wrong now."""

    kind: str
    message: str


class _Signature(NamedTuple):
    """By which a file is seen to have been written to."""

    inode: int
    size: int
    modified: int
    changed: int

    @classmethod
    def of(cls, path: Path) -> _Signature:
        about = path.stat()
        return cls(about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)


class Health:
    """Looks for troubles, again and again. Files are read when they are new, and when something has written to them."""

    def __init__(self, contest: Contest) -> None:
        self._contest, self._jumps = contest, Jumps(contest.clock)
        self._sound: dict[str, _Signature] = {}
        self._jumped = 0.0

    def look(self, at_once: float = AT_ONCE) -> list[TroubleDocument]:
        """Everything that is wrong now, the worst first."""
        self._jumped = self._jumps.look() or self._jumped
        troubles = self._disk()
        try:
            state = self._state()
        except DBAPIError as error:
            reason = str(error.orig).strip().splitlines()[:1]
            message = f"the database is away: {''.join(reason)}"
            return [{"kind": "database", "message": message}, *troubles]
        if state.final:
            return troubles
        return [*self._workers(state), *troubles, *self._clock(state), *self._jobs(state), *self._files(state, at_once)]

    def _state(self) -> State:
        # Without the patience of other requests: this one is about whether the database is there.
        with self._contest.store.engine.connect() as connection:
            connection.execute(sa.select(HEAD.c.seq)).scalar_one()
        return self._contest.state()

    def _disk(self) -> list[TroubleDocument]:
        disk = self._contest.disk
        disk.hold()
        if disk.free > disk.low:
            return []
        return [{"kind": "disk", "message": f"the disk is nearly full: {disk.free / 1e6:.1f} MB are left"}]

    def _workers(self, state: State) -> list[TroubleDocument]:
        with self._contest.store.engine.connect() as connection:
            seen = [row.seen for row in connection.execute(sa.select(WORKERS))]
        if any(abs(time.time() - moment) < DEAD for moment in seen):
            return []
        last = f", the last one {time.time() - max(seen):.0f} s ago" if seen else ""
        return [
            {"kind": "workers", "message": f"no worker is alive{last}: nothing is judged, and no phase opens or closes"}
        ]

    def _clock(self, state: State) -> list[TroubleDocument]:
        troubles: list[TroubleDocument] = []
        behind = (datetime.fromisoformat(state.at) - self._contest.clock.now()).total_seconds()
        if behind > SMALL:
            troubles.append({"kind": "clock", "message": f"the clock is {behind:.0f} s behind the last event"})
        if self._jumped:
            troubles.append(
                {"kind": "clock", "message": f"the clock of this machine has jumped by {self._jumped:+.0f} s"}
            )
        if state.paused is not None and state.paused_by_engine:
            troubles.append({"kind": "clock", "message": f"the contest was paused by itself: {state.pause_reason}"})
        return troubles

    def _jobs(self, state: State) -> list[TroubleDocument]:
        limit, now = state.contest.limits.seconds, time.time()
        with self._contest.store.engine.connect() as connection:
            rows = connection.execute(sa.select(LEASES).where(LEASES.c.began > 0).order_by(LEASES.c.began))
            late = [(row.job, now - row.began) for row in rows if now - row.began > limit and row.expires > now]
        return [
            {
                "kind": "job",
                "message": f"{job} has been running for {seconds:.0f} s; its limit is {limit:g} s of processor time",
            }
            for job, seconds in late
        ]

    def _files(self, state: State, at_once: float) -> list[TroubleDocument]:
        end, broken = time.monotonic() + at_once, list[TroubleDocument]()
        paths = self._paths(state)
        # Those that were sound before and were written to come first.
        for sha256 in sorted(paths, key=lambda sha256: sha256 not in self._sound):
            path = paths[sha256]
            try:
                signature = _Signature.of(path)
                if self._sound.get(sha256) != signature and time.monotonic() < end:
                    read_whole(path, sha256)
                    self._sound[sha256] = signature
            except (DataError, OSError):
                if path != self._paths(state).get(sha256):
                    # A judge has moved it to the vault meanwhile.
                    continue
                self._sound.pop(sha256, None)
                what = "not what it was" if path.exists() else "missing"
                message = f"the stored file {sha256} is {what}: put it back from a back-up"
                broken.append({"kind": "file", "message": message})
                if len(broken) == MOST:
                    break
        return broken

    def _paths(self, state: State) -> dict[str, Path]:
        """By their hashes, the files that this process may read: a web process is kept away from the vault."""
        paths = {sha256: self._contest.blobs.path(sha256) for sha256 in state.files}
        for upload in state.uploads.values():
            with suppress(PermissionError):
                paths.setdefault(upload.sha256, self._contest.submissions.path(upload))
        return paths

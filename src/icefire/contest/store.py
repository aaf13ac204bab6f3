"""The log in a database: SQLite out of the box, PostgreSQL by its address.

Events are appended by a decision: a function of the state that returns the events to add, or refuses. It runs while the log is
locked, so what it has counted still holds when its events are written.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, OperationalError

from icefire.contest.clock import Clock
from icefire.contest.closing import Closing
from icefire.contest.disk import STEP, Disk
from icefire.contest.errors import DiskFull
from icefire.contest.events.base import Event
from icefire.contest.fold import apply, fold
from icefire.contest.log import Entry, canonical, verified
from icefire.contest.migrate import migrate
from icefire.contest.state import State
from icefire.core.errors import DataError, FileError

Decision: TypeAlias = Callable[[State], Iterable[tuple[str, Event]]]
"""From the state to events and who causes them."""
PATIENCE = 60.0
"""Seconds for which a database may be away."""
PROMPT = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
"""Seconds and milliseconds after which a machine that does not answer is given up."""
NO_ROOM = "53100"
"""PostgreSQL's code for a full disk."""
LOCK = 4827193
"""The advisory lock of PostgreSQL that writers take."""

T = TypeVar("T")
_tables = sa.MetaData()
EVENTS = sa.Table(
    "events",
    _tables,
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("at", sa.String(40)),
    sa.Column("who", sa.String(200)),
    sa.Column("what", sa.String(40)),
    sa.Column("data", sa.Text),
    sa.Column("previous", sa.String(64)),
    sa.Column("hash", sa.String(64)),
)
HEAD = sa.Table("head", _tables, sa.Column("id", sa.Integer, primary_key=True), sa.Column("seq", sa.BigInteger))


class Store(Closing):
    """The log of a contest, and the state it has led to."""

    def __init__(self, url: str, clock: Clock, patience: float = PATIENCE, disk: Disk | None = None) -> None:
        self.url, self.clock, self.patience, self._disk = url, clock, patience, disk
        self.engine = _engine(url)
        self._state, self._lock = State(), Lock()
        self._last: Entry | None = None
        try:
            self.migrate(Path(__file__).with_name("migrations") / "versions", "alembic_version")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self.engine.dispose()

    def state(self) -> State:
        """The state by now."""
        return self.patiently(self._refresh)

    def append(self, decide: Decision, urgent: bool = False) -> list[Entry]:
        """Add the events of a decision, in one transaction with everything that it has looked at.

        What is urgent may use the reserve of a full disk.
        """
        return self._with_reserve(lambda: self._append(decide), urgent)

    def write(self, step: Callable[[sa.Connection], T], urgent: bool = False) -> T:
        """Run a step in a transaction that excludes all other writers. It may be repeated."""

        def written() -> T:
            with self.writing() as connection:
                return step(connection)

        return self._with_reserve(written, urgent)

    def entries(self, after: int = 0, most: int | None = None) -> list[Entry]:
        def read() -> list[Entry]:
            with self.engine.connect() as connection:
                return _entries(connection, after, most)

        return self.patiently(read)

    def verify(self) -> int:
        """Check the whole chain, and return its length. DataError names the first entry that is not what it was."""
        return len(self.read(whole_log))

    def read(self, step: Callable[[sa.Connection], T]) -> T:
        """Run a step that sees everything as it is at one moment, and keeps no writer waiting. It may be repeated."""

        def seen() -> T:
            with self.engine.connect() as connection:
                # By default, each statement of PostgreSQL sees what was committed before it.
                sqlite = connection.dialect.name == "sqlite"
                begin = "BEGIN" if sqlite else "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
                connection.exec_driver_sql(begin)
                return step(connection)

        return self.patiently(seen)

    def fill(self, connection: sa.Connection, entries: Iterable[Entry]) -> None:
        """Fill an empty log with the entries of another one, in a transaction of `writing`."""
        if connection.execute(sa.select(HEAD.c.seq)).scalar_one():
            raise DataError("this database holds a contest already: restore into an empty one")
        _insert(connection, list(verified(entries)))

    def migrate(self, versions: Path, version_table: str) -> None:
        """Bring tables up to date by the migrations in a folder."""

        self.write(lambda connection: migrate(connection, versions, version_table), urgent=True)

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that excludes all other writers."""
        with self.engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
            yield connection
            connection.commit()

    def patiently(self, step: Callable[[], T]) -> T:
        """Run a step, and repeat it while the database is away. DiskFull if there is no room for it."""
        end, pause = time.monotonic() + self.patience, 0.05
        while True:
            try:
                return step()
            except DBAPIError as error:
                if self._is_full(error):
                    raise DiskFull("the disk of the server is full: nothing was accepted, tell the operator") from error
                if not (error.connection_invalidated or isinstance(error, OperationalError)) or time.monotonic() > end:
                    raise
                time.sleep(pause)
                pause = min(2 * pause, 1.0)

    def _with_reserve(self, step: Callable[[], T], urgent: bool) -> T:
        while True:
            try:
                return self.patiently(step)
            except DiskFull:
                if not urgent or self._disk is None or not self._disk.give():
                    raise

    def _is_full(self, error: DBAPIError) -> bool:
        if getattr(error.orig, "sqlstate", "") == NO_ROOM:
            return True
        code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
        crowded = self._disk is not None and self._disk.free < STEP
        return code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and crowded)

    def _append(self, decide: Decision) -> list[Entry]:
        with self._lock, self.writing() as connection:
            self._follow(connection)
            state, last = self._state, self._last
            made: list[Entry] = []
            for who, event in decide(state):
                last = Entry.after(last, self.clock.now(), who, event.log_name, event.as_data())
                # An event that cannot be folded must not be written.
                state = apply(state, last)
                made.append(last)
            _insert(connection, made)
        # The state is read again from the log: what was not committed must not be in it.
        return made

    def _refresh(self) -> State:
        with self._lock, self.engine.connect() as connection:
            self._follow(connection)
            return self._state

    def _follow(self, connection: sa.Connection) -> None:
        """Fold the entries that were added since."""
        query = sa.select(EVENTS).where(EVENTS.c.seq > self._state.seq).order_by(EVENTS.c.seq)
        for row in connection.execute(query):
            entry = _entry(row)
            if not entry.is_whole() or (self._last is not None and entry.previous != self._last.hash):
                raise DataError(f"the log is broken at event {entry.seq}: it was changed after it was written")
            self._state, self._last = apply(self._state, entry), entry


def whole_log(connection: sa.Connection) -> list[Entry]:
    """All entries, in a transaction of `Store.read`. DataError names the first that is not what it was."""
    entries = list(verified(_entries(connection)))
    head = connection.execute(sa.select(HEAD.c.seq)).scalar_one()
    if head != len(entries):
        raise DataError(f"the log is broken after event {len(entries)}: {head} were written")
    fold(entries)
    return entries


def _entries(connection: sa.Connection, after: int = 0, most: int | None = None) -> list[Entry]:
    query = sa.select(EVENTS).where(EVENTS.c.seq > after).order_by(EVENTS.c.seq).limit(most)
    return [_entry(row) for row in connection.execute(query)]


def _insert(connection: sa.Connection, entries: list[Entry]) -> None:
    if entries:
        rows = [{**entry.as_dict(), "data": canonical(entry.data)} for entry in entries]
        connection.execute(sa.insert(EVENTS), rows)
        connection.execute(sa.update(HEAD).values(seq=entries[-1].seq))


def _entry(row: sa.Row[tuple[object, ...]]) -> Entry:
    values = row._mapping
    return Entry(**{**values, "data": json.loads(values["data"])})


def require_database(url: str) -> None:
    """Refuse a database server that cannot be reached, or has no such database, at once and with its reason."""
    engine = _engine(url)
    try:
        if engine.dialect.name != "sqlite":
            engine.connect().close()
    except OperationalError as error:
        reason = str(error.orig).strip().splitlines()[-1].strip()
        raise FileError(f"the database cannot be used: {reason}") from error
    finally:
        engine.dispose()


def _engine(url: str) -> sa.Engine:
    try:
        address = sa.make_url(url)
    except sa.exc.ArgumentError as error:
        wanted = "sqlite:///FILE or postgresql://USER@HOST/NAME"
        raise FileError(f"{url!r} is not the address of a database: write {wanted}") from error
    if address.get_backend_name() == "sqlite":
        engine = sa.create_engine(address, connect_args={"timeout": 60, "isolation_level": None})

        @sa.event.listens_for(engine, "connect")
        def _durable(connection: sqlite3.Connection, _: object) -> None:
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=60000"):
                connection.execute(f"PRAGMA {pragma}")

        return engine
    if address.get_backend_name() != "postgresql":
        raise FileError(f"a contest lives in SQLite or in PostgreSQL, not in {address.get_backend_name()}")
    return sa.create_engine(
        address.set(drivername="postgresql+psycopg"), pool_pre_ping=True, pool_size=10, connect_args=PROMPT
    )

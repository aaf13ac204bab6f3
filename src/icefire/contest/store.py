"""The log in a database: SQLite out of the box, PostgreSQL by its address.

Events are appended by a decision: a function of the state that says what is to be added, or refuses. It is made while the
log is locked, so what it has counted still holds when its events are written.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import sqlalchemy as sa
from alembic import command
from alembic.config import Config as AlembicConfig
from sqlalchemy.exc import DBAPIError, OperationalError

from icefire.contest.clock import Clock
from icefire.contest.closing import Closing
from icefire.contest.events import Event, canonical, verified
from icefire.contest.state import State, apply, fold
from icefire.core.errors import DataError, FileError

Decision = Callable[[State], Iterable[tuple[str, str, dict[str, Any]]]]
"""From the state to (who, what, data) of events to be."""
PATIENCE = 60.0
"""Seconds for which a database may be away."""

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
WORKERS = sa.Table(
    "workers", _tables, sa.Column("id", sa.String(200), primary_key=True), sa.Column("seen", sa.String(40))
)


class Store(Closing):
    """The log of one contest, and the state it has led to."""

    def __init__(self, url: str, clock: Clock, patience: float = PATIENCE) -> None:
        self.url, self.clock, self.patience = url, clock, patience
        self.engine = _engine(url)
        self._state, self._last, self._lock = State(), _nothing(), Lock()
        try:
            self._patiently(self._migrate)
        except BaseException:
            self.close()
            raise

    def state(self) -> State:
        """The state by now."""
        return self._patiently(self._refresh)

    def append(self, decide: Decision) -> list[Event]:
        """Add what the decision says, in one transaction with all that it has looked at."""
        return self._patiently(lambda: self._append(decide))

    def events(self, after: int = 0, most: int | None = None) -> list[Event]:
        query = sa.select(EVENTS).where(EVENTS.c.seq > after).order_by(EVENTS.c.seq).limit(most)
        return self._patiently(lambda: self._read(query))

    def verify(self) -> int:
        """Walk the whole chain; how many events it has. DataError at the first that is not what it was."""
        events = list(verified(self.events()))
        with self.engine.connect() as connection:
            head = connection.execute(sa.select(HEAD.c.seq)).scalar_one()
        if head != len(events):
            raise DataError(f"the log is broken after event {len(events)}: {head} were written")
        fold(events)
        return len(events)

    def load(self, events: Iterable[Event]) -> None:
        """Fill an empty log with the events of another one."""
        found = list(verified(events))
        with self.writing() as connection:
            if connection.execute(sa.select(HEAD.c.seq)).scalar_one():
                raise DataError("this database holds a contest already: restore into an empty one")
            if found:
                connection.execute(sa.insert(EVENTS), [_row(event) for event in found])
                connection.execute(sa.update(HEAD).values(seq=found[-1].seq))

    def seen(self, worker: str) -> None:
        """A worker is alive."""
        moment = self.clock.now().isoformat()
        with self.writing() as connection:
            changed = connection.execute(sa.update(WORKERS).where(WORKERS.c.id == worker).values(seen=moment))
            if not changed.rowcount:
                connection.execute(sa.insert(WORKERS).values(id=worker, seen=moment))

    def workers(self) -> dict[str, str]:
        """When each worker was last seen."""
        with self.engine.connect() as connection:
            return {row.id: row.seen for row in connection.execute(sa.select(WORKERS))}

    def close(self) -> None:
        self.engine.dispose()

    def _migrate(self) -> None:
        settings = AlembicConfig()
        settings.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
        with self.writing() as connection:
            settings.attributes["connection"] = connection
            command.upgrade(settings, "head")

    def _append(self, decide: Decision) -> list[Event]:
        with self._lock, self.writing() as connection:
            self._follow(connection)
            state, last = self._state, self._last[0]
            made: list[Event] = []
            for who, what, data in decide(state):
                last = Event.after(last, self.clock.now(), who, what, data)
                # An event that cannot be folded must not be written.
                state = apply(state, last)
                made.append(last)
            if made:
                connection.execute(sa.insert(EVENTS), [_row(event) for event in made])
                connection.execute(sa.update(HEAD).values(seq=made[-1].seq))
        # Others read the log again; what was not committed must not be in the state.
        return made

    def _refresh(self) -> State:
        with self._lock, self.engine.connect() as connection:
            self._follow(connection)
            return self._state

    def _follow(self, connection: sa.Connection) -> None:
        """Fold what was added since."""
        query = sa.select(EVENTS).where(EVENTS.c.seq > self._state.seq).order_by(EVENTS.c.seq)
        for row in connection.execute(query):
            event, last = _event(row), self._last[0]
            # Whoever reads on notices what was changed behind their back.
            if not event.is_whole() or (last is not None and event.previous != last.hash):
                raise DataError(f"the log is broken at event {event.seq}: it was changed after it was written")
            self._state, self._last = apply(self._state, event), (event,)

    def _read(self, query: Any) -> list[Event]:
        with self.engine.connect() as connection:
            return [_event(row) for row in connection.execute(query)]

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """A transaction that nobody else can write beside."""
        with self.engine.connect() as connection:
            if connection.dialect.name == "sqlite":
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(4827193)")
            yield connection
            connection.commit()

    def _patiently(self, step: Callable[[], T]) -> T:
        """A step, again and again while the database is away."""
        end, pause = time.monotonic() + self.patience, 0.05
        while True:
            try:
                return step()
            except DBAPIError as error:
                if not (error.connection_invalidated or isinstance(error, OperationalError)) or time.monotonic() > end:
                    raise
                time.sleep(pause)
                pause = min(2 * pause, 1.0)


def _nothing() -> tuple[Event | None]:
    return (None,)


def _row(event: Event) -> dict[str, Any]:
    return {**event.as_dict(), "data": canonical(event.data)}


def _event(row: Any) -> Event:
    return Event(row.seq, row.at, row.who, row.what, json.loads(row.data), row.previous, row.hash)


def _engine(url: str) -> sa.Engine:
    try:
        address = sa.make_url(url)
    except sa.exc.ArgumentError as error:
        wanted = "sqlite:///FILE or postgresql://USER@HOST/NAME"
        raise FileError(f"{url!r} is not the address of a database: write {wanted}") from error
    if address.get_backend_name() == "sqlite":
        engine = sa.create_engine(address, connect_args={"timeout": 60, "isolation_level": None})

        @sa.event.listens_for(engine, "connect")
        def _durable(connection: Any, _: Any) -> None:
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=60000"):
                connection.execute(f"PRAGMA {pragma}")

        return engine
    if address.get_backend_name() != "postgresql":
        raise FileError(f"a contest lives in SQLite or in PostgreSQL, not in {address.get_backend_name()}")
    return sa.create_engine(address.set(drivername="postgresql+psycopg"), pool_pre_ping=True, pool_size=10)

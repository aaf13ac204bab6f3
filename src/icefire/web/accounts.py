"""Accounts of a contest: passwords, sessions, tokens and invitations. Of keys, only hashes are stored."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, NamedTuple

import sqlalchemy as sa
from typing_extensions import TypedDict

from icefire.contest.clock import Clock, SystemClock
from icefire.contest.engine import Contest
from icefire.contest.errors import NotFound
from icefire.core.errors import DataError, UnknownName, need

Role = Literal["operator", "team"]
KeyKind = Literal["session", "token", "invitation", "device"]
LIFETIMES: dict[KeyKind, timedelta] = {
    "session": timedelta(hours=12),
    "token": timedelta(days=30),
    "invitation": timedelta(days=14),
    "device": timedelta(days=60),
}
STALE = "this invitation is unknown, used or too old: ask the operator for another one"
SHORTEST = 10
LONGEST = 200

_tables = sa.MetaData()
ACCOUNTS = sa.Table(
    "accounts",
    _tables,
    sa.Column("login", sa.String(60), primary_key=True),
    sa.Column("role", sa.String(20)),
    sa.Column("team", sa.String(40)),
    sa.Column("password", sa.String(200)),
)
KEYS = sa.Table(
    "keys",
    _tables,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("kind", sa.String(20)),
    sa.Column("login", sa.String(60)),
    sa.Column("team", sa.String(40)),
    sa.Column("expires", sa.String(40)),
)


@dataclass(frozen=True)
class Person:
    """An account that has logged in."""

    login: str
    role: Role
    team: str | None

    @property
    def who(self) -> str:
        """How the log names this person."""
        return f"team:{self.team}" if self.team else f"operator:{self.login}"


class MembersDocument(TypedDict):
    """Who plays for a team."""

    logins: list[str]
    invited: bool
    """Whether an invitation waits to be used."""


class _Key(NamedTuple):
    login: str | None
    team: str | None


class Accounts:
    """The accounts of a contest, in its database."""

    def __init__(self, contest: Contest, clock: Clock | None = None) -> None:
        self._contest, self._store = contest, contest.store
        # Sessions live in real time, even if the contest is in fast time.
        self._clock = clock or SystemClock()
        self._store.migrate(Path(__file__).with_name("migrations") / "versions", "web_version")
        self._hasher = need("pwdlib", "web").PasswordHash.recommended()
        # Checked for logins that do not exist, so that they take as long as a wrong password.
        self._decoy = str(self._hasher.hash(secrets.token_hex(16)))

    def add_operator(self, login: str, password: str) -> None:
        hashed = self._hashed(login, password)
        person = Person(login, "operator", None)
        self._store.write(lambda connection: _insert_account(connection, person, hashed), urgent=True)

    def members(self) -> dict[str, MembersDocument]:
        """By team, who has joined, and whether there is an invitation that waits to be used."""
        now = self._clock.now().isoformat()
        waiting = sa.select(KEYS.c.team).where(KEYS.c.kind == "invitation", KEYS.c.expires > now)
        with self._store.engine.connect() as connection:
            joined = connection.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.role == "team")).all()
            invited = set(connection.execute(waiting).scalars())
        return {
            team: {"logins": sorted(row.login for row in joined if row.team == team), "invited": team in invited}
            for team in {*invited, *(row.team for row in joined)}
        }

    def has(self, login: str) -> bool:
        with self._store.engine.connect() as connection:
            return connection.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.login == login)).first() is not None

    def set_password(self, login: str, password: str) -> None:
        """Set a new password, which ends all sessions and tokens of the login."""
        hashed = self._hashed(login, password)

        def step(connection: sa.Connection) -> None:
            found = connection.execute(sa.update(ACCOUNTS).where(ACCOUNTS.c.login == login).values(password=hashed))
            if found.rowcount != 1:
                known = connection.execute(sa.select(ACCOUNTS.c.login).order_by(ACCOUNTS.c.login)).scalars().all()
                raise UnknownName.of("login", login, known)
            connection.execute(sa.delete(KEYS).where(KEYS.c.login == login))

        self._store.write(step, urgent=True)

    def invite(self, team: str) -> str:
        """A code with which a member of the team may choose a login and a password, once."""
        if team not in self._contest.state().teams:
            raise NotFound(f"there is no team {team!r}")
        return self._new_key("invitation", None, team, urgent=True)

    def join(self, code: str, login: str, password: str) -> Person:
        """Use an invitation. It is not used up if login or password are refused."""
        key = self._found("invitation", code)
        if key is None:
            raise DataError(STALE)
        person, hashed = Person(login, "team", key.team), self._hashed(login, password)

        def step(connection: sa.Connection) -> None:
            if connection.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.password == hashed)).first() is not None:
                # The connection was lost after the commit.
                return
            used = connection.execute(sa.delete(KEYS).where(KEYS.c.hash == _hash(code), KEYS.c.kind == "invitation"))
            if used.rowcount != 1:
                raise DataError(STALE)
            _insert_account(connection, person, hashed)

        self._store.write(step)
        return person

    def login(self, login: str, password: str) -> Person | None:
        """The person of a login and a password, if both are right."""
        with self._store.engine.connect() as connection:
            row = connection.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.login == login)).first()
        right = self._hasher.verify(password[:LONGEST], self._decoy if row is None else row.password)
        return Person(row.login, row.role, row.team) if right and row is not None else None

    def session(self, person: Person) -> str:
        """The key of a new session. An operator gets one on a full disk, too."""
        return self._new_key("session", person.login, person.team, urgent=person.role == "operator")

    def device(self, person: Person) -> str:
        """The key by which a browser is known to have logged in as this person. It opens nothing."""
        return self._new_key("device", person.login, person.team, urgent=person.role == "operator")

    def knows_device(self, key: str, login: str) -> bool:
        """Whether a browser has logged in with this login before."""
        found = self._found("device", key)
        return found is not None and found.login == login

    def token(self, person: Person) -> str:
        """A new token, which ends the one before."""
        older = sa.delete(KEYS).where(KEYS.c.kind == "token", KEYS.c.login == person.login)
        return self._new_key("token", person.login, person.team, older)

    def person(self, kind: Literal["session", "token"], key: str) -> Person | None:
        """The owner of a key that has not expired."""
        found = self._found(kind, key)
        if found is None:
            return None
        with self._store.engine.connect() as connection:
            row = connection.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.login == found.login)).first()
        return None if row is None else Person(row.login, row.role, row.team)

    def forget(self, key: str) -> None:
        """End a session."""
        self._store.write(lambda connection: connection.execute(sa.delete(KEYS).where(KEYS.c.hash == _hash(key))))

    def _hashed(self, login: str, password: str) -> str:
        """The hash of a password, if it and the login are acceptable."""
        if not 1 <= len(login) <= 60 or not login.isprintable() or login != login.strip():
            raise DataError("a login has 1 to 60 printable characters")
        if not SHORTEST <= len(password) <= LONGEST:
            raise DataError(f"a password has {SHORTEST} to {LONGEST} characters")
        return str(self._hasher.hash(password))

    def _new_key(
        self, kind: KeyKind, login: str | None, team: str | None, *first: sa.Delete, urgent: bool = False
    ) -> str:
        """Store a new key, after some deletions, in one transaction."""
        key, now = secrets.token_urlsafe(32), self._clock.now()
        expires = (now + LIFETIMES[kind]).isoformat()
        values = {"hash": _hash(key), "kind": kind, "login": login, "team": team, "expires": expires}

        def step(connection: sa.Connection) -> None:
            for statement in (sa.delete(KEYS).where(KEYS.c.expires < now.isoformat()), *first):
                connection.execute(statement)
            # A transaction is repeated when the connection was lost, and may have been committed.
            connection.execute(sa.delete(KEYS).where(KEYS.c.hash == values["hash"]))
            connection.execute(sa.insert(KEYS).values(values))

        self._store.write(step, urgent)
        return key

    def _found(self, kind: KeyKind, key: str) -> _Key | None:
        query = sa.select(KEYS).where(KEYS.c.hash == _hash(key), KEYS.c.kind == kind)
        with self._store.engine.connect() as connection:
            row = connection.execute(query).first()
        if row is None or datetime.fromisoformat(row.expires) <= self._clock.now():
            return None
        return _Key(row.login, row.team)


def _insert_account(connection: sa.Connection, person: Person, hashed: str) -> None:
    if connection.execute(sa.select(ACCOUNTS.c.login).where(ACCOUNTS.c.login == person.login)).first() is not None:
        raise DataError("this login is taken: choose another one")
    values = {"login": person.login, "role": person.role, "team": person.team, "password": hashed}
    connection.execute(sa.insert(ACCOUNTS).values(values))


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()

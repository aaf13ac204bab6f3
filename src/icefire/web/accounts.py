"""Who somebody is: passwords, sessions, tokens and invitations. Only hashes of keys are kept."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

import sqlalchemy as sa

from icefire.contest.clock import SystemClock
from icefire.contest.engine import Contest
from icefire.core.errors import DataError, need

Role = Literal["operator", "team"]
LIFETIMES = {"session": timedelta(hours=12), "token": timedelta(days=30), "invitation": timedelta(days=14)}
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
    """Somebody who has logged in."""

    login: str
    role: Role
    team: str | None

    @property
    def who(self) -> str:
        return f"team:{self.team}" if self.team else f"operator:{self.login}"


class Accounts:
    """The accounts of one contest, in its database."""

    def __init__(self, contest: Contest) -> None:
        self.contest, self.store = contest, contest.store
        self._hasher = need("pwdlib", "web").PasswordHash.recommended()
        # A login that does not exist takes as long as a wrong password.
        self._nobody = self._hasher.hash(secrets.token_hex(16))

    def add_operator(self, login: str, password: str) -> None:
        self._add(login, "operator", None, password)

    def invite(self, team: str) -> str:
        """A code with which somebody of the team may choose a password, once."""
        if team not in self.contest.state().teams:
            raise DataError(f"there is no team {team!r}")
        return self._key("invitation", None, team)

    def join(self, code: str, login: str, password: str) -> Person:
        """Use an invitation. A code works once, and not at all if the rest is wrong."""
        row = self._found("invitation", code)
        if row is None:
            raise DataError(STALE)
        hashed = self._checked(login, password)
        with self.store.writing() as connection:
            used = connection.execute(sa.delete(KEYS).where(KEYS.c.hash == _hash(code), KEYS.c.kind == "invitation"))
            if used.rowcount != 1:
                raise DataError(STALE)
            self._insert(connection, login, "team", row.team, hashed)
        return Person(login, "team", row.team)

    def login(self, login: str, password: str) -> Person | None:
        with self.store.engine.connect() as connection:
            row = connection.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.login == login)).first()
        good = self._hasher.verify(password[:LONGEST], row.password if row is not None else self._nobody)
        return Person(row.login, row.role, row.team) if good and row is not None else None

    def session(self, person: Person) -> str:
        return self._key("session", person.login, person.team)

    def token(self, person: Person) -> str:
        """A new token; the one before it is worth nothing any more."""
        with self.store.writing() as connection:
            connection.execute(sa.delete(KEYS).where(KEYS.c.kind == "token", KEYS.c.login == person.login))
        return self._key("token", person.login, person.team)

    def person(self, kind: Literal["session", "token"], key: str) -> Person | None:
        row = self._found(kind, key)
        if row is None:
            return None
        with self.store.engine.connect() as connection:
            found = connection.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.login == row.login)).first()
        return None if found is None else Person(found.login, found.role, found.team)

    def forget(self, key: str) -> None:
        with self.store.writing() as connection:
            connection.execute(sa.delete(KEYS).where(KEYS.c.hash == _hash(key)))

    def _add(self, login: str, role: Role, team: str | None, password: str) -> None:
        hashed = self._checked(login, password)
        with self.store.writing() as connection:
            self._insert(connection, login, role, team, hashed)

    def _checked(self, login: str, password: str) -> str:
        """The hash of a password, if it and the login will do."""
        if not 1 <= len(login) <= 60 or not login.isprintable() or login != login.strip():
            raise DataError("a login has 1 to 60 printable characters")
        if not SHORTEST <= len(password) <= LONGEST:
            raise DataError(f"a password has {SHORTEST} to {LONGEST} characters")
        return str(self._hasher.hash(password))

    @staticmethod
    def _insert(connection: sa.Connection, login: str, role: Role, team: str | None, hashed: str) -> None:
        if connection.execute(sa.select(ACCOUNTS.c.login).where(ACCOUNTS.c.login == login)).first() is not None:
            raise DataError("this login is taken: choose another one")
        connection.execute(sa.insert(ACCOUNTS).values(login=login, role=role, team=team, password=hashed))

    def _key(self, kind: str, login: str | None, team: str | None) -> str:
        key = secrets.token_urlsafe(32)
        expires = (self._now() + LIFETIMES[kind]).isoformat()
        with self.store.writing() as connection:
            connection.execute(sa.delete(KEYS).where(KEYS.c.expires < self._now().isoformat()))
            connection.execute(
                sa.insert(KEYS).values(hash=_hash(key), kind=kind, login=login, team=team, expires=expires)
            )
        return key

    def _found(self, kind: str, key: str) -> Any:
        query = sa.select(KEYS).where(KEYS.c.hash == _hash(key), KEYS.c.kind == kind)
        with self.store.engine.connect() as connection:
            row = connection.execute(query).first()
        return row if row is not None and datetime.fromisoformat(row.expires) > self._now() else None

    @staticmethod
    def _now() -> datetime:
        # A contest in fast time must not let people's sessions expire.
        return SystemClock().now()


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()

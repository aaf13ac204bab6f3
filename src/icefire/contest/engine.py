"""A contest in a folder. The web, the command line and bots all act through it."""

from __future__ import annotations

import json
from pathlib import Path

from icefire.contest.admission import Admission
from icefire.contest.clock import Clock, SystemClock
from icefire.contest.closing import Closing
from icefire.contest.config import Config
from icefire.contest.desk import OperatorDesk
from icefire.contest.docket import Docket
from icefire.contest.downloads import Downloads
from icefire.contest.errors import refuse_if
from icefire.contest.events.base import Event
from icefire.contest.events.course import Created
from icefire.contest.game import Game
from icefire.contest.games import GAMES, Games
from icefire.contest.judge import Judge
from icefire.contest.log import Entry
from icefire.contest.schedule import ENGINE, Schedule
from icefire.contest.state import State
from icefire.contest.store import Store
from icefire.contest.teams import Teams
from icefire.contest.vault import Blobs, Vault
from icefire.core.errors import FileError
from icefire.core.registry import Registry

SETTINGS, FILES, VAULT, ALARMS = "settings.json", "files", "vault", "alarms"
"""What lies in the folder of a contest, beside the database of SQLite."""
DATABASE = "sqlite:///contest.db"


class Contest(Closing):
    """A contest: its log, its files and its judge. It holds connections to its database until it is closed."""

    def __init__(
        self, folder: Path, clock: Clock | None = None, registry: Registry | None = None, games: Games = GAMES
    ) -> None:
        self.folder, self.clock = folder, clock or SystemClock()
        self.database = read_settings(folder)
        self._registry, self._games = registry or Registry(), games
        self.blobs, self.vault = Blobs(folder / FILES), Vault(folder / VAULT)
        self.store = Store(_address(self.database, folder), self.clock)
        self.teams = Teams(self.store)
        self.schedule = Schedule(self.store, self.clock)
        self.desk = OperatorDesk(self.store)
        self.downloads = Downloads(self.store, self.blobs)
        self.uploads = Admission(self.store, self.clock, self.blobs, self.downloads, self.game)
        self.docket = Docket(self.store, folder / ALARMS)
        try:
            self._check_vault()
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(
        cls,
        folder: Path,
        config: Config,
        database: str = DATABASE,
        clock: Clock | None = None,
        registry: Registry | None = None,
        games: Games = GAMES,
        seeds: tuple[str, ...] | None = None,
    ) -> Contest:
        """A new contest in an empty folder. Its seeds are drawn here, and their hashes are in its first event."""
        if folder.exists() and any(folder.iterdir()):
            raise FileError(f"{folder} is not empty: a contest needs a folder of its own")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        Vault.create(folder / VAULT, len(config.rounds), seeds)
        write_settings(folder, database)
        contest = cls(folder, clock, registry, games)
        created = Created(config=config, commitments=tuple(contest.vault.commitments()))

        def entries(state: State) -> list[tuple[str, Event]]:
            message = "this database holds a contest already: give the new one a database of its own"
            refuse_if(state.config is not None, message)
            return [(ENGINE, created)]

        try:
            contest.store.append(entries)
        except BaseException:
            contest.close()
            raise
        return contest

    def close(self) -> None:
        self.store.close()

    def state(self) -> State:
        state = self.store.state()
        if state.config is None:
            raise FileError(f"{self.database} of {self.folder} holds no contest")
        return state

    def log(self, after: int = 0) -> list[Entry]:
        """The entries of the log from a number on."""
        return self.store.entries(after)

    def game(self) -> Game:
        config = self.state().contest
        return self._games[config.game](self._registry, config)

    def judge(self) -> Judge:
        """The judge, for those who run jobs."""
        return Judge(self.game(), self.blobs, self.vault)

    def _check_vault(self) -> None:
        state = self.store.state()
        if state.config is not None and list(state.commitments) != self.vault.commitments():
            raise FileError(
                f"{self.database} holds another contest than {self.folder}: its seeds are not those of this vault"
            )


def read_settings(folder: Path) -> str:
    """The address of a contest's database."""
    settings = folder / SETTINGS
    if not settings.is_file():
        raise FileError(f"{folder} holds no contest: make one with icefire contest new")
    return str(json.loads(settings.read_text())["database"])


def write_settings(folder: Path, database: str) -> None:
    settings = folder / SETTINGS
    settings.write_text(json.dumps({"database": database}))
    # The address of a database may hold a password.
    settings.chmod(0o600)


def _address(database: str, folder: Path) -> str:
    """The address with the path of an SQLite file below the contest's folder, unless it is absolute."""
    name = database.removeprefix("sqlite:///")
    return f"sqlite:///{folder / name}" if database.startswith("sqlite:///") and not name.startswith("/") else database

"""A contest in a folder. The web, the command line and bots all act through it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from icefire.contest import names
from icefire.contest.admission import Admission
from icefire.contest.clock import Clock, SystemClock
from icefire.contest.closing import Closing
from icefire.contest.config import Config
from icefire.contest.desk import OperatorDesk
from icefire.contest.disk import Disk
from icefire.contest.docket import Docket
from icefire.contest.downloads import Downloads
from icefire.contest.errors import refuse_if
from icefire.contest.events.base import Event
from icefire.contest.events.course import Created
from icefire.contest.events.teams import TeamAdded
from icefire.contest.game import Game
from icefire.contest.games import GAMES, Games
from icefire.contest.judge import Judge
from icefire.contest.log import Entry
from icefire.contest.messages import Messages
from icefire.contest.plugins import keep_plugins, load_plugins
from icefire.contest.schedule import ENGINE, Schedule
from icefire.contest.sources import kept
from icefire.contest.state import State
from icefire.contest.store import PATIENCE, Store, require_database
from icefire.contest.submissions import Submissions
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
        self,
        folder: Path,
        clock: Clock | None = None,
        registry: Registry | None = None,
        games: Games = GAMES,
        patience: float = PATIENCE,
    ) -> None:
        self.folder, self.clock = folder, clock or SystemClock()
        self.database = read_settings(folder)
        self.registry, self._games = registry or Registry(), games
        load_plugins(folder, self.registry)
        self.blobs, self.vault = Blobs(folder / FILES), Vault(folder / VAULT)
        self.disk = Disk(folder)
        self.store = Store(address(self.database, folder), self.clock, patience, self.disk)
        self.teams = Teams(self.store)
        self.schedule = Schedule(self.store, self.clock)
        self.desk = OperatorDesk(self.store)
        self.messages = Messages(self.store)
        self.downloads = Downloads(self.store, self.blobs)
        self.submissions = Submissions(folder, self.blobs, self.vault.folder)
        self.uploads = Admission(self.store, self.clock, self.submissions, self.downloads, self.game, self.disk)
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
        """A new contest in an empty folder. Its seeds are drawn here, and their hashes are in its first event.

        All or nothing: if it cannot be made, the folder is as it was.
        """
        if folder.exists() and any(folder.iterdir()):
            raise FileError(f"{folder} is not empty: a contest needs a folder of its own")
        require_database(address(database, folder))
        there = folder.exists()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            Vault.create(folder / VAULT, len(config.rounds), seeds)
            write_settings(folder, database)
            keep_plugins(folder, registry or Registry())
            contest = cls(folder, clock, registry, games)
            try:
                contest._begin(config)
            except BaseException:
                contest.close()
                raise
        except BaseException:
            _empty(folder)
            if not there:
                folder.rmdir()
            raise
        return contest

    def _begin(self, config: Config) -> None:
        """Write the first events."""
        self.disk.hold()
        config = kept(config, self.registry, self.vault.folder)
        created = Created(config=config, commitments=tuple(self.vault.commitments()))
        taken: dict[str, object] = {}
        entries_of_committee = []
        for number, entry in enumerate(config.committee, start=1):
            team = names.free_id(entry.name, taken, number)
            taken[team] = entry
            entries_of_committee.append(TeamAdded(team=team, name=entry.name, committee=True))

        def entries(state: State) -> list[tuple[str, Event]]:
            message = "this database holds a contest already: give the new one a database of its own"
            refuse_if(state.config is not None, message)
            return [(ENGINE, event) for event in (created, *entries_of_committee)]

        self.store.append(entries)

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
        game = self._games[config.game](self.registry, config)
        game.vault = self.vault.folder
        return game

    def judge(self) -> Judge:
        """The judge, for those who run jobs."""
        return Judge(self.game(), self.blobs, self.vault, self.submissions)

    def _check_vault(self) -> None:
        state = self.store.state()
        try:
            commitments = self.vault.commitments()
        except PermissionError:
            # A web server may be kept away from the secrets; the judge is not.
            return
        if state.config is not None and list(state.commitments) != commitments:
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


def _empty(folder: Path) -> None:
    for member in folder.iterdir():
        if member.is_dir():
            shutil.rmtree(member)
        else:
            member.unlink()


def address(database: str, folder: Path) -> str:
    """The address with the path of an SQLite file below the contest's folder, unless it is absolute."""
    name = database.removeprefix("sqlite:///")
    return f"sqlite:///{folder / name}" if database.startswith("sqlite:///") and not name.startswith("/") else database

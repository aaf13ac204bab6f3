"""A contest in a folder: what people may do with it. A web page, a command line and bots all sit on this."""

from __future__ import annotations

import json
import re
import secrets
import tempfile
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from icefire.contest.board import final_rows
from icefire.contest.clock import Clock, SystemClock
from icefire.contest.closing import Closing
from icefire.contest.config import Config, nearest, read_config
from icefire.contest.events import Event
from icefire.contest.game import GAMES, Files, Game
from icefire.contest.judge import Job, Judge, News, done, due, faults_of
from icefire.contest.rules import check_scoring
from icefire.contest.state import State
from icefire.contest.store import Store
from icefire.contest.uploads import files_of, unpack
from icefire.contest.vault import Blobs, Vault
from icefire.core.errors import DataError, FileError, InputError, UnknownName
from icefire.core.registry import Registry

SHIPPED = (Path(__file__).parents[1] / "contests", Path(__file__).parents[3] / "contests")
"""Where the contests that ship lie: in the package, or beside its sources."""
SETTINGS = "settings.json"
JUDGE = "judge"
ENGINE = "engine"
INVISIBLE = {*"\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800", *map(chr, range(0xFE00, 0xFE10))}
"""Characters that nobody sees, and that are no control characters."""
LARGE = 8_000_000
"""Bytes of an upload, unpacked, beyond which its form is looked at by the judge alone."""
LATE = timedelta(minutes=1)
"""How late a phase may open without being moved."""
Games = Mapping[str, type[Game]]
Entries = list[tuple[str, str, dict[str, Any]]]
"""Events to be: who, what, and data."""


def load_config(path: Path, registry: Registry | None = None, games: Games = GAMES) -> Config:
    """Read a contest file and check it in full. The name of a contest that ships will do, such as demo."""
    known = registry or Registry()
    if not path.suffix and not path.exists():
        shipped = {one.stem: one for place in SHIPPED for one in place.glob("*.toml")}
        if str(path) not in shipped:
            raise UnknownName.of("file or contest", path, shipped)
        path = shipped[str(path)]

    def check(config: Config) -> list[tuple[tuple[str | int, ...], str]]:
        if config.game not in games:
            return [(("game",), nearest("game", config.game, list(games)))]
        return [*check_scoring(config), *games[config.game].check(known, config)]

    return read_config(path, check)


class NotNow(DataError):
    """Nothing is wrong with what was sent, but it cannot be taken now."""


class Contest(Closing):
    """One contest: its log, its files and its judge. It holds connections to its database until it is closed."""

    def __init__(
        self, folder: Path, clock: Clock | None = None, registry: Registry | None = None, games: Games = GAMES
    ) -> None:
        settings = folder / SETTINGS
        if not settings.is_file():
            raise FileError(f"{folder} holds no contest: make one with icefire contest new")
        self.folder, self.clock = folder, clock or SystemClock()
        self.database: str = json.loads(settings.read_text())["database"]
        self.store = Store(_address(self.database, folder), self.clock)
        self.blobs, self.vault = Blobs(folder / "files"), Vault(folder / "vault")
        self._registry, self._games = registry or Registry(), games
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
        database: str = "sqlite:///contest.db",
        clock: Clock | None = None,
        registry: Registry | None = None,
        games: Games = GAMES,
        seeds: tuple[str, ...] | None = None,
    ) -> Contest:
        """A new contest in an empty folder. Its seeds are drawn here, and their hashes are the first thing in the log."""
        if folder.exists() and any(folder.iterdir()):
            raise FileError(f"{folder} is not empty: a contest needs a folder of its own")
        folder.mkdir(parents=True, exist_ok=True)
        Vault.create(folder / "vault", len(config.rounds), seeds)
        (folder / SETTINGS).write_text(json.dumps({"database": database}))
        (folder / SETTINGS).chmod(0o600)
        contest = cls(folder, clock, registry, games)
        data = {"config": config.as_dict(), "commitments": contest.vault.commitments()}

        def decide(state: State) -> Entries:
            _refuse(
                state.config is not None,
                "this database holds a contest already: give the new one a database of its own",
            )
            return [(ENGINE, "created", data)]

        try:
            contest.store.append(decide)
        except BaseException:
            contest.close()
            raise
        return contest

    def close(self) -> None:
        self.store.close()

    def _check_vault(self) -> None:
        state = self.store.state()
        if state.config is not None and list(state.commitments) != self.vault.commitments():
            raise FileError(
                f"{self.database} holds another contest than {self.folder}: its seeds are not those of this vault"
            )

    # Looking.

    def state(self) -> State:
        state = self.store.state()
        if state.config is None:
            raise FileError(f"{self.database} of {self.folder} holds no contest")
        return state

    def events(self, after: int = 0) -> list[Event]:
        return self.store.events(after)

    def game(self) -> Game:
        config = self.state().contest
        return self._games[config.game](self._registry, config)

    def judge(self) -> Judge:
        """The judge, for whoever runs jobs."""
        return Judge(self.game(), self.blobs, self.vault)

    def problem(self, round: int, team: str, set: str) -> Files:
        """The files that a team was dealt."""
        return files_of(self.blobs.get(self.state().dealt[round, team, set]))

    def handout(self, round: int, target: str, set: str, attacker: str) -> Files:
        """The files of a published release, with the questions to this attacker if there are any."""
        made = self.state().published[round, target, set]
        question = [made.questions[attacker]] if attacker in made.questions else []
        parts = [files_of(self.blobs.get(sha256)) for sha256 in (made.sha256, *question)]
        return {name: content for part in parts for name, content in part.items()}

    # Teams.

    def add_team(self, name: str, who: str = "operator") -> str:
        """A new team; its id. Names that only look different are the same name."""
        shown = unicodedata.normalize("NFC", name).strip()
        visible = any(unicodedata.category(c)[0] in "LN" and c not in INVISIBLE for c in shown)
        if not 1 <= len(shown) <= 40 or not visible or any(unicodedata.category(c)[0] == "C" for c in shown):
            raise DataError("a team's name has 1 to 40 characters, a letter or a digit, and no control characters")

        def decide(state: State) -> Entries:
            _refuse(state.final, "the results stand")
            if any(_same(shown) == _same(team.name) for team in state.teams.values()):
                raise DataError(f"there is a team named {shown!r} already")
            taken = set(state.teams)
            base = re.sub(r"[^a-z0-9]+", "-", _same(shown)).strip("-")[:30] or "team"
            free = next(one for one in (base, *(f"{base}-{n}" for n in range(2, 10_000))) if one not in taken)
            return [(who, "team_added", {"team": free, "name": shown})]

        return str(self.store.append(decide)[0].data["team"])

    def withdraw_team(self, team: str, who: str, why: str) -> None:
        def decide(state: State) -> Entries:
            _require_team(state, team)
            return [(who, "team_withdrawn", {"team": team, "why": why})]

        self._decide(who, why, decide)

    # Uploads.

    def upload_release(self, team: str, set: str, content: bytes | Iterable[bytes]) -> str:
        """Send in a release of one set; the id of the upload."""
        return self._upload("release", team, set, None, content)

    def upload_guess(self, team: str, target: str, set: str, content: bytes | Iterable[bytes]) -> str:
        """Send in an answer to another team's release."""
        return self._upload("guess", team, set, target, content)

    def _upload(self, kind: str, team: str, name: str, target: str | None, content: bytes | Iterable[bytes]) -> str:
        # Once before the file is taken in, so that nobody sends one for nothing; what counts is the second time.
        round = self.check_upload(kind, team, name, target)
        whole = _whole([content] if isinstance(content, bytes) else content, self.state().contest.limits.megabytes)
        self._check_file(kind, team, round, name, target, whole)
        sha256, size = self.blobs.put(whole), len(whole)
        upload = secrets.token_hex(8)

        def decide(state: State) -> Entries:
            if upload in state.uploads:
                return []
            round = self._check_upload(state, kind, team, name, target)
            told = {"upload": upload, "kind": kind, "team": team, "round": round, "set": name, "target": target}
            return [(f"team:{team}", "uploaded", {**told, "sha256": sha256, "bytes": size})]

        self.store.append(decide)
        return upload

    def check_upload(self, kind: str, team: str, name: str, target: str | None) -> int:
        """Whether a team may send something now, and for which round; DataError says why not."""
        return self._check_upload(self.state(), kind, team, name, target)

    def _check_file(self, kind: str, team: str, round: int, name: str, target: str | None, content: bytes) -> None:
        """Refuse at once what cannot be read, with what its sender may know. The judge looks at the rest."""
        state, game = self.state(), self.game()
        patterns = game.release_files() if kind == "release" else game.guess_files()
        with tempfile.TemporaryDirectory() as scratch:
            sent = Path(scratch)
            try:
                unpack(content, sent, patterns, state.contest.limits)
                if sum(path.stat().st_size for path in sent.iterdir()) > LARGE:
                    # What would take long is left to the judge, who has a limit of time and memory.
                    return
                if kind == "release":
                    _refuse(
                        (round, team, name) not in state.dealt, "the problem is not dealt yet: try again in a moment"
                    )
                    game.check_release(self.problem(round, team, name), sent)
                else:
                    game.check_guess(self.handout(round, str(target), name, team), sent)
            except NotNow:
                raise
            except InputError as error:
                raise DataError("\n".join(faults_of(error, sent))) from error

    def _check_upload(self, state: State, kind: str, team: str, name: str, target: str | None) -> int:
        """The round it belongs to; DataError if it may not be sent now."""
        _require_team(state, team)
        config, limits = state.contest, state.contest.limits
        if name not in [one.name for one in config.sets]:
            raise DataError(f"there is no set {name!r}: the sets are {', '.join(one.name for one in config.sets)}")
        if state.paused:
            raise NotNow("the contest is paused: try again when it goes on")
        wanted = "defence" if kind == "release" else "attack"
        if state.phase is None or state.phase[1] != wanted:
            raise NotNow(f"a {kind} can be sent during the {wanted} phase, and that is not open now")
        round = state.phase[0]
        if self.clock.now() >= state.schedule[state.phase][1]:
            raise NotNow(f"the {wanted} phase has closed at {state.schedule[state.phase][1].isoformat()}")
        if kind == "guess":
            if target == team:
                raise DataError("a team does not attack its own release")
            place = round, str(target), name
            gone = str(target) in state.teams and state.teams[str(target)].withdrawn
            if place not in state.published or state.invalid(place) or gone:
                raise DataError(f"there is no published release of {target!r} in the set {name!r}")
            if state.published[place].questions and team not in state.published[place].questions:
                raise NotNow("this team came after the defence had closed: it has no questions to answer")
        if state.waiting(team) >= limits.waiting:
            raise NotNow(f"{limits.waiting} uploads of this team wait for the judge: wait until one is done")
        used, most = (
            state.used(kind, team, round, name, target),
            limits.releases if kind == "release" else limits.guesses,
        )
        if used >= most:
            raise NotNow(f"all {most} tries are used up" + (f" for {target!r}" if target else ""))
        return round

    # Time.

    def tick(self) -> list[Event]:
        """Open, close and freeze what is due by the clock."""
        return self.store.append(
            lambda state: [(ENGINE, what, data) for what, data in _due_changes(state, self.clock.now())]
        )

    def pause(self, who: str, why: str) -> None:
        self._change(
            who, why, "paused", lambda state: _refuse(state.paused is not None, "the contest is paused already")
        )

    def resume(self, who: str, why: str) -> None:
        """Go on; everything that was still to come moves by the length of the pause."""

        def decide(state: State) -> Entries:
            _refuse(state.paused is None, "the contest is not paused")
            pause = self.clock.now() - datetime.fromisoformat(str(state.paused))
            return [*_moved(state, pause, who, why), (who, "resumed", {"why": why})]

        self._decide(who, why, decide)

    def extend(self, minutes: float, who: str, why: str) -> None:
        """Let the open phase last longer; what comes after it moves as far."""

        def decide(state: State) -> Entries:
            _refuse(state.phase is None, "no phase is open")
            _refuse(not 0 < minutes < 1e6, "a phase can be extended by more than 0 minutes")
            return _moved(state, timedelta(minutes=minutes), who, why)

        self._decide(who, why, decide)

    def delay(self, minutes: float, who: str, why: str) -> None:
        """Move all that has not begun."""

        def decide(state: State) -> Entries:
            _refuse(not 0 < minutes < 1e6, "a contest can be delayed by more than 0 minutes")
            return _moved(state, timedelta(minutes=minutes), who, why, open_too=False)

        self._decide(who, why, decide)

    def freeze(self, who: str, why: str) -> None:
        self._change(who, why, "frozen", lambda state: _refuse(state.frozen is not None, "the board is frozen already"))

    def thaw(self, who: str, why: str) -> None:
        self._change(who, why, "thawed", lambda state: _refuse(state.frozen is None, "the board is not frozen"))

    def unveil(self, who: str, why: str) -> None:
        """One step of the ceremony: the public sees one more place of the standings, from the last one on."""

        def decide(state: State) -> Entries:
            _refuse(state.frozen is None, "the board is not frozen: there is nothing to unveil")
            _refuse(len(state.closed) < len(state.schedule), "not all phases have closed")
            _refuse(bool(due(state)), "the judge is not done")
            rows, place = final_rows(state), len(state.unveiled)
            _refuse(place >= len(rows), "all places are unveiled: thaw the board")
            return [(who, "unveiled", {"place": place + 1, "row": rows[-1 - place], "why": why})]

        self._decide(who, why, decide)

    def finalize(self, who: str, why: str) -> None:
        """The results stand."""

        def check(state: State) -> None:
            _refuse(state.final, "the contest is final already")
            _refuse(len(state.closed) < len(state.schedule), "not all phases have closed")
            left = due(state)
            _refuse(bool(left), f"the judge is not done: {len(left)} jobs are still to do")

        self._change(who, why, "finalized", check)

    def rule(self, round: int, team: str, set: str, valid: bool, who: str, why: str) -> None:
        """Decide on a release that was flagged, or on any."""

        def decide(state: State) -> Entries:
            place = round, team, set
            _refuse(place not in state.releases, f"{team!r} has no release of {set!r} in round {round + 1}")
            data = {"round": round, "team": team, "set": set, "upload": state.releases[place], "why": why}
            return [(who, "ruled", {**data, "decision": "valid" if valid else "invalid"})]

        self._decide(who, why, decide)

    def retry(self, reference: str, who: str, why: str) -> None:
        """Let a job that has failed be tried again."""

        def decide(state: State) -> Entries:
            alarm = state.alarms.get(reference)
            _refuse(alarm is None or alarm.resolved, f"there is no open alarm {reference!r}")
            return [(who, "alarm_resolved", {"reference": reference, "why": why})]

        self._decide(who, why, decide)

    def dismiss(self, reference: str, who: str, why: str) -> None:
        """Give up a job that has failed: its upload is rejected and uses up no try, its baseline has no value, and a release
        that cannot be published is not valid."""

        def decide(state: State) -> Entries:
            alarm = state.alarms.get(reference)
            if alarm is None or alarm.resolved:
                raise NotNow(f"there is no open alarm {reference!r}")
            resolved = (who, "alarm_resolved", {"reference": reference, "why": why})
            job = next((one for one in due(state) if one.key == alarm.job), None)
            if job is None:
                return [resolved]
            _refuse(job.what in ("deal", "reveal"), "this job cannot be given up: try it again")
            if job.what in ("measure", "judge"):
                faults = [f"the judge could not deal with this file; reference {reference}"]
                return [resolved, (who, "rejected", {"upload": job.args[0], "faults": faults})]
            data: dict[str, Any] = dict(zip(("round", "team", "set"), job.args, strict=False))
            if job.what == "publish":
                return [resolved, (who, "ruled", {**data, "upload": job.args[3], "decision": "invalid", "why": why})]
            tasks = [task.name for task in state.contest.set_named(data["set"]).tasks if job.args[3] in task.baselines]
            cell = {task: {"undefined": f"it failed; reference {reference}"} for task in tasks}
            return [resolved, (who, "baseline_scored", {**data, "attack": job.args[3], "cell": cell})]

        self._decide(who, why, decide)

    def _change(self, who: str, why: str, what: str, check: Callable[[State], None]) -> None:
        def decide(state: State) -> Entries:
            check(state)
            return [(who, what, {"why": why})]

        self._decide(who, why, decide)

    def _decide(self, who: str, why: str, decide: Callable[[State], Entries]) -> None:
        """Something a person decides: with a reason, and not when the results stand."""
        if not why.strip():
            raise DataError("say why: it goes into the log")

        def checked(state: State) -> Entries:
            news = decide(state)
            _refuse(state.final and any(what not in ("thawed", "unveiled") for _, what, _ in news), "the results stand")
            return news

        self.store.append(checked)

    def note(self, who: str, what: str) -> None:
        """Something for the log that changes nothing, such as who was invited."""
        self.store.append(lambda _: [(who, "noted", {"what": what})])

    # The judge's results.

    def record(self, job: Job, news: News) -> list[Event]:
        """Write what a job has found, once, whoever has done it."""
        return self.store.append(lambda state: [] if done(state, job) else [(JUDGE, what, data) for what, data in news])

    def alarm(self, job: Job, message: str, detail: str) -> str:
        """A job has failed: the log and the participants get a reference, the operator's folder the rest."""
        reference = secrets.token_hex(4)
        folder = self.folder / "alarms"
        folder.mkdir(mode=0o700, exist_ok=True)
        (folder / f"{reference}.txt").write_text(f"{job.key}\n{message}\n\n{detail}\n", encoding="utf-8")

        def decide(state: State) -> Entries:
            if done(state, job) or state.stuck(job.key):
                return []
            return [(ENGINE, "alarm", {"reference": reference, "job": job.key, "message": message})]

        self.store.append(decide)
        return reference

    def due(self) -> list[Job]:
        """Jobs that nobody has to look at before."""
        state = self.state()
        return [job for job in due(state) if not state.stuck(job.key)]


def _whole(chunks: Iterable[bytes], megabytes: float) -> bytes:
    """A file as it comes in, as long as it is not too large."""
    found = bytearray()
    for chunk in chunks:
        found += chunk
        if len(found) > megabytes * 1e6:
            raise DataError(f"the file is larger than {megabytes:g} MB")
    if not found:
        raise DataError("the file is empty")
    return bytes(found)


def _due_changes(state: State, now: datetime) -> News:
    """What the clock asks for by now, in the order of its times."""
    if state.config is None or state.paused or state.final:
        return []
    moments: list[tuple[datetime, int, str, dict[str, Any]]] = []
    for (at, phase), (opens, closes) in state.schedule.items():
        told = {"round": at, "phase": phase}
        if (at, phase) not in state.opened:
            moments.append((opens, 2, "phase_opened", told))
        if (at, phase) not in state.closed:
            moments.append((closes, 0, "phase_closed", told))
    moments += [(one, 1, "frozen", {"round": at}) for at, one in state.freezes.items() if at not in state.froze]
    changes: News = []
    for moment, _, what, data in sorted(moments, key=lambda one: one[:2]):
        if moment > now or (what == "phase_opened" and not _ready(state, data, changes)):
            break
        changes.append((what, data))
        if what == "phase_opened":
            # A phase that opens late is not shorter for that.
            late = now - moment
            if late > LATE:
                _, _, moved = _moved(state, late, ENGINE, "the phase opened late")[0]
                changes.insert(-1, ("rescheduled", moved))
            break
    return changes


def _ready(state: State, phase: dict[str, Any], changes: News) -> bool:
    """Attacks wait until every release that counts was published, and a phase until the one before has closed."""
    if any(what == "phase_closed" for what, _ in changes):
        return False
    return phase["phase"] == "defence" or not any(job.what in ("measure", "publish") for job in due(state))


def _moved(state: State, step: timedelta, who: str, why: str, open_too: bool = True) -> Entries:
    """Everything that is still to come, later."""
    phases = []
    for (at, phase), (opens, closes) in state.schedule.items():
        begun = (at, phase) in state.opened
        if (at, phase) in state.closed or (begun and not open_too):
            continue
        opens = opens if begun else opens + step
        phases.append({"round": at, "phase": phase, "opens": opens.isoformat(), "closes": (closes + step).isoformat()})
    # A freeze moves with what it lies in.
    moving = {one["round"] for one in phases if one["phase"] == "attack"}
    freezes = {str(at): (one + step).isoformat() for at, one in state.freezes.items() if at in moving - state.froze}
    return [(who, "rescheduled", {"phases": phases, "freezes": freezes, "why": why})]


def _refuse(bad: bool, why: str) -> None:
    if bad:
        raise NotNow(why)


def _require_team(state: State, team: str) -> None:
    _refuse(team not in state.teams, f"there is no team {team!r}")
    _refuse(state.teams[team].withdrawn, f"the team {team!r} has withdrawn")


def _same(name: str) -> str:
    """Names that look alike are the same name, as far as spaces, case, width and invisible characters go."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(c for c in folded if c not in INVISIBLE).split())


def _address(database: str, folder: Path) -> str:
    """A file of SQLite lies in the contest's folder unless it says otherwise."""
    name = database.removeprefix("sqlite:///")
    return f"sqlite:///{folder / name}" if database.startswith("sqlite:///") and not name.startswith("/") else database

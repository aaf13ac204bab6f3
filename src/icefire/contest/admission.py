"""Admission of uploads: who may upload what when, and which files are refused at once."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from icefire.contest.clock import Clock
from icefire.contest.disk import Disk
from icefire.contest.downloads import Downloads
from icefire.contest.errors import NotFound, NotNow, refuse_if
from icefire.contest.events.base import Event
from icefire.contest.events.uploads import Uploaded
from icefire.contest.game import Game
from icefire.contest.judge import unpacked
from icefire.contest.state import Place, State, UploadKind
from icefire.contest.store import Store
from icefire.contest.submissions import Submissions
from icefire.contest.teams import require_team
from icefire.core.errors import DataError

LONGEST_METHOD = 100
LARGE = 8_000_000
"""Bytes of unpacked files beyond which only the judge checks the content, within its limits of time and memory."""


@dataclass(frozen=True)
class Request:
    """What a team wants to upload."""

    kind: UploadKind
    team: str
    dataset: str
    target: str | None = None
    """The team whose release is attacked."""
    against: str | None = None
    """The upload of that release; the one that is handed out now if left out."""
    method: str = ""
    """What the audience is told about the method. It is public at once."""

    def check(self, state: State, clock: Clock) -> Place:
        """Where the upload belongs; DataError if it is not allowed now."""
        require_team(state, self.team)
        if len(self.method) > LONGEST_METHOD or not self.method.isprintable():
            raise DataError(f"the method is a line of text for the audience, at most {LONGEST_METHOD} characters")
        refuse_if(state.paused is not None, "the contest is paused: try again when it goes on")
        wanted = "defence" if self.kind == "release" else "attack"
        stage = state.open_stage("defence" if self.kind == "release" else "attack")
        if stage is None:
            raise NotNow(f"a {self.kind} can be sent during the {wanted} phase, and that is not open now")
        names = [dataset.name for dataset in state.contest.sets_of(stage.round_index)]
        if self.dataset not in names:
            raise NotFound(f"there is no set {self.dataset!r}: the sets are {', '.join(names)}")
        closes = state.schedule[stage][1]
        refuse_if(clock.now() >= closes, f"the {wanted} phase has closed at {closes.isoformat()}")
        place = Place(stage.round_index, self.team, self.dataset)
        if self.kind == "guess":
            self._check_target(state, place)
        limits = state.contest.limits
        message = f"{limits.waiting} uploads of this team wait for the judge: try again when one of them is done"
        refuse_if(state.waiting(self.team) >= limits.waiting, message)
        most = limits.releases if self.kind == "release" else limits.guesses
        message = f"all {most} tries are used up" + (f" for {self.target!r}" if self.target else "")
        refuse_if(state.used(self.kind, place, self.target) >= most, message)
        return place

    def attacked(self, state: State, place: Place) -> str | None:
        """The upload of the release that a guess is about."""
        if self.target is None:
            return None
        return self.against or state.published[place._replace(team=self.target)].upload

    def _check_target(self, state: State, place: Place) -> None:
        if self.target == self.team:
            raise DataError("a team does not attack its own release")
        attacked = place._replace(team=str(self.target))
        if not state.open_to_attack(attacked):
            raise NotFound(f"there is no published release of {self.target!r} in the set {self.dataset!r}")
        if self.against is not None:
            release = state.uploads.get(self.against)
            if release is None or release.place != attacked or release.status != "accepted":
                raise NotFound(f"there is no release {self.against!r} of {self.target!r} in the set {self.dataset!r}")
        questions = state.published[attacked].questions
        message = "this team joined after the defence had closed: there are no questions for it"
        refuse_if(bool(questions) and self.team not in questions, message)


class Admission:
    """Takes uploads in."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        submissions: Submissions,
        downloads: Downloads,
        game: Callable[[], Game],
        disk: Disk,
    ) -> None:
        self._store, self._clock, self._downloads, self._game = store, clock, downloads, game
        self._submissions, self._disk = submissions, disk

    def check(self, request: Request) -> Place:
        """Fail early, before a large body is read; the same check inside the transaction decides."""
        return request.check(self._store.state(), self._clock)

    def release(self, team: str, dataset: str, content: bytes, method: str = "") -> str:
        """Upload a release, and return the id of the upload."""
        return self.upload(Request("release", team, dataset, method=method), content)

    def guess(self, team: str, target: str, dataset: str, content: bytes, method: str = "") -> str:
        """Upload a guess at another team's release, and return the id of the upload."""
        return self.upload(Request("guess", team, dataset, target, method=method), content)

    def upload(self, request: Request, content: bytes, key: str = "") -> str:
        """Take a file in, and return the id of the upload. When this returns, the file is on disk and in the log.

        A sender who does not know whether a file has arrived sends it again with the same key: it is taken in once.
        """
        upload = _id(request, content, key) if key else secrets.token_hex(8)
        if upload in self._store.state().uploads:
            return upload
        place = self.check(request)
        self._disk.check_upload(len(content))
        self._check_content(request, place, content)
        sha256 = self._submissions.receive(upload, content)

        def entries(state: State) -> list[tuple[str, Event]]:
            # The transaction is repeated when the connection was lost, and may have been committed; so may another try.
            if upload in state.uploads:
                return []
            place = request.check(state, self._clock)
            event = Uploaded(
                **place._asdict(),
                upload=upload,
                kind=request.kind,
                target=request.target,
                against=request.attacked(state, place),
                sha256=sha256,
                bytes=len(content),
                method=request.method,
            )
            return [(f"team:{request.team}", event)]

        self._store.append(entries)
        return upload

    def _check_content(self, request: Request, place: Place, content: bytes) -> None:
        """Refuse at once what cannot be read, as far as the sender may know what is right; the judge checks the rest."""
        game = self._game()
        megabytes = game.config.limits.megabytes
        if len(content) > megabytes * 1e6:
            raise DataError(f"the file is larger than {megabytes:g} MB")
        if not content:
            raise DataError("the file is empty")
        if request.kind == "release":
            refuse_if(place not in self._store.state().dealt, "the data are not dealt yet: try again in a moment")
            known = self._downloads.problem(place)
        else:
            attacked = place._replace(team=str(request.target))
            if request.against not in (None, self._store.state().published[attacked].upload):
                # The files of a release that was replaced are in the vault alone.
                return
            known = self._downloads.handout(attacked, request.team)
        with unpacked(content, request.kind, game) as folder:
            if sum(path.stat().st_size for path in folder.iterdir()) <= LARGE:
                check = game.check_release if request.kind == "release" else game.check_guess
                check(known, folder)


def _id(request: Request, content: bytes, key: str) -> str:
    """The id of an upload that its sender has given a key: the same for the same file to the same place."""
    parts = [*map(str, (request.kind, request.team, request.dataset, request.target, request.against)), key]
    return hashlib.sha256("\0".join(parts).encode() + b"\0" + content).hexdigest()[:16]

"""Files that teams may download, and who may have them when."""

from __future__ import annotations

from pathlib import Path

from icefire.contest.errors import NotFound
from icefire.contest.game import Files
from icefire.contest.state import Place, Stage
from icefire.contest.store import Store
from icefire.contest.uploads import files_of
from icefire.contest.vault import Blobs

KITS = (Path(__file__).parents[1] / "kits", Path(__file__).parents[3] / "kits")
"""Where the kits lie: in the package, or beside its sources."""


class Downloads:
    """The files of a contest that are handed out. NotFound if there are none for who asks, or not yet."""

    def __init__(self, store: Store, blobs: Blobs) -> None:
        self._store, self._blobs = store, blobs

    def problem(self, place: Place) -> Files:
        """The data that a team was dealt, from the opening of the defence on."""
        state = self._store.state()
        problem = state.dealt.get(place)
        if problem is None or Stage(place.round_index, "defence") not in state.opened or state.withdrawn(place.team):
            raise NotFound("no such problem")
        return files_of(self._blobs.get(problem.sha256))

    def handout(self, place: Place, attacker: str) -> Files:
        """A published release, from the opening of the attack on, with the questions to this attacker if there are any."""
        state = self._store.state()
        if not state.open_to_attack(place) or Stage(place.round_index, "attack") not in state.opened:
            raise NotFound("no such release")
        handout = state.published[place]
        hashes = [handout.sha256, *([handout.questions[attacker]] if attacker in handout.questions else [])]
        return {name: content for sha256 in hashes for name, content in files_of(self._blobs.get(sha256)).items()}

    def kit(self) -> Files:
        """Sample programs to begin with, for the files of this contest."""
        folder = next((folder for folder in KITS if folder.is_dir()), None)
        if folder is None:
            raise NotFound("there is no kit")
        config = self._store.state().contest
        programs = folder / (config.format or config.kind)
        paths = [folder / "README.md", *(programs.iterdir() if programs.is_dir() else ())]
        return {path.name: path.read_bytes() for path in sorted(paths) if path.is_file()}

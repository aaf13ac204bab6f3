"""What the judge's jobs work with: the game, the files, and the vault, which nothing else opens."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from icefire.contest.game import Game
from icefire.contest.state import Place, Upload, UploadKind
from icefire.contest.submissions import Submissions
from icefire.contest.uploads import unpack
from icefire.contest.vault import Blobs, Vault
from icefire.core.errors import DataError, InputError
from icefire.core.seeds import generator
from icefire.frames.set_bounds import bounded_sets

LONGEST_FAULT = 500
SHARED = "shared"
"""The owner of a problem that all teams have in common."""


class Judge:
    """Game, files and vault of a contest, and what teams have sent."""

    def __init__(self, game: Game, blobs: Blobs, vault: Vault, submissions: Submissions) -> None:
        self.game, self.blobs, self.vault, self.submissions = game, blobs, vault, submissions

    def rng(self, round_index: int, *path: str) -> np.random.Generator:
        """The randomness of a job: it follows from the round's secret seed, so a job gives the same result each time."""
        return generator(int(self.vault.seed(round_index), 16), *path)

    def owner(self, place: Place) -> str:
        """Whose problem a team's release is about: its own, or the one that all teams share."""
        return place.team if self.game.config.dataset(place.dataset).per_team else SHARED

    def problem(self, place: Place) -> Path:
        """The folder of the problem in the vault."""
        return self.vault.problem(place.round_index, self.owner(place), place.dataset)

    def truth(self, place: Place, upload: str) -> Path:
        """The folder of a published release and its secret in the vault."""
        return self.vault.truth(place.round_index, place.team, place.dataset, upload)

    @contextmanager
    def unpacked(self, upload: Upload) -> Iterator[Path]:
        """The files of an upload in a folder that is removed afterwards."""
        with unpacked(self.submissions.get(upload), upload.kind, self.game) as folder:
            yield folder


def _shortened(fault: str) -> str:
    """A fault that may quote a cell of any size: its beginning says where it is, and its end what is wrong."""
    return fault if len(fault) <= LONGEST_FAULT else f"{fault[: LONGEST_FAULT // 2]}…{fault[-LONGEST_FAULT // 2 :]}"


class FaultyUpload(DataError):
    """An upload with faults; the message says nothing of where our files lie."""

    def __init__(self, error: InputError, folder: Path) -> None:
        lines = str(error).splitlines()[:20]
        plain = [line.replace(f"{folder}/", "").replace(str(folder), "the upload") for line in lines]
        self.faults = tuple(map(_shortened, plain))
        super().__init__("\n".join(self.faults))


@contextmanager
def unpacked(content: bytes, kind: UploadKind, game: Game) -> Iterator[Path]:
    """Uploaded files in a folder that is removed afterwards. Errors about them are raised as FaultyUpload."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        patterns = game.release_files() if kind == "release" else game.guess_files()
        try:
            limits = game.config.limits
            unpack(content, folder, patterns, limits, partial(game.bare_file, kind))
            with bounded_sets(limits.set_size, limits.set_values):
                yield folder
        except FaultyUpload:
            raise
        except InputError as error:
            raise FaultyUpload(error, folder) from error

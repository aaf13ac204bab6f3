"""File formats: how the data of a kind lie in a working folder."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeAlias

from icefire.core.errors import InputError
from icefire.core.roles import GuessT, KnowledgeT, Method, OriginalT, PublishedT, ReleaseT

RECIPE = "secret-recipe.toml"
REPORT = "report.html"
Recipe: TypeAlias = Mapping[str, object]
"""The steps, the seed and the version that made a release. It is part of the secret."""


class Format(Method, ABC, Generic[OriginalT, PublishedT, KnowledgeT, ReleaseT, GuessT]):
    """Reads and writes originals, releases and guesses.

    File names are patterns, as `Path.glob` takes them.
    """

    role: ClassVar[str] = "format"
    published_files: ClassVar[tuple[str, ...]] = ("published.*",)
    """What may be handed out."""
    submitted_files: ClassVar[tuple[str, ...]] = ("published.*", "secret.csv")
    """What a judge needs from the maker of a release, beside the original."""
    optional_files: ClassVar[tuple[str, ...]] = ()
    """Those of them that may be left out."""
    known_files: ClassVar[tuple[str, ...]] = ("original.*", "schema.toml")
    """What an attacker may hold beside the published files."""
    withheld_files: ClassVar[tuple[str, ...]] = ()
    """What a defender can do without, where attackers alone may have it."""
    level_files: ClassVar[tuple[str, ...]] = ()
    """Tables of attackers who know less, where the format has files of them."""
    guess_files: ClassVar[tuple[str, ...]] = ("guess-*.csv",)
    """The files of a guess; the first one is the one that `read_guess` takes."""

    @abstractmethod
    def read_original(self, folder: Path) -> OriginalT: ...

    def read_dealt(self, folder: Path) -> OriginalT:
        """Read an original of which the withheld files may be missing."""
        return self.read_original(folder)

    @abstractmethod
    def write_original(self, original: OriginalT, folder: Path, extension: str = ".csv", seed: int = 0) -> None:
        """Write the original; the seed is for formats that draw something of their own."""

    @abstractmethod
    def read_published(self, folder: Path, original: OriginalT) -> PublishedT:
        """Read what was handed out, without touching the secret."""

    def read_previous(self, folder: Path, original: OriginalT) -> PublishedT:
        """Read what was handed out another time, which may have other columns and people."""
        return self.read_published(folder, original)

    @abstractmethod
    def read_secret(self, folder: Path, original: OriginalT, published: PublishedT) -> ReleaseT:
        """Read the secret, and link what was handed out to the original: for the judge and the defender."""

    def read_release(self, folder: Path, dealt: bool = False) -> ReleaseT:
        """Read the original, which may lack withheld files if it was dealt so, what was handed out, and the secret."""
        original = self.read_dealt(folder) if dealt else self.read_original(folder)
        return self.read_secret(folder, original, self.read_published(folder, original))

    def check_cells(self, release: ReleaseT) -> None:
        """FileError if cells of a release mean nothing, where reading it lets them pass."""

    @abstractmethod
    def read_handout(self, folder: Path) -> tuple[PublishedT, KnowledgeT]:
        """Read all that an attacker holds, from a folder that may hold nothing else."""

    @abstractmethod
    def write_release(self, release: ReleaseT, folder: Path, recipe: Recipe, extension: str = ".csv") -> None:
        """Write what is published and, apart from it, the secret; the recipe goes with the secret. The original comes
        along where the folder has none."""

    @abstractmethod
    def read_guess(self, path: Path, published: PublishedT, knowledge: KnowledgeT) -> GuessT: ...

    @abstractmethod
    def write_guess(self, guess: GuessT, path: Path, published: PublishedT, knowledge: KnowledgeT) -> None: ...

    def read_partial(self, folder: Path, knowledge: Path) -> tuple[PublishedT, KnowledgeT]:
        """Read what an attacker holds who knows the content of a file instead of the original."""
        original = self.read_original(folder)
        return self.read_published(folder, original), self.read_knowledge(knowledge, original)

    def read_knowledge(self, path: Path, original: OriginalT) -> KnowledgeT:
        """Read what an attacker with less than maximum knowledge holds."""
        raise InputError(f"what attackers of {self.kind} know lies in the working folder: leave --knowledge out")

    def level_file(self, folder: Path, level: str) -> Path | None:
        """The table of attackers of a level, where the folder holds one."""
        return None

    def read_identifying(self, folder: Path, names: Sequence[str]) -> Any:
        """Read columns of the original that identify people, a row for each of its rows."""
        raise InputError(f"keyed pseudonyms are for microdata in icefire's own format, not for {self.kind}")

    def extension(self, folder: Path) -> str:
        """The type of the tables in a folder, such as .csv; a release is written in the same one."""
        return ".csv"

    def has_release(self, folder: Path) -> bool:
        return any(path for pattern in self.published_files for path in folder.glob(pattern))

    def guess_path(self, folder: Path, name: str) -> Path:
        """Where the guess of this name lies."""
        return folder / self.guess_files[0].replace("*", name)

    def guess_name(self, path: Path) -> str:
        """The name of the guess in a file."""
        return path.stem.removeprefix(self.guess_path(Path(), "").stem)

    def guesses(self, folder: Path) -> list[Path]:
        """The guesses in a folder, by name."""
        return sorted(folder.glob(self.guess_files[0]))

    def bare_release(self, line: str) -> str | None:
        """The name of a file that is a whole release by itself, given its first line; None if it takes several files."""
        return None

    def bare_guess(self, line: str) -> str | None:
        """The same for a guess."""
        return self.guess_path(Path(), "answer").name if len(self.guess_files) == 1 else None

    def outdated(self, folder: Path) -> list[Path]:
        """The guesses and reports that say nothing about a new release in this folder."""
        return [path for pattern in (*self.guess_files, REPORT) for path in folder.glob(pattern)]


AnyFormat: TypeAlias = Format[Any, Any, Any, Any, Any]
"""A format of a kind that is known at run time only."""

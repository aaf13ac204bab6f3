"""Games: what teams are dealt, what they upload, and how it is measured.

The engine knows phases, limits, events and standings; a game knows data. `reidentification` ships with icefire; packages add
theirs by entry points of the group `icefire.games`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeAlias

import numpy as np

from icefire.contest.config import Config, Dataset
from icefire.contest.measures import Measures
from icefire.contest.state import Evidence, UploadKind
from icefire.core.registry import Registry, Role
from icefire.core.strictfile import Fault

Files: TypeAlias = dict[str, bytes]
"""Contents by file name."""


@dataclass(frozen=True)
class ProblemFiles:
    """What a team is dealt."""

    files: Files
    summary: Mapping[str, int] = field(default_factory=dict)
    """The size of the data in a few numbers."""


@dataclass(frozen=True)
class HandoutFiles:
    """What attackers get."""

    public: Files
    questions: Mapping[str, Files] = field(default_factory=dict)
    """By attacker, files that only this attacker gets."""


class Game(ABC):
    """A game. Folders named `private` lie in the vault; methods that take one are called by the judge alone."""

    name: ClassVar[str]
    deals_columns: ClassVar[bool] = False
    """Whether a set may name the columns that are dealt."""
    vault: Path | None = None
    """Where the files lie that sources name, for the judge."""

    def __init__(self, registry: Registry, config: Config) -> None:
        self.registry, self.config = registry, config

    @classmethod
    @abstractmethod
    def check(cls, registry: Registry, config: Config) -> list[Fault]:
        """Faults in a configuration."""

    @classmethod
    def try_out(cls, registry: Registry, config: Config) -> list[Fault]:
        """Faults that show when the data are opened, such as a metric that has no value on them."""
        return []

    def summary(self, role: Role, step: str) -> str:
        """What a metric measures, in a sentence; nothing if the game does not say."""
        return ""

    @abstractmethod
    def release_files(self) -> Sequence[str]:
        """Patterns of the files of a release."""

    def optional_files(self) -> Sequence[str]:
        """Patterns of those that may be left out."""
        return ()

    @abstractmethod
    def guess_files(self) -> Sequence[str]:
        """Patterns of the files of a guess."""

    def bare_file(self, kind: UploadKind, line: str) -> str | None:
        """The name of an upload that is one plain file and no zip, given its first line; None if that is not enough."""
        patterns = self.release_files() if kind == "release" else self.guess_files()
        return patterns[0] if len(patterns) == 1 else None

    def check_release(self, problem: Files, sent: Path) -> None:  # noqa: B027
        """Raise DataError if uploaded files are not a release of the problem, as far as the team can know."""

    def check_guess(self, handout: Files, sent: Path) -> None:  # noqa: B027
        """Raise DataError if uploaded files are not a guess at what was handed out."""

    @abstractmethod
    def deal(self, dataset: Dataset, private: Path, rng: np.random.Generator) -> ProblemFiles:
        """Make a problem: write its secret part into the folder, and return what the team gets."""

    @abstractmethod
    def measure(self, dataset: Dataset, problem: Path, sent: Path) -> tuple[Measures, Evidence]:
        """Check and measure a release, and return evidence if it looks like a cheat. DataError says what is wrong with it."""

    @abstractmethod
    def publish(
        self,
        dataset: Dataset,
        problem: Path,
        sent: Path,
        private: Path,
        attackers: Sequence[str],
        rng: np.random.Generator,
    ) -> HandoutFiles:
        """Shuffle a release, write its secret into the folder, and return what attackers get."""

    @abstractmethod
    def baseline(self, dataset: Dataset, private: Path, attack: str, rng: np.random.Generator) -> Measures:
        """Run an attack of the judge on a published release; the scores by task."""

    @abstractmethod
    def judge(self, dataset: Dataset, private: Path, attacker: str, sent: Path) -> Measures:
        """Score a guess by task; DataError says what is wrong with it."""

    @abstractmethod
    def bot_release(self, problem: Files, steps: Sequence[str], rng: np.random.Generator) -> Files:
        """A bot's release of its problem."""

    @abstractmethod
    def bot_guess(self, handout: Files, step: str, rng: np.random.Generator) -> Files:
        """A bot's guess at what was handed out."""

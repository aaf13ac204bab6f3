"""The roles of methods for histories: derive a method from one of these."""

from __future__ import annotations

from typing import ClassVar

from icefire.core import formats, roles
from icefire.core.errors import Undefined
from icefire.history.data import Guess, History, Release
from icefire.history.treatment import Treatment


class Anonymizer(roles.Anonymizer[History, Release], kind="history"):
    """Makes a release of records."""

    def treat(self, treatment: Treatment) -> Treatment:
        """What has become of the known records after this step, for attackers who know the method.

        Anonymizers that do not state it raise Undefined.
        """
        raise Undefined(f"{self.name} does not say what becomes of a record")


class Attack(roles.Attack[History, History, Guess], kind="history"):
    """Guesses who is behind which pseudonym, knowing some or all of the original records."""

    on_engine: ClassVar[bool] = False
    """Whether it needs no more than counts, so that records may stay on DuckDB or Spark."""

    @classmethod
    def uses(cls, knowledge: History) -> bool:
        return cls.on_engine or not knowledge.on_engine


class InformedAttack(roles.InformedAttack[History, History, Guess], kind="history"):
    """The same, knowing the steps that made the release."""

    @classmethod
    def uses(cls, knowledge: History) -> bool:
        return not knowledge.on_engine


class Utility(roles.Utility[History, Release], kind="history"):
    """What released records are still worth."""


class Safety(roles.Safety[Release, Guess], kind="history"):
    """What released records give away."""


class Dataset(roles.Dataset[History], kind="history"):
    """A source of histories."""


class Format(formats.Format[History, History, History, Release, Guess], kind="history"):
    """A file format for histories."""

"""The roles of methods for traces: derive a method from one of these."""

from __future__ import annotations

from icefire.core import formats, roles
from icefire.core.errors import Undefined
from icefire.trace.data import Cells, Floats, Guess, Reference, Release, Traces


class Anonymizer(roles.Anonymizer[Traces, Release], kind="trace"):
    """Makes a release of traces."""

    def channel(self, knowledge: Reference) -> Floats | None:
        """[true region, published region]: probability of what becomes of a cell, for attackers who know the method; None if
        regions are only merged into sets or deleted, or traces exchanged as wholes.

        Anonymizers that do not treat every cell by itself raise Undefined.
        """
        raise Undefined(f"{self.name} does not say how likely a published cell is")


class Attack(roles.Attack[Cells, Reference, Guess], kind="trace"):
    """Guesses who is behind which pseudonym and where everybody was, knowing reference traces of other days."""

    @classmethod
    def uses(cls, knowledge: Reference) -> bool:
        return knowledge.points is None


class InformedAttack(roles.InformedAttack[Cells, Reference, Guess], kind="trace"):
    """The same, knowing the steps that made the release."""

    @classmethod
    def uses(cls, knowledge: Reference) -> bool:
        return knowledge.points is None


class Utility(roles.Utility[Traces, Release], kind="trace"):
    """What released traces are still worth."""


class Safety(roles.Safety[Release, Guess], kind="trace"):
    """What released traces give away."""


class Dataset(roles.Dataset[Traces], kind="trace"):
    """A source of traces."""


class Format(formats.Format[Traces, Cells, Reference, Release, Guess], kind="trace"):
    """A file format for traces."""

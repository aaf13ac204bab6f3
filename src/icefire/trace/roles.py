"""The roles of methods for traces: derive a method from one of these."""

from __future__ import annotations

from icefire.core import formats, roles
from icefire.trace.data import Cells, Guess, Reference, Release, Traces


class Anonymizer(roles.Anonymizer[Traces, Release], kind="trace"):
    """Makes a release of traces."""


class Attack(roles.Attack[Cells, Reference, Guess], kind="trace"):
    """Guesses who is behind which pseudonym and where everybody was, knowing reference traces of other days."""


class Utility(roles.Utility[Traces, Release], kind="trace"):
    """What released traces are still worth."""


class Safety(roles.Safety[Release, Guess], kind="trace"):
    """What released traces give away."""


class Dataset(roles.Dataset[Traces], kind="trace"):
    """A source of traces."""


class Format(formats.Format[Traces, Cells, Reference, Release, Guess], kind="trace"):
    """A file format for traces."""

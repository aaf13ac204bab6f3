"""The roles of methods for histories: derive a method from one of these."""

from __future__ import annotations

from icefire.core import formats, roles
from icefire.history.data import Guess, History, Release


class Anonymizer(roles.Anonymizer[History, Release], kind="history"):
    """Makes a release of records."""


class Attack(roles.Attack[History, History, Guess], kind="history"):
    """Guesses who is behind which pseudonym, knowing some or all of the original records."""


class Utility(roles.Utility[History, Release], kind="history"):
    """What released records are still worth."""


class Safety(roles.Safety[Release, Guess], kind="history"):
    """What released records give away."""


class Dataset(roles.Dataset[History], kind="history"):
    """A source of histories."""


class Format(formats.Format[History, History, History, Release, Guess], kind="history"):
    """A file format for histories."""

"""The roles of methods for microdata: derive a method from one of these."""

from __future__ import annotations

from icefire.core import formats, roles
from icefire.microdata.data import Guess, Microdata, Release


class Anonymizer(roles.Anonymizer[Microdata, Release], kind="microdata"):
    """Makes a release of a table."""


class Attack(roles.Attack[Microdata, Microdata, Guess], kind="microdata"):
    """Guesses which original row each published row was made from, holding the whole original table."""


class Utility(roles.Utility[Microdata, Release], kind="microdata"):
    """What a released table is still worth."""


class Safety(roles.Safety[Release, Guess], kind="microdata"):
    """What a released table gives away."""


class Dataset(roles.Dataset[Microdata], kind="microdata"):
    """A seeded source of tables."""


class Format(formats.Format[Microdata, Microdata, Microdata, Release, Guess], kind="microdata"):
    """A file format for tables."""

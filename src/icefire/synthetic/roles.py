"""The roles of methods for synthetic tables: derive a method from one of these."""

from __future__ import annotations

from typing import ClassVar

import polars as pl

from icefire.core import formats, roles
from icefire.core.errors import Undefined
from icefire.synthetic.data import FACTS, HALVES, RELEASE, Guess, Knowledge, Level, People, Release


class Anonymizer(roles.Anonymizer[People, Release], kind="synthetic"):
    """Makes a table like the members' table: a synthesizer."""

    @property
    def budget(self) -> tuple[float, float] | None:
        """Epsilon and delta, for tables that differ in one row; None without differential privacy."""
        return None


class Attack(roles.Attack[pl.DataFrame, Knowledge, Guess], kind="synthetic"):
    """Guesses who is a member, holding all columns of all candidates."""

    level: ClassVar[Level] = "all"
    """What the attackers hold who can make it."""

    @classmethod
    def uses(cls, knowledge: Knowledge) -> bool:
        return knowledge.level == cls.level


class InferenceAttack(Attack):
    """Guesses the hidden values of all candidates, holding the other columns."""

    level: ClassVar[Level] = FACTS

    @staticmethod
    def hidden(knowledge: Knowledge) -> tuple[str, ...]:
        if not knowledge.schema.hidden:
            raise Undefined("no column is hidden: name one under hidden in schema.toml")
        return tuple(knowledge.schema.hidden)


class SinglingOutAttack(Attack):
    """Writes predicates that one member alone fulfils, holding nothing but the release."""

    level: ClassVar[Level] = RELEASE


class LinkageAttack(Attack):
    """Finds out which rows of two data sets belong to one person, each holding one half of the columns."""

    level: ClassVar[Level] = HALVES


class InformedAttack(roles.InformedAttack[pl.DataFrame, Knowledge, Guess], kind="synthetic"):
    """Guesses who is a member, knowing the steps that made the release."""

    @classmethod
    def uses(cls, knowledge: Knowledge) -> bool:
        return knowledge.level == "all"


class Utility(roles.Utility[People, Release], kind="synthetic"):
    """What a synthetic table is still worth."""


class Safety(roles.Safety[Release, Guess], kind="synthetic"):
    """What a synthetic table gives away."""


class Dataset(roles.Dataset[People], kind="synthetic"):
    """A seeded source of members and others."""


class Format(formats.Format[People, pl.DataFrame, Knowledge, Release, Guess], kind="synthetic"):
    """A file format for synthetic tables."""

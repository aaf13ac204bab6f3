"""The roles of methods for microdata: derive a method from one of these."""

from __future__ import annotations

from typing import Self

import numpy as np
from scipy import sparse

from icefire.core import formats, roles
from icefire.core.errors import Undefined
from icefire.microdata.cells import Cells, Codes, Floats
from icefire.microdata.data import Guess, Microdata, Release
from icefire.microdata.inferences import Inference


class Anonymizer(roles.Anonymizer[Microdata, Release], kind="microdata"):
    """Makes a release of a table."""

    def likelihood(self, original: Microdata, name: str, cells: Cells) -> Floats | None:
        """[distinct cell, origin]: probability that the value of a person becomes the cell, for attackers who know the
        method; None for a column that stays as it is. The origin of a person is their value, unless `origins` says more.

        Anonymizers that are not deterministic and do not state it raise Undefined.
        """
        raise Undefined(f"{self.name} does not say how likely a published cell is")

    def names_others(self, table: Microdata) -> bool:
        """Whether it names columns that a table does not have."""
        columns: tuple[str, ...] = getattr(self, "columns", ())
        return any(name not in table.schema.names for name in columns)

    @property
    def conditions(self) -> tuple[str, ...]:
        """Columns beside a cell's own that its likelihood goes by, such as strata."""
        return ()

    def origins(self, original: Microdata, name: str) -> Codes:
        """[row]: where its likelihoods stand. A method that looks at more than the value, such as a stratum, says so here."""
        return original.codes(name)

    def repeated(self, original: Microdata, rng: np.random.Generator) -> tuple[Release, sparse.csr_array]:
        """A release made anew, and [row, original row]: how likely each is behind each row, for attackers who know the method.

        An anonymizer that draws who is behind a row after the rows are made leaves the draw out and states the chances of
        all. For others, these are the row map.
        """
        release = self.anonymize(original, rng)
        places = np.arange(release.rows.size), release.rows
        shape = release.rows.size, original.height
        return release, sparse.csr_array((np.ones(release.rows.size), places), shape=shape)


class Attack(roles.Attack[Microdata, Microdata, Guess], kind="microdata"):
    """Guesses which original row each published row was made from, holding the whole original table."""


class InformedAttack(roles.InformedAttack[Microdata, Microdata, Guess], kind="microdata"):
    """The same, knowing the steps that made the release."""


class InferenceAttack(roles.Attack[Microdata, Microdata, Inference], kind="microdata"):
    """Infers the hidden columns of people, holding the others."""

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Self]:
        return super().variants(published, knowledge) if _hides(published, knowledge) else []


class InformedInferenceAttack(roles.InformedAttack[Microdata, Microdata, Inference], kind="microdata"):
    """The same, knowing the steps that made the release."""

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Self]:
        return super().variants(published, knowledge) if _hides(published, knowledge) else []


def _hides(published: Microdata, knowledge: Microdata) -> bool:
    """Whether a column is published that the attacker does not know."""
    return any(name not in knowledge.schema.names for name in published.schema.names)


class Utility(roles.Utility[Microdata, Release], kind="microdata"):
    """What a released table is still worth."""


class Safety(roles.Safety[Release, Guess], kind="microdata"):
    """What a released table gives away."""


class InferenceSafety(roles.Safety[Release, Inference], kind="microdata"):
    """What inferred values give away."""


class Dataset(roles.Dataset[Microdata], kind="microdata"):
    """A seeded source of tables."""


class Format(formats.Format[Microdata, Microdata, Microdata, Release, Guess], kind="microdata"):
    """A file format for tables."""

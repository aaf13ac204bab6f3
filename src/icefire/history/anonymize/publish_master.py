"""Publication of the master table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
import polars as pl

from icefire.core.errors import DataError, UnknownName
from icefire.core.parameters import Between, Share
from icefire.history.data import NONE, History, Release, renamed_master, sole_pseudonyms
from icefire.history.roles import Anonymizer
from icefire.history.treatment import Treatment


@dataclass(frozen=True)
class PublishMaster(Anonymizer):
    """Publish attributes of the master table, too, one row for each pseudonym: M' of 2016.

    Customers need one pseudonym each, for all time.

    Parameters:
        columns: the attributes to publish; all of them if left out.
        birth: how many digits of the year of birth stay, 3 for the decade; None publishes the whole date.
        swapped: the share of the customers whose attributes are dealt out among them at random.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.history.examples import records
        >>> people = pl.DataFrame({"user": ["ann", "bob"], "birth": ["1973-05-01", "1980-02-07"], "sex": ["f", "m"]})
        >>> log = records("ann 2011-01-03 tea", "bob 2011-01-04 cup").with_master(people)
        >>> release = PublishMaster(birth=3).anonymize(log, np.random.default_rng(0))
        >>> sorted(release.published.master.select("birth", "sex").rows())
        [('197*', 'f'), ('198*', 'm')]

    Reference:
        Rules of PWSCUP 2016, as far as they survive.
    """

    columns: tuple[str, ...] = ()
    birth: Annotated[int, Between(0, 4)] | None = None
    swapped: Share = 0.0

    @classmethod
    def variants(cls, original: History) -> list[Self]:
        return [cls(birth=3)] if original.master is not None and original.master.width > 1 else []

    def anonymize(self, original: History, rng: np.random.Generator) -> Release:
        if original.master is None or original.master.width < 2:
            raise DataError("publish_master needs a master table with attributes, and one pseudonym for each customer")
        attributes = [name for name in original.master.columns if name != "user"]
        for name in self.columns:
            if name not in attributes:
                raise UnknownName.of("attribute of the master table", name, attributes)
        master = original.master.select("user", *(self.columns or attributes))
        if self.birth is not None and "birth" in master.columns:
            master = master.with_columns(pl.col("birth").cast(pl.String).str.head(self.birth) + "*")
        release = Release.made(original, original.frame, np.arange(original.height), rng)
        sole = sole_pseudonyms(release.pseudonyms)
        assert sole is not None
        kept = original.users.gather(np.flatnonzero(sole != NONE))
        master = self._exchanged(master.filter(pl.col("user").is_in(kept.implode())), rng)
        published = renamed_master(master, original.users, sole, release.published.users)
        return Release(original, release.published.with_master(published), release.pseudonyms, release.rows)

    def _exchanged(self, master: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
        chosen = rng.permutation(master.height)[: round(self.swapped * master.height)]
        order = np.arange(master.height)
        order[chosen] = rng.permutation(chosen)
        return master.drop("user")[order].insert_column(0, master["user"])

    def treat(self, treatment: Treatment) -> Treatment:
        return treatment

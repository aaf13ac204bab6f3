"""Attributes of the master table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core import memory
from icefire.core.errors import TooLarge, Undefined
from icefire.core.matching import Match, match_dense
from icefire.history.attack._similarity import Block, item_profiles
from icefire.history.attack.jaccard import Jaccard
from icefire.history.data import Guess, History
from icefire.history.facets import Facets


@dataclass(frozen=True)
class Attributes(Jaccard):
    """What is published of the master table: the customer with the same attributes; among several, the most alike by items.

    An attribute that few share counts more: log(n / those who have it). One that is not the same counts nothing, since it may
    have been changed. Items break ties, by the Jaccard similarity of item sets.

    Parameters:
        assign, link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see
            Jaccard.

    Example:
        Both bought tea. Pseudonym 1 was born in the seventies, as ann was.

        >>> import numpy as np, polars as pl
        >>> from icefire.history.examples import records
        >>> people = pl.DataFrame({"user": ["ann", "bob"], "birth": ["1973-05-01", "1980-02-07"]})
        >>> known = records("ann 2011-01-03 tea", "bob 2011-01-04 tea").with_master(people)
        >>> told = pl.DataFrame({"user": ["1", "2"], "birth": ["197*", "198*"]})
        >>> published = records("1 2011-01-03 tea", "2 2011-01-04 tea").with_master(told)
        >>> guess = Attributes().attack(published, known, np.random.default_rng(0))
        >>> known.users.gather(guess.owners).to_list()
        ['ann', 'bob']
    """

    aliases: ClassVar[tuple[str, ...]] = ()
    on_engine: ClassVar[bool] = False

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        return [cls(), cls(assign="assignment")] if _shared(published, knowledge) else []

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        if not _shared(published, knowledge):
            raise Undefined("nothing of the master table is published that the attacker knows")
        if not memory.fits(len(published.users), len(knowledge.users)):
            raise TooLarge("there are too many people to compare the attributes of all with those of all")
        return super().attack(published, knowledge, rng)

    @property
    def one_by_one(self) -> bool:
        """Everybody is compared at once."""
        return False

    def match(self, facets: Facets, block: Block, rng: np.random.Generator) -> Match:
        alike = self.similarity(*item_profiles(facets, block)).dense()
        told = _told(facets.published, facets.knowledge)[np.ix_(block.pseudonyms, block.users)]
        # The least that an attribute tells exceeds the most that items do.
        least = told[told > 0].min(initial=np.inf)
        return match_dense(told + alike * min(0.5 * least, 1.0), self.assign, rng, least=0.0)


def _shared(published: History, knowledge: History) -> list[str]:
    """The attributes that are published and known."""
    if published.master is None or knowledge.master is None:
        return []
    return [name for name in published.master.columns if name != "user" and name in knowledge.master.columns]


def _told(published: History, knowledge: History) -> NDArray[np.float64]:
    """[pseudonym, user]: what the attributes that agree tell, in units of information."""
    rows = _texts(published)
    people = _texts(knowledge)
    found = np.zeros((len(published.users), len(knowledge.users)))
    for name in _shared(published, knowledge):
        values, codes = np.unique(people[name].to_numpy().astype(str), return_inverse=True)
        counts = np.bincount(codes)
        for text in rows[name].unique():
            fits = values == text if not text.endswith("*") else np.char.startswith(values, text[:-1])
            if number := int(counts[fits].sum()):
                inside = np.flatnonzero((rows[name] == text).to_numpy())
                found[np.ix_(inside, np.flatnonzero(fits[codes]))] += np.log(len(codes) / number)
    return found


def _texts(history: History) -> pl.DataFrame:
    """The master table as texts, in the order of the users."""
    assert history.master is not None
    texts = history.master.with_columns(pl.all().cast(pl.String))
    users = pl.DataFrame({"user": history.users})
    return users.join(texts, on="user", how="left", maintain_order="left").fill_null("")

"""Equal keys, the sample attacks of PWSCUP 2017."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, Self

import narwhals as nw
import numpy as np

from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast, Share
from icefire.frames import relational
from icefire.frames.remote import ROW
from icefire.history.attackers import limited
from icefire.history.data import NONE, PERIOD, USER, Guess, History
from icefire.history.roles import Attack

PSEUDONYM = "__pseudonym"
Key = Literal["S1", "S2", "S3", "S4", "S5", "S6"]
KEYS: dict[Key, tuple[str, ...]] = {
    "S1": ("date", "quantity"),
    "S2": ("item", "price"),
    "S3": ("item", "quantity"),
    "S4": ("date", "item"),
    "S5": ("item", "price", "quantity"),
    "S6": ("item", "date", "quantity"),
}


@dataclass(frozen=True)
class KeyMatch(Attack):
    """The contest's sample attacks S1 to S6: a customer has the pseudonym of a published record with the same key.

    S1 (date, quantity), S2 (item, price), S3 (item, quantity), S4 (date, item), S5 (item, price, quantity), S6 (item, date,
    quantity). Published records are read in file order, later ones overwrite earlier ones of the same key; so do the
    attacker's. Cells compare as they are written.

    Parameters:
        key: which of the six.
        darc: the variant of the DARC contest: items are compared in full, and S6 takes the price instead of the quantity.
        characters: how many characters of an item are compared.
        share: share of the original records that the attacker knows.

    Example:
        By date and the first two characters of the item, 1 is bob and 2 is ann. Cid's record was not published.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 teapot", "bob 2011-01-04 cup", "cid 2011-01-05 pen")
        >>> published = records("1 2011-01-04 cup", "2 2011-01-03 tea")
        >>> KeyMatch(key="S4").attack(published, known, np.random.default_rng(0)).table.tolist()
        [[1], [0], [-1]]

    Reference:
        Rules of PWSCUP 2017.
    """

    key: Key = "S1"
    darc: bool = False
    characters: Annotated[int, AtLeast(1)] = 2
    share: Share = 1.0
    aliases: ClassVar[tuple[str, ...]] = ("S1-S6",)
    on_engine: ClassVar[bool] = True

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        made = [cls(key=key, darc=darc) for key in KEYS for darc in (False, True)]
        usable = [attack for attack in made if published.has(*attack.columns()) and knowledge.has(*attack.columns())]
        return usable or [cls()]

    def columns(self) -> tuple[str, ...]:
        return ("item", "date", "price") if self.darc and self.key == "S6" else KEYS[self.key]

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        columns = self.columns()
        for history in (published, knowledge):
            if not history.has(*columns):
                raise Undefined(f"{self.key} compares {' and '.join(columns)}, which these records do not all have")
        knowledge = limited(knowledge, rng, share=self.share)
        # Texts are compared as written only if both sides have them; otherwise equal values could differ in form.
        written = published.written is not None and knowledge.written is not None
        cut = None if self.darc else self.characters
        seen, rows = (history.keyed(columns, cut, written) for history in (published, knowledge))
        last = seen.group_by(*columns).agg(nw.col(ROW).max())
        owners = last.join(seen.select(nw.col(ROW), nw.col(USER).alias(PSEUDONYM)), on=ROW).drop(ROW)
        hits = rows.join(owners, on=list(columns)).select(USER, PERIOD, ROW, PSEUDONYM)
        latest = hits.group_by(USER, PERIOD).agg(nw.col(ROW).max())
        found = relational.collect(latest.join(hits.select(ROW, PSEUDONYM), on=ROW))
        table = np.full((len(knowledge.users), len(knowledge.periods)), NONE, dtype=np.int64)
        table[found[USER].to_numpy(), found[PERIOD].to_numpy()] = found[PSEUDONYM].to_numpy()
        return Guess.of_table(table, len(published.users))

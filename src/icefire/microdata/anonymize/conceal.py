"""k-concealment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, Self

import numpy as np

from icefire.concealment.designs import Design, design
from icefire.concealment.greedy import concealed, k_one, one_k, trimmed
from icefire.concealment.space import Boxes, Space
from icefire.core.errors import DataError, ParameterError
from icefire.core.parameters import AtLeast
from icefire.microdata.concealing import rendered, space_of
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer


@dataclass(frozen=True)
class Conceal(Anonymizer):
    """k-concealment: each person may be behind at least k published rows, without groups.

    A row is published as the smallest cells that hold some k people, who need not be the same for all of them.

    Parameters:
        k: how many rows each person may be behind.
        design: "greedy" widens rows until each person has k matches. The others are complete designs, in which each is
            meant to have exactly k: "ring" (one tour), "tsp" (k - 1 tours), "lsap" (k - 1 assignments), "flow" (the least
            total cost of all).
        trim: with "greedy", take back widening that is not needed: "both" as long as each person and each row keeps k
            matches, "people" as long as each person does, which is all that the definition asks. Loses less, and makes some
            matches likelier than others: look at what `posterior` finds.
        candidates: how many of the nearest people are considered for each person; time grows with it.
        columns: the QI columns; all if left out. The promise holds against those who know these columns alone.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"age": [20, 21, 22, 23], "pay": [1, 2, 3, 4]}), Schema(qi=["age"], sa=["pay"]))
        >>> release = Conceal(k=2, design="lsap").anonymize(people, np.random.default_rng(0))
        >>> sorted(release.published.frame["age"])
        ['[20..21]', '[20..21]', '[22..23]', '[22..23]']

    Reference:
        Tassa, Mazza, Gionis: k-Concealment: an alternative model of k-type anonymity. 2012.
    """

    k: Annotated[int, AtLeast(2)] = 5
    design: Literal["greedy", "ring", "tsp", "lsap", "flow"] = "greedy"
    trim: Literal["off", "both", "people"] = "off"
    candidates: Annotated[int, AtLeast(1)] = 40
    columns: tuple[str, ...] = ()
    aliases: ClassVar[tuple[str, ...]] = ("k-concealment",)

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        return [cls(k=k, trim=trim) for k in (2, 5, 10) for trim in ("off", "both", "people")]

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        names = columns_or_all(self.columns, original.qi, "Conceal")
        if not names:
            raise DataError("Conceal needs at least one QI column; the schema names none")
        if original.height < self.k:
            raise ParameterError(
                f"The 'k' parameter of Conceal must be at most the number of rows, {original.height}. Got {self.k} instead."
            )
        # Ties are resolved by position, so positions must not follow the file.
        order = rng.permutation(original.height)
        mixed = original.take(order)
        space = space_of(original, names)
        shuffled = Space([column.take(order) for column in space.columns])
        boxes = self._boxes(shuffled)
        frame = mixed.frame.with_columns(**rendered(original, names, shuffled, boxes))
        return Release.shuffled(original, frame, order, rng, generalized=names)

    def _boxes(self, space: Space) -> Boxes:
        near = space.nearest(max(self.candidates, self.k))
        if self.design != "greedy":
            kind: Design = self.design
            return space.closure(design(space, near, self.k, kind))
        both = one_k(space, near, k_one(space, near, self.k), self.k)
        hidden = concealed(space, near, both, self.k)
        if self.trim == "off":
            return hidden
        return trimmed(space, near, hidden, self.k, of_rows=self.k if self.trim == "both" else 1)

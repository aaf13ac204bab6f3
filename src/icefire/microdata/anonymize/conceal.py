"""k-concealment."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
import polars as pl
from scipy import sparse

from icefire.concealment import Design
from icefire.concealment.designs import design
from icefire.concealment.draws import drawn_from, drawn_of, matchings
from icefire.concealment.graph import MOST, Graph
from icefire.concealment.greedy import concealed, k_one, one_k, trimmed
from icefire.concealment.neighbours import nearest
from icefire.concealment.space import Boxes, Ints, Space
from icefire.concealment.worlds import marginals
from icefire.core.errors import DataError, ParameterError, Undefined
from icefire.core.parameters import AtLeast
from icefire.microdata.concealing import graph_of, rendered, space_of
from icefire.microdata.data import Microdata, Release, columns_or_all
from icefire.microdata.roles import Anonymizer


@dataclass(frozen=True)
class Conceal(Anonymizer):
    """k-concealment: each person may be behind at least k published rows, without groups.

    A row is published as the smallest cells that hold some k people, who need not be the same for all of them. Which of them
    is behind the row is drawn afterwards, since whoever repeats the construction knows whom a row was built around: in
    complete designs each of the k has a chance of exactly 1/k, with "greedy" all possible assignments are equally likely.

    Parameters:
        k: how many rows each person may be behind.
        design: "greedy" widens rows until each person has k matches. The others are complete designs, in which each is
            meant to have exactly k: "ring" (one tour), "tsp" (k - 1 tours), "lsap" (k - 1 assignments), "flow" (the least
            total distance of all), "exchange" (assignments, of many rows by auction, improved by exchanges that lower the
            loss of the cells).
        trim: with "greedy", take back widening that is not needed: "both" as long as each person and each row keeps k
            matches, "people" as long as each person does, which is all that the definition asks. Makes some matches far
            likelier than others: look at what `posterior` finds.
        randomized: draw who is behind a row. Without it the row belongs to the person it was built around, as in the paper,
            and the attack `replay` finds nearly everybody.
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
    design: Literal["exchange", "greedy", "ring", "tsp", "lsap", "flow"] = "exchange"
    trim: Literal["off", "both", "people"] = "off"
    randomized: bool = True
    earlier: ClassVar[Mapping[str, object]] = {"randomized": False}
    candidates: Annotated[int, AtLeast(1)] = 40
    columns: tuple[str, ...] = ()
    aliases: ClassVar[tuple[str, ...]] = ("k-concealment",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.trim != "off" and self.design != "greedy":
            raise ParameterError(
                f"The 'trim' parameter of Conceal needs design='greedy'. Got design={self.design!r} instead."
            )

    @classmethod
    def variants(cls, original: Microdata) -> list[Self]:
        return [cls(k=k) for k in (2, 5, 10)] + [cls(k=k, design="greedy", trim="people") for k in (2, 5, 10)]

    def minutes(self, people: int) -> float:
        at_five, growth = (1.1, 1.9) if self.trim == "people" else (0.17, 1.4)
        return at_five * math.pow(self.k / 5, growth) * math.pow(people / 32_000, 1.2)

    def anonymize(self, original: Microdata, rng: np.random.Generator) -> Release:
        return self._made(original, rng, self.randomized)[0]

    def repeated(self, original: Microdata, rng: np.random.Generator) -> tuple[Release, sparse.csr_array]:
        # The draw itself says nothing: all of its outcomes have their chances.
        release, chances, people = self._made(original, rng, drawn=False)
        return release, sparse.csr_array(chances()[np.argsort(people)[release.rows]])

    def _made(
        self, original: Microdata, rng: np.random.Generator, drawn: bool
    ) -> tuple[Release, Callable[[], sparse.csr_array], Ints]:
        """A release; before its rows were put in order, [row, person]: the chances that people have, and who is behind each
        row, drawn or as it was built."""
        names = columns_or_all(self.columns, original.qi, "Conceal")
        if not names:
            raise DataError("Conceal needs at least one QI column; the schema names none")
        if original.height < self.k:
            raise ParameterError(
                f"The 'k' parameter of Conceal must be at most the number of rows, {original.height}. Got {self.k} instead."
            )
        # Ties are resolved by position, so positions must not follow the file.
        order = rng.permutation(original.height)
        space = space_of(original, names)
        shuffled = Space([column.take(order) for column in space.columns])
        boxes, members = self._boxes(shuffled)
        cells = rendered(original, names, shuffled, boxes)
        people = order
        if not self.randomized:
            chances = partial(_equal_chances, order[:, None])
        elif members is not None:
            chances = partial(_equal_chances, order[members])
            people = order[np.argsort(drawn_of(matchings(members, rng), rng))] if drawn else order
        else:
            shown = Microdata(pl.DataFrame(cells), original.schema.restricted(names).generalized(names))
            graph = graph_of(original, shown, order)
            chances = partial(_chances, graph)
            people = drawn_from(graph, rng) if drawn else order
        frame = original.frame[people].with_columns(**cells)
        return Release.shuffled(original, frame, people, rng, generalized=names), chances, people

    def _boxes(self, space: Space) -> tuple[Boxes, Ints | None]:
        """The cells of each row and, of complete designs, the k people that each row was made for."""
        near = nearest(space, max(self.candidates, self.k))
        if self.design != "greedy":
            kind: Design = self.design
            members = design(space, near, self.k, kind)
            return space.closure(members), members
        both = one_k(space, near, k_one(space, near, self.k), self.k)
        hidden = concealed(space, near, both, self.k)
        if self.trim == "off":
            return hidden, None
        return trimmed(space, near, hidden, self.k, of_rows=self.k if self.trim == "both" else 1), None


def _equal_chances(members: Ints) -> sparse.csr_array:
    """[row, person]: the same chance for all that are listed for the row."""
    size, k = members.shape
    places = np.repeat(np.arange(size), k), members.ravel()
    return sparse.csr_array((np.full(members.size, 1.0 / k), places), shape=(size, size))


def _chances(graph: Graph) -> sparse.csr_array:
    """[row, person]: the share of all assignments with the person behind the row."""
    if graph.matches()[0].sum() > MOST:
        raise Undefined(f"more than {MOST:,} pairs of a person and a row are possible")
    return sparse.csr_array(marginals(graph)[graph.records][:, graph.released].T)

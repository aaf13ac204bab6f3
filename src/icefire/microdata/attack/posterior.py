"""Posterior over assignments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np
from scipy import sparse

from icefire.concealment.graph import Graph
from icefire.concealment.worlds import marginals
from icefire.core.errors import DataError, Undefined
from icefire.frames.ragged import concatenated_ranges, offsets
from icefire.microdata.concealing import graph_of
from icefire.microdata.costs import ROUNDING, Costs, Match
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.distances import Floats, Ints
from icefire.microdata.lists import Lists
from icefire.microdata.roles import Attack

CLOSE = 1e-9
"""People whose probabilities differ by less than this share are equally likely."""
LEAST = 1e-300
"""Least probability of a person."""


@dataclass(frozen=True)
class Posterior(Attack):
    """Probability of each person being behind each row that covers them, if all assignments to rows are equally likely.

    A person with few matches takes them from those who have many, so matches are not equally likely. Estimated by belief
    propagation. Against `conceal` with `design="greedy"`, which draws an assignment from all, no attack that goes by the same
    columns finds more on average.

    Parameters:
        assign: "best" names the likeliest person row by row; "assignment" names each person once.

    Example:
        Row 0 may be either person. Row 1 can only be the one of 30, so row 0 is the one of 20.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"age": [30, 20]}), Schema(qi=["age"]))
        >>> published = Microdata(pl.DataFrame({"age": ["[20..30]", "30"]}), Schema(qi=["age"]))
        >>> Posterior().attack(published, people, np.random.default_rng(0)).rows.tolist()
        [1, 0]

    Reference:
        Tassa, Mazza, Gionis: k-Concealment: an alternative model of k-type anonymity. 2012.
    """

    assign: Literal["best", "assignment"] = "best"
    aliases: ClassVar[tuple[str, ...]] = ("posterior over matchings",)

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Self]:
        return [cls(), cls(assign="assignment")]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        graph, chances = knowledge.once(published, type(self), lambda: _chances(published, knowledge))
        how: Match = "assignment" if self.assign == "assignment" else "nearest"
        return Unlikely(graph.released, graph.records, chances, rng).match(how, published, knowledge)


def _chances(published: Microdata, knowledge: Microdata) -> tuple[Graph, sparse.csr_array]:
    """[class of published rows, class of people]: the probability that one of these is behind one of those."""
    try:
        graph = graph_of(knowledge, published, matched=False)
    except DataError as error:
        raise Undefined(str(error)) from error
    return graph, sparse.csr_array(marginals(graph).T)


class Unlikely(Costs):
    """Minus the logarithm of the probability of each person who may be behind a row."""

    def __init__(self, released: Ints, records: Ints, chances: sparse.csr_array, rng: np.random.Generator) -> None:
        """From the class of each published row, the group of each person, and [class, group]: the probabilities."""
        super().__init__([released], records.size, rng)
        self.scale = np.full(self.first.size, CLOSE / ROUNDING)
        chances = chances[released[self.first]]
        # People of a class in random order, so that ties are not broken by the file's.
        shuffled = rng.permutation(records.size)
        members = shuffled[np.argsort(records[shuffled], kind="stable")]
        sizes = np.bincount(records, minlength=chances.shape[1])
        counts = sizes[chances.indices]
        people = members[concatenated_ranges(offsets(sizes)[chances.indices], counts)]
        costs = np.round(-np.log(np.maximum(chances.data, LEAST)), 9).astype(np.float64)
        rows = np.repeat(np.arange(self.first.size), np.diff(chances.indptr))
        total = np.bincount(rows, counts, minlength=self.first.size).astype(np.int64)
        # Nobody else can be behind the row.
        nobody = np.full(self.first.size, np.inf)
        self.lists = self._chosen(
            np.arange(self.first.size), total, people, np.repeat(costs, counts), nobody, records.size
        )

    def block(self, rows: Ints) -> Floats:
        raise NotImplementedError("all who may be behind a row are listed")

    def best(self, number: int, ties: bool = False) -> Lists:
        return self.lists

"""Posterior over assignments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np
from scipy import sparse

from icefire.concealment.worlds import marginals
from icefire.core.errors import DataError, Undefined
from icefire.core.matching import sparse_matching
from icefire.microdata.concealing import graph_of
from icefire.microdata.costs import assigned
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.roles import Attack

CLOSE = 1e-9
"""People whose probabilities differ by less than this share are equally likely."""


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
        try:
            graph = graph_of(knowledge, published)
        except DataError as error:
            raise Undefined(str(error)) from error
        plan = sparse.csr_array(marginals(graph)[graph.records][:, graph.released].T)
        # Ties between equally likely people are broken at random, not by file order.
        mixed = plan.copy()
        mixed.data *= 1.0 + CLOSE * rng.random(plan.data.size)
        if self.assign == "assignment":
            return assigned(_matching(plan, rng), published, knowledge)
        rows = np.repeat(np.arange(plan.shape[0]), np.diff(plan.indptr))
        likeliest = plan.data >= (1.0 - CLOSE) * plan.max(axis=1).toarray().ravel()[rows]
        counts = np.bincount(rows[likeliest], minlength=plan.shape[0])
        drawn = np.asarray(mixed.argmax(axis=1)).ravel()
        return Guess.among(drawn, plan.indices[likeliest], np.cumsum(counts) - counts, counts, knowledge.height)


def _matching(plan: sparse.csr_array, rng: np.random.Generator) -> np.ndarray:
    """[row]: the person."""
    # In another order, so that ties are not broken by the file's.
    order = rng.permutation(plan.shape[1])
    mixed = plan[:, order].sorted_indices().tocoo()
    rows, columns = (side.astype(np.int64) for side in mixed.coords)
    cost = np.round(-np.log(np.maximum(mixed.data, 1e-300)), 9)
    chosen = sparse_matching(rows, columns, cost, mixed.shape)
    return np.asarray(order[np.where(chosen < 0, np.asarray(mixed.tocsr().argmax(axis=1)).ravel(), chosen)])

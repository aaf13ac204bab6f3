r"""What people who are alike have in common, behind known columns that were changed at random.

    D(c, v)   = sum_g N_g L(g, c) pi_g(v) + L_0(c) pi0(v)      rows of class c with value v that are expected
    pi_g(v)  ~= alpha pi0(v) + N_g pi_g(v) sum_c L(g, c) n(c, v) / D(c, v)

g is a group of N_g people who are the same in the known columns, c a class of published rows that are the same there, L how
likely a person of the group becomes such a row, L_0 the same of everybody who is not among the candidates, n(c, v) the rows of
the class with value v, pi0 the shares of the whole table with a weight of alpha rows. Rows with v are put down to the groups
that have v: if all of a group are ill, the healthy rows among those that look like theirs are somebody else's.

Reference:
    Dempster, Laird, Rubin: Maximum likelihood from incomplete data via the EM algorithm (1977). Agrawal, Aggarwal: On the
    design and quantification of privacy preserving data mining algorithms (2001).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from icefire.microdata.beliefs import PSEUDO_ROWS, Candidates, Floats, Ints, Votes

ROUNDS = 40
CELLS = 20_000_000
"""Most pairs of a group or class and a value, and of a weight and a value, that are looked at in a round."""


@dataclass(frozen=True)
class Deconvolution:
    """Likely rows of groups of people who are the same in all that is known."""

    candidates: Candidates
    rest: Floats
    """[class]: the weight of all people who are not among the candidates."""

    @property
    def group_of(self) -> Ints:
        return self.candidates.group_of

    @property
    def group_sizes(self) -> Ints:
        return self.candidates.group_sizes

    def fits(self, votes: Votes) -> bool:
        """Whether the column is one of categories, and not too large."""
        weights = self.candidates.weights
        return votes.amounts is None and max(*weights.shape, weights.nnz) * votes.width <= CELLS

    def probabilities(self, votes: Votes) -> sparse.csr_array:
        """[group, value], as of candidates."""
        start = self.candidates.probabilities(votes)
        if not self.fits(votes):
            return start
        weights, sizes = self.candidates.weights, self.group_sizes[:, None].astype(np.float64)
        held = votes.by_class(self.candidates.class_of, weights.shape[1]).toarray()
        whole = held.sum(axis=0) / max(1.0, held.sum())
        shares = start.toarray()
        for _ in range(ROUNDS):
            expected = weights.T @ (sizes * shares) + self.rest[:, None] * whole
            ratio = np.divide(held, expected, out=np.zeros_like(held), where=expected > 0)
            rows = sizes * shares * (weights @ ratio) + PSEUDO_ROWS * whole
            shares = rows / rows.sum(axis=1, keepdims=True)
        table = sparse.csr_array(shares)
        table.sort_indices()
        return table


def group_people(candidates: Candidates, group_of: Ints) -> Candidates:
    """The same for people of the same group, who have the same rows."""
    first = np.unique(group_of, return_index=True)[1]
    return Candidates(sparse.csr_array(candidates.weights[candidates.group_of[first]]), group_of, candidates.class_of)

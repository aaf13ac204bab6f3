r"""Hidden columns reconstructed from all rows, each by how likely it is a person's and how much it is like them.

    P(v | x) = s C(v | x) + (1 - s) K(v | x),     s = sum_x min(n_x, m_x) / sum_x n_x

C   the rows whose cells admit x, where each person has one row and each row one person: candidate rows are weighted by 1 over
    how many people they admit, then scaled until all people and all rows add up to 1 (Sinkhorn)
K   the rows that are like x (icefire.microdata.similarity)
s   how far the release agrees with that: n_x people are like x, and m_x rows are theirs by the weights of C. After
    generalization and suppression all rows are somebody's; after swapping or noise a part is
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from icefire.core.errors import Undefined
from icefire.microdata.attack.homogeneity import Homogeneity
from icefire.microdata.beliefs import Candidates, Mixture, infer
from icefire.microdata.data import Microdata
from icefire.microdata.inferences import Inference
from icefire.microdata.roles import InferenceAttack
from icefire.microdata.similarity import find_similar

SCALINGS, WORK = 30, 50_000_000
"""Rounds in which weights are scaled, and the most pairs of a class of rows and a group of people that they look at."""
AGREEING = 0.95
"""Share of the release that is explained by the candidates, from which on nothing else is looked at."""
PAIRS = 20_000_000
"""Most pairs of a person and a row whose likeness is measured; beyond, people are sampled."""
FEWEST = 500


@dataclass(frozen=True)
class Reconstruction(InferenceAttack):
    """Read the hidden columns of all rows, weighted by how likely each is a person's, and of rows that are like them.

    Beside the most probable value of each column it says the one to guess where rare values count more.

    Example:
        The row without a sex can only be that of the man who is not in the other row.

        >>> import polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"sex": ["f", "f", "m"]}), Schema(qi=["sex"]))
        >>> cells = pl.DataFrame({"sex": ["f", "f", "*"], "ill": ["no", "no", "yes"]})
        >>> published = Microdata(cells, Schema(qi=["sex"], sa=["ill"]))
        >>> guess = Reconstruction().attack(published, people, np.random.default_rng(0))
        >>> guess.values["ill"].to_list()
        ['no', 'no', 'yes']

    Reference:
        NIST Collaborative Research Cycle, red team exercise (2025), for the question and the rarity-weighted score. Sinkhorn,
        Knopp: Concerning nonnegative matrices and doubly stochastic matrices (1967).
    """

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Inference:
        hidden = [name for name in published.schema.names if name not in knowledge.schema.names]
        if not hidden:
            raise Undefined("every published column is known: there is nothing to infer")
        candidates = Homogeneity().find_candidates(published, knowledge)
        balanced, agreement = _balance(candidates)
        if agreement >= AGREEING:
            return infer(published, knowledge, hidden, balanced)
        number = max(FEWEST, PAIRS // max(1, published.height))
        people = None if number >= knowledge.height else np.sort(rng.permutation(knowledge.height)[:number])
        asked = knowledge if people is None else knowledge.take(people)
        similar = find_similar(published, asked, hidden, rng)
        if similar is None:
            return infer(published, knowledge, hidden, balanced)
        if people is not None:
            balanced = Candidates(balanced.weights, balanced.group_of[people], balanced.class_of)
        return replace(infer(published, asked, hidden, Mixture(balanced, similar, agreement)), people=people)


def _balance(candidates: Candidates) -> tuple[Candidates, float]:
    """The candidates scaled so that each row is one person's and each person has one row; and how far that holds."""
    weights, people = candidates.weights.copy(), candidates.group_sizes.astype(np.float64)
    rows = np.bincount(candidates.class_of, minlength=weights.shape[1]).astype(np.float64)
    group = np.repeat(np.arange(weights.shape[0]), np.diff(weights.indptr))
    # What each row is worth for one person of the group; what each person of the group gets.
    for _ in range(min(SCALINGS, WORK // max(1, weights.nnz))):
        weights.data /= np.maximum(weights @ rows, 1e-300)[group]
        weights.data /= np.maximum(people @ weights, 1e-300)[weights.indices]
    shares = people * (weights @ rows)
    agreement = float(np.minimum(shares, people).sum() / max(1.0, people.sum()))
    return Candidates(weights, candidates.group_of, candidates.class_of), agreement

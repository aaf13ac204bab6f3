"""Values that the published rows of a class have in common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from icefire.core.errors import Undefined
from icefire.microdata.beliefs import Candidates, gather_candidates, infer
from icefire.microdata.composition import Composed
from icefire.microdata.covering import PAIRS, Covering, covering
from icefire.microdata.data import Microdata
from icefire.microdata.inferences import Inference
from icefire.microdata.joint import joint_candidates
from icefire.microdata.roles import InferenceAttack


@dataclass(frozen=True)
class Homogeneity(InferenceAttack):
    """Read the hidden columns of the published rows that may be a person's.

    k-anonymity hides which of k rows is whose, and not what they have in common: if all people of a class are ill, everybody
    in it is known to be. A row that covers many people counts less for each of them.

    Example:
        Nobody knows which row of the men is whose, but all men are ill.

        >>> import polars as pl
        >>> from icefire.microdata.data import Microdata, Schema
        >>> schema = Schema(qi=["sex"], sa=["ill"])
        >>> people = pl.DataFrame({"sex": list("ffmm"), "ill": ["yes", "no", "yes", "yes"]})
        >>> published, known = Microdata(people, schema), Microdata(people.select("sex"), Schema(qi=["sex"]))
        >>> guess = Homogeneity().attack(published, known, np.random.default_rng(0))
        >>> guess.values["ill"].to_list(), guess.confidence["ill"].tolist()
        (['no', 'no', 'yes', 'yes'], [0.5, 0.5, 1.0, 1.0])

    Reference:
        Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: l-diversity: privacy beyond k-anonymity. TKDD 2007, section 2.
    """

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Inference:
        hidden = [name for name in published.schema.names if name not in knowledge.schema.names]
        if not hidden:
            raise Undefined("every published column is known: there is nothing to infer")
        return infer(published, knowledge, hidden, self.find_candidates(published, knowledge))

    def find_candidates(self, published: Microdata, knowledge: Microdata) -> Candidates:
        """The rows whose cells admit each person; with other releases, as likely as these make them."""
        if isinstance(published, Composed):
            return joint_candidates(published, knowledge)
        known = [name for name in knowledge.schema.names if name in published.schema.names]
        quasi = [name for name in known if name in knowledge.qi]
        candidates = _find_candidates(published, knowledge, known)
        if len(quasi) < len(known) and _uncovered(candidates) > 0.5:
            # Columns that were changed fit nobody: then the quasi-identifiers alone tell more.
            candidates = _find_candidates(published, knowledge, quasi)
        return candidates


def _find_candidates(published: Microdata, knowledge: Microdata, names: list[str]) -> Candidates:
    if not names:
        # Nothing is known that is published: every row may be anybody's.
        one_class = np.zeros(published.height, dtype=np.int64)
        return Candidates(sparse.csr_array(np.ones((1, 1))), np.zeros(knowledge.height, dtype=np.int64), one_class)
    people = knowledge.with_quasi_identifiers(names)
    covered: Covering = covering(published, people, by_row=True)
    pairs = list(covered.pairs(PAIRS))
    classes, groups = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    # A row is equally likely that of everybody whom it covers.
    crowd = np.bincount(classes, covered.people[groups], covered.sizes.size)
    weights, set_of = gather_candidates(classes, groups, 1.0 / np.maximum(crowd, 1.0), covered.people.size)
    return Candidates(weights, set_of[covered.group_of], covered.class_of)


def _uncovered(candidates: Candidates) -> float:
    """Share of the people whom no row covers."""
    empty = np.diff(candidates.weights.indptr) == 0
    return float(candidates.group_sizes[empty].sum()) / max(1, candidates.group_of.size)

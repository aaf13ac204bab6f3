"""Scoreboard of Narayanan and Shmatikov."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core import memory
from icefire.core.budget import Asked
from icefire.core.matching import Match
from icefire.core.parameters import AtLeast
from icefire.core.scores import Similarity
from icefire.core.similarity import frequency, scaled
from icefire.history.attack._similarity import Block, SimilarityAttack, binary, item_profiles
from icefire.history.data import NONE
from icefire.history.facets import Facets, Matrix


@dataclass(frozen=True)
class Scoreboard(SimilarityAttack):
    """Scoreboard: 1 / log(customers who have it) for every shared item; no answer where no customer stands out.

    Parameters:
        assign, link, drop_dummies, habits, records, share, periods, characters: as for every attack by similarity, see
            Jaccard.
        eccentricity: by how many standard deviations of all scores the best has to exceed the second best; 0 always answers.

    Example:
        Ann and bob both have tea, so nothing is said about pseudonym 1. The pen of 2 is cid's.

        >>> import numpy as np
        >>> from icefire.history.examples import records
        >>> known = records("ann 2011-01-03 tea", "bob 2011-01-03 tea", "cid 2011-01-03 pen")
        >>> published = records("1 2011-01-03 tea", "2 2011-01-03 pen")
        >>> Scoreboard().attack(published, known, np.random.default_rng(0)).owners.tolist()
        [-1, 2]

    Reference:
        Narayanan, Shmatikov: Robust de-anonymization of large sparse datasets. 2008.
    """

    eccentricity: Annotated[float, AtLeast(0)] = 0.5
    aliases: ClassVar[tuple[str, ...]] = ("scoreboard",)

    def similarity(self, left: Matrix, right: Matrix) -> Similarity:
        weights = 1.0 / np.log(np.maximum(frequency(left, right), 2.0) + 1.0)
        return Similarity(scaled(binary(left), weights), binary(right))

    def match(self, facets: Facets, block: Block, rng: np.random.Generator) -> Match:
        similarity, found = self.similarity(*item_profiles(facets, block)), super().match(facets, block, rng)
        height, width = (np.arange(size) for size in similarity.shape)
        asked = Asked(height, width) if facets.asked is None else block.asked(facets.asked)
        rows, columns = asked.pseudonyms, asked.people
        named, partners = np.full_like(found.rows, NONE), np.full_like(found.columns, NONE)
        some = _stands_out(similarity.take(rows, width), self.eccentricity, rng)
        named[rows] = np.where(some, found.rows[rows], NONE)
        some = _stands_out(similarity.take(height, columns).transposed(), self.eccentricity, rng)
        partners[columns] = np.where(some, found.columns[columns], NONE)
        return Match(named, partners)


def _stands_out(similarity: Similarity, eccentricity: float, rng: np.random.Generator) -> np.ndarray:
    height, width = similarity.shape
    if width < 2 or height == 0:
        return np.ones(height, dtype=np.bool_)
    if memory.fits(height, width):
        scores = similarity.dense()
        top = np.partition(scores, width - 2, axis=1)[:, -2:]
        spread = scores.std(axis=1)
    else:
        _, best = similarity.nearest(2, rng)
        top = best[:, ::-1]
        # Scores are sums over few shared items: their spread over all users, from the first two moments.
        mean = np.asarray(similarity.left @ (similarity.right.sum(axis=0) / width)).ravel()
        sample = similarity.take(np.arange(height), rng.choice(width, min(width, 1000), replace=False))
        square = np.concatenate([np.square(sample.dense(part)).mean(axis=1) for part in sample.slices()])
        spread = np.sqrt(np.maximum(square - mean**2, 0.0))
    gap: np.ndarray = top[:, 1] - top[:, 0] >= eccentricity * spread
    return gap

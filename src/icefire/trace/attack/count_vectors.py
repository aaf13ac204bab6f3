"""Nearest count vectors, the winning attack of PWS Cup 2019."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from icefire.core.scores import Raised, Scores, nearness
from icefire.core.similarity import row_sums
from icefire.trace.attack._scored import ScoredAttack, visited
from icefire.trace.data import Cells, Floats, Reference
from icefire.trace.habits import visits


@dataclass(frozen=True)
class CountVectors(ScoredAttack):
    """Nearest vectors log(1 + visits), reference visits spread over 3 x 3 regions: the winning idea of PWS Cup 2019.

    How the winners weighed the neighbours is not published; here a visit stays where it is with 9/16 and goes to each of the
    eight neighbours with 1/16.

    Parameters:
        assign: "argmax" (the best user), "assignment" (one to one, the best in total) or "sinkhorn" (a balanced plan, which
            leaves open who is whom where it is open).
        trust: how far a published cell is believed, the rest being the user's habits.

    Example:
        User 0 is known in regions 0 and 1, user 1 in 8 and 9. The traces are published the other way round.

        >>> import numpy as np
        >>> from icefire.trace.data import Cells, Traces
        >>> from icefire.trace.grid import Grid
        >>> known = Traces(np.array([[0, 0, 1], [9, 9, 8]]), np.zeros((2, 3)), Grid(rows=1, columns=10)).knowledge
        >>> published = Cells(np.array([[9, 8, 9], [1, 0, 0]]), regions=10)
        >>> CountVectors().attack(published, known, np.random.default_rng(0)).users.tolist()
        [1, 0]

    Reference:
        The winning team of PWS Cup 2019.
    """

    aliases: ClassVar[tuple[str, ...]] = ("count vectors",)

    def comparison(self, published: Cells, knowledge: Reference) -> Scores:
        counts = sparse.csr_array(visits(knowledge) * knowledge.regions.shape[1])
        return nearness(visited(published).log1p(), sparse.csr_array(counts @ _spread(knowledge)).log1p())

    def whole(self, published: Cells, knowledge: Reference) -> Scores:
        seen = visited(published).log1p()
        return Raised(self.comparison(published, knowledge), -row_sums(seen.multiply(seen).tocsr()))

    def scores(self, published: Cells, knowledge: Reference) -> Floats:
        seen = np.log1p(visited(published).toarray())
        known = np.log1p(visits(knowledge) * knowledge.regions.shape[1] @ _spread(knowledge).toarray())
        lengths = (seen**2).sum(axis=1)[:, None] + (known**2).sum(axis=1)[None, :]
        return np.asarray(2 * seen @ known.T - lengths)


def _spread(knowledge: Reference) -> sparse.csr_array:
    """[region, region]: how a visit is spread over the neighbours."""
    return sparse.csr_array((knowledge.grid.neighbourhood(1) + 8 * np.eye(knowledge.grid.regions)) / 16)

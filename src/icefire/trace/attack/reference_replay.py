"""The reference trace as the answer, a baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from icefire.trace.data import Cells, Guess, Reference
from icefire.trace.habits import usual_regions
from icefire.trace.roles import Attack


@dataclass(frozen=True)
class ReferenceReplay(Attack):
    """Answer with the reference trace of the same time of day, without a look at the release.

    No release can be safer against trace inference than this attack says.

    Parameters:
        how: "usual" takes the region of least expected distance by all days, "day" the last reference day as it was.

    Example:
        A day has two times. User 0 was in regions 4, 7 on the first and in 5, 7 on the last reference day.

        >>> import numpy as np
        >>> from icefire.trace.data import Traces
        >>> from icefire.trace.grid import Grid
        >>> walks = Traces(np.array([[4, 7, 5, 7]]), np.zeros((1, 2)), Grid(rows=1, columns=10), day=2)
        >>> ReferenceReplay(how="day").attack(walks.cells, walks.knowledge, np.random.default_rng(0)).traces.tolist()
        [[5, 7]]
    """

    how: Literal["usual", "day"] = "usual"
    aliases: ClassVar[tuple[str, ...]] = ("reference replay",)
    baseline: ClassVar[bool] = True
    blind: ClassVar[bool] = True

    @classmethod
    def variants(cls, published: Cells, knowledge: Reference) -> list[Self]:
        return [cls(), cls(how="day")]

    def attack(self, published: Cells, knowledge: Reference, rng: np.random.Generator) -> Guess:
        if self.how == "usual":
            traces = usual_regions(knowledge)
        else:
            # Times of day that were never seen are answered by the nearest one that was; the latest day comes last.
            gaps = np.abs(knowledge.slots[None, :] - knowledge.published_slots[:, None])
            latest = gaps.shape[1] - 1 - gaps[:, ::-1].argmin(axis=1)
            traces = knowledge.regions[:, latest]
        return Guess(rng.integers(0, knowledge.users, published.shape[0]), traces)

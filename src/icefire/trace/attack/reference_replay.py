"""What is known anyway."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np

from icefire.trace.data import Cells, Guess, Reference
from icefire.trace.habits import usual_regions
from icefire.trace.roles import Attack


@dataclass(frozen=True)
class ReferenceReplay(Attack):
    """Answers with what is known anyway, without a look at the release: the reference trace, by time of day.

    `day` takes the last reference day as it was; `usual` the region of least expected distance by all days. No release can
    be safer against trace inference than this attack says.
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

"""The kind of data with places over time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from icefire.core import memory
from icefire.core.attackers import EVERYTHING
from icefire.core.chapters import Chapter, Language
from icefire.core.errors import Undefined, UnknownName
from icefire.core.kinds import Kind
from icefire.core.questions import Question
from icefire.core.values import percent
from icefire.evaluation.assessment import Assessment
from icefire.evaluation.runs import Outcome
from icefire.trace.attackers import known_points
from icefire.trace.data import Cells, Reference, Release, Traces
from icefire.trace.examples import TraceExamples

PRODUCT, EVENT = 1e-11, 1.5e-9
"""Processor seconds that an attack takes for a user, a pair of regions and a time, and for a user, a pseudonym and a time.
Within a budget of a minute, an attack took 0.6 to 1.1 times that, on average, on 2,000 and 6,000 users with 40 times and on
2,000 with 400, in 1,024 regions."""
ROOM, PROFILE, CELL, HELD = 400_000_000, 40, 160, 320
"""Bytes that the attacks take: for a user and a region, for a published cell, and for a user and a region at all times."""


class TraceKind(Kind):
    """Places over time."""

    name: ClassVar[str] = "trace"
    headline_utility: ClassVar[str] = "closeness"
    headline_safety: ClassVar[str] = "worst_of_both"
    bounded: ClassVar[bool] = True
    attackers_hold_original: ClassVar[bool] = False
    levels: ClassVar[tuple[str, ...]] = ("other-days", "points:4", EVERYTHING)
    usual_level: ClassVar[str] = "other-days"

    def levels_of(self, original: Traces) -> tuple[str, ...]:
        return self.levels if original.reference.size else self.levels[1:]

    def known(self, original: Traces, level: str) -> Reference:
        """`other-days` knows the reference traces; `points:4` where each user was at four random published times, and nothing
        else; `all` the original traces, and does not know whose pseudonym is whose."""
        if level == self.usual_level:
            return original.knowledge
        if level == EVERYTHING:
            return known_points(original, original.cells.shape[1])
        if found := re.fullmatch(r"points:([1-9]\d*)", level):
            return known_points(original, int(found[1]))
        raise UnknownName.of("attacker of trace", level, ("other-days", "points:N", EVERYTHING))

    def measured(self, level: str) -> tuple[str, ...] | None:
        """Whoever knows where everybody was has nothing to infer."""
        return ("id_safety",) if level == EVERYTHING else None

    def headlines(self, level: str) -> Mapping[Question, tuple[str, ...]]:
        """Pseudonyms are found (s_I), and places are learned (s_T beyond the baseline)."""
        return {Question.WHO: ("id_safety",), Question.WHAT: ("place_disclosure",)}

    def hides(self, release: Release, level: str) -> bool:
        return level != EVERYTHING

    def summarize_utility(self, outcomes: Sequence[Outcome]) -> list[tuple[str, dict[str, object]]]:
        scores = {outcome.method.name: outcome.score for outcome in outcomes if outcome.score is not None}
        phrases = (
            ("utility places", "visits_by_place"),
            ("utility trips", "trips"),
            ("utility distance", "travel_distance"),
        )
        return [(key, {"lost": percent(round(scores[metric].value, 5))}) for key, metric in phrases if metric in scores]

    def seconds(self, data: Traces | Reference) -> float:
        times, slots = int(data.published_slots.size), int(np.unique(data.published_slots).size)
        return data.people * (PRODUCT * data.grid.regions**2 * (4 * slots + times) + EVENT * data.people * times)

    def memory(self, data: Traces | Reference) -> int:
        profiles, cells = data.people * data.grid.regions, data.people * int(data.published_slots.size)
        # Tables of all users by time of day are held up to the limit, and worked out in parts beyond it.
        return ROOM + PROFILE * profiles + CELL * cells + min(HELD * profiles, memory.limit())

    def combine(self, release: Release, others: Sequence[Cells]) -> Release:
        """Refused: independent noise of several releases averages out, which no attack of ours makes use of."""
        raise Undefined("no attack links several releases of traces yet: what they give away together may be far more")

    def examples(self) -> TraceExamples:
        return TraceExamples()

    def chapter(self, judged: Sequence[Assessment], recipe: str, language: Language) -> Chapter:
        from icefire.trace.report import chapter

        return chapter(judged, recipe, language)

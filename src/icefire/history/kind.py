"""The kind of data with many records per person."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from icefire.core.attackers import EVERYTHING
from icefire.core.chapters import Chapter, Language
from icefire.core.errors import Undefined, UnknownName
from icefire.core.kinds import IdentifyingColumn, Kind
from icefire.core.questions import Question
from icefire.core.seeds import generator
from icefire.core.values import percent
from icefire.evaluation.assessment import Assessment
from icefire.evaluation.runs import Outcome
from icefire.frames.identifying import LOOKED_AT, identifying_columns
from icefire.history.attackers import limited
from icefire.history.data import History, Release
from icefire.history.examples import HistoryExamples

TIME = 4e-6
"""Processor seconds that an attack takes for each record, on average: 0.7 to 1.5 times that at 400 customers with 37,270
records, 2,000 with 184,248 and 10,000 with 989,668. Those that need more than the budget are sampled or left out."""
ROOM, PAIR, MOST, RECORD = 600_000_000, 720, 3_600_000_000, 500
"""Bytes that the attacks take, for each pair of customers (of which `shadow` compares so many at most), and for each record."""


class HistoryKind(Kind):
    """Many records per person."""

    name: ClassVar[str] = "history"
    headline_utility: ClassVar[str] = "utility_2017"
    headline_safety: ClassVar[str] = "extended_month_matching"
    bounded: ClassVar[bool] = True

    levels: ClassVar[tuple[str, ...]] = ("records:3", "T50", EVERYTHING)

    def known(self, original: History, level: str) -> History:
        """`records:3` knows three random records of each person, `month` the first period, `T50` half of all records with two
        characters of the item (as in the contest of 2017, which had T25, T50, T75 and T100)."""
        rng = generator(0, "attacker", level)
        if level == EVERYTHING:
            return original
        if level == "month":
            return limited(original, rng, periods=(original.periods.labels[0],))
        if found := re.fullmatch(r"records:([1-9]\d*)", level):
            return limited(original, rng, records=int(found[1]))
        if found := re.fullmatch(r"T(25|50|75|100)", level):
            return limited(original, rng, share=int(found[1]) / 100, characters=2)
        raise UnknownName.of(
            "attacker of history", level, ("month", "records:N", "T25", "T50", "T75", "T100", EVERYTHING)
        )

    def headlines(self, level: str) -> Mapping[Question, tuple[str, ...]]:
        """Pseudonyms and single records are found; what is learned are other records. Contests count EMM."""
        return {Question.WHO: ("month_matching", "record_ownership"), Question.WHAT: ("records_learned",)}

    def hides(self, release: Release, level: str) -> bool:
        return level not in (EVERYTHING, "T100")

    def summarize_utility(self, outcomes: Sequence[Outcome]) -> list[tuple[str, dict[str, object]]]:
        scores = {outcome.method.name: outcome.score for outcome in outcomes if outcome.score is not None}
        phrases = (
            ("utility sales", "error", "monthly_sales"),
            ("utility baskets", "error", "basket_sizes"),
            ("utility rules", "lost", "association_rules"),
        )
        return [
            (key, {name: percent(round(scores[metric].value, 5))}) for key, name, metric in phrases if metric in scores
        ]

    def identifying_columns(self, release: Release) -> Sequence[IdentifyingColumn]:
        """What is read are items, which attacks compare without looking at what they say, and the published master table.

        Dates, times and amounts of records are what attacks measure.
        """
        published, accepted = release.published, release.original.schema.accepted
        items = published.frame.select("item").head(LOOKED_AT)
        columns = identifying_columns(items, accepted=accepted, height=published.height, contents_only=True)
        if published.master is None:
            return columns
        return [*columns, *identifying_columns(published.master.drop("user").head(LOOKED_AT), accepted=accepted)]

    def accepted_columns(self, release: Release) -> dict[str, str]:
        return release.original.schema.accepted

    def acceptance(self, column: str) -> str:
        return f'[accepted] {column} = "..."'

    def seconds(self, data: History) -> float:
        return TIME * data.height

    def memory(self, data: History) -> int:
        return ROOM + min(PAIR * data.people**2, MOST) + RECORD * data.height

    def combine(self, release: Release, others: Sequence[History]) -> Release:
        """Refused: pseudonyms of several releases are attacked together where the secrets of all are known."""
        raise Undefined(
            "releases of histories are judged together by icefire gate, whose ledger has the earlier ones with their secrets"
        )

    def examples(self) -> HistoryExamples:
        return HistoryExamples()

    def chapter(self, judged: Sequence[Assessment], recipe: str, language: Language) -> Chapter:
        from icefire.history.report import chapter

        return chapter(judged, recipe, language)

"""The kind of data in which nobody has a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import polars as pl

from icefire.core.attackers import EVERYTHING
from icefire.core.chapters import Chapter, Language
from icefire.core.errors import DataError
from icefire.core.kinds import IdentifyingColumn, Kind
from icefire.core.questions import Question
from icefire.core.values import percent
from icefire.evaluation.assessment import Assessment
from icefire.evaluation.runs import Outcome
from icefire.frames.identifying import LOOKED_AT, identifying_columns
from icefire.synthetic.data import FACTS, HALVES, RELEASE, Knowledge, People, Release, fitted
from icefire.synthetic.examples import SyntheticExamples

MEASURED = {
    RELEASE: ("singling_out",),
    HALVES: ("linkability",),
    FACTS: ("attribute_advantage", "attribute_disclosure"),
    EVERYTHING: ("membership_advantage", "true_positive_rate", "auc"),
}
"""What attackers of each level are after."""
BESIDE: dict[str, tuple[str, ...]] = {FACTS: ("reconstruction_accuracy", "rarity_weighted_accuracy")}
"""What is measured beside it, and decides nothing."""


class SyntheticKind(Kind):
    """A table of people who do not exist."""

    name: ClassVar[str] = "synthetic"
    headline_utility: ClassVar[str] = "pair_error"
    headline_safety: ClassVar[str] = "membership_advantage"
    attackers_hold_original: ClassVar[bool] = False
    lists_people: ClassVar[bool] = True
    usual_dataset: ClassVar[str | None] = "cohort"
    levels: ClassVar[tuple[str, ...]] = (RELEASE, HALVES, FACTS, EVERYTHING)

    def known(self, original: People, level: str) -> Knowledge:
        """`release` knows the release alone, and singles people out; `halves` two data sets with half of the columns each, and
        links them; `facts` all but the hidden columns, and infers those; `all` everything, and asks who is a member."""
        super().known(original, level)
        return original.known(level)

    def implied(self, level: str) -> tuple[str, ...]:
        if level == EVERYTHING:
            return self.levels
        return tuple(dict.fromkeys((RELEASE, level))) if level in self.levels else (level,)

    def known_columns(self, knowledge: Knowledge) -> tuple[str, ...]:
        return tuple(knowledge.table.columns)

    def measured(self, level: str) -> tuple[str, ...] | None:
        measured = MEASURED.get(level)
        return None if measured is None else (*measured, *BESIDE.get(level, ()))

    def headlines(self, level: str) -> Mapping[Question, tuple[str, ...]]:
        """Somebody who knows the facts infers what is hidden; everybody else asks who is who."""
        if level == FACTS:
            return {Question.WHAT: ("attribute_disclosure", "attribute_advantage")}
        return {Question.WHO: (self.headline_of(level),)}

    def summarize_utility(self, outcomes: Sequence[Outcome]) -> list[tuple[str, dict[str, object]]]:
        scores = {outcome.method.name: outcome.score for outcome in outcomes if outcome.score is not None}
        phrases = (
            ("utility marginals", "marginal_error"),
            ("utility pairs", "pair_error"),
            ("utility models", "model_accuracy"),
        )
        return [(key, {"lost": percent(round(scores[metric].value, 5))}) for key, metric in phrases if metric in scores]

    def require_roles(self, original: People, folder: Path) -> None:
        """Columns that look as if they identified people have to be named in the schema."""
        from icefire.microdata.inspection import Inspection
        from icefire.synthetic.beginning import identifies

        unsaid = [name for name in original.names if name not in (*original.schema.columns, *original.schema.hidden)]
        if not unsaid:
            return
        looks = [look for look in Inspection.of(original.members.select(unsaid)).looks if identifies(look)]
        if looks:
            reasons = "".join(f"\n  {look.name}: {'; '.join(look.reasons)}" for look in looks)
            raise DataError(
                f"these columns of {folder} look as if they identified people: leave them out (icefire init --synthetic), or "
                f"name them under [columns] in schema.toml{reasons}"
            )

    def notes(self, release: Release) -> list[str]:
        """Cells of the members that a private method has moved into the domain of their column."""
        from icefire.synthetic.domain import moved

        original = release.original
        before, after = (moved(table, original.schema) for table in (original.members, release.published))
        return [
            f"{number:,} cells of the column {name!r} are outside its domain in schema.toml, and were moved into it. Tell "
            "nobody of it, since it comes from the data; correct the schema by what was known without them alone"
            for name, number in before.items()
            if name not in after
        ]

    def combine(self, release: Release, others: Sequence[pl.DataFrame]) -> Release:
        """One table with the rows of all: whoever is copied or resembled in several of them stands out more."""
        tables = [fitted(other, release.published, release.original.schema, "another release") for other in others]
        rows = pl.concat([release.published, *tables], how="vertical_relaxed")
        return Release(release.original, rows)

    def identifying_columns(self, release: Release) -> Sequence[IdentifyingColumn]:
        """Nobody has a row, so that what is rare points to nobody; names and addresses are somebody's all the same."""
        rows = release.published.head(LOOKED_AT)
        accepted = self.accepted_columns(release)
        return identifying_columns(rows, accepted=accepted, height=release.published.height, contents_only=True)

    def accepted_columns(self, release: Release) -> dict[str, str]:
        columns = release.original.schema.columns
        return {name: column.accepted for name, column in columns.items() if column.accepted}

    def emptied(self, release: Release) -> list[str]:
        before, after = release.original.members, release.published
        return [name for name in after.columns if after[name].n_unique() == 1 < before[name].n_unique()]

    def preview(self, published: pl.DataFrame) -> dict[str, str]:
        return {name: "" if cell is None else str(cell) for name, cell in published.row(0, named=True).items()}

    def chance(self, original: People) -> float:
        """What is found is counted beyond chance."""
        return 0.0

    def exposed(self, result: Assessment, level: str, number: int) -> pl.DataFrame:
        from icefire.synthetic.exposed import exposed

        return exposed(result, level, number).with_columns(pl.col("columns").list.join(" "))

    def examples(self) -> SyntheticExamples:
        return SyntheticExamples()

    def chapter(self, judged: Sequence[Assessment], recipe: str, language: Language) -> Chapter:
        from icefire.synthetic.report import chapter

        return chapter(judged, recipe, language)

"""The kind of data with one row per person."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from typing import ClassVar

import polars as pl

from icefire.core.attackers import EVERYTHING
from icefire.core.chapters import Chapter, Language
from icefire.core.errors import DataError, UnknownName
from icefire.core.kinds import IdentifyingColumn, Kind
from icefire.core.questions import Question
from icefire.core.seeds import generator
from icefire.core.values import percent
from icefire.evaluation.assessment import Assessment
from icefire.evaluation.runs import Outcome
from icefire.frames import engines, relational
from icefire.frames.identifying import LOOKED_AT, identifying_columns
from icefire.microdata.data import Guess, Microdata, Release
from icefire.microdata.examples import MicrodataExamples
from icefire.microdata.hierarchy import value_text
from icefire.microdata.inferences import Inference

ROOM, CELL = 400_000_000, 600
"""Bytes that the attacks take, and for each cell of the table."""
MORE, LARGE_CELL = 1_400_000_000, 140
"""The same of large tables beside ROOM, where most is done in parts. What was measured at 32,561 to 3 million rows of ten and
of 15 columns is 0.9 to 1.2 times that."""
TIME = 2e-7
"""Processor seconds that an attack takes for each cell of the table, where few people fit a row: 1e-7 to 6e-7, by machine, at
32,561 to 3 million rows of ten to thirteen columns."""
CHOICES = 50
"""Choices of columns among which the typical one is found."""


class MicrodataKind(Kind):
    """One row per person."""

    name: ClassVar[str] = "microdata"
    headline_utility: ClassVar[str] = "information_loss"
    headline_safety: ClassVar[str] = "re_identification"
    bounded: ClassVar[bool] = True
    tabular: ClassVar[bool] = True
    lists_people: ClassVar[bool] = True

    levels: ClassVar[tuple[str, ...]] = ("qi", "qi+2", EVERYTHING)

    def levels_of(self, original: Microdata) -> tuple[str, ...]:
        return self.levels if original.qi else self.levels[1:]

    def weaker(self, level: str) -> tuple[str, ...]:
        return self.levels[: self.levels.index(level)] if level in self.levels else ()

    def known(self, original: Microdata, level: str) -> Microdata:
        """`qi` knows the quasi-identifiers of everybody; `qi:1` one of them, the one that tells most people apart; `qi+2` all
        of them and the two other columns that tell most people apart; `qi+2:typical` two that tell as many apart as two
        columns usually do."""
        if level == EVERYTHING:
            return original.knowledge
        if found := re.fullmatch(r"qi:([1-9]\d*)", level):
            _require_qi(original)
            return original.only(_telling(original, (), original.qi, int(found[1])))
        found = re.fullmatch(r"qi(?:\+(\d+)(:typical)?)?", level)
        if found is None:
            raise UnknownName.of("attacker of microdata", level, ("qi:N", "qi", "qi+N", "qi+N:typical", EVERYTHING))
        number = int(found[1] or 0)
        if not number:
            _require_qi(original)
        if found[2]:
            return original.only([*original.qi, *_typical(original, number)])
        return original.only([*original.qi, *_telling(original, original.qi, _rest(original), number)])

    def with_columns(self, original: Microdata, names: Sequence[str]) -> Microdata:
        for name in names:
            if name not in original.schema.names:
                raise UnknownName.of("column", name, original.schema.names)
        return original.only(names)

    def known_columns(self, knowledge: Microdata) -> tuple[str, ...]:
        return knowledge.schema.names

    def notes(self, release: Release) -> list[str]:
        notes = [
            f"the column {column.name!r} identifies people by itself ({column.reasons}): leave it out, or say in "
            "schema.toml why it may be published"
            for column in self.identifying_columns(release)
            if not column.accepted
        ]
        if told := release.telling.told:
            notes.append(
                f"quasi-identifiers follow from {', '.join(told)}, whatever was done to them: generalize or leave out those, "
                "too, or have a look at what redteam says"
            )
        return notes

    def identifying_columns(self, release: Release) -> Sequence[IdentifyingColumn]:
        published, schema = release.published, release.published.schema
        # A weight is published as well. Of quasi-identifiers and sensitive amounts, attacks say what they tell apart.
        names = schema.published
        if not names:
            return []
        # Published rows are in random order.
        rows = relational.collect(published.lazy.select(*names).head(LOOKED_AT))
        return identifying_columns(
            rows,
            amounts=[*schema.qi, *schema.sa],
            accepted=self.accepted_columns(release),
            height=published.height,
            count=lambda keys: relational.collect(relational.count_by(published.native, keys)),
        )

    def summarize_utility(self, outcomes: Sequence[Outcome]) -> list[tuple[str, dict[str, object]]]:
        scores = {o.method.name: o.score for o in outcomes if o.score is not None}
        phrases: list[tuple[str, dict[str, object]]] = []
        if score := scores.get("information_left"):
            lost, columns = (score.detail.get(key, ()) for key in ("lost", "by column"))
            phrases.append(("utility information", {"share": percent(score.value)}))
            if isinstance(lost, list) and isinstance(columns, dict) and lost:
                phrases[0] = (
                    "utility information lost",
                    {"share": percent(score.value), "n": len(lost), "all": len(columns)},
                )
        if score := scores.get("group_means"):
            phrases.append(("utility means", {"error": percent(score.value)}))
        if score := scores.get("regression_coefficients"):
            detail = score.detail
            phrases.append(("utility coefficients", {"kept": detail["kept"], "all": detail["coefficients"]}))
        elif score := scores.get("cross_tables"):
            phrases.append(("utility table", {"error": percent(score.value)}))
        return phrases

    def headlines(self, level: str) -> Mapping[Question, tuple[str, ...]]:
        return {Question.WHO: (self.headline_safety,), Question.WHAT: ("attribute_disclosure",)}

    def hides(self, release: Release, level: str) -> bool:
        known = self.known(release.original, level).schema.names
        sensitive = (name for name in release.published.schema.names if name in release.original.sa)
        return any(name not in known for name in sensitive)

    def combine(self, release: Release, others: Sequence[Microdata]) -> Release:
        from icefire.microdata.composition import combine

        return combine(release, others)

    def know_together(self, knowledge: Microdata, combined: Release) -> Microdata:
        from icefire.microdata.composition import Composed, with_copies

        assert isinstance(combined.published, Composed)
        return with_copies(knowledge, combined.published.copies)

    def combination_gap(self, combined: Release) -> str:
        from icefire.microdata.composition import Composed

        assert isinstance(combined.published, Composed)
        names = ", ".join(combined.published.randomized)
        return (
            f"the releases changed {names} at random, and no attack weighs all of them by likelihood" if names else ""
        )

    def accepted_columns(self, release: Release) -> dict[str, str]:
        columns = release.original.schema.columns
        return {name: column.accepted for name, column in columns.items() if column.accepted}

    def require_roles(self, original: Microdata, folder: Path) -> None:
        if original.schema.unnamed:
            from icefire.microdata.inspection import questions

            inside = engines.in_memory(original.native)
            frame = original.frame if inside else relational.collect(original.lazy.head(LOOKED_AT))
            raise DataError(questions(frame, original.schema.unnamed, folder))
        if not original.schema.published:
            raise DataError(f"nothing is left to publish: all columns of {folder} identify people")

    def memory(self, original: Microdata) -> int:
        cells = original.height * len(original.schema.names)
        return ROOM + min(CELL * cells, MORE + LARGE_CELL * cells)

    def seconds(self, original: Microdata) -> float:
        return TIME * original.height * len(original.schema.names)

    def settled(self, guess: Guess | Inference, release: Release) -> Guess | Inference:
        return guess.settled(release.rows) if isinstance(guess, Guess) else Inference({}, {}, guess.known)

    def exposed(self, result: Assessment, level: str, number: int) -> pl.DataFrame:
        from icefire.microdata.exposed import exposed

        return exposed(result, level, number).with_columns(pl.col("columns").list.join(" "))

    def preview(self, published: Microdata) -> dict[str, str]:
        row = relational.collect(published.lazy.head(1))
        return {name: value_text(row[name][0]) if row.height else "" for name in published.schema.published}

    def emptied(self, release: Release) -> list[str]:
        original, published = release.original, release.published
        names = published.schema.published
        return [name for name in names if _values(published, name) < 2 <= _values(original, name)]

    def examples(self) -> MicrodataExamples:
        return MicrodataExamples()

    def chapter(self, judged: Sequence[Assessment], recipe: str, language: Language) -> Chapter:
        from icefire.microdata.report import chapter

        return chapter(judged, recipe, language)


def _require_qi(original: Microdata) -> None:
    if not original.qi:
        raise DataError("the table has no quasi-identifiers for anybody to know: name some, or choose another attacker")


def _alone(original: Microdata, names: Sequence[str]) -> int:
    """How many people no other equals in these columns."""
    sizes, classes = relational.class_sizes(original.native, list(names))
    return int(classes[sizes == 1].sum())


def _values(table: Microdata, name: str) -> int:
    """How many different values a column has."""
    return relational.collect(relational.count_by(table.native, [name])).height


def _rest(original: Microdata) -> tuple[str, ...]:
    """The published columns beside the quasi-identifiers."""
    return tuple(name for name in original.schema.published if name not in original.qi)


def _typical(original: Microdata, number: int) -> Sequence[str]:
    """So many other columns that tell the median number of people apart, of all choices or of many random ones."""
    rest = _rest(original)
    number = min(number, len(rest))
    if comb(len(rest), number) <= CHOICES:
        choices = list(combinations(rest, number))
    else:
        rng = generator(0, "attacker", f"qi+{number}:typical")
        choices = [tuple(rng.permutation(rest)[:number].tolist()) for _ in range(CHOICES)]
    ordered = sorted(choices, key=lambda names: _alone(original, [*original.qi, *names]))
    return ordered[(len(ordered) - 1) // 2]


def _telling(original: Microdata, known: Sequence[str], choices: Sequence[str], number: int) -> list[str]:
    """So many columns, each the one that leaves the most people alone in their class with those known before it.

    Where nobody is alone yet, the one with the most values.
    """
    chosen: list[str] = []
    while len(chosen) < min(number, len(choices)):
        left = [name for name in choices if name not in chosen]
        chosen.append(
            max(left, key=lambda name: (_alone(original, [*known, *chosen, name]), len(original.domain(name).values)))
        )
    return chosen

"""Kinds of data: what ties the methods, formats, examples and reports of one kind together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from icefire.core.attackers import EVERYTHING
from icefire.core.chapters import Chapter, Language
from icefire.core.documents import JsonObject
from icefire.core.errors import Undefined, UnknownName
from icefire.core.examples import AnyExamples
from icefire.core.questions import Question

if TYPE_CHECKING:
    import polars as pl

    from icefire.evaluation.assessment import Assessment
    from icefire.evaluation.runs import Outcome


@dataclass(frozen=True)
class IdentifyingColumn:
    """A published column (or a pair of columns) whose cells identify people by themselves."""

    name: str
    """As it is shown: of a pair, both."""
    reasons: str
    """What its cells look like."""
    rows: int = 0
    """How many cells do."""
    example: str = ""
    """One of them, masked."""
    accepted: str = ""
    """Why it may be published all the same, if the schema says so."""
    columns: tuple[str, ...] = ()
    """The columns themselves, where there are several."""

    def as_dict(self) -> JsonObject:
        return {
            "column": self.name,
            "reasons": self.reasons,
            "rows": self.rows,
            "example": self.example,
            "accepted": self.accepted,
            "columns": list(self.named),
        }

    @property
    def named(self) -> tuple[str, ...]:
        """The columns one by one."""
        return self.columns or (self.name,)


class Kind(ABC):
    """A kind of data. A package of icefire with a `kind.py` is one."""

    name: ClassVar[str]
    headline_utility: ClassVar[str]
    """The utility metric that stands for all in charts and searches."""
    headline_safety: ClassVar[str]
    """The metric of guesses that stands for all in charts and searches."""
    bounded: ClassVar[bool] = False
    """Whether its attacks keep to a budget of work, by sampling."""
    attackers_hold_original: ClassVar[bool] = True
    """Whether the maximum-knowledge attacker holds the original itself."""

    tabular: ClassVar[bool] = False
    """Whether the data are a table of people, of which `with_columns` takes some columns."""

    lists_people: ClassVar[bool] = False
    """Whether `exposed` lists the people who are found most often."""

    levels: ClassVar[tuple[str, ...]] = (EVERYTHING,)
    """How much attackers may know of the people, the least first; `redteam` tries all of these that `levels_of` names."""
    usual_level: ClassVar[str] = EVERYTHING
    """What attackers know if nothing else is said: `original.knowledge`."""
    usual_dataset: ClassVar[str | None] = None
    """The data set that is made if none is named; the first one if left out."""

    def levels_of(self, original: Any) -> tuple[str, ...]:
        """The levels at which anything is known of these people."""
        return self.levels

    def implied(self, level: str) -> tuple[str, ...]:
        """The levels whose attacks somebody of this level can make, where each level asks another question."""
        return (level,)

    def weaker(self, level: str) -> tuple[str, ...]:
        """The levels of attackers who know a part of what those of this level know."""
        return ()

    def known(self, original: Any, level: str) -> object:
        """What attackers of a level know; UnknownName if there is no such level."""
        if level not in self.levels:
            raise UnknownName.of(f"attacker of {self.name}", level, self.levels)
        return original.knowledge

    def with_columns(self, original: Any, names: Sequence[str]) -> Any:
        """The same people with some of the columns alone; UnknownName if there is no such column."""
        raise NotImplementedError

    def known_columns(self, knowledge: Any) -> tuple[str, ...]:
        """The columns that somebody with this knowledge knows, where it is made of columns."""
        return ()

    def notes(self, release: Any) -> list[str]:
        """What is odd about a release that was just made, in words."""
        return []

    def identifying_columns(self, release: Any) -> Sequence[IdentifyingColumn]:
        """The published columns whose cells identify people by themselves."""
        return ()

    def summarize_utility(self, outcomes: Sequence[Outcome]) -> list[tuple[str, dict[str, object]]]:
        """What a release is still worth, in up to three short phrases: templates of reports, and what fills them."""
        chosen = [outcome for outcome in outcomes if outcome.method.name == self.headline_utility]
        return [
            ("utility metric", {"metric": outcome.method.title(), "value": f"{outcome.score.value:.3g}"})
            for outcome in chosen
            if outcome.score is not None
        ]

    def acceptance(self, column: str) -> str:
        """The entry of schema.toml that says why a column may be published."""
        return f'[columns.{column}] accepted = "..."'

    def accepted_columns(self, release: Any) -> dict[str, str]:
        """The columns of which the schema says why what checks say of them is accepted."""
        return {}

    def hides(self, release: Any, level: str) -> bool:
        """Whether something is published that attackers of a level do not know already."""
        return True

    def combine(self, release: Any, others: Sequence[Any]) -> Any:
        """What somebody knows of a release who holds others of the same people as well: a release of finer cells.

        `others` is what was published of these. Undefined where releases cannot be combined.
        """
        raise Undefined(f"releases of {self.name} cannot be combined yet")

    def know_together(self, knowledge: Any, combined: Any) -> Any:
        """What somebody knows of the people, as it is to be compared with a combined release."""
        return knowledge

    def combination_gap(self, combined: Any) -> str:
        """What no attack of ours makes use of in a combined release, so that more may be found; empty if there is nothing."""
        return ""

    def require_roles(self, original: Any, folder: Path) -> None:
        """Raise DataError if it is not said of every column what it is."""
        return

    def chance(self, original: Any) -> float:
        """What naming people at random finds, by the headline metric."""
        return 1.0 / float(original.people)

    def memory(self, data: Any) -> int | None:
        """Bytes of memory that the attacks take, roughly; None if nobody has measured it.

        `data` is the original, or what attackers know of it.
        """
        return None

    def seconds(self, data: Any) -> float | None:
        """Processor time that an attack takes on average, roughly, whatever its budget is; None if nobody has measured it."""
        return None

    def settled(self, guess: Any, release: Any) -> Any:
        """A guess that was judged, without what is no longer needed."""
        return guess

    def measured(self, level: str) -> tuple[str, ...] | None:
        """The metrics of guesses that say something about attackers of a level; None if all do."""
        return None

    def headline_of(self, level: str) -> str:
        """The metric of guesses that stands for all, for attackers of a level."""
        measured = self.measured(level)
        return self.headline_safety if measured is None else measured[0]

    def headlines(self, level: str) -> Mapping[Question, tuple[str, ...]]:
        """By question, the metrics of guesses that decide it for attackers of a level: the worst of them counts."""
        return {Question.WHO: (self.headline_of(level),)}

    def signed(self, name: str, level: str) -> str:
        """The name of a guess, with the attacker's level unless that is the usual one: `euclid`, `jaccard@records=3`."""
        return name if level == self.usual_level else f"{name}@{level.replace(':', '=')}"

    def signature(self, name: str) -> str:
        """The level of the attackers who made a guess, from its name."""
        return name.partition("@")[2].replace("=", ":") or self.usual_level

    def exposed(self, result: Assessment, level: str, number: int) -> pl.DataFrame:
        """The people whom most attacks of a level find, and why."""
        raise NotImplementedError

    def preview(self, published: Any) -> dict[str, str]:
        """The cells of the first published row by column, where what is published is a table of people; otherwise nothing."""
        return {}

    def emptied(self, release: Any) -> list[str]:
        """The columns of a published table that tell nothing any more: the same in every row, which it was not before."""
        return []

    @abstractmethod
    def examples(self) -> AnyExamples:
        """Small data for the conformance suite."""

    @abstractmethod
    def chapter(self, judged: Sequence[Assessment], recipe: str, language: Language) -> Chapter:
        """The chapter of a report on releases of one original."""

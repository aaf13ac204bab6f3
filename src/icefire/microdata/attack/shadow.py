"""What shadow releases teach, for attackers who know the method."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from icefire.core.budget import current
from icefire.core.errors import InputError, Undefined
from icefire.core.matching import NONE, one_to_one
from icefire.core.parameters import AtLeast
from icefire.core.pipeline import Pipeline
from icefire.core.ranks import mean_ranks
from icefire.core.roles import AnyAnonymizer
from icefire.core.shadow import Cases, choice_weights
from icefire.microdata.cells import as_text
from icefire.microdata.costs import Match, assigned
from icefire.microdata.data import Guess, Microdata, Release
from icefire.microdata.distances import Feature, agreement_weight, features
from icefire.microdata.linkage import Linkage
from icefire.microdata.roles import Anonymizer, InformedAttack

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
TRIES = 5
"""Tries for each shadow release."""
EXERCISES = 2
"""Shadow releases on which it is learned how much each piece of evidence counts."""
BY_CELLS, BY_REPETITION = 80, 20
"""Candidates of a published row: the nearest original rows, and the nearest rows of a shadow release."""
TAUGHT, PART = 1_000, 4_000
"""Rows of a shadow release that are practised on; published rows that are judged at a time."""
REPEATED = 5_000
"""Most published rows where the steps have no randomness: `informed` repeats these exactly, and in less time."""
BINS = 40
"""Classes of errors."""
CLOSE = 1e-9
"""Candidates whose scores differ by less than this fit equally well."""
DOUBT = 2.0
"""Number of imagined observations that say that a cell tells nothing."""


@dataclass(frozen=True)
class Shadow(InformedAttack):
    """Make releases of the known rows with the known steps and seeds of one's own, and learn from those who is who.

    Every column gives evidence about a published row and a candidate: how much likelier the published cell is for the owner
    of this value than for others, how much likelier its distance from the value is, and how often the candidate's cell came
    out the same in the shadow releases. How much each piece of evidence counts is learned from the shadow releases, whose
    owners are known (conditional logit). It needs no likelihood, so any method can be attacked; where `informed` applies, that
    is exact and this an estimate.

    Parameters:
        shadows: number of shadow releases.
        match: "assignment" uses every person at most once, at the largest total score; "nearest" decides row by row.

    Example:
        Groups of three are averaged. Whoever repeats that knows the groups.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.anonymize.microaggregate import Microaggregate
        >>> from icefire.microdata.data import Microdata, Schema
        >>> original = Microdata(pl.DataFrame({"pay": [1.0, 2.0, 9.0, 20.0, 28.0, 29.0]}), Schema(qi=[], sa=["pay"]))
        >>> step = Microaggregate(k=3)
        >>> release = step.anonymize(original, np.random.default_rng(0))
        >>> guess = Shadow().knowing([step]).attack(release.published, original, np.random.default_rng(0))
        >>> bool((guess.rows // 3 == release.rows // 3).all())
        True

    Reference:
        Shokri, Stronati, Song, Shmatikov: Membership inference attacks against machine learning models. 2017, for the idea of
        shadow models.
    """

    estimates: ClassVar[bool] = True

    shadows: Annotated[int, AtLeast(4)] = 10
    match: Match = "assignment"

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Shadow]:
        return [cls(match="assignment" if published.height <= knowledge.height else "nearest")]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        if published.height > REPEATED and all(step.deterministic for step in self.known_steps):
            raise Undefined("the steps have no randomness: `informed` repeats them")
        made, certain = _shadows(self.known_steps, self.shadows, published, knowledge, rng)
        tables = [published, *(release.published for release in made)]
        names = [name for name in knowledge.schema.names if all(name in table.schema.names for table in tables)]
        if not names:
            raise Undefined("the published table shares no column with what is known")
        if not all(set(table.schema.names) == set(names) for table in (knowledge, *tables)):
            published, knowledge = published.only(names), knowledge.only(names)
            made = [Release(knowledge, release.published.only(names), release.rows) for release in made]
            tables = [published, *(release.published for release in made)]
        # Some shadow releases teach what becomes of cells. On the others it is practised how much to make of that.
        lessons = _Lessons(knowledge, made[EXERCISES:] or made, tables, names, certain)
        lessons.practise(made[:EXERCISES], rng)
        work = 0.0 if certain else 2.0 * published.height * knowledge.height * len(names)
        asked = current().sample(published.height, work, rng)
        rows = np.arange(published.height) if asked is None else asked
        people, scores = lessons.judge(published, rows, rng)
        order = np.argsort(-scores, axis=1, kind="stable")
        people, scores = np.take_along_axis(people, order, axis=1), np.take_along_axis(scores, order, axis=1)
        named = np.zeros(published.height, dtype=np.int64)
        if self.match == "nearest":
            counts = (scores >= scores[:, :1] - CLOSE).sum(axis=1)
            begins = np.arange(people.shape[0]) * people.shape[1]
            named[rows] = people[:, 0]
            if asked is None:
                return Guess.among(named, people.ravel(), begins, counts, knowledge.height)
            return Guess(named, asked=asked)
        cost = np.where(people == NONE, 0.0, np.round(scores[:, :1].max() - scores, 9))
        named[rows] = one_to_one(people, cost, knowledge.height)
        return assigned(named, published, knowledge) if asked is None else Guess(named, asked=asked)


def _shadows(
    steps: Sequence[AnyAnonymizer], number: int, published: Microdata, knowledge: Microdata, rng: np.random.Generator
) -> tuple[list[Release], bool]:
    """Releases of the known rows by the known steps, as far as these can be taken: some may be about unknown columns. Also
    whether there is no randomness in them; then one is enough."""
    release, rng = knowledge.begin(rng)
    random: list[AnyAnonymizer] = []
    for step in steps:
        assert isinstance(step, Anonymizer)
        try:
            after = Pipeline((*random, step)).anonymize(release.working, rng)
        except InputError as error:
            if not step.names_others(knowledge) and all(
                name in knowledge.schema.names for name in published.schema.names
            ):
                raise Undefined(f"{step.name} cannot be repeated: {error}") from error
            continue
        if step.deterministic and not random:
            # It would come out the same every time.
            release = release.then(after)
        else:
            random.append(step)
    if not random:
        return [release], True
    return [release.then(made) for made in _repeated(Pipeline(tuple(random)), number, release.working, rng)], False


def _repeated(steps: Pipeline, number: int, table: Microdata, rng: np.random.Generator) -> list[Release]:
    """Releases of one table. Steps may refuse what the steps before them happen to make: then it is made anew."""
    made: list[Release] = []
    for _ in range(TRIES * number):
        try:
            made.append(steps.anonymize(table, rng))
        except InputError as error:
            refusal = error
        if len(made) == number:
            return made
    raise Undefined(f"the steps cannot be repeated: {refusal}")


class _Lessons:
    """What shadow releases teach about cells, and how much each piece of evidence counts."""

    def __init__(
        self, knowledge: Microdata, made: list[Release], tables: list[Microdata], names: list[str], certain: bool
    ) -> None:
        self.knowledge, self.example, self.certain = knowledge, made[0], certain
        self.columns: list[_Column] = [
            _Numbers(name, knowledge, made)
            if knowledge.is_numeric(name) and all(table.is_numeric(name) for table in tables)
            else _Texts(name, knowledge, made, tables)
            for name in names
        ]
        self.weights = np.concatenate([column.prior for column in self.columns])
        self.importance: dict[tuple[str, type[Feature]], float] = {}

    def practise(self, made: list[Release], rng: np.random.Generator) -> None:
        for column in self.columns:
            column.learn(rng)
        columns = features(made[0].published, self.knowledge)
        self.importance = {(column.name, type(column)): agreement_weight(column, made[0].rows) for column in columns}
        cases = []
        for release in made:
            rows = np.sort(rng.permutation(release.published.height)[:TAUGHT])
            people = self.candidates(release.published, rows, rng)
            is_right = people == release.rows[rows, None]
            right = np.where(is_right.any(axis=1), is_right.argmax(axis=1), NONE)
            cases.append(Cases(self.evidence(release.published, rows, people), people != NONE, right))
        self.weights = choice_weights(cases, self.weights)

    def judge(self, published: Microdata, rows: Ints, rng: np.random.Generator) -> tuple[Ints, Floats]:
        """The candidates of published rows, NONE where there are fewer, and how well they fit."""
        people = self.candidates(published, rows, rng)
        scores = np.empty(people.shape)
        for begin in range(0, rows.size, PART):
            part = slice(begin, begin + PART)
            scores[part] = self.evidence(published, rows[part], people[part]) @ self.weights
        return people, np.where(people == NONE, -np.inf, scores)

    def candidates(self, published: Microdata, rows: Ints, rng: np.random.Generator) -> Ints:
        """People whose cells are near, by what is known and by what they became in a shadow release; each at most once."""
        shown = [column.of(rows) for column in features(published, self.example.published)]
        if self.certain:
            # Whoever does not fit what was repeated is not behind the row.
            alike = Linkage(shown, rng).near()
            return np.where(alike == NONE, NONE, self.example.rows[alike])
        alike, _ = Linkage(shown, rng).neighbours(min(BY_REPETITION, self.example.published.height))
        # A release may show gaps that its shadow does not.
        weighed = [
            replace(column.of(rows), weight=self.importance.get((column.name, type(column)), column.weight))
            for column in features(published, self.knowledge)
        ]
        near, _ = Linkage(weighed, rng).neighbours(min(BY_CELLS, self.knowledge.height))
        people = np.sort(np.hstack([near, self.example.rows[alike]]), axis=1)
        people[:, 1:][people[:, 1:] == people[:, :-1]] = NONE
        # Ties must not be broken by file order.
        return rng.permuted(people, axis=1)

    def evidence(self, published: Microdata, rows: Ints, people: Ints) -> Floats:
        """[published row, candidate, feature]."""
        return np.concatenate([column.evidence(published, rows, people) for column in self.columns], axis=2)


class _Column(ABC):
    """A column, as known and in the shadow releases."""

    prior: Floats
    """The weight of each piece of evidence to begin with."""
    repeated: NDArray[np.generic]
    """[shadow release, person]: the person's cell."""

    @abstractmethod
    def learn(self, rng: np.random.Generator) -> None: ...

    @abstractmethod
    def evidence(self, published: Microdata, rows: Ints, people: Ints) -> Floats:
        """[published row, candidate, feature]: the higher, the likelier; people may be NONE."""

    def same(self, cells: NDArray[np.generic], people: Ints) -> Floats:
        """How often the candidate's cell came out the same."""
        equal = sum((cells[:, None] == table[people]).astype(np.float64) for table in self.repeated)
        return np.asarray(np.log(0.05 + equal / len(self.repeated)))


class _Numbers(_Column):
    """A column of numbers: errors against the known value, its rank, and what it became in shadow releases on average."""

    prior = np.array([1 / 3, 1 / 3, 1 / 3, 0.0])
    repeated: Floats

    def __init__(self, name: str, knowledge: Microdata, made: list[Release]) -> None:
        self.name = name
        self.known, self.ranks = self.read(knowledge)
        self.made = [(*self.read(release.published), release.rows) for release in made]
        self.repeated = np.full((len(made), knowledge.height), np.nan)
        for table, (values, _, rows) in zip(self.repeated, self.made, strict=True):
            table[rows] = values

    def read(self, table: Microdata) -> tuple[Floats, Floats]:
        values = table.column(self.name).cast(pl.Float64).fill_null(np.nan).to_numpy().astype(np.float64)
        there = ~np.isnan(values)
        ranks = np.full(values.size, np.nan)
        ranks[there] = mean_ranks(values[there]) / max(1, there.sum())
        return values, ranks

    def learn(self, rng: np.random.Generator) -> None:
        people = self.known.size
        own: list[list[Floats]] = [[], [], []]
        others: list[list[Floats]] = [[], [], []]
        for place, (values, ranks, rows) in enumerate(self.made):
            usual = self._usual(np.delete(self.repeated, place, axis=0))
            for kept, chosen in ((own, rows), (others, rng.integers(0, people, rows.size))):
                for errors, error in zip(kept, self._errors(values, ranks, chosen, usual), strict=True):
                    errors.append(error)
        self.usual = self._usual(self.repeated)
        self.ratios = [_Ratios(np.concatenate(a), np.concatenate(b)) for a, b in zip(own, others, strict=True)]

    def _usual(self, repeated: Floats) -> Floats:
        """[person]: the mean over shadow releases; the known value of whoever is in none of them."""
        there = ~np.isnan(repeated)
        mean = np.where(there, repeated, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
        return np.where(there.any(axis=0), mean, self.known)

    def _errors(self, values: Floats, ranks: Floats, people: Ints, usual: Floats) -> tuple[Floats, Floats, Floats]:
        return values - self.known[people], ranks - self.ranks[people], values - usual[people]

    def evidence(self, published: Microdata, rows: Ints, people: Ints) -> Floats:
        values, ranks = (side[rows] for side in self.read(published))
        errors = self._errors(values[:, None], ranks[:, None], people, self.usual)
        told = [ratios.of(error) for ratios, error in zip(self.ratios, errors, strict=True)]
        return np.stack([*told, self.same(values, people)], axis=2)


class _Ratios:
    """How much likelier an error is for the owner than for others, by classes of errors; missing values are a class."""

    def __init__(self, own: Floats, others: Floats) -> None:
        present = own[~np.isnan(own)]
        self.edges = np.unique(np.quantile(present, np.linspace(0, 1, BINS + 1))) if present.size else np.zeros(1)
        # Each edge is a class by itself: many errors may be exactly 0.
        size = 2 * self.edges.size + 2
        seen, usual = (np.bincount(self.classes(errors), minlength=size) for errors in (own, others))
        chance = (usual + 0.5) / (usual.sum() + 0.5 * size)
        self.logarithms = np.log((seen + DOUBT * chance) / (seen.sum() + DOUBT) / chance)

    def classes(self, errors: Floats) -> Ints:
        found = np.searchsorted(self.edges, errors) + np.searchsorted(self.edges, errors, side="right")
        return np.where(np.isnan(errors), 2 * self.edges.size + 1, found)

    def of(self, errors: Floats) -> Floats:
        return np.asarray(self.logarithms[self.classes(errors)])


class _Texts(_Column):
    """A column of categories or generalized cells: which cells a value becomes, and which ones hold it."""

    prior = np.array([1.0, 0.0, 0.0])

    def __init__(self, name: str, knowledge: Microdata, made: list[Release], tables: list[Microdata]) -> None:
        self.name, self.domain, self.known = name, knowledge.domain(name), knowledge.codes(name)
        texts = pl.concat([as_text(table.column(name)) for table in tables]).unique().sort(nulls_last=True)
        self.cells = self.domain.read(texts)
        self.places = {text: place for place, text in enumerate(self.cells.texts)}
        self.made = [(self.read(release.published), release.rows) for release in made]
        self.repeated = np.full((len(made), knowledge.height), NONE)
        for table, (codes, rows) in zip(self.repeated, self.made, strict=True):
            table[rows] = codes

    def read(self, table: Microdata) -> Ints:
        texts = as_text(table.column(self.name))
        known = pl.Enum([text for text in self.cells.texts if text is not None])
        return texts.cast(known).to_physical().fill_null(len(known.categories)).to_numpy().astype(np.int64)

    def learn(self, rng: np.random.Generator) -> None:
        width = len(self.domain.values)
        seen = np.concatenate([codes * width + self.known[rows] for codes, rows in self.made])
        self.keys, self.counts = np.unique(seen, return_counts=True)
        self.shown = np.bincount(seen // width, minlength=len(self.places)) + 0.5
        self.shown /= self.shown.sum()
        self.held = np.bincount(seen % width, minlength=width)

    def evidence(self, published: Microdata, rows: Ints, people: Ints) -> Floats:
        codes, values = self.read(published)[rows], self.known[people]
        wanted = codes[:, None] * len(self.domain.values) + values
        place = np.minimum(np.searchsorted(self.keys, wanted), self.keys.size - 1)
        count = np.where(self.keys[place] == wanted, self.counts[place], 0)
        chance = self.shown[codes][:, None]
        told = np.log((count + DOUBT * chance) / (self.held[values] + DOUBT) / chance)
        return np.stack([told, self._holds(codes, values), self.same(codes, people)], axis=2)

    def _holds(self, codes: Ints, values: Ints) -> Floats:
        """Whether the cell holds the value."""
        used, place = np.unique(codes, return_inverse=True)
        table = np.zeros((used.size, len(self.domain.values)))
        for row, code in enumerate(used):
            table[row, self.cells.members[code]] = 1.0
        return table[place[:, None], values]

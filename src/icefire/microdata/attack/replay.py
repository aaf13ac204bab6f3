"""Repetition of the method with seeds of one's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from scipy import sparse
from scipy.special import logsumexp

from icefire.core.errors import InputError, TooLarge, Undefined
from icefire.core.parameters import AtLeast
from icefire.core.roles import AnyAnonymizer
from icefire.microdata.anonymize.conceal import Conceal
from icefire.microdata.cells import Cells, Codes
from icefire.microdata.costs import Costs, Match
from icefire.microdata.data import Guess, Microdata
from icefire.microdata.distances import Floats, Ints
from icefire.microdata.lists import BLOCK
from icefire.microdata.roles import Anonymizer, InformedAttack

UNLIKE = 10.0
"""How much less likely a row is, as a logarithm, for each column in which it has nothing in common with a repeated row."""
OUTSIDE = 50.0
"""The same for each cell that does not hold the person's value."""

LARGEST = 200_000_000
"""Largest number of pairs, which take some minutes."""
HEATS = (1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0)
"""Divisors of logarithms of likelihoods that are tried."""


@dataclass(frozen=True)
class Replay(InformedAttack):
    """Repeat the random steps of a release on the known people, and take whose repeated rows are most like the published one.

    A method that is random but always makes nearly the same of the same data gives itself away like this: in the
    repetition, it is known who is behind each row. Rows are compared column by column, by the share of values that two
    cells have in common. Numbers that carry noise are hardly ever equal and tell nothing: `informed` is the attack for them.

    Parameters:
        runs: how often the steps are repeated, each time with another seed.
        match: "nearest" decides row by row; "assignment" uses every person at most once, at the largest total likelihood.

    Example:
        Each row is the cells of a person and of the nearest other, so repeating that tells whose it is; two rows are equal, and
        are told apart by luck.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.anonymize.conceal import Conceal
        >>> from icefire.microdata.data import Microdata, Schema
        >>> people = Microdata(pl.DataFrame({"age": [20, 21, 23, 26, 30, 35]}), Schema(qi=["age"]))
        >>> for step in Conceal(k=2, design="greedy", randomized=False), Conceal(k=2, design="greedy"):
        ...     release = step.anonymize(people, np.random.default_rng(1))
        ...     guess = Replay().knowing([step]).attack(release.published, people, np.random.default_rng(2))
        ...     print(int((guess.rows == release.rows).sum()), "of 6")
        6 of 6
        3 of 6
    """

    runs: Annotated[int, AtLeast(1)] = 5
    match: Match = "nearest"
    made_for: ClassVar[AnyAnonymizer | None] = Conceal(k=3, randomized=False)

    @classmethod
    def variants(cls, published: Microdata, knowledge: Microdata) -> list[Replay]:
        return [cls(match="nearest"), cls(match="assignment")]

    def attack(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> Guess:
        return self._unlikeness(published, knowledge, rng).match(self.match, published, knowledge)

    def chances(
        self, published: Microdata, knowledge: Microdata, pairs: sparse.csr_array, rng: np.random.Generator
    ) -> sparse.csr_array:
        """[published row, person]: how likely the person is behind the row, for the given pairs.

        One more repetition, for which it is known who is behind its rows, tells how far the likelihoods can be trusted.
        """
        if published.height * knowledge.height > LARGEST:
            raise TooLarge(
                f"more than {LARGEST:,} pairs of a row and a person are too many to compare with repeated rows"
            )
        other, *runs = self._runs(self.runs + 1, published, knowledge, rng)
        heat = _Unlikeness(other.table, knowledge, runs, rng).heat(other.behind)
        return _Unlikeness(published, knowledge, runs, rng).chances(pairs, heat)

    def _unlikeness(self, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> _Unlikeness:
        return _Unlikeness(published, knowledge, self._runs(self.runs, published, knowledge, rng), rng)

    def _runs(self, number: int, published: Microdata, knowledge: Microdata, rng: np.random.Generator) -> list[_Run]:
        if all(step.deterministic or _states_likelihood(step) for step in self.known_steps):
            raise Undefined("`informed` knows how likely each step of the release makes what was published")
        return [_Run.of(self.known_steps, knowledge, published, rng) for _ in range(number)]


def _states_likelihood(step: AnyAnonymizer) -> bool:
    assert isinstance(step, Anonymizer)
    return type(step).likelihood is not Anonymizer.likelihood


@dataclass(frozen=True)
class _Run:
    """A repeated release."""

    table: Microdata
    rows: Ints
    """The person whom each row was made from."""
    behind: sparse.csr_array
    """[row, person]: how likely the person is behind the row."""

    @classmethod
    def of(
        cls, steps: Iterable[AnyAnonymizer], knowledge: Microdata, published: Microdata, rng: np.random.Generator
    ) -> _Run:
        run = cls(knowledge, np.arange(knowledge.height), sparse.csr_array(sparse.eye_array(knowledge.height)))
        for step in steps:
            assert isinstance(step, Anonymizer)
            try:
                release, chances = step.repeated(run.table, rng)
            except InputError as error:
                if not step.names_others(knowledge) and all(
                    name in knowledge.schema.names for name in published.schema.names
                ):
                    raise Undefined(f"{step.name} cannot be repeated: {error}") from error
                # It needs columns that are not known, and leaves the others as they are.
                continue
            run = cls(release.published, run.rows[release.rows], sparse.csr_array(chances @ run.behind))
        return run


class _Unlikeness(Costs):
    """Minus the logarithm of how likely each published row is, given each known person."""

    def __init__(self, published: Microdata, knowledge: Microdata, runs: list[_Run], rng: np.random.Generator) -> None:
        self.names = [name for name in knowledge.schema.names if name in published.schema.names]
        if not self.names:
            raise Undefined("the published table shares no column with what is known")
        super().__init__([published.codes(name) for name in self.names], knowledge.height, rng)
        self.compared = [_Compared(published, knowledge, runs, name) for name in self.names]
        self.behind = [run.behind for run in runs]
        self.scale = np.full(self.first.size, UNLIKE * len(self.names))
        self.columns = len(self.names) * (len(runs) + 1)

    def block(self, rows: Ints) -> Floats:
        part = self.first[rows]
        outside = sum((column.outside(part) for column in self.compared), np.zeros(1))
        likely = np.zeros((rows.size, self.width))
        for run, behind in enumerate(self.behind):
            unlike = sum(
                (column.unlike(part, run) for column in self.compared), np.zeros((len(likely), behind.shape[0]))
            )
            likely += (behind.T @ np.exp(-unlike).T).T
        return np.asarray(outside - np.log(likely + np.exp(-UNLIKE * len(self.names))))

    def _blocks(self) -> Iterator[tuple[slice, Floats]]:
        """The costs of all published rows, some at a time."""
        step = max(1, BLOCK // self.width)
        for begin in range(0, self.height, step):
            part = slice(begin, min(begin + step, self.height))
            yield part, self.block(self.which[part])

    def chances(self, pairs: sparse.csr_array, heat: float) -> sparse.csr_array:
        """How likely the given pairs are; the higher the heat, the more alike."""
        found = [
            np.exp(-block[np.repeat(np.arange(len(block)), np.diff(rows.indptr)), rows.indices] / heat)
            for part, block in self._blocks()
            for rows in (sparse.csr_array(pairs[part]),)
        ]
        return sparse.csr_array((np.concatenate(found), pairs.indices, pairs.indptr), shape=pairs.shape)

    def heat(self, behind: sparse.csr_array) -> float:
        """The heat at which those who are behind the rows are most likely."""
        total = np.zeros(len(HEATS))
        for part, block in self._blocks():
            rows = behind[part].tocoo()
            for place, heat in enumerate(HEATS):
                logs = -block / heat - logsumexp(-block / heat, axis=1, keepdims=True)
                total[place] += float(rows.data @ logs[rows.row, rows.col])
        return HEATS[int(total.argmax())]


class _Compared:
    """A column of the published rows beside the known people and their repeated rows."""

    def __init__(self, published: Microdata, knowledge: Microdata, runs: list[_Run], name: str) -> None:
        domain = knowledge.domain(name)
        self.known = knowledge.codes(name)
        self.cells = domain.read(published.column(name))
        repeated = [domain.read(run.table.column(name)) for run in runs]
        self.generalized = bool((repeated[0].shares(self.known[runs[0].rows]) > 0).all())
        """Whether cells always hold the value of whoever is behind them."""
        # A value that is published as it is belongs to the person, not to the row that was made around somebody.
        self.kept = self.generalized and all(_exact(cells) for cells in repeated)
        self.runs = [] if self.kept else [_Column(self.cells, cells) for cells in repeated]

    def unlike(self, part: Ints, run: int) -> Floats:
        return np.zeros((1, 1)) if self.kept else UNLIKE * self.runs[run].unlike(self.cells.codes[part])

    def outside(self, part: Ints) -> Floats:
        if not self.generalized:
            return np.zeros((1, self.known.size))
        if _exact(self.cells):
            values = np.array([inside[0] if inside.size else -1 for inside in self.cells.members])
            return np.asarray(OUTSIDE * (values[self.cells.codes[part]][:, None] != self.known))
        return np.where(self.cells.fits, 0.0, OUTSIDE)[self.cells.codes[part]][:, self.known]


class _Column:
    """How unlike the published cells the cells of a repeated release are, from 0 to 1."""

    def __init__(self, published: Cells, repeated: Cells) -> None:
        self.codes = repeated.codes
        self.table: Floats | None = None
        if _exact(published) and _exact(repeated):
            # A table of all pairs of distinct values would be too large.
            code_of = {text: code for code, text in enumerate(repeated.texts)}
            self.same = np.array([code_of.get(text, -1) for text in published.texts])
            return
        equal = np.array(published.texts, dtype=object)[:, None] == np.array(repeated.texts, dtype=object)
        both = published.fits.astype(np.float32) @ repeated.fits.T.astype(np.float32)
        either = published.fits.sum(axis=1)[:, None] + repeated.fits.sum(axis=1) - both
        # A cell that stands for no value of the original can only be equal.
        self.table = 1.0 - np.where(equal, 1.0, both / np.maximum(either, 1.0))

    def unlike(self, codes: Codes) -> Floats:
        if self.table is None:
            return np.asarray(self.same[codes][:, None] != self.codes, dtype=np.float64)
        return np.asarray(self.table[codes][:, self.codes])


def _exact(cells: Cells) -> bool:
    """Whether no cell stands for several values."""
    return max((inside.size for inside in cells.members), default=0) <= 1

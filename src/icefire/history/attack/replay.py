"""Repetition of the method with seeds of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import sparse

from icefire.core.errors import InputError, Undefined
from icefire.core.matching import Assign, match_dense
from icefire.core.parameters import AtLeast
from icefire.core.roles import AnyAnonymizer
from icefire.history.anonymize.conceal import Conceal
from icefire.history.concealing import covering
from icefire.history.data import NONE, Guess, History, Release
from icefire.history.roles import InformedAttack

Floats = NDArray[np.float64]
LEAST = 1e-9
"""Factor for a pseudonym that has no room for the records of a customer."""
SHARP = 40.0
"""How fast the likelihood falls with the cosine of two pseudonyms' cells."""


@dataclass(frozen=True)
class Replay(InformedAttack):
    """Repeat the steps of a release on the known records, and take the pseudonym whose records are most like the repeated ones.

    A method that is random but always makes nearly the same of the same data gives itself away like this: in the
    repetition, it is known which pseudonym is whose. Two pseudonyms are alike by the cells that their records have in
    common, rare ones counting more.

    Parameters:
        runs: how often the steps are repeated, each time with another seed.
        assign: the best pseudonym for each customer, one-to-one assignment, or Sinkhorn's balanced plan.

    Example:
        >>> import numpy as np
        >>> from icefire.history.anonymize.conceal import Conceal
        >>> from icefire.history.examples import example
        >>> log = example(users=40)
        >>> for step in Conceal(k=4, randomized=False), Conceal(k=4):
        ...     release = step.anonymize(log, np.random.default_rng(1))
        ...     guess = Replay().knowing([step]).attack(release.published, log, np.random.default_rng(2))
        ...     print(round(float((guess.table == release.pseudonyms)[log.present].mean()), 1))
        1.0
        0.3
    """

    runs: Annotated[int, AtLeast(1)] = 5
    assign: Assign = "assignment"
    made_for: ClassVar[AnyAnonymizer | None] = Conceal(k=2, candidates=2, randomized=False)

    @classmethod
    def variants(cls, published: History, knowledge: History) -> list[Self]:
        return [cls(assign=assign) for assign in ("argmax", "assignment")]

    def attack(self, published: History, knowledge: History, rng: np.random.Generator) -> Guess:
        table = np.full((len(knowledge.users), len(knowledge.periods)), NONE, dtype=np.int64)
        chances = self.chances(published, knowledge, rng)
        for period in range(len(knowledge.periods)):
            users = np.flatnonzero(knowledge.present[:, period])
            pseudonyms = np.flatnonzero(published.present[:, period])
            if users.size and pseudonyms.size:
                scores = chances[np.ix_(pseudonyms, users)].T
                chosen = match_dense(scores, self.assign, rng).rows
                table[users, period] = np.where(chosen == NONE, NONE, pseudonyms[chosen])
        return Guess.of_table(table, len(published.users))

    def chances(self, published: History, knowledge: History, rng: np.random.Generator) -> Floats:
        """[pseudonym, customer]: how likely the customer is behind the pseudonym."""
        if not knowledge.complete:
            raise Undefined("only some of the records are known: the steps cannot be repeated on them")
        if not any(isinstance(step, Conceal) for step in self.known_steps):
            raise Undefined("made for releases of `conceal`, and none of the steps is")
        total = np.zeros((len(published.users), len(knowledge.users)))
        for _ in range(self.runs):
            release, behind = self._run(knowledge, rng)
            total += (behind.T @ _same(published, release.published).T).T
        # Other pseudonyms stay possible, since steps before may change records: then no pseudonym has room for them.
        return np.where(_room(published, knowledge), total, LEAST * total) / self.runs

    def _run(self, knowledge: History, rng: np.random.Generator) -> tuple[Release, sparse.csr_array]:
        """A repeated release, and [its pseudonym, customer]: how likely the customer is behind the pseudonym."""
        release, rng = knowledge.begin(rng)
        behind = _row_map(release)
        for step in self.known_steps:
            try:
                if isinstance(step, Conceal):
                    made, chances = step.repeated(release.working, rng)
                else:
                    made = step.anonymize(release.working, rng)
                    chances = _row_map(made)
            except InputError as error:
                raise Undefined(f"{step.name} cannot be repeated: {error}") from error
            release, behind = release.then(made), sparse.csr_array(chances @ behind)
        return release, behind


def _row_map(release: Release) -> sparse.csr_array:
    """[pseudonym, user]: 1 for the user behind the pseudonym."""
    users, periods = np.nonzero(release.pseudonyms != NONE)
    pairs = np.unique(np.stack([release.pseudonyms[users, periods], users]), axis=1)
    shape = len(release.published.users), len(release.original.users)
    return sparse.csr_array((np.ones(pairs.shape[1]), (pairs[0], pairs[1])), shape=shape)


def _room(published: History, knowledge: History) -> NDArray[np.bool_]:
    """[pseudonym, customer]: whether published records of the pseudonym cover all records of the customer in its period."""
    holders = published.holders
    ones, shape = np.ones(holders.records.size), (published.height, len(published.users))
    listed = sparse.csr_array((ones, (holders.records, holders.users)), shape=shape)
    covered = sparse.csr_array(covering(knowledge, published) @ listed).sign()
    periods = published.period_codes[holders.records], holders.users
    found = np.zeros((len(published.users), len(knowledge.users)), dtype=np.bool_)
    for period in range(len(knowledge.periods)):
        inside = np.flatnonzero(knowledge.period_codes == period)
        pseudonyms = np.unique(periods[1][periods[0] == period])
        users, owner = np.unique(knowledge.user_codes[inside], return_inverse=True)
        member = sparse.csr_array((np.ones(inside.size), (owner, np.arange(inside.size))))
        number = np.asarray((member @ covered[inside][:, pseudonyms]).todense())
        found[np.ix_(pseudonyms, users)] = (number == np.bincount(owner)[:, None]).T
    return found


def _same(published: History, repeated: History) -> Floats:
    """[published pseudonym, repeated pseudonym]: how likely both stand for the same customer, within a period."""
    tokens = [_tokens(history) for history in (published, repeated)]
    numbers = pl.concat(tokens).rank("dense").to_numpy().astype(np.int64) - 1
    halves = np.split(numbers, [len(tokens[0])])
    width = int(numbers.max()) + 1
    rare = -np.log(np.bincount(numbers, minlength=width) / numbers.size)
    both = []
    for history, codes in zip((published, repeated), halves, strict=True):
        holders = history.holders
        shape = history.height, width
        columns = codes.size // history.height
        cells = sparse.csr_array((rare[codes], (np.tile(np.arange(history.height), columns), codes)), shape=shape)
        owned = sparse.csr_array(
            (holders.weights, (holders.users, holders.records)), shape=(len(history.users), shape[0])
        )
        sums = sparse.csr_array(owned @ cells)
        length = np.sqrt(np.asarray(sums.multiply(sums).sum(axis=1)))
        both.append(sparse.csr_array(sums / np.maximum(length, 1e-300)[:, None]))
    likely = np.exp(SHARP * (np.asarray((both[0] @ both[1].T).todense()) - 1.0))
    likely *= (published.present.astype(np.int8) @ repeated.present.T.astype(np.int8)) > 0
    return np.asarray(likely / np.maximum(likely.sum(axis=1, keepdims=True), 1e-300))


def _tokens(history: History) -> pl.Series:
    """The cells of each column, column by column, and then whole records, as texts."""
    frame = history.frame.drop("user", "invoice", strict=False).with_columns(pl.all().cast(pl.String).fill_null(""))
    named = [frame.select(pl.format(f"{name} {{}}", name)).to_series().rename("") for name in frame.columns]
    return pl.concat([*named, frame.select(pl.concat_str(pl.all(), separator="\x1f")).to_series().rename("")])

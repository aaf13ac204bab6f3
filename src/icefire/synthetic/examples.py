"""Tables for the conformance suite."""

from __future__ import annotations

from functools import cache

import numpy as np
import polars as pl

from icefire.core.examples import Examples
from icefire.core.roles import Method
from icefire.synthetic.data import Guess, People, Release
from icefire.synthetic.hits import found
from icefire.synthetic.model import train
from icefire.synthetic.schema import Column, Schema, Survival

SCHOOLS = ("low", "middle", "high")
DOMAIN = {
    "age": Column(low=0, high=100),
    "sex": Column(values=("f", "m")),
    "school": Column(values=SCHOOLS),
    "pay": Column(low=0, high=20_000, decimals=2),
    "ill": Column(values=("no", "yes")),
}


@cache
def example(rows: int = 60, missing: bool = False, seed: int = 0) -> People:
    """Members and as many others, with columns of both types; pay and illness depend on age."""
    rng = np.random.default_rng(seed)
    number = 2 * rows
    age = rng.integers(20, 70, number)
    frame = pl.DataFrame(
        {
            "age": age,
            "sex": rng.choice(["f", "m"], number),
            "school": rng.choice(SCHOOLS, number),
            "pay": (rng.lognormal(7, 0.5, number) + 20 * age).round(2),
            "ill": np.where(rng.random(number) < age / 100, "yes", "no"),
        }
    )
    columns = DOMAIN
    if missing:
        gaps = rng.random((number, 2)) < 0.2
        frame = frame.with_columns(
            age=pl.when(pl.Series(gaps[:, 0])).then(None).otherwise("age"),
            sex=pl.when(pl.Series(gaps[:, 1])).then(None).otherwise("sex"),
        )
        columns = {
            **DOMAIN,
            "age": Column(low=0, high=100, missing=True),
            "sex": Column(values=("f", "m"), missing=True),
        }
    # The age at which somebody fell ill, or was seen last.
    schema = Schema(["ill"], columns, Survival("age", "ill", ("yes",)))
    return People(frame[:rows], frame[rows:], schema, model=train(frame[:rows], "ill", rounds=100))


class SyntheticExamples(Examples[People, pl.DataFrame, Release, Guess]):
    """Tables with and without missing values, and one of a single member."""

    original_type, release_type, guess_type = People, Release, Guess
    last_step = "Release.shuffled"

    def originals(self) -> dict[str, People]:
        return {"plain": example(), "with missing values": example(missing=True), "of one row": example(1)}

    def large(self) -> People:
        return example(200)

    def honest_release(self, original: People) -> Release:
        return Release.shuffled(original, original.members, np.random.default_rng(1))

    def truth(self, release: Release, judged: type = object) -> Guess:
        return Guess(confidence=release.original.membership.astype(np.float64))

    def content(self, data: People | pl.DataFrame) -> object:
        if isinstance(data, People):
            return self.content(data.members), self.content(data.control)
        return data.columns, data.rows()

    def release_content(self, release: Release) -> object:
        return self.content(release.published), release.original.membership.tolist()

    def nameless_content(self, release: Release) -> object:
        return sorted(map(repr, release.published.rows()))

    def guess_content(self, guess: Guess) -> object:
        values = None if guess.values is None else self.content(guess.values)
        confidence = None if guess.confidence is None else guess.confidence.tolist()
        links = None if guess.links is None else [part.tolist() for part in guess.links]
        return confidence, values, guess.predicates, links

    def check_release(self, method: Method, original: People, release: Release) -> None:
        same = release.published.columns == list(original.names)
        assert same, f"{method.name} publishes other columns than the original has"

    def check_guess(self, method: Method, release: Release, guess: Guess) -> None:
        guess.check(release.published, release.original.knowledge)

    def order(self, release: Release) -> float:
        """By the rows that are published as they were: their places in both tables."""
        rows = {row: place for place, row in enumerate(release.original.members.rows())}
        places = [(place, rows[row]) for place, row in enumerate(release.published.rows()) if row in rows]
        return abs(float(np.corrcoef(np.array(places).T)[0, 1])) if len(places) > 100 else 0.0

    def hits(self, release: Release, guess: Guess) -> float:
        right, members = found(release, guess), release.original.membership
        return float(right[members].mean() - right[~members].mean())

"""Tables for the conformance suite."""

from __future__ import annotations

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.core.examples import Examples
from icefire.core.grid import own_decimals, rounded
from icefire.core.roles import Method
from icefire.microdata.cells import as_text
from icefire.microdata.data import Guess, Microdata, Release
from icefire.microdata.inferences import Inference
from icefire.microdata.roles import Anonymizer
from icefire.microdata.schema import Column, Schema


def example(rows: int = 60, missing: bool = False, seed: int = 0) -> Microdata:
    """A small table with numeric, ordered and categorical columns."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 70, rows),
            "sex": rng.choice(["f", "m"], rows),
            "school": rng.choice(["low", "middle", "high"], rows),
            "pay": rng.lognormal(8, 0.6, rows).round(2),
            "ill": rng.choice(["no", "yes"], rows),
        }
    )
    if missing:
        gaps = rng.random((rows, 2)) < 0.2
        frame = frame.with_columns(
            age=pl.when(pl.Series(gaps[:, 0])).then(None).otherwise("age"),
            sex=pl.when(pl.Series(gaps[:, 1])).then(None).otherwise("sex"),
        )
    school = Column("ordered", order=("low", "middle", "high"))
    return Microdata(frame, Schema(("age", "sex", "school"), ("pay", "ill"), {"school": school}))


class MicrodataExamples(Examples[Microdata, Microdata, Release, Guess | Inference]):
    """Tables with and without missing values, and one of a single row."""

    original_type, release_type, guess_type = Microdata, Release, Guess | Inference
    last_step = "Release.shuffled"

    def originals(self) -> dict[str, Microdata]:
        return {"plain": example(), "with missing values": example(missing=True), "of one row": example(1)}

    def large(self) -> Microdata:
        return example(200)

    def honest_release(self, original: Microdata) -> Release:
        return Release.shuffled(original, original.frame, np.arange(original.height), np.random.default_rng(1))

    def truth(self, release: Release, judged: type = object) -> Guess | Inference:
        original = release.original
        if judged is not Inference:
            return Guess(release.rows)
        values = {name: original.column(name) for name in original.sa if name in release.published.schema.names}
        return Inference(values, {name: np.ones(original.height) for name in values}, original.qi)

    def content(self, data: Microdata) -> object:
        return data.frame.columns, data.frame.rows()

    def release_content(self, release: Release) -> object:
        return self.content(release.published), release.rows.tolist()

    def guess_content(self, guess: Guess | Inference) -> object:
        if isinstance(guess, Inference):
            return [(name, values.to_list(), guess.confidence[name].tolist()) for name, values in guess.values.items()]
        return guess.rows.tolist(), None if guess.chances is None else guess.chances.toarray().tolist()

    def check_release(self, method: Method, original: Microdata, release: Release) -> None:
        unknown = set(release.published.frame.columns) - set(original.frame.columns)
        assert not unknown, f"{method.name} adds columns: {unknown}"

    def check_likelihood(self, method: Method) -> None:
        original = example()
        assert isinstance(method, Anonymizer)
        for name in original.schema.names:
            try:
                sums = _sums(method, original, name)
            except Undefined:
                return
            assert not sums or min(abs(total - 1.0) for total in sums) < 0.02, (
                f"{method.name}: the likelihoods of what becomes of a value of {name!r} add up to {sums[0]:.3f}, not to 1"
            )

    def check_guess(self, method: Method, release: Release, guess: Guess | Inference) -> None:
        known = release.original if isinstance(guess, Guess) else release.original.only(guess.known)
        guess.check(release.published, known)

    def order(self, release: Release) -> float:
        if release.rows.size <= 100:
            return 0.0
        return abs(float(np.corrcoef(np.arange(release.rows.size), release.rows)[0, 1]))

    def hits(self, release: Release, guess: Guess | Inference) -> float:
        if isinstance(guess, Inference):
            truth = {name: as_text(release.original.column(name)) for name in guess.values}
            right = [as_text(values).eq_missing(truth[name]).to_numpy() for name, values in guess.values.items()]
            return float(np.mean(right))
        return guess.found(release.rows) / release.rows.size


def _sums(method: Anonymizer, original: Microdata, name: str) -> list[float]:
    """The farthest from 1 that the likelihoods of a value add up to: over the values of the column, and for numbers over a
    fine grid that holds every error, where they are densities, or over a sample of the points that are published."""
    domain, column = original.domain(name), original.column(name)
    shown = [(column, 1.0)]
    if column.dtype.is_numeric():
        reach = 12 * float(np.std(column.to_numpy())) + 10
        low, high = float(np.floor(domain.positions[0] - reach)), float(domain.positions[-1] + reach)
        step = 1.0 if column.dtype.is_integer() else (high - low) / 20_000
        fine = np.arange(low, high, step)
        shown.append((pl.Series(fine).cast(column.dtype), step))
        decimals = own_decimals(column.to_numpy())
        if decimals is not None:
            shown.append((pl.Series(rounded(fine, decimals)).cast(column.dtype), step * 10.0**decimals))
    sums = []
    for cells, width in shown:
        chance = method.likelihood(original, name, domain.read(cells))
        if chance is not None:
            totals = chance.sum(axis=0) * width
            sums.append(float(totals[np.abs(totals - 1.0).argmax()]))
    return sums

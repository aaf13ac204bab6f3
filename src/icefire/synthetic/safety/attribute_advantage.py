"""How much better hidden values of members are inferred than those of others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from icefire.core.documents import Json
from icefire.core.errors import Undefined
from icefire.core.parameters import AtLeast
from icefire.core.values import BAD_SHARE, Scale, Score
from icefire.synthetic.data import Guess, Release
from icefire.synthetic.hits import TOLERANCE, inferred
from icefire.synthetic.roles import Safety
from icefire.synthetic.safety._excess import compared, excess_of


@dataclass(frozen=True)
class AttributeAdvantage(Safety):
    """How much more often hidden values of members are inferred than those of others, of what is left to infer.

    (p - q) / (1 - q), where p is the share of the members and q that of the others whose value is guessed right; for a guess
    with chances, the mean chance of the truth (correct attribution probability). What can be inferred of people who are not in
    the data is knowledge about the population, which a release may give. Of several hidden columns the one with the highest
    risk counts. The detail has the shares, and the same on the rarest tenth of the people.

    Parameters:
        tolerance: how far a guessed number may be from the truth, relative to it.

    Example:
        >>> import polars as pl
        >>> from icefire.synthetic.data import Guess, People, Release, Schema
        >>> people = People(pl.DataFrame({"a": [1, 2], "b": ["x", "y"]}), pl.DataFrame({"a": [3, 4], "b": ["x", "y"]}),
        ...     Schema(hidden=["b"]))
        >>> guess = Guess(values=people.candidates.select("b"))
        >>> AttributeAdvantage().measure(Release(people, people.members), guess).detail["others"]
        1.0

    Reference:
        Giomi, Boenisch, Wehmeyer, Tasnadi: A unified framework for quantifying privacy risk in synthetic data. 2022.
    """

    needs_guess: ClassVar[bool] = True
    scale: ClassVar[Scale] = BAD_SHARE

    tolerance: Annotated[float, AtLeast(0)] = TOLERANCE

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        hidden = release.original.schema.hidden
        if not hidden:
            raise Undefined("no column is hidden: name one under hidden in schema.toml")
        right = {name: inferred(release, guess, name, self.tolerance) for name in hidden}
        values = {name: excess_of(hits, release.original.membership)[0] for name, hits in right.items()}
        worst = max(values, key=lambda name: values[name])
        columns: dict[str, Json] = {name: max(0.0, value) for name, value in values.items()}
        others = float(right[worst][~release.original.membership].mean())
        return compared(self, release, right[worst], {"baseline": others, "by column": columns})

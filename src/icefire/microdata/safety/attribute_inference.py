"""Attribute inference with a control group."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from icefire.core.documents import Json
from icefire.core.errors import Undefined
from icefire.core.intervals import wilson
from icefire.core.parameters import AtLeast
from icefire.core.seeds import generator
from icefire.core.values import BAD_SHARE, Interval, Scale, Score
from icefire.microdata.cells import Floats
from icefire.microdata.covering import covering
from icefire.microdata.data import Guess, Microdata, Release, columns_or_all
from icefire.microdata.roles import Safety
from icefire.microdata.safety._population import population_of
from icefire.microdata.safety._values import Values


@dataclass(frozen=True)
class AttributeInference(Safety):
    """What a release tells about a sensitive value of the people in it, beyond what it tells about people who are not.

    A person's value is guessed as the most frequent one among the published rows whose QI cells fit the person; an amount is
    guessed right if it lies in the right tenth of the original's amounts. The risk is (success - control) / (1 - control): what
    can be said of anybody, such as that smokers fall ill more often, is no harm done by being in the table.

    The control group is a file of people who were kept out of the release. Without one, the same people are guessed once more,
    each without their own row. That is only right where the column is published as it is: methods that average or exchange
    values leave a trace of a person in the rows of others. For such columns a file is needed.

    Parameters:
        sensitive: the SA column; the worst of all if left out.
        control: a file with the QI and the SA of people who are not in the release (.csv, .csv.gz or .parquet).
        people: how many people of each group are guessed, at most.

    Example:
        The only man is known by his row alone. The women have the same illness: that is known without the row of each.

        >>> import numpy as np, polars as pl
        >>> from icefire.microdata.data import Microdata, Release, Schema
        >>> people = Microdata(pl.DataFrame({"sex": list("ffffm"), "ill": list("yyyyn")}), Schema(qi=["sex"], sa=["ill"]))
        >>> score = AttributeInference().measure(Release(people, people, np.arange(5)))
        >>> score.value, score.detail["success"], score.detail["control"]
        (1.0, 1.0, 0.8)

    Reference:
        Giomi, Boenisch, Wehmeyer, Tasnadi: A unified framework for quantifying privacy risk in synthetic data. PETS 2023.
    """

    scale: ClassVar[Scale] = BAD_SHARE

    sensitive: str | None = None
    control: str | None = None
    people: Annotated[int, AtLeast(1)] = 10_000

    def measure(self, release: Release, guess: Guess | None = None) -> Score:
        published, original = release.published, release.original
        wanted = () if self.sensitive is None else (self.sensitive,)
        names = columns_or_all(wanted, published.sa, type(self).__name__)
        if not names:
            raise Undefined("no sensitive column was published")
        rng = generator(0, "attribute inference")
        rows = np.sort(rng.permutation(published.height)[: self.people])
        targets = covering(published, original, release.rows[rows])
        control = None if self.control is None else self._control(release, self.control, names, rng)
        found: dict[str, _Risk] = {}
        for name in names:
            values = Values.of(release, name)
            mine = values.original[release.rows[rows]]
            if control is not None:
                inside, _ = values.released.successes(targets, mine)
                outside, _ = values.released.successes(
                    covering(published, control, by_row=True), values.of_others(control.column(name))
                )
                found[name] = _Risk.of(inside, outside)
            elif values.unchanged(release.rows):
                found[name] = _Risk.of(*values.released.successes(targets, mine, rows))
        if not found:
            raise Undefined(
                f"the values of {names[0]!r} were changed: keep some people out of the release and name their file, as in "
                "attribute_inference(control='others.csv')"
            )
        return self._score(found, [name for name in names if name not in found], rows.size)

    def _control(self, release: Release, file: str, names: Sequence[str], rng: np.random.Generator) -> Microdata:
        table = population_of(release, file, names)
        return table.take(np.sort(rng.permutation(table.height)[: self.people]))

    def _score(self, found: Mapping[str, _Risk], left_out: Sequence[str], people: int) -> Score:
        worst = max(found, key=lambda name: found[name].risk)
        risk = found[worst]
        detail: dict[str, Json] = {
            "by column": {name: one.risk for name, one in found.items()},
            "column": worst,
            "success": risk.success,
            "control": risk.control,
            "people": people,
        }
        if left_out:
            detail["changed columns, which need a control group"] = list(left_out)
        return self.score(risk.risk, risk.interval, detail=detail)


@dataclass(frozen=True)
class _Risk:
    """Share of values that are guessed right, in the release and in the control group."""

    success: float
    control: float
    interval: Interval

    @property
    def risk(self) -> float:
        return _excess(self.success, self.control)

    @classmethod
    def of(cls, inside: Floats, outside: Floats) -> _Risk:
        success, control = float(inside.mean()), float(outside.mean())
        here, there = wilson(success * inside.size, inside.size), wilson(control * outside.size, outside.size)
        # Errors of both shares, by the slopes of the risk; where the same people are guessed twice that is more than needed.
        rest = max(1.0 - control, 1e-12)
        slope = (1.0 - success) / rest
        low = math.hypot(success - here.low, slope * (there.high - control)) / rest
        high = math.hypot(here.high - success, slope * (control - there.low)) / rest
        risk = _excess(success, control)
        return cls(success, control, Interval(max(0.0, risk - low), min(1.0, risk + high), here.confidence))


def _excess(success: float, control: float) -> float:
    """What is guessed of that which cannot be guessed of others; 0 if everything can."""
    return 0.0 if control >= 1.0 else max(0.0, (success - control) / (1.0 - control))

"""Whom a model that was handed out fits best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.synthetic.data import Guess, Knowledge
from icefire.synthetic.model import train
from icefire.synthetic.roles import Attack


@dataclass(frozen=True)
class ModelFit(Attack):
    """Name those whom the model that was handed out fits better than a model of others does: it was trained on the members.

    What some people's value is, any model tells. So two models are trained, each on a random half of the candidates, and
    applied to the other half.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People
        >>> from icefire.synthetic.model import train
        >>> table = pl.DataFrame({"a": list("pqrs") * 10, "ill": ["no", "no", "yes", "yes"] * 10})
        >>> others = table.with_columns(ill=table["ill"].reverse())
        >>> people = People(table, others, model=train(table, "ill"))
        >>> guess = ModelFit().attack(people.members, people.knowledge, np.random.default_rng(0))
        >>> bool(guess.confidence[people.membership].mean() > guess.confidence[~people.membership].mean())
        True

    Reference:
        Yeom, Giacomelli, Fredrikson, Jha: Privacy risk in machine learning. 2018; Watson, Guo, Cormode, Sablayrolles: On the
        importance of difficulty calibration in membership inference attacks. 2022.
    """

    @classmethod
    def uses(cls, knowledge: Knowledge) -> bool:
        return super().uses(knowledge) and knowledge.model is not None

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        if knowledge.model is None:
            raise Undefined("no model was handed out")
        model, table = knowledge.model, knowledge.table
        half = np.zeros(table.height, dtype=np.bool_)
        half[rng.permutation(table.height)[: table.height // 2]] = True
        usual = np.zeros(table.height)
        for part in (half, ~half):
            known = table.filter(~part).drop_nulls(model.target)
            if known.height and known[model.target].n_unique() > 1:
                usual[part] = train(known, model.target).fit(table.filter(part))
        return Guess(confidence=model.fit(table) - usual)

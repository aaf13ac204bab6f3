"""What a model that was handed out predicts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from icefire.core.errors import Undefined
from icefire.synthetic.data import Guess, Knowledge
from icefire.synthetic.roles import InferenceAttack


@dataclass(frozen=True)
class ModelPrediction(InferenceAttack):
    """Infer the hidden value that the model which was handed out predicts.

    Example:
        >>> import numpy as np, polars as pl
        >>> from icefire.synthetic.data import People, Schema
        >>> from icefire.synthetic.model import train
        >>> table = pl.DataFrame({"a": list("pqrs") * 10, "ill": ["no", "no", "yes", "yes"] * 10})
        >>> people = People(table, table, Schema(hidden=["ill"]), model=train(table, "ill"))
        >>> guess = ModelPrediction().attack(people.members, people.known("facts"), np.random.default_rng(0))
        >>> guess.values["ill"].equals(people.candidates["ill"])
        True
    """

    @classmethod
    def uses(cls, knowledge: Knowledge) -> bool:
        model = knowledge.model
        return (
            super().uses(knowledge)
            and model is not None
            and tuple(knowledge.schema.hidden) == (model.target,)
            and not set(model.columns) - set(knowledge.table.columns)
        )

    def attack(self, published: pl.DataFrame, knowledge: Knowledge, rng: np.random.Generator) -> Guess:
        if knowledge.model is None:
            raise Undefined("no model was handed out")
        return Guess(values=pl.DataFrame([knowledge.model.predicted(knowledge.table)]))

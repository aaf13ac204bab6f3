"""What metrics of membership share."""

from __future__ import annotations

from icefire.core.errors import Undefined
from icefire.synthetic.data import Floats, Guess


def confidence(guess: Guess | None) -> Floats:
    if guess is None or guess.confidence is None:
        raise Undefined("the guess does not say who is a member")
    return guess.confidence

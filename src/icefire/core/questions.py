"""The four questions that are asked of every release, each with its own attacks, limit and place in the answer."""

from __future__ import annotations

from enum import Enum


class Question(Enum):
    """What a recipient might do with a release.

    >>> [question.value for question in Question]
    ['re-identification', 'attribute disclosure', 'other releases', 'identifying cells']
    """

    WHO = "re-identification"
    """Who is it? Published rows, pseudonyms or traces are linked to people."""
    WHAT = "attribute disclosure"
    """What is theirs? Values that an attacker did not know are inferred with confidence."""
    COMPOSITION = "other releases"
    """What else is out? Both again, by somebody who holds other releases of the same people."""
    CELLS = "identifying cells"
    """Does a cell identify by itself? Names, numbers, coordinates, values of one person."""

"""Scores of a release or of an attack: each has a value, or the reason why it has none."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from icefire.core.documents import JsonObject
from icefire.core.errors import Undefined
from icefire.core.values import Score

UNDEFINED = "undefined"
HITS = "hits"
"""The part of the detail that goes into the log: whom an answer has found, where rules have to compare answers."""


@dataclass(frozen=True)
class NoScore:
    """Why a metric has no value."""

    reason: str

    def as_dict(self) -> JsonObject:
        return {UNDEFINED: self.reason}


def _decoded(data: object) -> Score | NoScore:
    match data:
        case Score() | NoScore():
            return data
        case {"undefined": str(reason)}:
            return NoScore(reason)
        case dict():
            try:
                return Score.from_dict(data)
            except Undefined as error:
                raise ValueError(str(error)) from error
    raise ValueError(f"{data!r} is not a score")


def _encoded(measure: Score | NoScore) -> JsonObject:
    return measure.as_dict(detail=False) if isinstance(measure, Score) else measure.as_dict()


def _stored(measure: Score | NoScore) -> JsonObject:
    hits = measure.detail.get(HITS) if isinstance(measure, Score) else None
    return _encoded(measure) if hits is None else {**_encoded(measure), "detail": {HITS: hits}}


class _Codec:
    """How events hold a measure: as the JSON form of a score."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        written = core_schema.plain_serializer_function_ser_schema(_stored, return_schema=core_schema.any_schema())
        return core_schema.no_info_plain_validator_function(_decoded, serialization=written)


Measure: TypeAlias = Annotated[Score | NoScore, _Codec]
Measures: TypeAlias = Mapping[str, Measure]
"""By metric, or by task."""


def measured(measure: Callable[[], Score]) -> Score | NoScore:
    """The score that a metric gives, or the reason why it gives none."""
    try:
        return measure()
    except Undefined as error:
        return NoScore(str(error))


def packed(hits: NDArray[np.bool_]) -> str:
    """Who was found, as a text for the log.

    >>> unpacked(packed(np.array([True, False, True])))[:3].tolist()
    [True, False, True]
    """
    return base64.b64encode(zlib.compress(np.packbits(hits).tobytes())).decode()


def unpacked(text: str) -> NDArray[np.bool_]:
    """Who was found, filled up to whole bytes by people who do not exist."""
    return np.unpackbits(np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype=np.uint8)).astype(np.bool_)


def scores(measures: Measures) -> dict[str, Score]:
    """Those that have a value."""
    return {name: measure for name, measure in measures.items() if isinstance(measure, Score)}


def documents(measures: Measures) -> dict[str, JsonObject]:
    """The JSON form of each."""
    return {name: _encoded(measure) for name, measure in measures.items()}


def strongest(before: Measures, now: Measures) -> dict[str, Measure]:
    """Of two guesses at the same target, the score that leaves less of its safety counts, task by task."""
    found = dict(before)
    for task, measure in now.items():
        old = found.get(task)
        if not isinstance(old, Score) or (isinstance(measure, Score) and measure.worse_than(old)):
            found[task] = measure
    return found

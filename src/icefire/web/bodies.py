"""Bodies of requests, and answers that several routes give."""

from __future__ import annotations

from typing import Annotated

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from icefire.contest.admission import LONGEST_METHOD
from icefire.contest.events.base import KEYS
from icefire.contest.game import Files
from icefire.contest.uploads import pack
from icefire.web.people import Id, Why


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=lambda name: KEYS.get(name, name))


class Login(_Body):
    # PostgreSQL has no NUL in texts.
    login: Annotated[str, Field(max_length=60, pattern=r"^[^\x00]*$")]
    password: Annotated[str, Field(max_length=200)]


class Join(Login):
    code: Annotated[str, Field(max_length=100)]


class NewTeam(_Body):
    name: Annotated[str, Field(max_length=40)]
    id: Id | None = None


class Action(_Body):
    why: Why
    minutes: Annotated[float, Field(gt=0, le=100_000)] | None = None


class Message(_Body):
    text: Annotated[str, Field(min_length=1, max_length=1_000)]


class Answer(Message):
    to_all: bool = False


class Ruling(_Body):
    round_index: Annotated[int, Field(ge=0, le=100)]
    team: Id
    dataset: Id
    valid: bool
    why: Why


class Award(_Body):
    prize: Annotated[str, Field(min_length=1, max_length=100)]
    team: Id
    why: Why


class MethodRemoval(_Body):
    team: Id
    method: Annotated[str, Field(min_length=1, max_length=LONGEST_METHOD)]
    why: Why


class Done(TypedDict):
    """The answer to a request that was carried out."""

    done: bool


DONE: Done = {"done": True}


def zip_response(files: Files, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}.zip"'}
    return Response(pack(files), media_type="application/zip", headers=headers)

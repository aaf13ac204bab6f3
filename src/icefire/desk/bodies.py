"""Bodies of requests to the desk."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from icefire.microdata.inspection import Role

Text = Annotated[str, Field(max_length=200)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Done(TypedDict):
    """The answer to a request that was carried out."""

    done: bool


DONE: Done = {"done": True}


class HowToRead(_Body):
    """What the reader of a file says where it was not recognized."""

    encoding: Text | None = None
    separator: Annotated[str, Field(max_length=1)] | None = None
    sheet: Text | None = None
    skip: Annotated[int, Field(ge=0, le=1000)] | None = None
    names: Annotated[list[Text], Field(max_length=2000)] | None = None
    table: Text | None = None


class HierarchyBody(_Body):
    table: dict[str, list[str]] | None = None
    widths: Annotated[list[float], Field(max_length=20)] | None = None
    digits: Annotated[list[int], Field(max_length=20)] | None = None
    learned: Annotated[int, Field(ge=1, le=30)] | None = None


class ColumnBody(_Body):
    role: Role
    hierarchy: HierarchyBody | None = None
    importance: Annotated[float, Field(gt=0, le=100)] = 1.0


class ColumnsBody(_Body):
    columns: dict[str, ColumnBody]


class Edited(_Body):
    """A hierarchy that is being edited."""

    column: str
    hierarchy: HierarchyBody | None = None


class Goal(_Body):
    """Against whom, how much risk is accepted, what must stay usable, and how long it may take."""

    level: Annotated[str, Field(max_length=40, pattern=r"^[\w+:-]+$")]
    limit: Annotated[float, Field(ge=0, le=1)] = 0.05
    utility: Annotated[float, Field(ge=0, le=1)] | None = None
    analyses: Annotated[dict[Text, Finite], Field(max_length=50)] = {}
    """How far analyses may move, by name."""
    minutes: Annotated[float, Field(gt=0, le=600)] = 3.0


class Shape(_Body):
    """What a row of the table is, and which columns say who, when, what and where."""

    kind: Literal["microdata", "history", "trace", "synthetic"]
    names: dict[Literal["user", "date", "item", "price", "quantity", "invoice", "time", "region"], Text] = {}
    periods: Literal["day", "week", "month", "quarter", "year", "all"] = "month"
    rows: Annotated[int, Field(ge=1, le=1000)] = 32
    columns: Annotated[int, Field(ge=1, le=1000)] = 32
    day: Annotated[int, Field(ge=1, le=2000)] = 20
    parts: dict[Text, Literal["known", "hidden", "out"]] = {}
    """Of synthetic tables: what attackers know, what they try to infer, and what is left out. All others are known."""


class Gated(_Body):
    """A release to put to the gate, and the share of pseudonyms that may be found."""

    release: Annotated[int, Field(ge=1)]
    limit: Annotated[float, Field(ge=0, le=1)]


class Chosen(_Body):
    """A release of a search, by the numbers of the job and of the trial."""

    search: Annotated[int, Field(ge=1)]
    trial: Annotated[int, Field(ge=0)]


class Named(_Body):
    name: Annotated[str, Field(min_length=1, max_length=100)]


Language = Literal["en", "ja"]

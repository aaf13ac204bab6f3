from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest

from icefire.core import parameters
from icefire.core.errors import InputError, MissingExtra, ParameterError, UnknownName, need, require
from icefire.core.parameters import Above, AtLeast, Between, parse_step
from icefire.microdata.anonymize.mondrian import Mondrian


@dataclass(frozen=True)
class Sample:
    k: Annotated[int, AtLeast(2)] = 5
    share: Annotated[float, Between(0, 1)] = 0.5
    scale: Annotated[float, Above(0)] = 1.0
    unit: Literal["a", "b"] = "a"
    columns: tuple[str, ...] = ()
    limit: float | None = None
    flag: bool = False

    def __post_init__(self) -> None:
        parameters.check(self)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"k": 0}, "The 'k' parameter of Sample must be an integer of at least 2. Got 0 instead."),
        ({"k": 2.5}, "The 'k' parameter of Sample must be an integer of at least 2. Got 2.5 instead."),
        ({"k": True}, "The 'k' parameter of Sample must be an integer of at least 2. Got True instead."),
        ({"share": 1.5}, "The 'share' parameter of Sample must be a number between 0 and 1. Got 1.5 instead."),
        ({"share": float("nan")}, "The 'share' parameter of Sample must be a number between 0 and 1. Got nan instead."),
        ({"scale": 0}, "The 'scale' parameter of Sample must be a number above 0. Got 0 instead."),
        ({"unit": "c"}, "The 'unit' parameter of Sample must be one of 'a', 'b'. Got 'c' instead."),
        ({"columns": "age"}, "The 'columns' parameter of Sample must be a list, each a text. Got 'age' instead."),
        ({"limit": "x"}, "The 'limit' parameter of Sample must be a number or None. Got 'x' instead."),
        ({"flag": 1}, "The 'flag' parameter of Sample must be true or false. Got 1 instead."),
    ],
)
def test_one_grammar_for_wrong_parameters(values: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        Sample(**values)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_lists_become_tuples_so_that_methods_can_be_compared_and_hashed() -> None:
    assert Sample(columns=["a"]) == Sample(columns=("a",))  # type: ignore[arg-type]


def test_settings_are_what_differs_from_the_defaults() -> None:
    assert parameters.settings(Sample(k=3)) == {"k": 3}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mondrian", ("mondrian", {})),
        ("global-recode(k=3)", ("global_recode", {"k": 3})),
        (
            "x(a=-1.5, b=true, c=none, d='q r', e=word)",
            ("x", {"a": -1.5, "b": True, "c": None, "d": "q r", "e": "word"}),
        ),
        ("x(m={'a': b, c: 1})", ("x", {"m": {"a": "b", "c": 1}})),
    ],
)
def test_steps_are_parsed(text: str, expected: tuple[str, dict[str, object]]) -> None:
    assert parse_step(text) == expected


@pytest.mark.parametrize(
    "text", ["x(", "x(3)", "x(a=__import__('os'))", "x(a=b.c)", "x(a=1)(b=2)", "x(a=[i for i in y])"]
)
def test_what_is_not_a_step_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_step(text)


def test_a_step_can_be_typed_again() -> None:
    method = Mondrian(k=7, columns=("age", "marital-status"))
    name, values = parse_step(method.step())
    assert (name, Mondrian(**values)) == ("mondrian", method)  # type: ignore[arg-type]


def test_unknown_and_missing_parameters_are_named() -> None:
    with pytest.raises(UnknownName, match=r"no parameter of Mondrian 'kk'; did you mean 'k'\?"):
        parameters.build(Mondrian, {"kk": 3})


def test_a_missing_library_names_its_extra() -> None:
    with pytest.raises(MissingExtra, match=r"pip install 'icefire\[report\]'"):
        need("no_such_library", "report")
    with pytest.raises(MissingExtra, match=r"pip install 'icefire\[report\]'"):
        require("no_such_library", "report")
    require("numpy", "report")

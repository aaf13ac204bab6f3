"""Every text in the source that may reach a person, as templates of the catalogue.

What counts is any text of two words or more, with what is filled in as `{}` and, in quotation marks, as `{!r}`. Parts that are
put together in one function are expanded: `f"all tries are used up{f' for {team}' if team else ''}"` is two templates.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache
from itertools import product
from pathlib import Path

import click

import icefire
from icefire.cli.main import icefire as command_line
from icefire.core import parameters
from icefire.core.registry import Registry
from icefire.core.roles import Metric

SOURCE = Path(icefire.__file__).parent
MOST = 24
"""Templates of one expression: a text of more variants is beyond its readers, too."""
FIELD = re.compile(r"\{\w+(!r)?(:[^{}]*)?\}")

LEFT_OUT = {
    "checks": "messages for authors of methods, who read English",
    "report": "has words of its own in both languages",
    "words": "the catalogue",
    "contest/migrations": "no text",
    "web/migrations": "no text",
    "frames/patterns.py": "regular expressions, and what they match, see otherwise.py",
    "frames/person_names.py": "names of people",
    "datasets/households.py": "values of synthetic data",
    "datasets/purchases.py": "values of synthetic data",
    "datasets/transit_cards.py": "values of synthetic data",
    "microdata/examples.py": "messages for authors of methods",
    "history/examples.py": "messages for authors of methods",
    "trace/examples.py": "messages for authors of methods",
    "desk/recipes.py": "code that people copy",
    "study/template.py": "has words of its own in both languages",
    "microdata/report.py": "keys of the report's words",
    "history/report.py": "keys of the report's words",
    "trace/report.py": "keys of the report's words",
}
NOT_SAID = {
    r"icefire init (?!FILE makes).*": "commands",
    r"icefire (demo|gate|redteam|advise|anonymize|list) .*|(\{\} )?--(format|attacker|knowledge|budget) \{\}.*": "commands",
    r"--with \{\}": "an option",
    r"\w+\(.*\)|`\{\}` string": "steps of methods, expressions and representations of objects",
    r"(kind|qi|sa|type|order|labels|published|periods|day|sensitive|hierarchy|importance) = .*": "lines of schema.toml",
    r"(accepted|decimals|tolerance|protect|name|path) = .*|\[.*\].* = .*": "lines of schema.toml",
    r"(?i)(select|begin|attach|set|pragma|cast|load) .*|.*(__index|__start|__file|row_number|_id\(\)|is not distinct).*": "SQL",
    r"left\(sha256.*|case when .*|\{\} as \{\}|.*(value|sum) long.*|\{\} \+ 1.*": "SQL",
    r".*(\[\^a-z\]|0-9a-f).*": "regular expressions",
    r"(default-src|sandbox|base-uri|camera|attachment|text/csv|id:|Bearer|bearer|<p>).*": "HTTP and HTML",
    r"For (programs|pages): .*": "the API's document",
    r".*Json.*": "types",
    r"type of record|icefire copies": "a column of our own",
    r"\{\} (in|for|and) \{\}|no \{\}|(and|and no|and the|as it was|Value error,|found double)": "parts of texts",
    r"(wrong|made with) .*|made with|links .*": "keys",
    r"utility (?!metric).+|(rows|people|pseudonyms) sampled|by column": "keys",
    r"attribute disclosure|other releases|identifying cells|cannot say|not asked": "values in JSON",
    r"\{\} is (better, from|good when it is) \{\}.*": "filled with `higher` or `lower`, see otherwise.py",
    r"[A-Z]+\.\.\.|icefire: .*|icefire (arena|desk|red team).*": "names",
}
"""Texts that nobody reads as sentences, by pattern."""
LOOKED_UP = {"say", "get", "setdefault", "or_else", "pop", "generator"}
"""Functions whose texts are keys."""
INTERNAL = {"AssertionError", "TypeError", "RuntimeError", "NotImplementedError", "AttributeError", "KeyError"}
LOGGED = {"error", "warning", "info", "exception", "debug"}
NAMES = {"aliases"}
"""Attributes of methods that are names, the same in every language."""


@cache
def templates() -> dict[str, str]:
    """All templates of the source, each with the file and line where it is first said."""
    found: dict[str, str] = {}
    for file in sorted(SOURCE.rglob("*.py")):
        name = file.relative_to(SOURCE).as_posix()
        if any(name.startswith(part) for part in LEFT_OUT):
            continue
        for text, line in _Reader(ast.parse(file.read_text("utf-8"))).templates():
            found.setdefault(text, f"{name}:{line}")
    return found


def paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in inspect.cleandoc(text).split("\n\n")]


def help_texts() -> set[str]:
    """What the pages of `--help` say, by paragraph."""
    found: set[str] = set()
    commands: list[click.Command] = [command_line]
    while commands:
        command = commands.pop()
        commands += command.commands.values() if isinstance(command, click.Group) else []
        texts = [command.help or "", *(getattr(option, "help", None) or "" for option in command.params)]
        found |= {paragraph for text in texts for paragraph in paragraphs(text)}
    return found - {""}


@cache
def method_texts() -> set[str]:
    """What `icefire list` says of methods."""
    found: set[str] = set()
    for method in Registry().methods():
        hints = parameters.hints(method)
        found |= {method.summary()} | ({str(method.scale)} if issubclass(method, Metric) else set())
        found |= {parameters.describe(hints[field.name]) for field in fields(method)}
    return found


def labels() -> set[str]:
    """Titles and headings of tables, and other texts that commands look up as labels."""
    found: set[str] = set()
    for file in sorted((SOURCE / "cli").glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="print_table"), args=[title, header, *_]):
                    found |= {*_constants(title), *_constants(header)}
                case ast.Call(func=ast.Name(id="label"), args=[word]):
                    found |= set(_constants(word))
                case ast.Assign(targets=[ast.Name(id="header")], value=value):
                    found |= set(_constants(value))
    return {text for text in found if re.fullmatch(r"[A-Za-z][A-Za-z-]+", text)}


def _constants(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str() as text):
            return [text]
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return [text for element in elements for text in _constants(element)]
    return []


class _Reader:
    """The templates of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self.used: set[ast.AST] = set()

    def templates(self) -> Iterator[tuple[str, int]]:
        roots = [node for node in ast.walk(self.tree) if isinstance(node, ast.expr) and self._is_root(node)]
        found = [(node, self.expanded(node)) for node in roots]
        for node, texts in found:
            if node not in self.used:
                yield from ((text, node.lineno) for text in map(_merged, texts) if _is_phrase(text))

    def _is_root(self, node: ast.AST) -> bool:
        """Whether this is a text, not a part of a larger one, and not internal."""
        if not _is_text(node):
            return False
        parent = self.parents[node]
        if isinstance(parent, ast.JoinedStr | ast.FormattedValue) or (
            isinstance(parent, ast.BinOp | ast.IfExp | ast.BoolOp) and _is_text(parent)
        ):
            return False
        return not any(self._is_internal(child, owner) for child, owner in self._upwards(node))

    def _upwards(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        while node in self.parents:
            yield node, self.parents[node]
            node = self.parents[node]

    def _is_internal(self, child: ast.AST, owner: ast.AST) -> bool:
        match owner:
            case ast.Compare() | ast.MatchValue() | ast.MatchMapping() | ast.Assert():
                return True
            case ast.Expr():
                return isinstance(child, ast.Constant)
            case ast.Subscript(slice=place):
                return child is place
            case ast.Dict(keys=keys):
                return child in keys or any(isinstance(key, ast.Constant) and key.value == "ja" for key in keys)
            case ast.Call(func=ast.Name(id=name)):
                return name in LOOKED_UP | INTERNAL
            case ast.Call(func=ast.Attribute(attr=name, value=value)):
                return name in LOOKED_UP or (name in LOGGED and "logg" in ast.dump(value)) or name == "execute"
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                return child is annotation or name in NAMES
            case ast.Assign(targets=[ast.Name(id=name)]):
                return name in NAMES and isinstance(self.parents[owner], ast.ClassDef)
            case ast.arg(annotation=annotation):
                return child is annotation
            case ast.FunctionDef(returns=returns):
                return child is returns
        return False

    def expanded(self, node: ast.expr) -> list[str]:
        """All texts that an expression may have."""
        match node:
            case ast.Constant(value=str() as text):
                return [_unescaped(text)]
            case ast.JoinedStr(values=parts):
                return self._joined(parts)
            case ast.FormattedValue(conversion=114):
                return ["{!r}"]
            case ast.FormattedValue(value=value):
                return self.expanded(value) if not node.format_spec else ["{}"]
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._joined([left, right])
            case ast.IfExp(body=first, orelse=second):
                return [*self.expanded(first), *self.expanded(second)]
            case ast.BoolOp(op=ast.Or(), values=values):
                return [text for value in values for text in self.expanded(value)]
            case ast.Name(id=name):
                return self._assigned(node, name)
        return ["{}"]

    def _joined(self, parts: Iterable[ast.expr]) -> list[str]:
        variants = [list(dict.fromkeys(self.expanded(part))) for part in parts]
        count = 1
        for texts in variants:
            count *= len(texts)
        if count > MOST:
            raise AssertionError(f"{count} variants of {variants}")
        return ["".join(texts) for texts in product(*variants)]

    def _assigned(self, node: ast.AST, name: str) -> list[str]:
        """The texts of a variable to which the function assigns nothing but texts."""
        owner = next((up for _, up in self._upwards(node) if isinstance(up, ast.FunctionDef)), None)
        values = [] if owner is None else [value for value in ast.walk(owner) if _assigns(value, name)]
        texts = [value.value for value in values if isinstance(value, ast.Assign | ast.AugAssign)]
        if not texts or not all(_is_text(text) for text in texts):
            return ["{}"]
        found: list[str] = []
        for value, text in zip(values, texts, strict=True):
            self.used.add(text)
            said = self.expanded(text)
            found = (
                [*found, *(a + b for a in found for b in said)] if isinstance(value, ast.AugAssign) else [*found, *said]
            )
        return found


def _assigns(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Assign(targets=targets):
            return any(isinstance(target, ast.Name) and target.id == name for target in targets)
        case ast.AugAssign(target=ast.Name(id=target)) | ast.For(target=ast.Name(id=target)):
            return target == name
        case ast.arg(arg=argument):
            return argument == name
        case ast.comprehension(target=ast.Name(id=target)):
            return target == name
    return False


def _is_text(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _is_text(left) or _is_text(right)
        case ast.IfExp(body=first, orelse=second):
            return _is_text(first) or _is_text(second)
        case ast.BoolOp(op=ast.Or(), values=values):
            return any(map(_is_text, values))
    return False


def _unescaped(text: str) -> str:
    """A text that may be a format itself: its fields as gaps, its doubled braces as single ones."""
    if not FIELD.search(text):
        return text
    return FIELD.sub(lambda field: f"{{{field[1] or ''}}}", text.replace("{{", "{").replace("}}", "}"))


def _merged(text: str) -> str:
    """Gaps that follow each other are one."""
    return re.sub(r"(\{(!r)?\}){2,}", "{}", text).strip().removeprefix("# ")


def _is_phrase(text: str) -> bool:
    words = re.sub(r"\{(!r)?\}", " ", text)
    said = re.search(r"[A-Za-z]{2,}", words) is not None and (" " in text or text.endswith("."))
    return said and not any(re.fullmatch(pattern, text, re.DOTALL) for pattern in NOT_SAID)

"""Pages that are written from the source: methods, commands, Python names and the glossary, in both languages."""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from types import MappingProxyType

import click
from click.testing import CliRunner

import icefire as package
from icefire.cli.main import icefire
from icefire.core import parameters
from icefire.core.registry import ROLES, Registry
from icefire.core.roles import Method, Metric
from icefire.words import Language, speak, translated

GLOSSARY = Path(__file__).parents[1] / "glossary.toml"
ROLE_TITLES = {
    "anonymize": {"en": "Anonymizers", "ja": "匿名化"},
    "attack": {"en": "Attacks", "ja": "攻撃"},
    "utility": {"en": "Utility metrics", "ja": "有用性の指標"},
    "safety": {"en": "Safety metrics", "ja": "安全性の指標"},
    "dataset": {"en": "Data sets", "ja": "データセット"},
    "format": {"en": "File formats", "ja": "ファイル形式"},
}
KIND_TITLES = {
    "microdata": {"en": "Methods for microdata", "ja": "ミクロデータの手法"},
    "history": {"en": "Methods for histories", "ja": "履歴データの手法"},
    "trace": {"en": "Methods for traces", "ja": "移動データの手法"},
    "synthetic": {"en": "Methods for synthetic tables", "ja": "合成データの手法"},
}
WORDS = {
    "methods": {
        "en": "Written from the source. `icefire list {kind} NAME` prints the same.",
        "ja": "ソースから生成しています。`icefire list {kind} 手法名` でも表示できます。説明の一行目より後は英語です。",
    },
    "commands": {"en": "Commands", "ja": "コマンド"},
    "commands text": {
        "en": "Every command with its options, as `--help` prints them.",
        "ja": "すべてのコマンドとオプションです。`--help` の表示と同じ内容です。",
    },
    "python": {"en": "Python", "ja": "Python"},
    "python text": {
        "en": "What `import icefire` offers. Methods are in `icefire.microdata`, `icefire.history` and `icefire.trace`.",
        "ja": "`import icefire` で使えるものです。手法は `icefire.microdata`、`icefire.history`、`icefire.trace` のクラスです。"
        "説明は英語です。",
    },
    "glossary": {"en": "Glossary", "ja": "用語集"},
    "default": {"en": " (default `{}`)", "ja": "（既定値 `{}`）"},
}


def generated(language: Language) -> dict[str, str]:
    """All generated pages of a language, by their paths in the site."""
    speak(language)
    try:
        registry = Registry()
        pages = {f"methods/{kind}.md": methods_page(registry, kind, language) for kind in sorted(registry.kinds)}
        return pages | {
            "commands.md": commands_page(language),
            "python.md": python_page(language),
            "glossary.md": glossary_page(language),
        }
    finally:
        speak("en")


def methods_page(registry: Registry, kind: str, language: Language) -> str:
    """Every method of a kind, with its docstring and what its parameters accept."""
    title = KIND_TITLES.get(kind, {}).get(language, kind)
    parts = [f"# {title}", WORDS["methods"][language].format(kind=kind)]
    for role in ROLES:
        chosen = registry.methods(kind, role)
        if chosen:
            parts.append(f"## {ROLE_TITLES[role][language]} {{ #{role} }}")
            parts += [_method(method, language) for method in chosen]
    return "\n\n".join(parts) + "\n"


def _method(method: type[Method], language: Language) -> str:
    alias = f" ({method.aliases[0]})" if method.aliases else ""
    parts = [f"### {method.name}{alias} {{ #{method.role}-{method.name} }}"]
    body = inspect.cleandoc(method.__doc__ or "").split("\n\n", 1)
    parts.append(translated(method.summary(), language))
    if issubclass(method, Metric):
        parts.append(f"*{translated(str(method.scale), language)}*")
    parts += [_docstring(body[1], _accepted(method, language))] if len(body) > 1 else []
    return "\n\n".join(parts)


def _accepted(method: type[Method], language: Language) -> dict[str, str]:
    """What each parameter accepts, and its default."""
    hints = parameters.hints(method)
    return {
        field.name: translated(parameters.describe(hints[field.name]), language)
        + ("" if field.default is MISSING else WORDS["default"][language].format(_plain(field.default)))
        for field in fields(method)
    }


def _plain(value: object) -> str:
    """A default as people write it in a step."""
    if value is None or value == ():
        return "none" if value is None else "all"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _docstring(text: str, accepted: Mapping[str, str] = MappingProxyType({})) -> str:
    """The sections of a docstring as Markdown: parameters as a list, examples as code."""
    parts: list[str] = []
    for section in re.split(r"\n\n(?=\S)", text):
        name, _, rest = section.partition("\n")
        rest = inspect.cleandoc(rest)
        if name == "Example:":
            parts.append(f"```pycon\n{rest}\n```")
        elif name == "Parameters:":
            parts.append("\n".join(_parameter(item, accepted) for item in re.split(r"\n(?=\S)", rest)))
        elif name in {"Reference:", "References:"}:
            parts.append(f"*{' '.join(rest.split())}*")
        elif name.startswith(">>>"):
            parts.append(f"```pycon\n{section}\n```")
        else:
            parts.append(section)
    return "\n\n".join(parts)


def _parameter(item: str, accepted: Mapping[str, str]) -> str:
    """A line of a list of parameters; one line may stand for several, as in "l, c: its parameters"."""
    names, _, meaning = item.partition(":")
    known = [name for name in names.split(", ") if name in accepted]
    types = "; ".join(accepted[name] if len(known) == 1 else f"`{name}`: {accepted[name]}" for name in known)
    return f"- **`{names}`**: {' '.join(meaning.split())}" + (f" *{types}.*" if types else "")


def commands_page(language: Language) -> str:
    """The help page of every command."""
    parts = [f"# {WORDS['commands'][language]}", WORDS["commands text"][language]]
    for path in _paths(icefire, []):
        words = [*path, "--help", "--lang", language]
        page = CliRunner().invoke(icefire, words, prog_name="icefire", terminal_width=100).output.strip()
        level = "##" if len(path) < 2 else "###"
        parts += [
            f"{level} {' '.join(['icefire', *path])} {{ #{'-'.join(['icefire', *path])} }}",
            f"```text\n{page}\n```",
        ]
    return "\n\n".join(parts) + "\n"


def _paths(command: click.Command, path: list[str]) -> Iterator[list[str]]:
    yield path
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            if not command.commands[name].hidden:
                yield from _paths(command.commands[name], [*path, name])


def python_page(language: Language) -> str:
    """The public names of the package with their docstrings."""
    parts = [f"# {WORDS['python'][language]}", WORDS["python text"][language]]
    for name in sorted(package.__all__, key=str.lower):
        thing = getattr(package, name)
        if callable(thing):
            parts += [f"## {name} {{ #{name} }}", *_callable(f"icefire.{name}", thing)]
            if inspect.isclass(thing):
                parts += list(_members(name, thing))
    return "\n\n".join(parts) + "\n"


def _callable(title: str, thing: Callable[..., object]) -> list[str]:
    # Annotations are texts, which are shown in quotation marks.
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(thing)))
    doc = inspect.cleandoc(getattr(thing, "__doc__", None) or "")
    return [f"```python\n{title}{signature}\n```", _docstring(doc)]


def _members(owner: str, thing: type) -> Iterator[str]:
    for name, member in vars(thing).items():
        if name.startswith("_") or not getattr(member, "__doc__", None):
            continue
        if inspect.isfunction(member):
            yield f"### {owner}.{name} {{ #{owner}.{name} }}"
            yield from _callable(name, member)
        elif isinstance(member, property) or hasattr(member, "func"):
            yield f"### {owner}.{name} {{ #{owner}.{name} }}"
            yield _docstring(inspect.cleandoc(member.__doc__ or ""))


def glossary_page(language: Language) -> str:
    """Terms of the field, in the order of the language."""
    terms = tomllib.loads(GLOSSARY.read_text(encoding="utf-8"))["term"]
    other: Language = "ja" if language == "en" else "en"
    terms.sort(key=lambda term: (term["en"] if language == "en" else term["reading"]).lower())
    entries = [f"{term[language]} ({term[other]})\n:   {term[f'meaning_{language}']}" for term in terms]
    return "\n\n".join([f"# {WORDS['glossary'][language]}", *entries]) + "\n"

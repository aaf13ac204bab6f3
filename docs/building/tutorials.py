"""Runs the Python of a tutorial, shows what it prints, and makes a notebook of it."""

from __future__ import annotations

import ast
import contextlib
import html
import io
import json
import linecache
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OPEN, CLOSE = "```python", "```"


@dataclass
class Cell:
    """Text, or code with what it printed and the value of its last line."""

    kind: str
    text: str
    printed: str = ""
    shown: dict[str, str] = field(default_factory=dict)


def cells(page: str) -> Iterator[Cell]:
    """A page as the cells of a notebook: its Python blocks are code, all else is text."""
    kept: list[str] = []
    kind = "markdown"
    for line in page.splitlines():
        if line.rstrip() == (CLOSE if kind == "code" else OPEN):
            if "\n".join(kept).strip():
                yield Cell(kind, "\n".join(kept).strip("\n"))
            kept, kind = [], "markdown" if kind == "code" else "code"
        else:
            kept.append(line)
    if "\n".join(kept).strip():
        yield Cell(kind, "\n".join(kept).strip("\n"))


def run(page: str, folder: Path, name: str) -> list[Cell]:
    """Run all code of a page in a folder, one block after the other, in one namespace."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    made = list(cells(page))
    here = Path.cwd()
    os.chdir(folder)
    try:
        for number, cell in enumerate(made):
            if cell.kind == "code":
                _run(cell, namespace, f"<{name}, block {number + 1}>")
    finally:
        os.chdir(here)
    return made


def filled(page: str, made: Sequence[Cell]) -> list[Cell]:
    """The cells of a page with the outputs of the same code, which was run before."""
    outputs = iter([cell for cell in made if cell.kind == "code"])
    found = list(cells(page))
    for cell in found:
        if cell.kind == "code" and (output := next(outputs, None)) is not None:
            cell.printed, cell.shown = output.printed, output.shown
    return found


def _run(cell: Cell, namespace: dict[str, Any], where: str) -> None:
    linecache.cache[where] = (len(cell.text), None, cell.text.splitlines(keepends=True), where)
    tree = ast.parse(cell.text, where)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, where, "exec"), namespace)  # noqa: S102
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), where, "eval"), namespace)  # noqa: S307
            if value is not None:
                cell.shown = _shown(value)
    cell.printed = printed.getvalue()


def _shown(value: object) -> dict[str, str]:
    """A value as notebooks keep it: as text, and as HTML if it has one."""
    shown = {"text/plain": repr(value)}
    as_html = getattr(value, "_repr_html_", None)
    if callable(as_html):
        shown["text/html"] = as_html()
    return shown


def as_page(made: list[Cell]) -> str:
    """The page with what each block gave below it."""
    parts: list[str] = []
    for cell in made:
        if cell.kind == "markdown":
            parts.append(cell.text)
            continue
        parts.append(f"{OPEN}\n{cell.text}\n{CLOSE}")
        if cell.printed:
            parts.append(f'<pre class="output">{html.escape(cell.printed.rstrip())}</pre>')
        if "text/html" in cell.shown:
            parts.append(f'<div class="output">\n{cell.shown["text/html"]}\n</div>')
        elif cell.shown:
            parts.append(f'<pre class="output">{html.escape(cell.shown["text/plain"])}</pre>')
    return "\n\n".join(parts) + "\n"


def as_notebook(made: list[Cell]) -> str:
    """The same as a Jupyter notebook (nbformat 4.5), with its outputs."""
    notebook = {
        "cells": [_notebook_cell(cell, number) for number, cell in enumerate(made)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def _notebook_cell(cell: Cell, number: int) -> dict[str, Any]:
    common = {"cell_type": cell.kind, "id": f"cell-{number}", "metadata": {}, "source": cell.text}
    if cell.kind == "markdown":
        return common
    outputs: list[dict[str, Any]] = []
    if cell.printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": cell.printed})
    if cell.shown:
        outputs.append(
            {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": dict(cell.shown)}
        )
    return common | {"execution_count": number, "outputs": outputs}

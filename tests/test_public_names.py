"""The exact public names of every module: adding, removing or renaming one is a decision, seen in the diff of the list.

`make docs` writes the list again.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import icefire

LIST = Path(__file__).with_name("public_names.txt")


def public_names() -> str:
    """A line for each module without an underscore: the public classes and functions that it defines."""
    modules = (module.name for module in pkgutil.walk_packages(icefire.__path__, "icefire."))
    lines = []
    for name in sorted(name for name in modules if "._" not in name and ".migrations" not in name):
        defined = (
            key
            for key, value in vars(importlib.import_module(name)).items()
            if not key.startswith("_") and getattr(value, "__module__", None) == name and _is_api(value)
        )
        names = ", ".join(sorted(defined))
        if names:
            lines.append(f"{name}: {names}\n")
    return "".join(lines)


def _is_api(value: object) -> bool:
    return inspect.isclass(value) or inspect.isfunction(value)


def test_public_names() -> None:
    listed, found = (set(text.splitlines()) for text in (LIST.read_text(encoding="utf-8"), public_names()))
    assert found - listed == set(), "new or changed: if that is meant, run make docs"
    assert listed - found == set(), "gone or changed: if that is meant, run make docs"


def test_the_core_needs_no_optional_library() -> None:
    code = (
        "import sys; absent = 'pandas pyarrow duckdb pyspark altair vl_convert numba'.split();"
        "sys.modules.update(dict.fromkeys(absent));"
        "import icefire.cli.main; from icefire.core.registry import Registry; print(len(Registry().methods()))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


if __name__ == "__main__":
    LIST.write_text(public_names(), encoding="utf-8")

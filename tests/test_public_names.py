"""The names other programs rely on."""

from __future__ import annotations

import importlib

import pytest

NAMES = {
    "icefire": ["__version__"],
    "icefire.checks": ["check"],
    "icefire.checks.history": ["example"],
    "icefire.checks.microdata": ["example"],
    "icefire.core.errors": ["DataError", "FileError", "IcefireError", "InputError", "MissingExtra", "ParameterError",
                            "Undefined", "UnknownName"],
    "icefire.core.registry": ["Registry"],
    "icefire.core.roles": ["Anonymizer", "Attack", "Dataset", "Kind", "Method", "Safety", "Utility"],
    "icefire.core.seeds": ["fresh_seed", "generator"],
    "icefire.core.values": ["Direction", "Interval", "Score"],
    "icefire.history.data": ["Guess", "History", "Release"],
    "icefire.history.kind": ["Pipeline"],
    "icefire.history.roles": ["Anonymizer", "Attack", "Dataset", "Safety", "Utility"],
    "icefire.history.schema": ["Schema"],
    "icefire.knowledge": ["CurvePoint", "Identification", "dangerous_values", "exposed_users", "identification",
                          "identification_curve", "identification_of_sets"],
    "icefire.microdata.data": ["Guess", "Microdata", "Release", "Schema"],
    "icefire.microdata.hierarchy": ["Hierarchy"],
    "icefire.microdata.kind": ["Pipeline"],
    "icefire.microdata.roles": ["Anonymizer", "Attack", "Dataset", "Safety", "Utility"],
    "icefire.microdata.schema": ["Column", "Schema"],
}  # fmt: skip


@pytest.mark.parametrize("module", NAMES)
def test_public_names(module: str) -> None:
    loaded = importlib.import_module(module)
    assert [name for name in NAMES[module] if not hasattr(loaded, name)] == []


def test_the_core_needs_no_optional_library() -> None:
    import subprocess
    import sys

    code = (
        "import sys; absent = 'pandas pyarrow duckdb pyspark altair vl_convert numba'.split();"
        "sys.modules.update(dict.fromkeys(absent));"
        "import icefire.cli.main; from icefire.core.registry import Registry; print(len(Registry().methods()))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr

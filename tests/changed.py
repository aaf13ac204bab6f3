"""Run the quick tests of what changed since the main branch, or of one package: `python tests/changed.py [PACKAGE]`.

A changed source file selects its own examples, the tests of its package, and the conformance tests of the method in it.
Other packages that use it are tested by `make test` only.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
ROLES = {"anonymize": "anonymize", "attack": "attack", "safety": "safety", "utility": "utility", "formats": "format"}
"""The role of the methods in a folder of a kind."""


def changed_files() -> list[PurePosixPath]:
    """Files that differ from the last commit shared with the main branch, and new ones."""

    def git(*words: str, check: bool = True) -> list[str]:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=check).stdout.split()

    base = git("merge-base", "HEAD", "main", check=False) or git("merge-base", "HEAD", "origin/main", check=False)
    names = git("diff", "--name-only", *(base or ["HEAD"])) + git("ls-files", "--others", "--exclude-standard")
    return [PurePosixPath(name) for name in names]


def tests_of(file: PurePosixPath) -> list[str]:
    """What to hand to pytest when a file has changed."""
    match file.parts:
        case ("src", "icefire", package, *_):
            chosen = [str(file)] if file.suffix == ".py" else []
            chosen += [f"tests/{package}", "tests/test_public_names.py"]
            if len(file.parts) == 5 and file.parts[3] in ROLES and not file.name.startswith("_"):
                chosen += conformance(package, ROLES[file.parts[3]], file.stem)
                chosen += ["tests/test_docs.py::test_generated_pages_are_up_to_date"]
            return chosen
        case ("tests", name) if name.startswith("test_"):
            return [str(file)]
        case ("tests", package, *_):
            return [str(file)] if file.name.startswith("test_") else [f"tests/{package}"]
        case ("contests", _):
            return ["tests/contest/test_contest_config.py", "tests/contest/test_contest_rules.py"]
        case ("kits", *_):
            return ["tests/kits"]
        case ("docs", *_):
            return ["tests/test_docs.py"]
        case _:
            return ["tests/test_docs.py"] if file.suffix == ".md" else []


def conformance(kind: str, role: str, method: str) -> list[str]:
    tests = ["test_registered_method_conforms"] + ["test_every_variant_of_an_attack_conforms"] * (role == "attack")
    return [f"tests/test_conformance.py::{test}[{kind}-{role}-{method}]" for test in tests]


def of_package(package: str) -> list[str]:
    """All tests of a package, and the conformance tests of its methods."""
    if not (ROOT / "src" / "icefire" / package).is_dir():
        sys.exit(f"no package src/icefire/{package}")
    methods = [
        test
        for folder, role in ROLES.items()
        for file in sorted((ROOT / "src" / "icefire" / package / folder).glob("[!_]*.py"))
        for test in conformance(package, role, file.stem)
    ]
    return [f"src/icefire/{package}", f"tests/{package}", *methods]


def main() -> int:
    wanted = of_package(sys.argv[1]) if sys.argv[1:] else [test for file in changed_files() for test in tests_of(file)]
    chosen = [test for test in dict.fromkeys(wanted) if (ROOT / test.partition("::")[0]).exists()]
    if not chosen:
        print("nothing changed that has tests of its own")
        return 0
    print("testing", *chosen)
    options = ["--quiet", "--numprocesses", "auto", "-m", "not slow"]
    done = subprocess.run([sys.executable, "-m", "pytest", *options, *chosen], cwd=ROOT, check=False)
    return 0 if done.returncode == 5 else done.returncode  # 5: no tests were collected


if __name__ == "__main__":
    sys.exit(main())

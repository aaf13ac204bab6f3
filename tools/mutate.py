"""Mutation testing: change the code in one place, run the tests that should notice, and list the changes that survive.

    python tools/mutate.py --packages history trace/attack --number 50 --seed 1 --report mutants.jsonl

Mutants are drawn at random and run in a scratch copy: the doctests of the module, the conformance suite of the method, the
tests of the package, the fastest first, until one fails. The same seed draws the same mutants, so a report can be continued.
Survivors have to be read: some do not change what the code does, the others lack a test.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = Path("src/icefire")
ROLES = ("anonymize", "attack", "utility", "safety")
COMPARE = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}
COMPARE |= {ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is"}
ARITHMETIC = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "//", ast.Pow: "*"}
ARITHMETIC |= {ast.BitAnd: "|", ast.BitOr: "&"}
NAMES = {"min": "max", "argmin": "argmax", "minimum": "maximum", "any": "all", "floor": "ceil", "first": "last"}
NAMES |= {new: old for old, new in NAMES.items()} | {"sorted": "list", "log1p": "log", "cumsum": "asarray"}
DURATIONS, SLOWEST = "MUTATE_DURATIONS", "MUTATE_SLOWEST"
TIMES: dict[str, float] = {}


@dataclass(frozen=True)
class Mutant:
    """One change of one file: the text between two offsets is replaced."""

    file: str
    line: int
    kind: str
    begin: int
    end: int
    before: str
    after: str

    @property
    def key(self) -> str:
        return f"{self.file}:{self.line} at {self.begin}, {self.kind}: {self.before} -> {self.after}"


def changes(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    """What may become of a node: the kind of change, the part that is replaced, and what stands there instead."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARE:
            yield "comparison", node, f"(({ast.unparse(left)}) {COMPARE[type(op)]} ({ast.unparse(right)}))"
        case ast.BoolOp(op=op, values=values):
            opposite = ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            yield "boolean", node, f"({ast.unparse(opposite)})"
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub(), operand=operand):
            yield "negation", node, f"({ast.unparse(operand)})"
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in ARITHMETIC:
            yield "arithmetic", node, f"(({ast.unparse(left)}) {ARITHMETIC[type(operator)]} ({ast.unparse(right)}))"
        case ast.Constant(value=bool(value)):
            yield "constant", node, str(not value)
        case ast.Constant(value=int(number)):
            yield "off by one", node, f"({number + 1})"
        case ast.Constant(value=float(amount)):
            yield "constant", node, f"({amount * 2 or 1.0})"
        case ast.If(test=test, body=[ast.Raise() | ast.Return() | ast.Continue() | ast.Break()], orelse=[]):
            yield "removed guard", test, "False"
        case ast.IfExp(test=test, body=body, orelse=other):
            yield "branches", node, f"({ast.unparse(ast.IfExp(test, other, body))})"
        case ast.Return(value=ast.expr() as result) if not isinstance(result, ast.Constant):
            yield "returned nothing", node, "return None"
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Assign(targets=[ast.Subscript()]):
            yield "removed statement", node, "pass"
        case ast.Name(id=name) if name in NAMES:
            yield "other function", node, NAMES[name]
        case ast.Attribute(value=owner, attr=name) if name in NAMES:
            yield "other function", node, ast.unparse(ast.Attribute(owner, NAMES[name]))
        case ast.Call(func=func, args=args, keywords=keywords):
            if len(args) > 1 and type(args[0]) is type(args[1]):
                yield "swapped arguments", node, ast.unparse(ast.Call(func, [args[1], args[0], *args[2:]], keywords))
            if keywords and keywords[0].arg is not None:
                yield "dropped keyword", node, ast.unparse(ast.Call(func, args, keywords[1:]))


def mutants(path: Path) -> Iterator[Mutant]:
    """All mutants of a file. Annotations, messages, docstrings and assertions are left alone."""
    source = (ROOT / path).read_bytes()
    starts = [0]
    for text in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    left: list[ast.AST] = [ast.parse(source)]
    while left:
        node = left.pop()
        if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr):
            continue
        hidden = [getattr(node, name, None) for name in ("annotation", "returns")] + getattr(node, "decorator_list", [])
        left += [child for child in ast.iter_child_nodes(node) if child not in hidden]
        for kind, part, after in changes(node):
            begin = starts[part.lineno - 1] + part.col_offset
            end = starts[(part.end_lineno or part.lineno) - 1] + (part.end_col_offset or 0)
            yield Mutant(str(path), part.lineno, kind, begin, end, source[begin:end].decode(), after)


def tests_of(path: Path) -> list[list[str]]:
    """The runs of pytest that judge a file, the most specific first."""
    package, *rest = path.relative_to(SOURCE).with_suffix("").parts
    runs = [[str(path)]]
    if rest and rest[0] in ROLES:
        name = f"{package}-{rest[0]}" + ("" if rest[-1].startswith("_") else f"-{rest[-1]}")
        runs.append(["tests/test_conformance.py", "-k", name])
    if (ROOT / "tests" / package).is_dir():
        runs.append([f"tests/{package}"])
    return runs if len(runs) > 1 and package != "core" else [*runs, ["tests/test_conformance.py"]]


def run(tree: Path, arguments: list[str], durations: Path, timeout: float, slowest: float) -> tuple[str, str]:
    """The result of some tests (passed, failed, timeout), and the first test that failed."""
    flags = "-m pytest -q -x --tb=no -p no:cacheprovider -p mutate"
    paths = os.pathsep.join([str(tree / "src"), str(ROOT / "tools")])
    settings = {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", DURATIONS: str(durations), SLOWEST: str(slowest)}
    try:
        command = [sys.executable, *flags.split(), *arguments]
        done = subprocess.run(
            command, cwd=tree, env=os.environ | settings, capture_output=True, text=True, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        return "timeout", " ".join(arguments)
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    # 5: the module has no examples.
    return "passed" if done.returncode in (0, 5) else "failed", lines[0] if lines else done.stdout[-200:]


def judge(mutant: Mutant, tree: Path, durations: Path, timeout: float, slowest: float) -> dict[str, object]:
    file, began, result, first = tree / mutant.file, time.time(), "passed", ""
    source = file.read_bytes()
    file.write_bytes(source[: mutant.begin] + mutant.after.encode() + source[mutant.end :])
    for arguments in tests_of(Path(mutant.file)):
        if result == "passed":
            result, first = run(tree, arguments, durations, timeout, slowest)
    file.write_bytes(source)
    return {"key": mutant.key, "result": result, "by": first, "seconds": round(time.time() - began), **asdict(mutant)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--packages", nargs="+", required=True, help="folders or files below src/icefire")
    parser.add_argument("--number", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=300, help="seconds for each run of pytest")
    parser.add_argument("--slowest", type=float, default=15, help="leave out tests that take longer, in seconds")
    parser.add_argument("--report", type=Path, default=Path("mutants.jsonl"))
    options = parser.parse_args()
    places = [ROOT / SOURCE / package for package in options.packages]
    files = sorted({f.relative_to(ROOT) for p in places for f in [p, *p.rglob("*.py")] if f.is_file()})
    drawn = random.Random(options.seed).sample([m for file in files for m in mutants(file)], options.number)
    done = [json.loads(line) for line in options.report.open()] if options.report.exists() else []
    durations = options.report.with_suffix(".durations.json").absolute()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "node_modules", "__pycache__"))
        known = json.loads(durations.read_text()) if durations.exists() else {}
        durations.write_text(json.dumps(known))
        for target in dict.fromkeys(arguments[0] for m in drawn for arguments in tests_of(Path(m.file))[1:]):
            if not any(name.startswith(target) for name in known):
                print("baseline", target, *run(tree, [target, "--maxfail=1000"], durations, 7200, math.inf), flush=True)
        for mutant in [mutant for mutant in drawn if mutant.key not in {entry["key"] for entry in done}]:
            done.append(judge(mutant, tree, durations, options.timeout, options.slowest))
            with options.report.open("a") as report:
                report.write(json.dumps(done[-1]) + "\n")
            print(f"{len(done)} {done[-1]['result']} ({done[-1]['seconds']} s) {mutant.key}", flush=True)
    survivors = [entry["key"] for entry in done if entry["result"] == "passed"]
    print(
        "", f"{len(done) - len(survivors)} of {len(done)} mutants were noticed, these were not:", *survivors, sep="\n"
    )


# The rest is a plugin of pytest: fast tests first; slow ones, and those that fail without a mutant, not at all.
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    known, limit = json.loads(Path(os.environ[DURATIONS]).read_text()), float(os.environ[SLOWEST])
    seconds = {item: float(known.get(item.nodeid, 0.0)) for item in items}
    items[:] = sorted((item for item in items if seconds[item] <= limit), key=seconds.__getitem__)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    TIMES[report.nodeid] = TIMES.get(report.nodeid, 0.0) + (math.inf if report.failed else report.duration)


def pytest_sessionfinish() -> None:
    if float(os.environ[SLOWEST]) == math.inf:
        known = json.loads(Path(os.environ[DURATIONS]).read_text())
        Path(os.environ[DURATIONS]).write_text(json.dumps(known | TIMES))


if __name__ == "__main__":
    main()

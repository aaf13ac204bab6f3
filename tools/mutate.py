"""Mutation testing: change the code in one place, run the tests that should notice, and list the changes that survive.

    python tools/mutate.py --packages history trace/attack --number 50 --seed 1 --report mutants.jsonl

Mutants are drawn at random and judged in a scratch copy. A first run of all tests but the slow ones records which test runs
which line; each mutant is then judged by the tests that run its line, the fastest first, until one fails. The same seed draws
the same mutants, so a report can be continued. At the end, the tests that noticed must pass without a mutant. Survivors have
to be read: some do not change what the code does, the others lack a test.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path

import pytest
from coverage import CoverageData

ROOT = Path(__file__).parents[1]
SOURCE = Path("src/icefire")
COMPARE = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="}
COMPARE |= {ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is"}
ARITHMETIC = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "//", ast.Pow: "*"}
ARITHMETIC |= {ast.BitAnd: "|", ast.BitOr: "&"}
NAMES = {"min": "max", "argmin": "argmax", "minimum": "maximum", "any": "all", "floor": "ceil", "first": "last"}
NAMES |= {new: old for old, new in NAMES.items()} | {"sorted": "list", "log1p": "log", "cumsum": "asarray"}
DURATIONS = "MUTATE_DURATIONS"
TIMES: dict[str, float] = {}


@dataclass(frozen=True)
class Mutant:
    """One change of one file: the text between two offsets is replaced."""

    file: str
    line: int
    last: int
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
        case ast.Call(func=func, args=args, keywords=keywords):
            match func:
                case ast.Name(id=name) if name in NAMES:
                    yield "other function", func, NAMES[name]
                case ast.Attribute(value=owner, attr=name) if name in NAMES:
                    yield "other function", func, ast.unparse(ast.Attribute(owner, NAMES[name]))
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
            last = part.end_lineno or part.lineno
            end = starts[last - 1] + (part.end_col_offset or 0)
            text = source[begin:end].decode()
            yield Mutant(str(path), part.lineno, last, kind, begin, end, text, after)


class Tests:
    """Which tests run which lines, and how long they take."""

    def __init__(self, tree: Path, report: Path) -> None:
        self.tree = tree
        lines, seconds = (report.with_suffix(end).absolute() for end in (".coverage", ".durations.json"))
        if not seconds.exists():
            print("recording which test runs which line", flush=True)
            settings = tree / "mutate.ini"
            settings.write_text(f"[run]\nsource = src\nrelative_files = true\ndata_file = {lines}\n")
            options = ["-n", "auto", "-m", "not slow", "--cov", f"--cov-config={settings}", "--cov-context=test"]
            self.run([*options, "--cov-report=", "-p", "mutate"], 7200, {DURATIONS: str(seconds)})
        self.seconds: dict[str, float] = json.loads(seconds.read_text())
        self.lines = CoverageData(str(lines))
        self.lines.read()

    def of(self, mutant: Mutant, budget: float) -> list[str]:
        """The tests that run the lines of a mutant, the fastest first, as many as the budget of seconds allows."""
        contexts = self.lines.contexts_by_lineno(mutant.file)
        found = {name for line in range(mutant.line, mutant.last + 1) for name in contexts.get(line, ())}
        tests = {name.rpartition("|")[0] for name in found}
        # What a fixture of a module made is looked at by all tests of the module; a line that is run on import or in
        # another process belongs to the tests of the package.
        files = {name.partition("::")[0] for name in found if name.endswith("|setup")}
        if not any(tests):
            files |= {mutant.file, "tests/" + Path(mutant.file).relative_to(SOURCE).parts[0] + "/"}
        tests |= {name for name in self.seconds if name.startswith(tuple(files))}
        ordered = sorted(tests & self.seconds.keys(), key=self.seconds.__getitem__)
        ends = accumulate(self.seconds[name] for name in ordered)
        return [name for name, end in zip(ordered, ends, strict=True) if end <= budget]

    def run(self, arguments: list[str], timeout: float, settings: dict[str, str] | None = None) -> tuple[str, str]:
        """The result of some tests (passed, failed, timeout), and the first test that failed."""
        paths = os.pathsep.join([str(self.tree / "src"), str(ROOT / "tools")])
        environment = os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"} | (settings or {})
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", *arguments]
        try:
            done = subprocess.run(
                command, cwd=self.tree, env=environment, capture_output=True, text=True, timeout=timeout
            )
        except subprocess.TimeoutExpired:
            return "timeout", ""
        lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        first = lines[0].partition(" ")[2].partition(" - ")[0] if lines else done.stdout[-200:]
        return "passed" if done.returncode == 0 else "failed", first


def judge(mutant: Mutant, tests: Tests, timeout: float, budget: float) -> dict[str, object]:
    file, began = tests.tree / mutant.file, time.time()
    source, chosen = file.read_bytes(), tests.of(mutant, budget)
    file.write_bytes(source[: mutant.begin] + mutant.after.encode() + source[mutant.end :])
    result, first = tests.run(["-x", *chosen], timeout) if chosen else ("no tests", "")
    file.write_bytes(source)
    seconds = round(time.time() - began)
    return {
        "key": mutant.key,
        "result": result,
        "by": first,
        "tests": len(chosen),
        "seconds": seconds,
        **asdict(mutant),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--packages", nargs="+", required=True, help="folders or files below src/icefire")
    parser.add_argument("--number", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=300, help="seconds until the tests of a mutant are stopped")
    parser.add_argument(
        "--budget", type=float, default=60, help="seconds that the tests of a mutant may take without it"
    )
    parser.add_argument("--report", type=Path, default=Path("mutants.jsonl"))
    options = parser.parse_args()
    places = [ROOT / SOURCE / package for package in options.packages]
    files = sorted({f.relative_to(ROOT) for p in places for f in [p, *p.rglob("*.py")] if f.is_file()})
    drawn = random.Random(options.seed).sample([m for file in files for m in mutants(file)], options.number)
    done = [json.loads(line) for line in options.report.open()] if options.report.exists() else []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "node_modules", "__pycache__"))
        tests = Tests(tree, options.report)
        for mutant in [mutant for mutant in drawn if mutant.key not in {entry["key"] for entry in done}]:
            done.append(judge(mutant, tests, options.timeout, options.budget))
            with options.report.open("a") as report:
                report.write(json.dumps(done[-1]) + "\n")
            print(f"{len(done)} {done[-1]['result']} ({done[-1]['seconds']} s) {mutant.key}", flush=True)
        noticed_by = {entry["by"] for entry in done if entry["by"] in tests.seconds}
        print("the tests that noticed, without a mutant:", *tests.run(sorted(noticed_by), 3600))
    survivors = [entry["key"] for entry in done if entry["result"] in ("passed", "no tests")]
    print(
        "", f"{len(done) - len(survivors)} of {len(done)} mutants were noticed, these were not:", *survivors, sep="\n"
    )


# The rest is a plugin of pytest that writes down how long each test takes; tests that fail without a mutant are left out.
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        TIMES[report.nodeid] = float("inf")
    elif not report.skipped:
        TIMES[report.nodeid] = TIMES.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        passed = {name: seconds for name, seconds in TIMES.items() if seconds < float("inf")}
        Path(os.environ[DURATIONS]).write_text(json.dumps(passed))


if __name__ == "__main__":
    main()

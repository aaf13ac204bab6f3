"""Writes what documentation says about methods, from the registry; with `--picture` the picture of the README instead.

`python docs/generate.py --check` only compares, and fails if something is out of date.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import MISSING, fields
from pathlib import Path
from tempfile import TemporaryDirectory

from icefire.core import parameters
from icefire.core.registry import ROLES, Registry
from icefire.core.roles import Method, Metric

DOCS = Path(__file__).parent
ROLE_TITLES = {
    "anonymize": "Anonymizers",
    "attack": "Attacks",
    "utility": "Utility",
    "safety": "Safety",
    "dataset": "Data sets",
    "format": "File formats",
}


def _parameter(method: type[Method], name: str, default: object) -> str:
    hint = parameters.describe(parameters.hints(method)[name])
    return f"`{name}`: {hint}" + ("" if default is MISSING else f" (default `{default!r}`)")


def _method(method: type[Method]) -> str:
    entries = [_parameter(method, field.name, field.default) for field in fields(method)]
    title = f" ({method.aliases[0]})" if method.aliases else ""
    listed = "".join(f"\n  - {entry}" for entry in entries)
    scale = f" *{method.scale}.*" if issubclass(method, Metric) else ""
    return f"- **`{method.name}`**{title}: {method.summary()}{scale}{listed}"


def methods_page(registry: Registry) -> str:
    parts = ["# Methods", "", "Written by `make docs` from the registry; `icefire list` shows the same.", ""]
    for kind in sorted(registry.kinds):
        parts += [f"## {kind}", ""]
        for role in ROLES:
            chosen = registry.methods(kind, role)
            if chosen:
                parts += [f"### {ROLE_TITLES[role]}", "", *(_method(method) for method in chosen), ""]
    return "\n".join(parts)


def counts(registry: Registry) -> str:
    """The line of the README that counts methods."""
    lines = ["| kind | anonymizers | attacks | utility metrics | safety metrics |", "|---|---|---|---|---|"]
    for kind in sorted(registry.kinds):
        numbers = [len(registry.methods(kind, role)) for role in ("anonymize", "attack", "utility", "safety")]
        lines.append(f"| {kind} | " + " | ".join(str(number) for number in numbers) + " |")
    return "\n".join(lines)


def readme(registry: Registry, text: str) -> str:
    changed, found = re.subn(
        r"(<!-- methods -->\n).*?(\n<!-- end -->)", lambda m: m[1] + counts(registry) + m[2], text, flags=re.DOTALL
    )
    if found != 1:
        raise SystemExit("README.md has lost the place for the table of methods")
    return changed


def picture() -> bytes:
    """The demo's chart of risk against loss."""
    import vl_convert
    from click.testing import CliRunner

    from icefire.cli.main import icefire
    from icefire.report.charts import scatter

    with TemporaryDirectory() as folder:
        result = CliRunner().invoke(icefire, ["demo", "--out", folder, "--json"], catch_exceptions=False)
    releases = json.loads(result.stdout)["kinds"]["microdata"]
    points = [
        {"name": name, "x": row["loss"], "y": row["found"], "attack": row["attack"]} for name, row in releases.items()
    ]
    chart = scatter(points, "information loss", "people found by the strongest attack") | {
        "width": 720,
        "background": "white",
    }
    return bytes(vl_convert.vegalite_to_png(chart, scale=1.5))


def main() -> None:
    if "--picture" in sys.argv:
        (DOCS / "pictures" / "risk.png").write_bytes(picture())
        return
    registry = Registry()
    pages = {DOCS / "methods.md": methods_page(registry)}
    front = DOCS.parent / "README.md"
    pages[front] = readme(registry, front.read_text(encoding="utf-8"))
    if "--check" in sys.argv:
        stale = [str(path.name) for path, text in pages.items() if path.read_text(encoding="utf-8") != text]
        sys.exit(f"out of date, run make docs: {', '.join(stale)}" if stale else 0)
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

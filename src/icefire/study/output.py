"""The folder of a study that has run."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

import polars as pl

from icefire import __version__
from icefire.core.chapters import Language
from icefire.core.errors import FileError
from icefire.frames.files import Staged, staged
from icefire.report.plots import as_svg
from icefire.study.cells import program
from icefire.study.figures import make_figure
from icefire.study.page import study_page
from icefire.study.results import Results
from icefire.study.tables import make_table

RESULTS, PAGE, EXPECTED, ENVIRONMENT = "results.parquet", "index.html", "expected.csv", "environment.json"
LIBRARIES = ("numpy", "polars", "scipy")


def environment() -> dict[str, str]:
    """The program and the machine, as far as figures may depend on them."""
    return {
        "icefire": f"{__version__} ({program()})",
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        "system": f"{platform.system()} {platform.machine()}",
        "processors": str(os.cpu_count()),
    }


def write_study(results: Results, folder: Path, file: Path, command: str, small: bool, language: Language) -> Path:
    """Everything of a study, all at once; the path of the page."""
    told = environment()
    with staged() as stage:
        stage.table(results.table(), folder / RESULTS)
        stage.table(_compared(results), folder / EXPECTED)
        stage.text(file.read_text("utf-8"), folder / "study.toml")
        stage.text(json.dumps(told, indent=1) + "\n", folder / ENVIRONMENT)
        _write_parts(stage, results, folder, language)
        stage.text(study_page(results, told, command, small, language).html(), folder / PAGE)
    return folder / PAGE


def _write_parts(stage: Staged, results: Results, folder: Path, language: Language) -> None:
    study = results.study
    for table in study.table:
        made = make_table(table, results, language)
        stage.text(made.csv(), folder / "tables" / f"{table.name}.csv")
        stage.text(made.latex(table.title.told(language), table.name), folder / "tables" / f"{table.name}.tex")
    for figure in study.figure:
        if results.select(figure.run, figure.y, figure.where):
            stage.text(as_svg(make_figure(figure, results, language)), folder / "figures" / f"{figure.name}.svg")


def _compared(results: Results) -> pl.DataFrame:
    rows = [
        {
            "source": row.expected.printed.en,
            "quantity": row.quantity,
            "at": json.dumps(dict(row.labels), ensure_ascii=False),
            "printed": row.printed,
            "ours": row.ours,
            "sd": row.spread,
            "verdict": row.verdict,
        }
        for row in results.comparisons()
    ]
    texts = dict.fromkeys(("source", "quantity", "at"), pl.String)
    numbers = dict.fromkeys(("printed", "ours", "sd"), pl.Float64)
    return pl.DataFrame(rows, schema={**texts, **numbers, "verdict": pl.String})


def read_results(folder: Path) -> pl.DataFrame:
    path = folder / RESULTS if folder.is_dir() else folder
    if not path.is_file():
        raise FileError(f"{folder} holds no study that has run: there is no {RESULTS}")
    return pl.read_parquet(path)


def compared(left: pl.DataFrame, right: pl.DataFrame) -> Mapping[str, pl.DataFrame]:
    """What two runs do not have in common: figures that changed, and figures that only one of them has."""
    keys = ["run", "at", "quantity"]
    means = [frame.group_by(keys, maintain_order=True).agg(pl.col("value").mean()) for frame in (left, right)]
    both = means[0].join(means[1], on=keys, suffix="_after", maintain_order="left")
    changed = both.filter(pl.col("value").ne_missing(pl.col("value_after")))
    return {
        "changed": changed,
        "gone": means[0].join(means[1], on=keys, how="anti", maintain_order="left"),
        "new": means[1].join(means[0], on=keys, how="anti", maintain_order="left"),
    }

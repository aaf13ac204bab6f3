"""`icefire demo`: the whole story in under a minute."""

from __future__ import annotations

import time
from pathlib import Path

import click

from icefire.cli.options import json_option, seed_option
from icefire.cli.output import print_json, print_table, progress
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.core.suite import default_methods, judge_runs, measure_safety, measure_utility, run_attacks
from icefire.frames.files import staged
from icefire.report.microdata import Judged, page
from icefire.report.words import Language

RELEASES: list[tuple[dict[Language, str], list[str]]] = [
    ({"en": "names removed", "ja": "氏名削除のみ"}, []),
    ({"en": "10% noise", "ja": "10%雑音"}, ["noise(scale=0.1)"]),
    ({"en": "averaged", "ja": "平均化"}, ["microaggregate(k=10)"]),
    ({"en": "10-anonymous", "ja": "10-匿名化"}, ["mondrian(k=10)"]),
    ({"en": "randomized", "ja": "ランダム化"}, ["pram(keep=0.3)", "noise(scale=0.5)"]),
    ({"en": "10-anonymous, averaged", "ja": "10-匿名化＋平均化"}, ["mondrian(k=10)", "microaggregate(k=10)"]),
    (
        {"en": "10-anonymous, averaged, noise", "ja": "10-匿名化＋平均化＋雑音"},
        ["mondrian(k=10)", "microaggregate(k=10)", "noise(scale=0.5)"],
    ),
    ({"en": "50-anonymous, averaged", "ja": "50-匿名化＋平均化"}, ["mondrian(k=50)", "microaggregate(k=50)"]),
    (
        {"en": "50-anonymous, averaged, noise", "ja": "50-匿名化＋平均化＋雑音"},
        ["mondrian(k=50)", "microaggregate(k=50)", "noise(scale=0.5)"],
    ),
]


@click.command()
@click.option("--out", "target", type=click.Path(path_type=Path), default=Path("icefire-demo"), show_default=True)
@click.option("--n", type=click.IntRange(min=100), default=1500, show_default=True, help="Households to make.")
@click.option("--lang", "language", type=click.Choice(["en", "ja"]), default="en", show_default=True)
@seed_option("Seed of everything random.")
@json_option
@click.pass_obj
def demo(registry: Registry, target: Path, n: int, language: Language, seed: int, as_json: bool) -> None:
    """Make data, anonymize it several ways, attack it with everything, and write a report."""
    begin = time.perf_counter()
    kind = registry.kind("microdata")
    original = registry.make("microdata", "dataset", f"households(n={n})").generate(
        generator(seed, "data", "households")
    )
    utility, safety = (default_methods(registry, "microdata", role) for role in ("utility", "safety"))
    judged = []
    with progress(len(RELEASES), as_json) as bar:
        for names, steps in RELEASES:
            name = names[language]
            bar(name)
            pipeline = kind.pipeline([registry.make("microdata", "anonymize", step) for step in steps])
            release = pipeline.anonymize(original, generator(seed, "anonymize", *steps))
            runs = run_attacks(registry, kind, release.published, original, seed)
            measured = measure_utility(utility, original, release), measure_safety(safety, release)
            judged.append(Judged(name, pipeline.step(), release, *measured, judge_runs(safety, release, runs)))
    recipe = f"icefire demo --n {n} --seed {seed} --lang {language}"
    title = {"en": "icefire: what anonymization costs, and what it buys", "ja": "icefire：匿名化の代償と効果"}[language]
    file = target / "report.html"
    with staged() as stage:
        stage.text(page(title, judged, recipe, language).html(), file)
    seconds = time.perf_counter() - begin
    if as_json:
        rows = {
            one.name: {"steps": one.steps, "re_identified": one.risk, "attack": one.strongest, "loss": one.loss}
            for one in judged
        }
        print_json({"seed": seed, "seconds": seconds, "report": str(file), "releases": rows})
        return
    table = [[one.name, one.steps, one.strongest, one.risk, one.loss] for one in judged]
    header = ["release", "what was done", "strongest attack", "re-identified ↓", "information loss ↓"]
    print_table(f"{n:,} households, seed {seed}", header, table, left=3)
    click.echo(f"{seconds:.0f} s. The report is {file.resolve()}")

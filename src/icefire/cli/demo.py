"""`icefire demo`: the whole story in under a minute."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import click

from icefire import __version__, words
from icefire.cli.options import json_option, seed_option
from icefire.cli.output import print_json, print_table, progress
from icefire.cli.speech import echo
from icefire.core.attackers import Attacker
from icefire.core.chapters import Language
from icefire.core.pipeline import Pipeline
from icefire.core.registry import Registry
from icefire.core.seeds import generator
from icefire.evaluation.assess import assess
from icefire.evaluation.assessment import Assessment
from icefire.evaluation.runs import Progress
from icefire.report.page import Page
from icefire.report.words import Phrases


@dataclass(frozen=True)
class Story:
    """A kind of data, how to make some, and what to do to it."""

    kind: str
    dataset: str
    releases: list[tuple[dict[Language, str], list[str]]]


HOUSEHOLDS: list[tuple[dict[Language, str], list[str]]] = [
    ({"en": "names removed", "ja": "氏名削除のみ"}, []),
    ({"en": "10% noise", "ja": "10%ノイズ"}, ["noise(scale=0.1)"]),
    ({"en": "averaged", "ja": "平均化"}, ["microaggregate(k=10)"]),
    ({"en": "10-anonymous", "ja": "10-匿名化"}, ["mondrian(k=10)"]),
    ({"en": "randomized", "ja": "ランダム化"}, ["pram(keep=0.3)", "noise(scale=0.5)"]),
    ({"en": "10-anonymous, averaged", "ja": "10-匿名化＋平均化"}, ["mondrian(k=10)", "microaggregate(k=10)"]),
    (
        {"en": "10-anonymous, averaged, noise", "ja": "10-匿名化＋平均化＋ノイズ"},
        ["mondrian(k=10)", "microaggregate(k=10)", "noise(scale=0.5)"],
    ),
    ({"en": "50-anonymous, averaged", "ja": "50-匿名化＋平均化"}, ["mondrian(k=50)", "microaggregate(k=50)"]),
    (
        {"en": "50-anonymous, averaged, noise", "ja": "50-匿名化＋平均化＋ノイズ"},
        ["mondrian(k=50)", "microaggregate(k=50)", "noise(scale=0.5)"],
    ),
]
PURCHASES: list[tuple[dict[Language, str], list[str]]] = [
    ({"en": "one new name for each", "ja": "仮名のみ"}, []),
    ({"en": "new names every month", "ja": "毎月新しい仮名"}, ["pseudonyms"]),
    ({"en": "dummies", "ja": "疑似レコード"}, ["union_clusters(clusters=20)"]),
    (
        {"en": "30% deleted, noise", "ja": "3割削除＋ノイズ"},
        ["delete_records(share=0.3)", "shift_dates(days=10)", "noise(price=0.3, quantity=0.5)"],
    ),
    (
        {"en": "half deleted, coarse", "ja": "半数削除＋一般化"},
        ["pseudonyms", "delete_records(share=0.5)", "generalize(item=1, date=period, time=drop, price=2, quantity=2)"],
    ),
    (
        {"en": "90% deleted, coarse, noise", "ja": "9割削除＋一般化＋ノイズ"},
        [
            "pseudonyms",
            "delete_records(share=0.9, rarest=true)",
            "generalize(item=2, date=period, time=drop)",
            "noise(price=0.5, quantity=1)",
        ],
    ),
]


WALKS: list[tuple[dict[Language, str], list[str]]] = [
    ({"en": "names replaced", "ja": "仮名のみ"}, []),
    ({"en": "2 x 2 regions merged", "ja": "2×2地域を統合"}, ["mrlh(x=1, y=1)"]),
    ({"en": "a fifth deleted", "ja": "2割削除"}, ["mrlh(delete=0.2)"]),
    ({"en": "moved about 0.5 km", "ja": "約0.5km移動"}, ["planar_laplace(level=4)"]),
    ({"en": "traces handed round", "ja": "軌跡の入れ替え（山岡）"}, ["yamaoka"]),
    ({"en": "decoy habits", "ja": "他人の習慣を装う"}, ["decoys(utility=0.8)"]),
]


@click.command()
@click.option("--out", "target", type=click.Path(path_type=Path), default=Path("icefire-demo"), show_default=True)
@click.option("--n", type=click.IntRange(min=100), default=1000, show_default=True, help="Households to make.")
@click.option("--customers", type=click.IntRange(min=40), default=80, show_default=True, help="Customers to make.")
@click.option(
    "--walkers", type=click.IntRange(min=40), default=150, show_default=True, help="People to make traces of."
)
@seed_option("Seed of everything random.")
@json_option
@click.pass_obj
def demo(registry: Registry, target: Path, n: int, customers: int, walkers: int, seed: int, as_json: bool) -> None:
    """Make data of each kind, anonymize it several ways, attack it with everything, and write a report."""
    from icefire.frames.files import staged

    language, begin = words.language(), time.perf_counter()
    stories = [
        Story("microdata", f"households(n={n})", HOUSEHOLDS),
        Story("history", f"purchases(n={customers})", PURCHASES),
        Story("trace", f"walks(n={walkers}, rows=16, columns=16)", WALKS),
    ]
    with progress(sum(len(story.releases) for story in stories), as_json) as bar:
        judged_by_kind = {story.kind: _tell(registry, story, language, seed, bar) for story in stories}
    recipe = f"icefire demo --n {n} --customers {customers} --walkers {walkers} --seed {seed} --lang {language}"
    say = Phrases(language)
    chapters = [registry.kind(kind).chapter(judged, recipe, language) for kind, judged in judged_by_kind.items()]
    file = target / "report.html"
    with staged() as stage:
        stage.text(Page(say("demo title"), chapters, say("made with", version=__version__), language).html(), file)
    seconds = time.perf_counter() - begin
    if as_json:
        kinds = {kind: {result.name: _row(result) for result in judged} for kind, judged in judged_by_kind.items()}
        print_json({"seed": seed, "seconds": seconds, "report": str(file), "kinds": kinds})
        return
    for story in stories:
        judged = judged_by_kind[story.kind]
        table = [
            [result.name, result.steps, result.strongest, result.risk, "-" if result.loss is None else result.loss]
            for result in judged
        ]
        found, lost = say(f"found {story.kind}"), say(f"loss axis {story.kind}")
        header = ["release", "what was done", "strongest attack", f"{found} ↓", f"{lost} ↓"]
        print_table(f"{story.kind}: {story.dataset}, seed {seed}", header, table, left=3)
    echo(f"{seconds:.0f} s. The report is {file.resolve()}")


def _tell(registry: Registry, story: Story, language: Language, seed: int, bar: Progress) -> list[Assessment]:
    kind = registry.kind(story.kind)
    dataset = registry.make(story.kind, "dataset", story.dataset)
    original = dataset.generate(generator(seed, "data", dataset.name))
    assessments = []
    for names, steps in story.releases:
        bar(names[language])
        pipeline = Pipeline(tuple(registry.make(story.kind, "anonymize", step) for step in steps))
        release = pipeline.anonymize(original, generator(seed, "anonymize", *steps))
        attacker = Attacker(original.knowledge, kind.usual_level, pipeline.steps)
        assessments.append(
            assess(
                registry,
                kind,
                release,
                [attacker],
                method=pipeline.steps,
                seed=seed,
                name=names[language],
                steps=pipeline.step(),
            )
        )
    return assessments


def _row(judged: Assessment) -> dict[str, object]:
    return {"steps": judged.steps, "found": judged.risk, "attack": judged.strongest, "loss": judged.loss}

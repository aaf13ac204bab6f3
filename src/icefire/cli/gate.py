"""`icefire gate`: may this release go out?"""

from __future__ import annotations

import math
from pathlib import Path

import click

from icefire import words
from icefire.cli.options import format_option, json_option, seed_option
from icefire.cli.output import print_json, print_table, progress
from icefire.cli.speech import echo
from icefire.core.registry import Registry


def _a_number(_: click.Context, __: click.Parameter, value: float) -> float:
    if math.isnan(value):
        raise click.BadParameter("give a share between 0 and 1")
    return value


@click.command()
@click.option(
    "--ledger", "ledger_folder", required=True, type=click.Path(path_type=Path), help="Folder of past releases."
)
@click.option("--release", "source", required=True, type=click.Path(path_type=Path), help="Working folder to judge.")
@click.option(
    "--max-emm",
    "limit",
    required=True,
    type=click.FloatRange(0, 1),
    callback=_a_number,
    help="Largest share that may be found.",
)
@click.option("--record", is_flag=True, help="Enter the release into the ledger if it may go out.")
@click.option(
    "--out", "target", type=click.Path(path_type=Path), help="Folder for gate.html; the release's if left out."
)
@seed_option("Seed of all randomness.")
@format_option
@json_option
@click.pass_context
def gate(
    context: click.Context,
    ledger_folder: Path,
    source: Path,
    limit: float,
    record: bool,
    target: Path | None,
    seed: int,
    form: str | None,
    as_json: bool,
) -> None:
    """May this release of a history go out, given all that went out before? Exit code 1 if not.

    The gate attacks everything released so far with the whole suite, with maximum and with less knowledge of the people. Its
    attackers do not know the method: see redteam.
    """
    from icefire.frames.files import staged
    from icefire.history import gate_page as page
    from icefire.history.gate import ATTACKERS, judge, number_of_attacks
    from icefire.history.ledger import Ledger, combined, periods_of

    registry: Registry = context.obj
    language = words.language()
    ledger = Ledger(ledger_folder)
    past = ledger.entries()
    release = registry.format("history", form).read_release(source)
    everything, new = combined([*ledger.releases(), release]), periods_of(release)
    with progress(number_of_attacks(registry, everything, new, seed), as_json) as bar:
        verdict = judge(registry, past, everything, new, limit, seed, bar)
    reason = page.reason(verdict, language)
    recipe = (
        f"icefire gate --ledger {ledger_folder} --release {source} --max-emm {limit} --seed {seed} --lang {language}"
    )
    recipe += f" --format {form}" if form else ""
    file = (target or source) / "gate.html"
    with staged() as stage:
        stage.text(page.page(verdict, recipe, language).html(), file)
    recorded = ledger.record(release, verdict.entry_curves()).folder if record and verdict.passes else None
    if as_json:
        claims: object = verdict.claims.as_dict() if verdict.claims else None
        print_json(
            {
                "passes": verdict.passes,
                "emm": verdict.emm,
                "limit": limit,
                "seed": seed,
                "method known": False,
                "reason": reason,
                "unfinished": verdict.unfinished,
                "claims": claims,
                "curves": {
                    name: [{"period": p.period, "value": p.value, "attack": p.attack} for p in curve]
                    for name, curve in verdict.curves.items()
                },
                "recorded": recorded,
                "report": str(file),
            }
        )
    else:
        rows = [
            [point.period, *(curve[at].value for curve in verdict.curves.values()), point.attack]
            for at, point in enumerate(verdict.curves["everything"])
        ]
        header = ["release", *(f"knows {name}" for name in ATTACKERS), "strongest attack (knows everything)"]
        print_table(f"MM at each release (limit {limit}, seed {seed})", header, rows)
        echo(reason, bold=True)
        echo("These attackers do not know the method: whoever does may find more, which redteam shows.")
        echo(f"Entered into the ledger as {recorded}." if recorded else f"The curve is in {file.resolve()}")
    if not verdict.passes:
        context.exit(1)

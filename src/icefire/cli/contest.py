"""`icefire contest`: run a contest, rehearse it, look after it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from icefire.cli.options import json_option, out_option, seed_option
from icefire.cli.output import number, print_json, print_table, progress
from icefire.core.errors import FileError, InputError, need
from icefire.core.registry import Registry

if TYPE_CHECKING:
    from icefire.contest.engine import Contest

file_argument = click.argument("file", type=click.Path(path_type=Path))
folder_argument = click.argument("folder", type=click.Path(path_type=Path))
database_option = click.option(
    "--database",
    default="sqlite:///contest.db",
    show_default=True,
    help="Where the log lives: sqlite:///FILE in the contest's folder, or postgresql://USER@HOST/NAME.",
)


@click.group()
def contest() -> None:
    """The contest platform: defenders, attackers, a judge and an audience."""
    need("sqlalchemy", "contest")
    need("pydantic", "contest")


@contest.command()
@file_argument
@out_option(text="Folder of the new contest.")
@database_option
@click.option("--team", "teams", multiple=True, help="A team; may be given several times.")
@json_option
@click.pass_obj
def new(registry: Registry, file: Path, target: Path, database: str, teams: tuple[str, ...], as_json: bool) -> None:
    """Make a contest from its FILE. Its seeds are drawn now, and their hashes are the first thing in its log."""
    from icefire.contest.engine import Contest, load_config

    with Contest.create(target, load_config(file, registry), database, registry=registry) as made:
        ids = {made.add_team(team): team for team in teams}
        state = made.state()
    told = {"folder": str(target), "name": state.contest.name, "commitments": state.commitments, "teams": ids}
    if as_json:
        print_json(told)
        return
    click.echo(f"{state.contest.name}: made in {target}")
    for at, one in enumerate(state.contest.rounds):
        click.echo(f"The seed of {one.name} has the hash {state.commitments[at]}: publish it now.")
    click.echo(f"Run it with: icefire contest run {target}")


@contest.command()
@file_argument
@json_option
@click.pass_obj
def check(registry: Registry, file: Path, as_json: bool) -> None:
    """Check a contest's FILE: every key, name, time and weight."""
    from icefire.contest.engine import load_config

    config = load_config(file, registry)
    if as_json:
        print_json(config.as_dict())
        return
    click.echo(f"{file} is fine: {config.name}, {len(config.sets)} set(s), {len(config.rounds)} round(s).")
    rows = [
        [one.name, phase, getattr(one, phase).opens.isoformat(), getattr(one, phase).closes.isoformat(), one.weight]
        for one in config.rounds
        for phase in ("defence", "attack")
    ]
    print_table("Schedule", ["round", "phase", "opens", "closes", "weight"], rows, left=4)


@contest.command()
@file_argument
@click.option(
    "--expect", type=click.Path(path_type=Path), help="An outcome to compare with; exit code 1 if it differs."
)
@click.option("--save", type=click.Path(path_type=Path), help="Write the outcome, to compare with it later.")
@click.option("--out", "target", type=click.Path(path_type=Path), help="Keep the contest in this folder.")
@database_option
@seed_option("Seed of all randomness.")
@json_option
@click.pass_obj
def rehearse(
    registry: Registry,
    file: Path,
    expect: Path | None,
    save: Path | None,
    target: Path | None,
    database: str,
    seed: int,
    as_json: bool,
) -> None:
    """Let the bots of a contest's FILE play it from beginning to end, in fast time."""
    from icefire.contest.engine import load_config
    from icefire.contest.rehearsal import Rehearsal, differences

    config = load_config(file, registry)
    scratch = tempfile.mkdtemp() if target is None else None
    begin = time.perf_counter()
    try:
        with (
            progress(None, as_json) as step,
            Rehearsal(target or Path(str(scratch)), config, seed, database, registry, progress=step) as play,
        ):
            outcome = play.play()
            events, state = play.contest.store.verify(), play.contest.state()
    finally:
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)
    seconds = time.perf_counter() - begin
    if save is not None:
        save.write_text(json.dumps(outcome, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    faults = differences(outcome, _expected(expect)) if expect is not None else []
    if as_json:
        print_json({"seed": seed, "seconds": round(seconds, 2), "outcome": outcome, "differences": faults})
    else:
        names = {team.id: team.name for team in state.teams.values()}
        _print_standings(outcome["total"], names)
        for upload in state.uploads.values():
            for fault in upload.faults:
                click.echo(f"Rejected, {names[upload.team]}: {fault}")
        click.echo(f"{events} events in {seconds:.1f} s, seed {seed}; the log is whole.")
        for fault in faults[:20]:
            click.echo(f"Differs: {fault}", err=True)
    if faults or outcome["alarms"]:
        for alarm in outcome["alarms"]:
            click.echo(f"Alarm: {alarm}", err=True)
        raise click.exceptions.Exit(1)


def _expected(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileError(f"cannot read the expected outcome {path}: {error}") from error


@contest.command()
@folder_argument
@click.option("--workers", type=click.IntRange(min=1), default=2, show_default=True, help="Jobs that run at a time.")
@click.option("--name", default="", help="Name of this machine among others; its own if left out.")
@click.option("--until-done", is_flag=True, help="Stop when the contest is final or nothing is left to do.")
def run(folder: Path, workers: int, name: str, until_done: bool) -> None:
    """Keep a contest going: open and close its phases, and judge what comes in. Several machines may do so at once."""
    from icefire.contest.engine import Contest
    from icefire.contest.jobs import Workers

    with Contest(folder) as found, Workers(found, name, workers) as crew:
        click.echo(f"Running {folder} with {workers} workers; stop with Ctrl-C, nothing is lost.")
        try:
            crew.run(until=lambda: until_done and crew.idle())
        except KeyboardInterrupt:
            click.echo("Stopped.")


@contest.command()
@folder_argument
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--certificate", type=click.Path(path_type=Path), help="For TLS: the certificate, with its chain.")
@click.option("--key", type=click.Path(path_type=Path), help="For TLS: the private key.")
@click.option("--proxies", default="", help="Addresses of reverse proxies that end TLS, such as 127.0.0.1.")
@click.option(
    "--operator", help="Make an operator of this name; the password is asked for, or read from ICEFIRE_PASSWORD."
)
@click.option(
    "--workers", type=click.IntRange(min=0), default=2, show_default=True, help="0 if the judge runs elsewhere."
)
def serve(
    folder: Path,
    host: str,
    port: int,
    certificate: Path | None,
    key: Path | None,
    proxies: str,
    operator: str | None,
    workers: int,
) -> None:
    """Show a contest on the web: for the audience, the teams and the operator."""
    need("fastapi", "web")
    from icefire.web.serve import Address, Arena

    address = Address(host, port, certificate, key, proxies)
    with _open(folder) as found, Arena(found, address, workers) as arena:
        if operator:
            password = os.environ.get("ICEFIRE_PASSWORD") or click.prompt(
                "Password", hide_input=True, confirmation_prompt=True
            )
            arena.app.state.accounts.add_operator(operator, password)
        if address.in_the_clear:
            click.echo(
                "Passwords will travel unencrypted: use --certificate and --key, or --proxies (docs/arena.md).",
                err=True,
            )
        click.echo(f"The arena is at {address.url}; stop with Ctrl-C.")
        arena.run()


@contest.command()
@click.option("--out", "target", type=click.Path(path_type=Path), help="Keep the contest in this folder.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--seconds", type=click.FloatRange(min=20), default=300.0, show_default=True, help="How long it lasts.")
@seed_option("Seed of the bots.")
def show(target: Path | None, port: int, seconds: float, seed: int) -> None:
    """Let bots play the demonstration in real time, with the audience page alive."""
    need("fastapi", "web")
    from icefire.web.serve import Address, Arena
    from icefire.web.show import Bots, show_contest

    folder = target or Path(tempfile.mkdtemp()) / "show"
    password = secrets.token_urlsafe(9)
    try:
        with (
            show_contest(folder, seconds) as made,
            Arena(made, Address(port=port)) as arena,
            Bots(made, seed) as bots,
        ):
            arena.app.state.accounts.add_operator("operator", password)
            click.echo(f"Open {arena.address.url} and watch; seed {seed}. It lasts {seconds:g} s; stop with Ctrl-C.")
            click.echo(f"The operator's page is {arena.address.url}operator, login operator, password {password}")
            bots.start()
            arena.run()
    finally:
        if target is None:
            shutil.rmtree(folder.parent, ignore_errors=True)


@contest.command()
@folder_argument
@click.option("--as", "viewer", default="operator", show_default=True, help="public, operator or team:ID.")
@json_option
def status(folder: Path, viewer: str, as_json: bool) -> None:
    """What is going on: phase, standings, queue and alarms."""
    from icefire.contest.board import board

    with _open(folder) as found:
        state = found.state()
    if viewer not in ("public", "operator") and viewer.removeprefix("team:") not in state.teams:
        raise InputError(
            f"nobody is {viewer!r}: write public, operator or team:ID, with one of {', '.join(state.teams)}"
        )
    seen = board(state, viewer)
    if as_json:
        print_json(seen)
        return
    phase = (
        "no phase is open" if seen["phase"] is None else f"round {seen['phase']['round'] + 1}, {seen['phase']['name']}"
    )
    marks = [word for word in ("paused", "frozen", "final") if seen[word]]
    click.echo(f"{seen['name']}: {', '.join([phase, *marks])}; {seen['seq']} events")
    _print_standings(seen["total"], {team["id"]: team["name"] for team in seen["teams"]})
    for alarm in seen.get("alarms", []):
        if not alarm["resolved"]:
            click.echo(f"Alarm {alarm['reference']}: {alarm['message']} ({alarm['job']})")
    for flag in seen.get("flags", []):
        if flag["ruling"] is None:
            click.echo(f"Flagged: {flag['team']}, {flag['set']}: {', '.join(flag['evidence'])}; somebody has to rule")


@contest.command()
@folder_argument
@click.argument("target", type=click.Path(path_type=Path))
def backup(folder: Path, target: Path) -> None:
    """Write everything into one file TARGET, while the contest goes on. It holds the secrets: keep it safe."""
    from icefire.contest.backup import back_up

    with _open(folder) as found:
        events = back_up(found, target)
    click.echo(f"{events} events and all files are in {target}. It holds the secrets of the contest.")


@contest.command()
@click.argument("source", type=click.Path(path_type=Path))
@folder_argument
@database_option
def restore(source: Path, folder: Path, database: str) -> None:
    """Make a contest from its back-up SOURCE in an empty FOLDER, ready to go on."""
    from icefire.contest.backup import restore as from_file

    with from_file(source, folder, database) as restored:
        events = restored.store.verify()
    click.echo(f"{events} events are back in {folder}. Go on with: icefire contest run {folder}")


@contest.command()
@folder_argument
@json_option
def replay(folder: Path, as_json: bool) -> None:
    """Verify the log, judge everything again from the uploads, and compare. Exit code 1 if anything differs."""
    from icefire.contest.archive import replay as again

    with _open(folder) as found:
        events = found.store.verify()
        count, faults = again(found)
    if as_json:
        print_json({"events": events, "judged again": count, "differences": faults})
    else:
        click.echo(f"{events} events, the log is whole; {count} were judged again, {len(faults)} differ.")
        for fault in faults[:20]:
            click.echo(fault, err=True)
    if faults:
        raise click.exceptions.Exit(1)


@contest.command()
@folder_argument
@out_option(text="Folder for the files.")
def export(folder: Path, target: Path) -> None:
    """Write the log, the standings and the attack matrix as files."""
    from icefire.contest.archive import export as to_files

    with _open(folder) as found:
        paths = to_files(found, target)
    for path in paths:
        click.echo(f"written: {path}")


def _open(folder: Path) -> Contest:
    from icefire.contest.engine import Contest

    return Contest(folder)


def _print_standings(total: dict[str, Any], names: dict[str, str]) -> None:
    for side in ("defenders", "attackers"):
        rows = [
            [
                "-" if row["rank"] is None else number(row["rank"]),
                names[row["team"]],
                "-" if row["total"] is None else number(row["total"]),
            ]
            for row in total[side]
        ]
        if rows:
            print_table(side.capitalize(), ["rank", "team", "total"], rows, left=2)

"""`icefire contest`: run a contest, rehearse it, look after it."""

from __future__ import annotations

import json
import math
import os
import secrets
import shutil
import signal
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from icefire.cli.options import Decorator, json_option, out_option, seed_option
from icefire.cli.output import number, print_json, print_table, progress
from icefire.cli.speech import SpokenGroup, echo
from icefire.core.errors import FileError, InputError, require
from icefire.core.registry import Registry
from icefire.words import label, translated

if TYPE_CHECKING:
    from icefire.contest.documents import BoardDocument, StandingsDocument
    from icefire.contest.engine import Contest
    from icefire.contest.rehearsal import Outcome
    from icefire.contest.state import State

PASSWORD = "ICEFIRE_PASSWORD"

SHORT = 5.0
"""Seconds for which `status` waits for a database."""
file_argument: Decorator = click.argument("file", type=click.Path(path_type=Path))
folder_argument: Decorator = click.argument("folder", type=click.Path(path_type=Path))
small_option: Decorator = click.option("--small", is_flag=True, help="Take the smaller data that the file names.")
database_option: Decorator = click.option(
    "--database",
    default="sqlite:///contest.db",
    show_default=True,
    help="Where the log is stored: sqlite:///FILE in the contest's folder, or postgresql://USER@HOST/NAME.",
)


class ContestCommand(click.Command):
    """A command that needs the libraries of the contest platform to run, but not to print its help."""

    def invoke(self, ctx: click.Context) -> Any:
        require("sqlalchemy", "contest")
        return super().invoke(ctx)


class ContestGroup(SpokenGroup):
    command_class = ContestCommand


@click.group(cls=ContestGroup)
def contest() -> None:
    """The contest platform: defenders, attackers, a judge and an audience."""


@contest.command()
@file_argument
@out_option(text="Folder of the new contest.")
@database_option
@click.option("--team", "teams", multiple=True, help="A team, or NAME=ID to choose its id; may be given several times.")
@small_option
@json_option
@click.pass_obj
def new(
    registry: Registry, file: Path, target: Path, database: str, teams: tuple[str, ...], small: bool, as_json: bool
) -> None:
    """Make a contest from its FILE. Its secret seeds are drawn now, and their hashes begin its log."""
    from icefire.contest.configfile import load_config
    from icefire.contest.engine import Contest

    config = load_config(file, registry, small=small, opened=True)
    with Contest.create(target, config, database, registry=registry) as made:
        ids = {made.teams.add(name, chosen=id_): name for name, id_ in map(_name_and_id, teams)}
        state = made.state()
    if as_json:
        name, commitments = state.contest.name, state.commitments
        print_json({"folder": str(target), "name": name, "commitments": commitments, "teams": ids})
        return
    echo(f"{state.contest.name}: made in {target}")
    for plan, commitment in zip(state.contest.rounds, state.commitments, strict=True):
        echo(f"The seed of {plan.name} has the hash {commitment}: publish it now.")
    echo(f"Run it with: icefire contest serve {target} --operator NAME (without pages: icefire contest run {target})")


def _name_and_id(team: str) -> tuple[str, str | None]:
    name, sign, id_ = team.rpartition("=")
    return (name, id_) if sign else (team, None)


@contest.command()
@file_argument
@small_option
@json_option
@click.pass_obj
def check(registry: Registry, file: Path, small: bool, as_json: bool) -> None:
    """Check a contest's FILE: every key, name, time and weight, and every metric on the data that it names."""
    from icefire.contest.configfile import load_config

    config = load_config(file, registry, small=small, opened=True)
    if as_json:
        print_json(config.as_dict())
        return
    echo(f"{file} is valid: {config.name}, {len(config.sets)} set(s), {len(config.rounds)} round(s).")
    rows: list[list[object]] = []
    for plan in config.rounds:
        phases = (("defence", plan.defence), ("attack", plan.attack))
        times = [(part.opens, part.closes.isoformat(), label(phase), f"{plan.weight:g}") for phase, part in phases]
        times += [(plan.freeze, "", label("freeze"), "")] if plan.freeze else []
        rows += [[plan.name, name, at.isoformat(), end, weight] for at, end, name, weight in sorted(times)]
    print_table("Schedule", ["round", "phase", "opens", "closes", "weight"], rows, left=4)


@contest.command()
@file_argument
@click.option(
    "--expect", type=click.Path(path_type=Path), help="An outcome to compare with; exit code 1 if it differs."
)
@click.option("--save", type=click.Path(path_type=Path), help="Write the outcome, to compare with it later.")
@click.option("--out", "target", type=click.Path(path_type=Path), help="Keep the contest in this folder.")
@database_option
@small_option
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
    small: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Let the bots of a contest's FILE play it from beginning to end, in fast time."""
    from icefire.contest.configfile import load_config
    from icefire.contest.rehearsal import Rehearsal, differences

    config, begin = load_config(file, registry, small=small), time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch, progress(None, as_json) as step:
        folder = target or Path(scratch) / "contest"
        with Rehearsal(folder, config, seed, database, registry, progress=step) as play:
            outcome = play.play()
            events, state = play.contest.store.verify(), play.contest.state()
    seconds = time.perf_counter() - begin
    if save is not None:
        save.write_text(json.dumps(outcome, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    faults = differences(outcome, _expected(expect)) if expect is not None else []
    if as_json:
        print_json({"seed": seed, "seconds": round(seconds, 2), "outcome": outcome, "differences": faults})
    else:
        _print_outcome(outcome, state)
        echo(f"{events} events in {seconds:.1f} s, seed {seed}; the log is intact.")
        for fault in faults[:20]:
            echo(f"Differs: {fault}", err=True)
    if faults:
        raise click.exceptions.Exit(1)


def _print_outcome(outcome: Outcome, state: State) -> None:
    names = {team.id: team.name for team in state.teams.values()}
    _print_standings(outcome["total"], names)
    for upload in state.uploads.values():
        for fault in upload.faults:
            echo(f"Rejected, {names[upload.team]}: {fault}")


def _expected(path: Path) -> object:
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
    """Keep a contest going: open and close its phases, and judge uploads. Several machines may do so at once."""
    from icefire.contest.workers import Workers

    # How services and containers are stopped.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with _open(folder) as found, Workers(found, name, workers) as crew:
        echo(f"Running {folder} with {workers} workers; stop with Ctrl-C, nothing is lost.")
        try:
            crew.run(until=lambda: until_done and crew.idle())
        except KeyboardInterrupt:
            echo("Stopped.")


@contest.command()
@folder_argument
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--certificate", type=click.Path(path_type=Path), help="For TLS: the certificate, with its chain.")
@click.option("--key", type=click.Path(path_type=Path), help="For TLS: the private key.")
@click.option("--proxies", default="", help="Addresses of reverse proxies that terminate TLS, such as 127.0.0.1.")
@click.option(
    "--operator",
    help=f"Add an operator of this name, unless there is one; the password is asked for, or read from {PASSWORD}.",
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
    """Serve a contest on the web: for the audience, the teams and the operator."""
    require("fastapi", "web")
    from icefire.web.serve import Address, Arena

    address = Address(host, port, certificate, key, proxies)
    with _open(folder) as found, Arena(found, address, workers) as arena:
        if operator and not arena.app.state.accounts.has(operator):
            arena.app.state.accounts.add_operator(operator, _password())
        if address.in_the_clear:
            echo(
                "Passwords will travel unencrypted: use --certificate and --key, or --proxies (docs/arena.md).",
                err=True,
            )
        echo(f"The arena is at {address.url}; stop with Ctrl-C.")
        arena.run()


@contest.command()
@folder_argument
@click.argument("login")
def operator(folder: Path, login: str) -> None:
    """Add an operator with this LOGIN; the password is asked for, or read from ICEFIRE_PASSWORD."""
    from icefire.web.accounts import Accounts

    with _open(folder) as found:
        Accounts(found).add_operator(login, _password())
        found.desk.note("operator", f"{login} is an operator")
    echo(f"{login} is an operator now.")


@contest.command()
@folder_argument
@click.argument("login")
def password(folder: Path, login: str) -> None:
    """Set a new password for a LOGIN, of an operator or a team. It ends all sessions and tokens of the login."""
    from icefire.web.accounts import Accounts

    with _open(folder) as found:
        Accounts(found).set_password(login, _password())
        found.desk.note("operator", f"{login} has a new password")
    echo(f"{login} has a new password; log in again.")


def _password() -> str:
    asked = os.environ.get(PASSWORD) or click.prompt(label("Password"), hide_input=True, confirmation_prompt=True)
    return str(asked)


@contest.command()
@click.option("--out", "target", type=click.Path(path_type=Path), help="Keep the contest in this folder.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--seconds", type=click.FloatRange(min=20), default=300.0, show_default=True, help="How long it lasts.")
@seed_option("Seed of the bots; an exciting one if left out.", None)
def show(target: Path | None, port: int, seconds: float, seed: int | None) -> None:
    """Let bots play the demonstration in real time, with a live page for the audience."""
    require("fastapi", "web")
    from icefire.contest.show import SEED, Bots, show_contest
    from icefire.web.serve import Address, Arena

    folder, seed = target or Path(tempfile.mkdtemp()) / "show", SEED if seed is None else seed
    chosen = secrets.token_urlsafe(9)
    try:
        with (
            show_contest(folder, seconds, seed) as made,
            Arena(made, Address(port=port)) as arena,
            Bots(made, seed, seconds) as bots,
        ):
            arena.app.state.accounts.add_operator("operator", chosen)
            echo(f"Open {arena.address.url}screen and watch; seed {seed}. It lasts {seconds:g} s; stop with Ctrl-C.")
            echo(f"The page for phones and desks is {arena.address.url}")
            echo(f"The operator's page is {arena.address.url}operator, login operator, password {chosen}")
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
    """Show what is going on: phase, standings, queue, alarms, and what is wrong."""
    from icefire.contest.board import board
    from icefire.contest.health import Health

    with _open(folder, SHORT) as found:
        state = found.state()
        troubles = Health(found).look(at_once=math.inf) if viewer == "operator" else []
    if viewer not in ("public", "operator") and viewer.removeprefix("team:") not in state.teams:
        raise InputError(
            f"unknown viewer {viewer!r}: write public, operator or team:ID with one of {', '.join(state.teams)}"
        )
    seen = board(state, viewer)
    if as_json:
        print_json({**seen, "troubles": troubles} if viewer == "operator" else seen)
    else:
        _print_board(seen)
        for trouble in troubles:
            echo(trouble["message"], err=True)


def _print_board(seen: BoardDocument) -> None:
    phase = seen["phase"]
    now = "no phase is open" if phase is None else f"round {phase['round'] + 1}, {label(phase['name'])}"
    marks = [
        label(word)
        for word, on in (("paused", seen["paused"]), ("frozen", seen["frozen"]), ("final", seen["final"]))
        if on
    ]
    echo(f"{seen['name']}: {', '.join([translated(now), *marks])}; {seen['seq']} events")
    _print_standings(seen["total"], {team["id"]: team["name"] for team in seen["teams"]})
    for alarm in seen.get("alarms", []):
        if not alarm["resolved"]:
            echo(f"Alarm {alarm['reference']}: {alarm['message']} ({alarm['job']})")
    for flag in seen.get("flags", []):
        if flag["ruling"] is None:
            echo(f"Flagged: {flag['team']}, {flag['set']}: {', '.join(flag['evidence'])}; waits for a ruling")


@contest.command()
@folder_argument
@click.argument("target", type=click.Path(path_type=Path))
def backup(folder: Path, target: Path) -> None:
    """Write everything into one file TARGET, while the contest goes on. It holds the secrets: keep it safe."""
    from icefire.contest.backup import back_up

    with _open(folder) as found:
        events = back_up(found, target)
    echo(f"{events} events and all files are in {target}. It holds the secrets of the contest.")


@contest.command()
@click.argument("source", type=click.Path(path_type=Path))
@folder_argument
@database_option
def restore(source: Path, folder: Path, database: str) -> None:
    """Make a contest from its back-up SOURCE in an empty FOLDER, ready to go on."""
    from icefire.contest.backup import restore as restore_backup

    with restore_backup(source, folder, database) as restored:
        events = restored.store.verify()
    echo(f"{events} events are back in {folder}. Go on with: icefire contest serve {folder}")


@contest.command()
@folder_argument
@json_option
def replay(folder: Path, as_json: bool) -> None:
    """Verify the log, judge everything again from the uploads, and compare. Exit code 1 if anything differs."""
    from icefire.contest.replay import replay as judge_again

    with _open(folder) as found:
        events = found.store.verify()
        count, faults = judge_again(found)
    if as_json:
        print_json({"events": events, "judged again": count, "differences": faults})
    else:
        echo(f"{events} events, the log is intact; {count} were judged again, {len(faults)} differ.")
        for fault in faults[:20]:
            echo(fault, err=True)
    if faults:
        raise click.exceptions.Exit(1)


@contest.command()
@folder_argument
@out_option(text="Folder for the files.")
def export(folder: Path, target: Path) -> None:
    """Write the log, the standings and the attack matrix as files."""
    from icefire.contest.export import export as export_files

    with _open(folder) as found:
        paths = export_files(found, target)
    for path in paths:
        echo(f"written: {path}")


def _open(folder: Path, patience: float | None = None) -> Contest:
    from sqlalchemy.exc import DBAPIError

    from icefire.contest.engine import Contest
    from icefire.contest.store import PATIENCE

    try:
        return Contest(folder, patience=PATIENCE if patience is None else patience)
    except DBAPIError as error:
        raise FileError(f"the database is away: {str(error.orig).strip()}") from error


def _print_standings(total: StandingsDocument, names: dict[str, str]) -> None:
    for title, table in (("Defenders", total["defenders"]), ("Attackers", total["attackers"])):
        rows = [
            [
                "-" if row["rank"] is None else number(row["rank"]),
                names[row["team"]],
                "-" if row["total"] is None else number(row["total"]),
            ]
            for row in table
        ]
        print_table(title, ["rank", "team", "total"], rows, left=2)

"""`icefire submit`: the participants' client."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from icefire.cli.arenaclient import ArenaClient
from icefire.cli.options import json_option
from icefire.cli.output import number, print_json
from icefire.cli.speech import echo
from icefire.core.errors import FileError, InputError
from icefire.words import label

if TYPE_CHECKING:
    from icefire.contest.documents import TeamDocument, UploadDocument
    from icefire.web.team import TeamPageDocument


@click.command()
@click.argument("what", type=click.Choice(["release", "guess", "status", "problem", "target"]))
@click.option("--server", envvar="ICEFIRE_SERVER", required=True, help="Address of the arena, or ICEFIRE_SERVER.")
@click.option("--token", envvar="ICEFIRE_TOKEN", required=True, help="Your team's token, or ICEFIRE_TOKEN.")
@click.option(
    "--ca",
    "authority",
    envvar="ICEFIRE_CA",
    type=click.Path(path_type=Path),
    help="The organizer's own certificate authority, a PEM file, or ICEFIRE_CA; the system's if left out.",
)
@click.option("--set", "dataset", help="The set of data; may be left out if there is one.")
@click.option("--target", help="The team whose release is attacked, by its name or its id.")
@click.option("--file", "file", type=click.Path(path_type=Path), help="What to send; where to write what is fetched.")
@click.option("--method", default="", help="A few words about your method, which the audience is told at once.")
@json_option
def submit(
    what: str,
    server: str,
    token: str,
    authority: Path | None,
    dataset: str | None,
    target: str | None,
    file: Path | None,
    method: str,
    as_json: bool,
) -> None:
    """Take part in a contest: send a release or a guess, and fetch your problem or a target.

    A zip file is sent as it is; a folder is packed, with what `icefire anonymize` or `icefire attack` has written.
    """
    client = ArenaClient(server, token, authority)
    own = client.own()
    if what == "status":
        _print_status(own, client.board()["teams"], as_json)
        return
    dataset = dataset or _only_set(own)
    team = _team(client, target) if what in ("target", "guess") else ""
    if file is None:
        raise InputError("say which file: --file FILE")
    if what in ("problem", "target"):
        file.write_bytes(client.fetch("GET", _download(own, what, team, dataset)))
        echo(f"written: {file}")
        return
    content = _packed(file, own["files"]["release" if what == "release" else "guess"])
    path = f"/api/releases/{dataset}" if what == "release" else f"/api/guesses/{team}/{dataset}"
    found = client.judged(client.upload(path, content, method))
    if as_json:
        print_json(found)
    else:
        _print_upload(found)
    if found["status"] == "rejected":
        raise click.exceptions.Exit(1)


def _team(client: ArenaClient, target: str | None) -> str:
    """The id of a team that is called by its name or its id."""
    from icefire.contest.names import same

    if target is None:
        raise InputError("say which team: --target TEAM")
    teams = client.board()["teams"]
    if any(team["id"] == target for team in teams):
        return target
    named = [team["id"] for team in teams if same(team["name"], target)]
    if not named:
        known = ", ".join(f"{team['name']} ({team['id']})" for team in teams)
        raise InputError(f"there is no team {target!r}, only {known}")
    return named[0]


def _download(own: TeamPageDocument, what: str, team: str, dataset: str) -> str:
    """The path of a team's problem, or of another team's release, in the latest round."""
    rounds = [problem["round"] for problem in own["problems"] if problem["set"] == dataset]
    if not rounds:
        raise InputError(f"there is no problem of the set {dataset!r} yet")
    folder = f"problems/{max(rounds)}" if what == "problem" else f"releases/{max(rounds)}/{team}"
    return f"/api/{folder}/{dataset}"


def _only_set(own: TeamPageDocument) -> str:
    names = sorted({problem["set"] for problem in own["problems"]})
    if len(names) != 1:
        raise InputError(f"say which set: --set, one of {', '.join(names) or 'none so far'}")
    return names[0]


def _packed(file: Path, patterns: list[str]) -> bytes:
    if file.is_dir():
        from icefire.contest.uploads import folder_files, pack

        found = folder_files(file, patterns)
        if not found:
            raise FileError(f"{file} holds none of {', '.join(patterns)}")
        return pack(found)
    if not file.is_file():
        raise FileError(f"no file {file}")
    return file.read_bytes()


def _print_upload(found: UploadDocument) -> None:
    echo(f"{found['upload']}: {label(found['status'])}")
    for name, measure in found["measures"].items():
        echo(f"  {name}: {_measure(measure)}")
    for fault in found["faults"]:
        echo(f"  {fault}", err=True)
    if found["reference"]:
        echo(f"  the judge failed on this file; reference {found['reference']}", err=True)


def _measure(measure: Mapping[str, object]) -> str:
    match measure:
        case {"value": float() | int() as value}:
            return number(value)
    return str(measure.get("undefined"))


def _print_status(own: TeamPageDocument, teams: list[TeamDocument], as_json: bool) -> None:
    if as_json:
        print_json(own)
        return
    phase = own["phase"]
    echo(f"{own['name']}: {'no phase is open' if phase is None else label(phase['name'])}")
    for dataset, left in own["releases_left"].items():
        echo(f"Releases left, {dataset}: {left}")
    names = {team["id"]: team["name"] for team in teams}
    for dataset, targets in own["guesses_left"].items():
        for team, left in targets.items():
            echo(f"Guesses left, {dataset}, {names[team]} ({team}): {left}")
    for upload in own["uploads"]:
        about = upload["set"] if upload["target"] is None else f"{upload['set']}, {names[upload['target']]}"
        echo(f"{label(upload['kind'])}, {about}:")
        _print_upload(upload)

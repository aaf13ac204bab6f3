"""`icefire submit`: the participants' client."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from icefire.cli.options import json_option
from icefire.cli.output import number, print_json
from icefire.cli.speech import echo
from icefire.core.errors import FileError, InputError
from icefire.words import label, language

if TYPE_CHECKING:
    from icefire.contest.documents import UploadDocument
    from icefire.web.team import TeamPageDocument

WAIT = 600.0
"""Seconds to wait for the judge."""


@click.command()
@click.argument("what", type=click.Choice(["release", "guess", "status", "problem", "target"]))
@click.option("--server", envvar="ICEFIRE_SERVER", required=True, help="Address of the arena, or ICEFIRE_SERVER.")
@click.option("--token", envvar="ICEFIRE_TOKEN", required=True, help="Your team's token, or ICEFIRE_TOKEN.")
@click.option("--set", "dataset", help="The set of data; may be left out if there is one.")
@click.option("--target", help="The team whose release is attacked.")
@click.option("--file", "file", type=click.Path(path_type=Path), help="What to send; where to write what is fetched.")
@json_option
def submit(
    what: str, server: str, token: str, dataset: str | None, target: str | None, file: Path | None, as_json: bool
) -> None:
    """Take part in a contest: send a release or a guess, and fetch your problem or a target.

    A zip file is sent as it is; a folder is packed, with what `icefire anonymize` or `icefire attack` has written.
    """
    client = _Client(server, token)
    own = client.own()
    if what == "status":
        _print_status(own, as_json)
        return
    dataset = dataset or _only_set(own)
    if what in ("target", "guess") and target is None:
        raise InputError("say which team: --target TEAM")
    if file is None:
        raise InputError("say which file: --file FILE")
    if what in ("problem", "target"):
        rounds = [problem["round"] for problem in own["problems"] if problem["set"] == dataset]
        if not rounds:
            raise InputError(f"there is no problem of the set {dataset!r} yet")
        folder = f"/api/problems/{max(rounds)}" if what == "problem" else f"/api/releases/{max(rounds)}/{target}"
        file.write_bytes(client.fetch("GET", f"{folder}/{dataset}"))
        echo(f"written: {file}")
        return
    content = _packed(file, own["files"]["release" if what == "release" else "guess"])
    path = f"/api/releases/{dataset}" if what == "release" else f"/api/guesses/{target}/{dataset}"
    found = client.judged(client.upload(path, content))
    if as_json:
        print_json(found)
    else:
        _print_upload(found)
    if found["status"] == "rejected":
        raise click.exceptions.Exit(1)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: a token goes to the named arena and nowhere else."""

    def redirect_request(self, *_: object) -> None:
        return None


class _Client:
    def __init__(self, server: str, token: str) -> None:
        parts = urllib.parse.urlsplit(server)
        if parts.scheme not in ("http", "https"):
            raise InputError(f"{server!r} is not an address such as https://arena.example.org")
        if parts.scheme == "http" and parts.hostname not in ("127.0.0.1", "::1", "localhost"):
            raise InputError(f"{server} is not encrypted, and your token would be readable on the way: use https")
        self._server, self._token = server.rstrip("/"), token
        self._opener = urllib.request.build_opener(_NoRedirects)

    def own(self) -> TeamPageDocument:
        document: TeamPageDocument = self._json("GET", "/api/own")
        return document

    def upload(self, path: str, content: bytes) -> str:
        return str(self._json("PUT", path, content)["upload"])

    def judged(self, upload: str) -> UploadDocument:
        """The state of an upload when the judge has looked at it, or has failed, or after a long time."""
        end = time.monotonic() + WAIT
        while True:
            found: UploadDocument = self._json("GET", f"/api/uploads/{upload}")
            if found["status"] != "waiting" or found["reference"] or time.monotonic() > end:
                return found
            time.sleep(0.5)

    def _json(self, method: str, path: str, content: bytes | None = None) -> Any:
        try:
            return json.loads(self.fetch(method, path, content))
        except ValueError as error:
            raise InputError(f"{self._server} does not answer as an arena does") from error

    def fetch(self, method: str, path: str, content: bytes | None = None) -> bytes:
        address = self._server + urllib.parse.quote(path)
        headers = {
            "authorization": f"Bearer {self._token}",
            "content-type": "application/octet-stream",
            "accept-language": language(),
        }
        request = urllib.request.Request(address, content, headers, method=method)
        try:
            with self._opener.open(request, timeout=120) as answer:
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                raise InputError(_message(error)) from error
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            raise InputError(f"{self._server} cannot be reached: {error}") from error


def _message(error: urllib.error.HTTPError) -> str:
    """What the arena says about a refusal, without control characters."""
    try:
        body = json.loads(error.read())
        text = "\n".join(body.get("faults") or [str(body.get("detail"))])
        return "".join(letter for letter in text if letter.isprintable() or letter == "\n")
    except (ValueError, AttributeError):
        return f"the arena answered {error.code}"


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


def _print_status(own: TeamPageDocument, as_json: bool) -> None:
    if as_json:
        print_json(own)
        return
    phase = own["phase"]
    echo(f"{own['name']}: {'no phase is open' if phase is None else label(phase['name'])}; tries left: {own['left']}")
    for upload in own["uploads"]:
        _print_upload(upload)

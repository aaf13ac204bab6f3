"""What lies in `deploy/`: units, a container file, and nginx before several web processes, with judges on another machine."""

from __future__ import annotations

import os
import re
import shutil
import ssl
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from contest.test_faults import open_contest, release_of
from icefire.contest.engine import Contest
from icefire.contest.health import Health
from icefire.web.accounts import Accounts
from postgres import Postgres
from web.conftest_web import HEADERS, PASSWORD, free_port

DEPLOY = Path(__file__).parents[2] / "deploy"
NOBODY = 65534
PROGRAM = "from icefire.cli.main import main; main()"


def verified(analyze: str, folder: Path, change: Callable[[str], str] = str) -> str:
    """What systemd-analyze says about our units; nothing if they are sound."""
    paths = []
    for source in (DEPLOY / "systemd").iterdir():
        # Whether a program exists is checked, too.
        text = source.read_text().replace("/opt/icefire/bin/icefire", shutil.which("true") or "/bin/true")
        (folder / source.name).write_text(change(text))
        paths.append(str(folder / source.name))
    done = subprocess.run([analyze, "verify", *paths], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_units_are_sound(program: Callable[[str], str], tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    assert verified(analyze, tmp_path) == ""
    broken = verified(analyze, tmp_path, lambda text: text.replace("ProtectSystem=strict", "ProtectSistem=strict"))
    assert "ProtectSistem" in broken, "a mistake would be seen"


def test_the_container_file_can_be_read() -> None:
    """There is no engine to build it with here: instructions, files and options alone are checked."""
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    steps = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    known = {"FROM", "COPY", "RUN", "ENV", "USER", "WORKDIR", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    assert {step for step, _ in steps} == known
    assert steps[-1][0] == "CMD"
    assert [rest for step, rest in steps if step == "USER"] == ["icefire"], "not as root"
    extras = re.search(r"/source\[([\w,]+)\]", "\n".join(lines))
    assert extras is not None
    offered = (DEPLOY.parent / "pyproject.toml").read_text()
    assert all(f"\n{extra} = [" in offered for extra in extras[1].split(","))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_the_web_needs_no_access_to_the_vault(tmp_path: Path) -> None:
    """As by InaccessiblePaths of the unit."""
    if not all(folder.stat().st_mode & stat.S_IXOTH for folder in DEPLOY.parents):
        pytest.skip("the project lies where no other user can read it")
    for folder in [tmp_path, *tmp_path.parents]:
        if folder.stat().st_uid == 0 and "pytest" in str(folder):
            folder.chmod(0o755)
    with open_contest(tmp_path / "c") as contest:
        contest.uploads.release("ann", "households", release_of(contest))
        contest.submissions.collect(contest.state)
    for path in [tmp_path / "c", *(tmp_path / "c").rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    os.chown(tmp_path / "c" / "vault", 0, 0)
    child = os.fork()
    if child == 0:
        code, closed = 1, False
        try:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            # No more than this: polars does not work in a fork.
            with Contest(tmp_path / "c", patience=2) as seen:
                seen.submissions.receive("0" * 16, b"content")
                (upload,) = (each for each in seen.state().uploads.values() if each.team == "ann")
                try:
                    seen.submissions.get(upload)
                except PermissionError:
                    closed = not [trouble for trouble in Health(seen).look() if trouble["kind"] == "file"]
                seen.teams.add("Dan")
                code = 0 if "dan" in seen.state().teams and closed else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@dataclass
class Machines:
    """Two machines with a network of their own, and this one, on which the database runs."""

    prefix: str
    number: int

    @property
    def here(self) -> str:
        return f"10.{self.number}.1.1"

    def address(self, machine: str) -> str:
        return f"10.{self.number}.{'ab'.index(machine) + 1}.2"

    def command(self, machine: str, *command: str) -> list[str]:
        return ["ip", "netns", "exec", f"{self.prefix}{machine}", *command]


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@pytest.fixture
def machines() -> Iterator[Machines]:
    """Network namespaces a and b, each with a cable to this machine."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("only root makes networks, with the program ip (sudo apt-get install iproute2)")
    made = Machines(f"ice{os.getpid()}", 64 + os.getpid() % 64)
    with ExitStack() as stack:
        for number, machine in enumerate("ab", start=1):
            name, cable = f"{made.prefix}{machine}", f"i{os.getpid()}{machine}"
            try:
                ip("netns", "add", name)
                stack.callback(ip, "netns", "del", name)
                # In a changed root, a network can be made and not be entered.
                ip("-n", name, "link", "set", "lo", "up")
            except subprocess.CalledProcessError as error:
                pytest.skip(f"no right to make networks: {error.stderr.decode().strip()}")
            ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name)
            stack.callback(subprocess.run, ["ip", "link", "del", cable], capture_output=True, check=False)
            ip("addr", "add", f"10.{made.number}.{number}.1/24", "dev", cable)
            ip("link", "set", cable, "up")
            for command in (
                f"addr add {made.address(machine)}/24 dev eth0",
                "link set eth0 up",
                f"route add default via 10.{made.number}.{number}.1",
            ):
                ip("-n", name, *command.split())
        yield made


@contextmanager
def running(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("ab") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def certificate(openssl: str, folder: Path, address: str) -> Path:
    command = f"{openssl} req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=arena.example.org".split()
    command += ["-addext", f"subjectAltName=IP:{address},DNS:arena.example.org"]
    command += ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "fullchain.pem"


def nginx_settings(folder: Path) -> Path:
    """Our file as it is, but for the folder of the certificate, in an nginx of its own."""
    ours = (DEPLOY / "nginx.conf").read_text()
    (folder / "icefire.conf").write_text(ours.replace("/etc/letsencrypt/live/arena.example.org", str(folder)))
    main = folder / "nginx.conf"
    scratch = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main.write_text(
        f"user root;\ndaemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{scratch}include {folder}/icefire.conf;\n}}\n"
    )
    return main


def wait(until: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.1)


def answers(url: str, context: ssl.SSLContext | bool = True) -> bool:
    try:
        return httpx.get(url, verify=context, timeout=5).status_code == 200
    except httpx.TransportError:
        return False


def test_an_arena_on_two_machines(
    machines: Machines, program: Callable[[str], str], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Machine a: nginx and two web processes; b: the judge; PostgreSQL on this one. All share the contest's folder."""
    nginx, openssl = program("nginx"), program("openssl")
    host = machines.address("a")
    server = Postgres(free_port(), machines.here)
    request.addfinalizer(server.close)
    server.start()
    context = ssl.create_default_context(cafile=str(certificate(openssl, tmp_path, host)))

    def icefire(machine: str, *arguments: str) -> list[str]:
        return machines.command(machine, sys.executable, "-c", PROGRAM, "contest", *arguments)

    def web(port: int) -> list[str]:
        serving = ["serve", str(tmp_path / "c"), "--port", str(port), "--workers", "0", "--proxies", "127.0.0.1"]
        return icefire("a", *serving)

    with open_contest(tmp_path / "c", server.new_database("arena")) as contest, ExitStack() as stack:
        accounts = Accounts(contest)
        accounts.add_operator("boss", PASSWORD)
        accounts.join(accounts.invite("ann"), "member", PASSWORD)
        processes = [stack.enter_context(running(web(port), tmp_path / "web.log")) for port in (8001, 8002)]
        stack.enter_context(running(icefire("b", "run", str(tmp_path / "c"), "--name", "b"), tmp_path / "judge.log"))
        proxy = machines.command("a", nginx, "-c", str(nginx_settings(tmp_path)), "-p", str(tmp_path))
        stack.enter_context(running(proxy, tmp_path / "nginx.log"))
        wait(lambda: answers(f"https://{host}/api/health", context))

        # Whoever asks in the clear is sent to the name of the server, whatever host the request claims.
        moved = httpx.get(f"http://{host}/team", headers={"host": "evil.example"})
        assert (moved.status_code, moved.headers["location"]) == (301, "https://arena.example.org/team")

        client = stack.enter_context(
            httpx.Client(base_url=f"https://{host}", verify=context, headers=HEADERS, timeout=30)
        )
        login = client.post("/api/login", json={"login": "member", "password": PASSWORD})
        assert "__Host-icefire_session" in login.headers["set-cookie"]
        assert "Secure" in login.headers["set-cookie"]
        assert login.headers["strict-transport-security"]
        token = client.post("/api/tokens").json()["token"]
        # A session holds with every process.
        assert [client.get("/api/me").json()["login"] for _ in range(6)] == ["member"] * 6
        assert client.put("/api/releases/households", content=b"x" * 26_000_000).status_code == 413

        with client.stream("GET", "/api/stream", headers={"x-forwarded-for": "203.0.113.9"}) as stream:
            lines = stream.iter_lines()
            assert any(line.startswith("event: board") for line in lines)
            begin = time.monotonic()
            contest.messages.announce("Lunch is at noon.", "operator:boss")
            assert any(line.startswith("event: board") for line in lines)
            assert time.monotonic() - begin < 3, "the stream is not held back"

        bearer = {"authorization": f"Bearer {token}", "idempotency-key": "first"}
        content = release_of(contest)
        uploads = [
            client.put("/api/releases/households", content=content, headers=bearer).json()["upload"] for _ in range(2)
        ]
        assert uploads[0] == uploads[1], "a repeated upload is taken in once"
        wait(lambda: contest.state().uploads[uploads[0]].status == "accepted")
        assert client.get(f"/api/uploads/{uploads[0]}", headers=bearer).json()["status"] == "accepted"

        # A web process dies: the other one goes on.
        processes[0].kill()
        processes[0].wait()
        for _ in range(5):
            assert client.get("/api/own").json()["team"] == "ann"
        last = client.put("/api/releases/households", content=content, headers={**bearer, "idempotency-key": "second"})
        wait(lambda: contest.state().uploads[last.json()["upload"]].status == "accepted")
        senders = [upload.place.team for upload in contest.state().uploads.values()]
        assert len(senders) - senders.count("pseudonyms-only") == 2
        assert contest.store.verify()

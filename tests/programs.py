"""Programs that some tests run and that no Python package brings along.

As root on Debian or Ubuntu, `python tests/programs.py` installs those that are absent. Tests of an absent program are
skipped, with the command that installs it as the reason.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from contextlib import suppress

PACKAGES = {
    "chromium": "chromium fonts-noto-cjk",
    "javac": "default-jdk-headless",
    "libatomic.so.1": "libatomic1",  # of Playwright's driver
    "nginx": "nginx",
    "node": "nodejs",
    "openssl": "openssl",
    "Rscript": "r-base-core",
    "ruby": "ruby",
    "systemd-analyze": "systemd",
}
OTHER_NAMES = {"chromium": ("chromium-browser", "google-chrome")}


def find(program: str) -> str | None:
    """The path of a program, of the machine or from a wheel, or the name of a shared library that can be loaded."""
    if ".so." in program:
        with suppress(OSError):
            ctypes.CDLL(program)
            return program
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), os.path.dirname(sys.executable), "/usr/sbin"])
    found = (shutil.which(name, path=path) for name in (program, *OTHER_NAMES.get(program, ())))
    return next(filter(None, found), None)


def advice(program: str) -> str:
    """Why a test is skipped, and what to do about it."""
    return f"{program} is not installed; on Debian or Ubuntu: sudo apt-get install {PACKAGES[program]}"


def install() -> None:
    """Install what is absent, as root; a failure is reported, and costs only the tests of the programs."""
    absent = [program for program in PACKAGES if find(program) is None]
    if not absent:
        return
    packages = " ".join(PACKAGES[program] for program in absent)
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        print(f"tests of {', '.join(absent)} will be skipped; on Debian or Ubuntu: sudo apt-get install {packages}")
        return
    print(f"installing {', '.join(absent)} for the tests, with apt-get (up to 400 MB to download)", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", *packages.split()]):
        done = subprocess.run(["apt-get", "-qq", *command], env=quiet, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"apt-get {command[0]} failed, so their tests will be skipped: {done.stderr.strip()[-500:]}")
            return


if __name__ == "__main__":
    install()

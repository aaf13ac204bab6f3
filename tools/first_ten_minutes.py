"""Does what docs/start.md says, line by line, in a new account with nothing installed; fails if page and program differ.

    sudo python tools/first_ten_minutes.py [PAGE]

The package is built from this checkout and found by pip under its own name.
"""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))

from building.console import differences  # noqa: E402

USER = "icefire-visitor"


def main() -> None:
    page = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "start.md"
    if os.geteuid():
        sys.exit("this makes a new account: run it as root")
    with tempfile.TemporaryDirectory() as wheels:
        subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", wheels, ROOT], check=True)
        Path(wheels).chmod(0o755)
        subprocess.run(["useradd", "--create-home", USER], check=True)
        home = Path(pwd.getpwnam(USER).pw_dir)
        try:
            settings = {
                name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_", "REQUESTS_"))
            }
            account = {"HOME": str(home), "USER": USER, "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
            environment = settings | account | {"PIP_FIND_LINKS": wheels}
            shell = ("setpriv", "--reuid", USER, "--regid", USER, "--init-groups", "bash")
            faults = differences(page.read_text(encoding="utf-8"), home, environment, shell)
        finally:
            subprocess.run(["userdel", "--remove", USER], check=False, capture_output=True)
    if faults:
        sys.exit("\n\n".join(faults))
    print(f"{page.name} says what the program does")


if __name__ == "__main__":
    main()
